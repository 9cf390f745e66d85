"""Nonlinear programs with functions in Python.

S:NLP-01, S:NLP-02, S:NLP-03, S:NLP-04, S:NLP-05, S:NLP-06, S:NLP-07
"""

import numpy as np
import pytest
import saltus

CIRCLE = {
    "gradient": lambda z: [1.0, 1.0],
    "p": 1,
    "h": lambda z: z @ z - 2.0,
    "h_jacobian": lambda z: [2 * z],
    "hessian": lambda z, lambda_, mu: -2 * mu[0] * np.eye(2),
}


def line_on_circle(**changes):
    return saltus.Nlp(2, lambda z: z[0] + z[1], **{**CIRCLE, **changes})


def test_first_steps_of_sequential_quadratic_programming():  # S:V-08
    start = saltus.NlpPoint([-1.5, -0.5], mu=[-0.4])
    expected = {1: [-1.1, -1.2], 2: [-1.016552315609, -1.005660377358]}
    for steps, z in expected.items():
        solver = saltus.NlpSqp(line_search=False, max_iterations=steps)
        point, report = saltus.solve(line_on_circle(), start, solver)
        assert report.iterations == steps and point.z == pytest.approx(z, abs=1e-12)


def test_sequential_quadratic_programming_is_quadratic():  # S:V-08
    start = saltus.NlpPoint([-1.5, -0.5], mu=[-0.4])
    for steps, error in {4: 1e-7, 5: 1e-12}.items():
        solver = saltus.NlpSqp(line_search=False, max_iterations=steps, tolerance=1e-14)
        point, _ = saltus.solve(line_on_circle(), start, solver)
        assert np.abs(point.z + 1).max() < error
    assert point.mu == pytest.approx([-0.5], abs=1e-10)


@pytest.mark.parametrize("bfgs", [False, True])
def test_derivatives_may_be_left_out(bfgs):
    bare = saltus.Nlp(2, lambda z: z[0] + z[1], p=1, h=lambda z: z @ z - 2.0)
    point, report = saltus.solve(bare, [-1.5, -0.5], saltus.NlpSqp(tolerance=1e-6, bfgs=bfgs))
    assert report.converged() and point.z == pytest.approx([-1.0, -1.0], abs=1e-5)
    assert bare.residual(point) == report.residual
    assert bare.f([1.0, 2.0]) == 3.0 and (bare.n, bare.m, bare.p) == (2, 0, 1)


ALGORITHMS = [
    saltus.NlpSqp(),
    saltus.NlpAugmentedLagrangian(),
    saltus.NlpPenalty(),
    saltus.NlpBarrier(),
]


@pytest.mark.parametrize("solver", ALGORITHMS, ids=lambda s: type(s).__name__)
def test_every_method_finds_the_end_of_a_half_line(solver):  # S:V-07
    problem = saltus.Nlp(1, lambda z: z[0], m=1, g=lambda z: z - 1.0)
    point, report = saltus.solve(problem, [2.0], solver)
    assert report.converged()
    # the methods of the first kind stop at a residual of 1e-6; z and λ enter it with slope 1
    assert point.z == pytest.approx([1.0], abs=2e-6)
    assert point.lambda_ == pytest.approx([1.0], abs=2e-6)
    assert problem.licq([1.0]) == pytest.approx(1.0, abs=1e-8)


def test_first_order_conditions_are_a_mixed_complementarity_problem():
    mcp = line_on_circle().to_mcp()
    assert mcp.residual([-1.0, -1.0, -0.5]) < 1e-9
    z, report = saltus.solve(mcp, [-1.5, -0.5, -0.4])
    assert report.converged() and z == pytest.approx([-1.0, -1.0, -0.5], abs=1e-7)


@pytest.mark.parametrize("name", ["gradient", "h", "h_jacobian", "hessian"])
def test_an_exception_of_the_user_arrives_unchanged(name):
    class Broken(Exception):
        pass

    def broken(*arguments):
        raise Broken

    with pytest.raises(Broken):
        saltus.solve(line_on_circle(**{name: broken}), [-1.5, -0.5])


def test_mistakes_are_errors():
    with pytest.raises(saltus.Error, match="Nlp"):
        saltus.Nlp(1, lambda z: z[0], m=1)  # no g
    with pytest.raises(TypeError, match="Nlp: f: expected a callable"):
        saltus.Nlp(1, None)
    with pytest.raises(saltus.Error, match=r"Nlp: f: returned shape \(2,\), expected \(1,\)"):
        saltus.Nlp(2, lambda z: z).f([1.0, 2.0])
    with pytest.raises(saltus.Error):
        saltus.solve(line_on_circle(), [1.0])
    with pytest.raises(saltus.Error):  # the barrier starts inside
        problem = saltus.Nlp(1, lambda z: z[0], m=1, g=lambda z: z - 1.0)
        saltus.solve(problem, [0.0], saltus.NlpBarrier())
    with pytest.raises(TypeError, match="solver: expected one of NlpSqp"):
        saltus.solve(line_on_circle(), solver=saltus.QpAutomatic())


@pytest.mark.parametrize("solver", [saltus.NlpInteriorPoint(), saltus.NlpRosen()], ids=repr)
def test_a_convex_program_with_affine_constraints(solver):
    # min ‖z − (2, 1)‖², z₀ + z₁ ≤ 2, z ≥ 0: the projection (1.5, 0.5), λ = 1
    program = saltus.Nlp(
        2,
        lambda z: (z - [2.0, 1.0]) @ (z - [2.0, 1.0]),
        gradient=lambda z: 2.0 * (z - [2.0, 1.0]),
        m=3,
        g=lambda z: np.array([2.0 - z[0] - z[1], z[0], z[1]]),
        g_jacobian=lambda z: np.array([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]),
    )
    point, report = saltus.solve(program, [0.5, 0.5], solver)
    assert report.converged()
    # strongly convex with modulus 2; tolerance · ‖∇f(0)‖∞ is at most 4e-6
    assert point.z == pytest.approx([1.5, 0.5], abs=1e-5)
    assert point.lambda_ == pytest.approx([1.0, 0.0, 0.0], abs=1e-5)


@pytest.mark.parametrize("newton", [False, True])
def test_minimisation_over_a_set(newton):
    X = saltus.Box(lower=[0.0, 0.0], upper=[1.0, 1.0])
    program = saltus.SetNlp(
        2, X, lambda z: z @ z - 4.0 * z[0] - z[1], gradient=lambda z: 2.0 * z - [4.0, 1.0]
    )
    z, report = saltus.solve(program, solver=saltus.NlpGradientProjection(newton=newton))
    assert report.converged() and z == pytest.approx([1.0, 0.5], abs=1e-7)
    assert program.residual(z) == report.residual and program.X == X and program.n == 2
    assert program.f([1.0, 0.5]) == -3.25
    assert program.to_vi().residual([1.0, 0.5]) < 1e-15
    with pytest.raises(saltus.Error, match="Box"):
        saltus.SetNlp(3, X, lambda z: 0.0)
