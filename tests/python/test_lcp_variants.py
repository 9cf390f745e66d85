"""Variants of the LCP, their conversions, certificates and matrix classes.

S:LCP-01, S:LCP-02, S:LCP-03a, S:LCP-05, S:LCP-06, S:LCP-07, S:LCP-09, S:LCP-10, S:LCP-11, S:LCP-26
"""

import numpy as np
import pytest
import saltus
from scipy import sparse

SPD = [[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0]  # S:V-09: z = (4/3, 7/3), w = 0
INTERIOR = [
    saltus.Mehrotra(),
    saltus.InteriorPoint(),
    saltus.PotentialReduction(),
    saltus.ShortStep(),
    saltus.PredictorCorrector(),
    saltus.LongStep(),
]


@pytest.mark.parametrize("solver", INTERIOR, ids=lambda s: type(s).__name__)
def test_a_horizontal_problem_is_solved_by_interior_points(solver):
    problem = saltus.Lcp(*SPD).to_horizontal_lcp()
    (x, s), report = saltus.solve(problem, solver=solver)
    assert report.converged() and problem.residual(x, s) == report.residual
    assert x == pytest.approx([4 / 3, 7 / 3], abs=1e-6)
    assert s == pytest.approx([0.0, 0.0], abs=1e-6)


def test_a_horizontal_problem_keeps_its_storage():
    problem = saltus.HorizontalLcp(sparse.identity(2), -np.eye(2), [1.0, -1.0])
    assert sparse.issparse(problem.Q) and problem.R.shape == (2, 2)
    (x, s), _ = saltus.solve(problem)  # x − s = (1, −1)
    assert x == pytest.approx([1.0, 0.0], abs=1e-7) and s == pytest.approx([0.0, 1.0], abs=1e-7)


def test_conversions_of_a_horizontal_problem():
    problem = saltus.HorizontalLcp(np.eye(2), -np.eye(2), [1.0, -1.0])
    lcp, expand = problem.to_lcp()
    x, s = expand(saltus.solve(lcp)[0])
    assert problem.residual(x, s) < 1e-14
    assert problem.to_generalised_lcp().residual(x, s, []) < 1e-14


def test_a_vertical_problem_is_solved_through_its_lcp():
    A, B = [[2.0, 0.0], [1.0, 1.0]], [[1.0, 1.0], [0.0, 3.0]]
    problem = saltus.VerticalLcp(A, [-1.0, 0.5], B, [1.0, -2.0])
    lcp, expand = problem.to_lcp()
    z, report = saltus.solve(lcp)
    assert report.converged() and problem.residual(expand(z)) < 1e-12
    assert saltus.Lcp(*SPD).to_vertical_lcp().residual([4 / 3, 7 / 3]) < 1e-14
    with pytest.raises(saltus.Error):
        saltus.VerticalLcp(np.zeros((2, 2)), [0.0] * 2, np.eye(2), [0.0] * 2).to_lcp()


def test_a_mixed_problem_in_three_other_forms():
    # min (x − 2)²/2 with x ≤ 1: z = (x, λ) = (1, 1)
    problem = saltus.Mlcp([[1.0, 1.0], [-1.0, 0.0]], [-2.0, 1.0], equalities=[0])
    lcp, expand = problem.to_lcp()
    assert expand(saltus.solve(lcp)[0]) == pytest.approx([1.0, 1.0], abs=1e-12)
    horizontal, expand = problem.to_horizontal_lcp()
    (x, s), _ = saltus.solve(horizontal)
    assert expand(x, s) == pytest.approx([1.0, 1.0], abs=1e-7)
    vertical, expand = problem.to_vertical_lcp()
    assert vertical.residual([1.0]) < 1e-14
    assert expand([1.0]) == pytest.approx([1.0, 1.0], abs=1e-14)


def test_extended_and_generalised_problems_have_a_residual():
    # K = {y ≥ 1}, y = z − w: z = 1, w = 0 solves, z = 0 does not
    problem = saltus.ExtendedLcp([[1.0]], [[-1.0]], [[1.0]], [1.0])
    assert problem.residual([1.0], [0.0]) == 0.0
    assert problem.residual([0.0], [0.0]) == 1.0
    general = problem.to_generalised_lcp()
    assert general.residual([3.0], [0.0], [2.0]) < 1e-15
    assert general.residual([3.0], [0.0], [0.0]) == 2.0


def test_extended_and_generalised_problems_are_solved_by_gap_minimisation():
    problem = saltus.ExtendedLcp([[1.0]], [[-1.0]], [[1.0]], [1.0])
    (z, w, y), report = saltus.solve(problem)
    assert report.converged() and report.solver == "GapMinimisation"
    assert problem.residual(z, w) == report.residual <= 1e-8
    assert y == pytest.approx(z - w - 1.0, abs=1e-8)  # the slack
    general = problem.to_generalised_lcp()
    (z, w, y), report = saltus.solve(general, solver=saltus.GapMinimisation(tolerance=1e-10))
    assert report.converged() and general.residual(z, w, y) <= 1e-10
    with pytest.raises(TypeError, match="uses no guess"):
        saltus.solve(problem, [0.0])


def test_solutions_along_a_parameter():
    # z(t) = max(0, t − 1) for M = 1, q = 1, d = −1
    problem = saltus.ParametricLcp([[1.0]], [1.0], [-1.0])
    path, report = saltus.solve(problem, solver=saltus.ParametricPivoting(from_=0.0, to=3.0))
    assert report.converged()
    assert path.t == pytest.approx([0.0, 1.0, 3.0])
    assert path.z[:, 0] == pytest.approx([0.0, 0.0, 2.0])
    assert len(path) == 3 and path.at(1.5) == pytest.approx([0.5])
    assert problem.at(2.0).q.tolist() == [-1.0]
    with pytest.raises(saltus.Error):
        path.at(4.0)


def test_all_solutions_of_a_small_problem():
    # M = −1, q = 1: z = 0 and z = 1
    found = saltus.enumerate_solutions(saltus.Lcp([[-1.0]], [1.0]))
    assert [list(s.z) for s in found] == [[0.0], [1.0]]
    assert [s.basis for s in found] == [[], [0]]
    assert not any(s.degenerate or s.family for s in found)
    segment = saltus.enumerate_solutions(saltus.Lcp(np.ones((2, 2)), [-1.0, -1.0]))  # S:V-16
    assert all(sum(s.z) == pytest.approx(1.0) for s in segment)
    assert any(s.family for s in segment)
    with pytest.raises(saltus.Error):
        saltus.enumerate_solutions(
            saltus.Lcp(np.eye(3), np.zeros(3)), saltus.Enumeration(max_size=2)
        )


@pytest.mark.parametrize("solver", [None, saltus.Lemke()], ids=["default", "Lemke"])
def test_an_infeasible_problem_comes_with_a_proof(solver):  # S:V-12
    for M, q in [([[-1.0, 0.0], [0.0, 1.0]], [-1.0, 0.0]), ([[0.0]], [-1.0])]:
        problem = saltus.Lcp(M, q)
        _, report = saltus.solve(problem, solver=solver)
        assert report.status == saltus.SolveStatus.infeasible
        y = report.certificate
        assert (y >= 0).all() and (np.transpose(M) @ y <= 0).all() and np.dot(q, y) < 0
        assert problem.proves_infeasible(y) and not problem.proves_infeasible(-y)


def test_a_report_names_its_solver():
    _, report = saltus.solve(saltus.Lcp(*SPD), solver=saltus.Psor(tolerance=1e-11))
    assert (report.solver, report.tolerance, report.certificate) == ("Psor", 1e-11, None)


def test_classes_of_a_matrix():  # S:V-01
    classes = saltus.classify([[1.0, -3.0], [0.0, 1.0]])
    assert classes.size == 2 and classes.p.yes() and classes.q.yes() and classes.z.yes()
    assert classes.m.yes() and classes.symmetric.no() and classes.positive_definite.no()
    x = classes.positive_definite.witness
    assert x @ [[1.0, -3.0], [0.0, 1.0]] @ x < 0
    assert classes.p.answer == saltus.Answer.yes and classes.p.witness is None
    assert saltus.classify(sparse.identity(400)).positive_definite.yes()
    assert "P" in repr(classes)


def test_a_failure_is_explained():
    M = [[-1.0, 0.0], [0.0, 1.0]]
    _, report = saltus.solve(saltus.Lcp(M, [-1.0, 0.0]))
    text = saltus.explain(report, saltus.classify(M))
    assert text.endswith(".") and "no feasible point" in text


def test_a_relay_is_a_block_form():
    # −u ∈ N_[−1, 1](z), u = z + q: the projection of −q
    K = [(saltus.Interval(lower=-1.0, upper=1.0), 2), (saltus.Reals(), 1)]
    for W in (np.eye(3), sparse.identity(3)):
        problem = saltus.BlockForm(W, [-3.0, 0.5, 2.0], K)
        z, report = saltus.solve(problem)
        assert report.converged() and z == pytest.approx([1.0, -0.5, -2.0], abs=1e-8)
        assert problem.K == K and problem.residual(z) == report.residual


def test_mistakes_are_errors():
    with pytest.raises(saltus.Error, match="HorizontalLcp"):
        saltus.HorizontalLcp(np.eye(2), np.eye(3), [0.0, 0.0])
    with pytest.raises(TypeError, match=r"guess: expected a pair \(x, s\)"):
        saltus.solve(saltus.Lcp(*SPD).to_horizontal_lcp(), 3.0)
    with pytest.raises(TypeError, match="guess: expected None for a ParametricLcp"):
        saltus.solve(saltus.ParametricLcp([[1.0]], [1.0], [-1.0]), [0.0])
    with pytest.raises(TypeError, match="solver: expected one of Mehrotra"):
        saltus.solve(saltus.Lcp(*SPD).to_horizontal_lcp(), solver=saltus.Lemke())
    with pytest.raises(saltus.Error, match=r"K\[0\] is a Ball"):
        saltus.BlockForm(np.eye(1), [0.0], [(saltus.Ball(center=[0.0]), 1)])
    with pytest.raises(saltus.Error):
        saltus.BlockForm(np.eye(3), np.zeros(3), [(saltus.Reals(), 2)])
    with pytest.raises(saltus.Error):
        saltus.classify(np.ones((2, 3)))
    with pytest.raises(saltus.Error, match="proves_infeasible: y has size 1, expected 2"):
        saltus.Lcp(*SPD).proves_infeasible([1.0])
    with pytest.raises(TypeError, match="solve: problem: expected one of .* <VerticalLcp: 1"):
        saltus.solve(saltus.VerticalLcp(np.eye(1), [0.0], np.eye(1), [0.0]))
    with pytest.raises(TypeError, match="solve: problem: expected one of .* 'problem'"):
        saltus.solve("problem")
