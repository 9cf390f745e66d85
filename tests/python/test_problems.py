"""solve() against closed forms, with dense and sparse matrices."""

import numpy as np
import pytest
import saltus
from scipy import sparse

COMPLEMENTARITY = [
    saltus.Automatic(),
    saltus.Lemke(),
    saltus.Murty(),
    saltus.BlockPivoting(),
    saltus.Psor(tolerance=1e-12),
]
STORAGE = [np.array, sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix]


@pytest.mark.parametrize("solver", COMPLEMENTARITY, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("storage", STORAGE, ids=lambda s: s.__name__)
def test_every_algorithm_solves_a_small_lcp(solver, storage):
    problem = saltus.Lcp(storage([[2.0, 1.0], [1.0, 2.0]]), [-5.0, -6.0])
    z, report = saltus.solve(problem, solver=solver)
    assert report.converged() and report.status == saltus.SolveStatus.converged
    assert z == pytest.approx([4 / 3, 7 / 3], abs=1e-11)  # M z = -q, both positive
    assert problem.residual(z) == report.residual


def column(n, storage):
    """One step of n resting unit masses: impulses (n, …, 1) g h (PL:C-03)."""
    M = sparse.diags([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], [-1, 0, 1]).tolil()
    M[0, 0] = 1.0
    q = np.zeros(n)
    q[0] = -9.81e-3
    return saltus.Lcp(storage(M.toarray()) if storage is np.array else storage(M), q)


def test_a_sparse_column_of_1000_beads_is_solved_to_rounding():
    problem = column(1000, sparse.csr_matrix)
    z, report = saltus.solve(problem, solver=saltus.BlockPivoting())
    assert report.converged()
    assert np.abs(z - np.arange(1000, 0, -1) * 9.81e-3).max() < 1e-10
    assert sparse.issparse(problem.M) and problem.M.nnz == 2998


def test_dense_and_sparse_storage_give_the_same_solution():
    dense, _ = saltus.solve(column(50, np.array), solver=saltus.Lemke())
    scattered, _ = saltus.solve(column(50, sparse.csc_matrix), solver=saltus.Lemke())
    assert dense == pytest.approx(scattered, abs=1e-12)


def test_repeated_and_unsorted_entries_of_a_sparse_matrix_are_added():
    entries = [1, 1, 1, 1, 2], ([0, 0, 1, 0, 1], [1, 0, 0, 0, 1])  # integers
    problem = saltus.Lcp(sparse.coo_matrix(entries, shape=(2, 2)), [-5.0, -6.0])
    assert problem.M.toarray().tolist() == [[2.0, 1.0], [1.0, 2.0]]
    z, _ = saltus.solve(problem)
    assert z == pytest.approx([4 / 3, 7 / 3], abs=1e-12)


def test_a_guess_is_used_and_not_changed():
    problem = column(20, np.array)
    exact = np.arange(20, 0, -1) * 9.81e-3
    guess = exact.copy()
    _, warm = saltus.solve(problem, guess, saltus.Psor())
    _, cold = saltus.solve(problem, solver=saltus.Psor())
    assert np.array_equal(guess, exact)
    assert warm.iterations < cold.iterations


def test_an_lcp_without_solution_is_a_status():
    z, report = saltus.solve(saltus.Lcp([[-1.0]], [-1.0]), solver=saltus.Lemke())
    assert not report.converged()
    assert report.status in (saltus.SolveStatus.infeasible, saltus.SolveStatus.stalled)
    assert np.isfinite(z).all()


def test_too_few_iterations_are_a_status():
    _, report = saltus.solve(column(50, np.array), solver=saltus.Psor(max_iterations=2))
    assert report.status == saltus.SolveStatus.max_iterations and report.iterations == 2


@pytest.mark.parametrize("solver", [saltus.Automatic(), saltus.Lemke()], ids=["Automatic", "Lemke"])
def test_a_mixed_problem_is_the_optimality_of_a_quadratic_program(solver):
    # min (x - 2)²/2 with x ≤ 1:  x - 2 + λ = 0,  0 ≤ 1 - x ⟂ λ ≥ 0
    problem = saltus.Mlcp([[1.0, 1.0], [-1.0, 0.0]], [-2.0, 1.0], equalities=[0])
    z, report = saltus.solve(problem, solver=solver)
    assert report.converged() and z == pytest.approx([1.0, 1.0], abs=1e-12)
    assert problem.equalities == [0]


CONTACTS = {
    "open": ([1.0, 2.0, 0.0], [0.0, 0.0, 0.0]),
    "stick": ([-1.0, 0.2, 0.1], [1.0, -0.2, -0.1]),
    "slip": ([-1.0, 2.0, 0.0], [1.0, -0.5, 0.0]),
}


@pytest.mark.parametrize("mode", CONTACTS)
def test_one_contact_opens_sticks_or_slips(mode):
    q, expected = CONTACTS[mode]
    for W in (np.eye(3), sparse.identity(3)):
        problem = saltus.FrictionContact(W, q, mu=[0.5])
        r, report = saltus.solve(problem, solver=saltus.Nsgs(tolerance=1e-12))
        assert report.converged() and r == pytest.approx(expected, abs=1e-11)


def test_contact_in_the_plane():
    problem = saltus.FrictionContact(np.eye(2), [-1.0, 2.0], mu=[0.5], dimension=2)
    r, report = saltus.solve(problem)
    assert report.converged() and r == pytest.approx([1.0, -0.5], abs=1e-7)


def test_the_global_problem_gives_velocities_and_impulses():
    M, H = 2 * sparse.identity(3), np.eye(3)
    problem = saltus.GlobalFrictionContact(M, H, [-2.0, 4.0, 0.0], np.zeros(3), mu=[0.5])
    (v, r), report = saltus.solve(problem, solver=saltus.Nsgs(tolerance=1e-12))
    assert report.converged()
    # W = 1/2, q = (-1, 2, 0): r_N = 2 stops the normal velocity, r_T = -mu r_N
    assert r == pytest.approx([2.0, -1.0, 0.0], abs=1e-11)
    assert v == pytest.approx([0.0, 1.5, 0.0], abs=1e-11)
    assert problem.residual(v, r) < 1e-10
    assert problem.reduce().residual(r) == pytest.approx(report.residual, abs=1e-15)
    assert problem.velocity(r) == pytest.approx(v, abs=1e-15)
