"""Quadratic programs: closed forms, duals, certificates, both storages.

S:QP-01, S:QP-02, S:QP-03, S:QP-05, S:QP-06, S:QP-07, S:QP-09, S:QP-10, S:QP-13, S:QP-21b, S:QP-23,
S:QP-25, S:LCP-12
"""

import numpy as np
import pytest
import saltus
from scipy import sparse

EQUALITY = [saltus.KktLdlt(), saltus.KktLu(), saltus.RangeSpace(), saltus.NullSpace()]
GENERAL = [
    saltus.QpAutomatic(),
    saltus.ActiveSet(),
    saltus.DualActiveSet(),
    saltus.QpInteriorPoint(),
]
STORAGE = [np.array, sparse.csr_matrix]


def kind(value):
    return getattr(value, "__name__", type(value).__name__)


@pytest.mark.parametrize("solver", EQUALITY + GENERAL, ids=kind)
@pytest.mark.parametrize("storage", STORAGE, ids=kind)
def test_equality_constrained_program(solver, storage):  # S:V-03
    Q = storage([[6.0, 2.0, 1.0], [2.0, 5.0, 2.0], [1.0, 2.0, 4.0]])
    C = storage([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
    problem = saltus.Qp(Q, [-8.0, -3.0, -3.0], C=C, d=[3.0, 0.0])
    point, report = saltus.solve(problem, solver=solver)
    assert report.converged() and report.solver == type(solver).__name__
    # regular, condition number of some 10: a residual of 1e-8 leaves an error of that order
    tolerance = 1e-12 if solver in EQUALITY else 1e-7
    assert point.z == pytest.approx([2.0, -1.0, 1.0], abs=tolerance)
    assert point.mu == pytest.approx([3.0, -2.0], abs=tolerance)
    assert problem.objective([2.0, -1.0, 1.0]) == -3.5
    assert problem.residual(point) == report.residual
    assert sparse.issparse(problem.Q) == (storage is sparse.csr_matrix)


def inequality_program():
    A = [[1.0, -2.0], [-1.0, -2.0], [-1.0, 2.0], [1.0, 0.0], [0.0, 1.0]]
    return saltus.Qp(2 * np.eye(2), [-2.0, -5.0], A=A, b=[-2.0, -6.0, -2.0, 0.0, 0.0])


@pytest.mark.parametrize("solver", GENERAL, ids=kind)
def test_inequality_constrained_program(solver):  # S:V-04
    problem = inequality_program()
    point, report = saltus.solve(problem, [2.0, 0.0], solver)
    assert report.converged()
    assert point.z == pytest.approx([1.4, 1.7], abs=1e-7)
    assert point.lambda_ == pytest.approx([0.8, 0.0, 0.0, 0.0, 0.0], abs=1e-7)


def test_a_program_and_its_duals_have_opposite_minima():  # S:V-04
    problem = inequality_program()
    exact = saltus.QpPoint([1.4, 1.7], [0.8, 0.0, 0.0, 0.0, 0.0])
    assert problem.residual(exact) < 1e-14
    assert problem.objective(exact.z) == pytest.approx(-6.45, abs=1e-14)
    assert problem.dual_objective(exact) == pytest.approx(-6.45, abs=1e-14)
    dorn = problem.to_dorn_dual()
    solution, report = saltus.solve(dorn)
    assert report.converged() and dorn.objective(solution.z) == pytest.approx(6.45, abs=1e-6)
    dual, constant, primal = problem.to_dual()
    y, report = saltus.solve(dual)
    assert report.converged()
    assert dual.objective(y.z) + constant == pytest.approx(6.45, abs=1e-6)
    assert primal(y.z) == pytest.approx([1.4, 1.7], abs=1e-6)


BOUNDS = {
    "a": (-np.ones(5), 2.0, [1.5, 2.0, 2.0, 2.0, 1.5], [0.0, -0.5, -1.0, -0.5, 0.0]),
    "b": (
        np.array([-1.0, -1.0, 3.0, -1.0, -1.0]),
        0.9,
        [0.9, 0.9, 0.0, 0.9, 0.9],
        [-0.1, -0.1, 1.2, -0.1, -0.1],
    ),
}


@pytest.mark.parametrize("case", BOUNDS)
@pytest.mark.parametrize("solver", GENERAL, ids=kind)
def test_bound_constrained_program(solver, case):  # S:V-05
    p, top, z, gradient = BOUNDS[case]
    Q = sparse.diags([-np.ones(4), 2 * np.ones(5), -np.ones(4)], [-1, 0, 1])
    problem = saltus.Qp(Q, p, lower=np.zeros(5), upper=np.full(5, top))
    point, report = saltus.solve(problem, solver=solver)
    assert report.converged()
    assert point.z == pytest.approx(z, abs=1e-7)
    assert point.bounds == pytest.approx(gradient, abs=1e-7)  # Q z + p = π


def simplex_program():
    return saltus.Qp(np.eye(2), [-1.0, -3.0], C=[[1.0, 1.0]], d=[1.0], lower=[0.0, 0.0])


def test_a_program_as_a_horizontal_problem():  # S:V-06
    point, report = saltus.solve(simplex_program())
    assert report.converged() and point.z == pytest.approx([0.0, 1.0], abs=1e-8)
    assert point.mu == pytest.approx([-2.0], abs=1e-8)
    horizontal = simplex_program().to_horizontal_lcp(Z=[[1.0], [-1.0]])
    assert horizontal.Q @ [0.0, 1.0] + horizontal.R @ [1.0, 0.0] == pytest.approx(horizontal.q)
    assert horizontal.residual([0.0, 1.0], [1.0, 0.0]) == 0.0
    (x, s), report = saltus.solve(simplex_program().to_horizontal_lcp())
    assert report.converged()
    assert x == pytest.approx([0.0, 1.0], abs=1e-7) and s == pytest.approx([1.0, 0.0], abs=1e-7)


def test_a_program_as_a_mixed_problem():
    mlcp, expand = simplex_program().to_mlcp()
    z, report = saltus.solve(mlcp)
    assert report.converged()
    point = expand(z)
    assert point.z == pytest.approx([0.0, 1.0], abs=1e-10)
    assert point.bounds == pytest.approx([1.0, 0.0], abs=1e-10)
    with pytest.raises(saltus.Error, match="expand: z has size 1"):
        expand([0.0])


def test_a_program_over_the_positive_cone_is_a_complementarity_problem():
    problem = saltus.Qp([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0], lower=[0.0, 0.0])
    z, _ = saltus.solve(problem.to_lcp())
    assert z == pytest.approx([4 / 3, 7 / 3], abs=1e-12)  # S:V-09
    again = problem.to_lcp().to_symmetric_qp()
    assert saltus.solve(again)[0].z == pytest.approx(z, abs=1e-8)
    with pytest.raises(saltus.Error):
        inequality_program().to_lcp()


@pytest.mark.parametrize("solver", GENERAL, ids=kind)
def test_an_unbounded_program_comes_with_a_direction(solver):  # S:V-02
    problem = saltus.Qp(np.diag([0.0, 2.0]), [1.0, 0.0], A=[[-1.0, 0.0]], b=[0.0])
    _, report = saltus.solve(problem, solver=solver)
    assert report.status == saltus.SolveStatus.unbounded
    assert problem.proves_unbounded(report.certificate)
    assert not problem.proves_unbounded(-report.certificate)


@pytest.mark.parametrize("solver", GENERAL, ids=kind)
def test_an_infeasible_program_comes_with_a_proof(solver):
    problem = saltus.Qp(np.eye(1), [0.0], A=[[1.0], [-1.0]], b=[1.0, 0.0])  # 1 ≤ z ≤ 0
    _, report = saltus.solve(problem, solver=solver)
    assert report.status == saltus.SolveStatus.infeasible
    assert report.certificate.shape == (3,)  # λ, no μ, π
    assert problem.proves_infeasible(report.certificate)


def test_a_solved_program_has_no_certificate():
    assert saltus.solve(simplex_program())[1].certificate is None


def test_an_indefinite_program_is_refused_by_convex_solvers():  # S:V-01
    gap = saltus.Lcp([[1.0, -3.0], [0.0, 1.0]], [-1.0, -1.0]).to_gap_qp()
    assert gap.objective([4.0, 1.0]) == pytest.approx(0.0, abs=1e-14)
    _, report = saltus.solve(gap)
    assert report.status == saltus.SolveStatus.nonconvex


def test_a_point_warms_the_start_and_is_not_changed():
    problem = inequality_program()
    guess = saltus.QpPoint([1.4, 1.7])
    _, warm = saltus.solve(problem, guess, saltus.ActiveSet())
    _, cold = saltus.solve(problem, solver=saltus.ActiveSet())
    assert warm.converged() and warm.iterations <= cold.iterations
    assert guess.z.tolist() == [1.4, 1.7] and guess.lambda_.size == 0


def test_vectors_of_a_program_are_views():
    problem = saltus.Qp(np.eye(2), [-1.0, -2.0])
    problem.p[0] = -5.0
    assert saltus.solve(problem)[0].z == pytest.approx([5.0, 2.0], abs=1e-8)


def test_mistakes_are_errors():
    with pytest.raises(saltus.Error, match="Qp"):
        saltus.Qp(np.eye(2), [1.0, 2.0, 3.0])
    with pytest.raises(saltus.Error, match="symmetric"):
        saltus.Qp([[1.0, 1.0], [0.0, 1.0]], [0.0, 0.0])
    with pytest.raises(saltus.Error, match="Qp: p: entry 0 is nan"):
        saltus.Qp(np.eye(1), [np.nan])
    with pytest.raises(saltus.Error, match="Qp"):
        saltus.Qp(np.eye(1), [0.0], lower=[1.0], upper=[0.0])
    with pytest.raises(saltus.Error, match="guess: z has size 1, expected 2"):
        saltus.solve(simplex_program(), [1.0])
    with pytest.raises(saltus.Error, match="guess: mu has size 2, expected 1"):
        saltus.solve(simplex_program(), saltus.QpPoint([0.0, 1.0], mu=[1.0, 1.0]))
    with pytest.raises(TypeError, match="solver: expected one of QpAutomatic, ActiveSet"):
        saltus.solve(simplex_program(), solver=saltus.Lemke())
    with pytest.raises(saltus.Error):  # bounds are not for the solvers of equations
        saltus.solve(simplex_program(), solver=saltus.KktLdlt())
