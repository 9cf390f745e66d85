"""Variational inequalities, affine, quasi- and over cones.

S:VI-01a, S:VI-01b, S:VI-02, S:VI-03, S:VI-05, S:VI-07, S:VI-08, S:VI-12, S:VI-13, S:VI-14, S:VI-15,
S:VI-17, S:VI-18, S:VI-20, S:VI-21, S:VI-22, S:VI-23
"""

import numpy as np
import pytest
import saltus
from scipy import sparse

ALGORITHMS = [
    saltus.ViAutomatic(),
    saltus.NaturalMapNewton(),
    saltus.NormalMapNewton(),
    saltus.ProximalPoint(),
    saltus.ViFixedPoint(gamma=0.5),
    saltus.ViVariableStep(),
    saltus.ViExtragradient(),
    saltus.ViSolodovTseng(),
    saltus.RegularisedGapDescent(),
    saltus.DGapDescent(),
    saltus.ViDiminishingStep(),
    saltus.ViSmoothing(),
]


def kind(solver):
    return type(solver).__name__


def rotation():
    X = saltus.Interval(lower=-1.0, upper=1.0)
    return saltus.Vi(2, X, lambda z: [z[1], -z[0]], lambda z: [[0.0, 1.0], [-1.0, 0.0]])


def test_extragradient_contracts_a_rotation():  # S:V-22
    gamma = 0.5
    solver = saltus.ViExtragradient(gamma=gamma, adaptive=False, max_iterations=10)
    z, report = saltus.solve(rotation(), [0.5, 0.0], solver)
    assert report.status == saltus.SolveStatus.max_iterations and report.iterations == 10
    norm = 0.5 * (1 - gamma**2 + gamma**4) ** 5
    assert norm == pytest.approx(0.1770462990, abs=1e-10)
    assert np.linalg.norm(z) == pytest.approx(norm, rel=1e-13)


def test_basic_projection_leaves_a_rotation():  # S:V-22
    solver = saltus.ViFixedPoint(gamma=0.5, max_iterations=200)
    z, report = saltus.solve(rotation(), [0.5, 0.0], solver)
    assert not report.converged() and np.linalg.norm(z) >= 1.0


def test_hyperplanes_need_some_65_steps_for_a_rotation():  # S:V-22
    solver = saltus.ViHyperplane(tolerance=1e-10, tau=1.0, sigma=0.5)
    _, report = saltus.solve(rotation(), [0.5, 0.0], solver)
    assert report.converged() and 60 <= report.iterations <= 70


def test_values_of_the_d_gap():  # S:V-22
    problem = saltus.Vi(1, saltus.NonNegative(), lambda z: z - 1.0)
    for z, expected in [(0.0, 0.25), (0.5, 0.0625), (2.0, 0.25), (-1.0, 1.0)]:
        assert problem.d_gap([z], 1.0, 2.0) == pytest.approx(expected, abs=1e-15)
        difference = problem.regularised_gap([z], 1.0) - problem.regularised_gap([z], 2.0)
        assert difference == pytest.approx(expected, abs=1e-15)
    assert problem.gap([1.0]) == 0.0 and problem.gap([0.5]) == np.inf


@pytest.mark.parametrize("solver", ALGORITHMS, ids=kind)
def test_projection_on_a_ball_is_a_variational_inequality(solver):
    X = saltus.Ball(center=[0.0, 0.0], radius=1.0)
    problem = saltus.Vi(2, X, lambda z: z - [3.0, 4.0])
    z, report = saltus.solve(problem, solver=solver)
    assert report.converged() and z == pytest.approx([0.6, 0.8], abs=1e-6)
    assert problem.residual(z) == report.residual
    assert problem.natural_map([0.6, 0.8]) == pytest.approx([0.0, 0.0], abs=1e-15)
    assert problem.normal_map([3.0, 4.0]) == pytest.approx([0.0, 0.0], abs=1e-15)
    assert problem.X == X


@pytest.mark.parametrize("storage", [np.array, sparse.csr_matrix], ids=lambda s: s.__name__)
@pytest.mark.parametrize(
    "solver", [saltus.ViAutomatic(), saltus.AviSplitting(), saltus.ViPivoting()], ids=kind
)
def test_affine_problem_on_a_box(solver, storage):
    M = storage([[2.0, 1.0], [1.0, 2.0]])
    problem = saltus.Avi(M, [-5.0, -6.0], saltus.Box(lower=[0.0, 0.0], upper=[1.0, 9.0]))
    z, report = saltus.solve(problem, solver=solver)
    assert report.converged() and z == pytest.approx([1.0, 2.5], abs=1e-7)  # 2 z₁ = 6 − 1
    assert problem.to_vi().residual([1.0, 2.5]) == 0.0
    assert saltus.Lcp(M, [-5.0, -6.0]).to_avi().residual([4 / 3, 7 / 3]) < 1e-14  # S:V-09


def test_gap_descent_goes_to_a_vertex():
    # F = z − (3, −2) presses z to the vertex (1, 0) of the unit box
    X = saltus.Box(lower=[0.0, 0.0], upper=[1.0, 1.0])
    problem = saltus.Vi(2, X, lambda z: z - [3.0, -2.0])
    z, report = saltus.solve(problem, [0.5, 0.5], saltus.GapDescent())
    assert report.converged() and z.tolist() == [1.0, 0.0]
    half_line = saltus.Vi(1, saltus.NonNegative(), lambda z: z - 1.0)
    with pytest.raises(saltus.Error, match="NonNegative is not compact"):
        saltus.solve(half_line, solver=saltus.GapDescent())


SECOND_ORDER = [
    *[s for s in ALGORITHMS if kind(s) not in ("NaturalMapNewton", "DGapDescent")],
    saltus.AviSplitting(),
]


@pytest.mark.parametrize("solver", SECOND_ORDER, ids=kind)
def test_second_order_cone(solver):
    # M = I: z is the projection of −q = (s, v) on ‖z̄‖ ≤ z₀, (s + ‖v‖)/2 (1, v/‖v‖), s = 1, ‖v‖ = 3
    problem = saltus.Soclcp(np.eye(4), [-1.0, -3.0, 0.0, 2.0], sizes=[3, 1])
    z, report = saltus.solve(problem, solver=solver)
    assert report.converged() and z == pytest.approx([2.0, 2.0, 0.0, 0.0], abs=1e-6)
    assert problem.sizes == [3, 1] and problem.mu.size == 0
    assert problem.to_avi().residual([2.0, 2.0, 0.0, 0.0]) < 1e-14
    assert problem.cone().contains(z, tolerance=1e-6)


def test_the_set_of_a_quasi_variational_inequality_moves():
    # z ≤ 1 + z/2 and F = z − 10 < 0 press z to the bound: z = 2
    problem = saltus.Qvi(
        1, lambda z: saltus.Interval(lower=0.0, upper=1 + z[0] / 2), lambda z: z - 10.0
    )
    z, report = saltus.solve(problem)
    assert report.converged() and report.solver == "QviSuccessive"
    # the residual |z − (1 + z/2)| is at most 1e-8 ‖F(0)‖ = 1e-7, so the error at most 2e-7
    assert z == pytest.approx([2.0], abs=2e-7)
    assert problem.X([1.0]) == saltus.Interval(lower=0.0, upper=1.5)
    frozen, _ = saltus.solve(problem.freeze([1.0]))
    assert frozen == pytest.approx([1.5], abs=1e-8)
    still = saltus.Vi(1, saltus.NonNegative(), lambda z: z - 1.0).to_qvi()
    assert saltus.solve(still)[0] == pytest.approx([1.0], abs=1e-8)


def test_an_exception_of_the_user_arrives_unchanged():
    class Broken(Exception):
        pass

    def broken(z):
        raise Broken

    for problem in (
        saltus.Vi(1, saltus.NonNegative(), broken),
        saltus.Qvi(1, broken, lambda z: z),
        saltus.Qvi(1, lambda z: saltus.NonNegative(), broken),
    ):
        with pytest.raises(Broken):
            saltus.solve(problem)


def test_mistakes_are_errors():
    with pytest.raises(TypeError, match="Vi: X: expected a set, given 'box'"):
        saltus.Vi(1, "box", lambda z: z)
    with pytest.raises(saltus.Error):  # a disk lies in the plane
        saltus.Vi(3, saltus.Disk(radius=1.0), lambda z: z)
    with pytest.raises(TypeError, match="Qvi: X: expected a set, given 1.0"):
        saltus.solve(saltus.Qvi(1, lambda z: 1.0, lambda z: z))
    with pytest.raises(saltus.Error, match="Avi"):
        saltus.Avi([[1.0, 2.0]], [1.0], saltus.NonNegative())
    with pytest.raises(saltus.Error):
        saltus.Soclcp(np.eye(3), np.zeros(3), sizes=[2])
    with pytest.raises(saltus.Error, match="mu"):
        saltus.Soclcp(np.eye(2), np.zeros(2), sizes=[2], mu=[-1.0])
    with pytest.raises(saltus.Error):  # not a box
        saltus.Vi(2, saltus.Disk(radius=1.0), lambda z: z).to_mcp()
    with pytest.raises(TypeError, match="solver: expected one of ViAutomatic"):
        saltus.solve(rotation(), solver=saltus.AviSplitting())
