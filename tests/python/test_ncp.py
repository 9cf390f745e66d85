"""Nonlinear complementarity with functions in Python.

S:NCP-01, S:NCP-06, S:NCP-07, S:NCP-08, S:NCP-09, S:NCP-12, S:NCP-13a, S:NCP-13b, S:NCP-17
"""

import gc
import weakref

import numpy as np
import pytest
import saltus
from scipy import sparse

ALGORITHMS = [
    saltus.NcpAutomatic(),
    saltus.NcpNewton(),
    saltus.NcpLevenbergMarquardt(),
    saltus.NcpInexactNewton(),
    saltus.NewtonJosephy(),
    saltus.PathSearch(),
    saltus.Smoothing(),
    saltus.ProximalPoint(),
    saltus.NcpNeSqp(),
    saltus.NcpQpcomp(),
    saltus.NcpSemicomp(),
    saltus.NcpInteriorPoint(),
]


def kojima_shindo(z):
    a, b, c, d = z
    return [
        3 * a**2 + 2 * a * b + 2 * b**2 + c + 3 * d - 6,
        2 * a**2 + a + b**2 + 10 * c + 2 * d - 2,
        3 * a**2 + a * b + 2 * b**2 + 2 * c + 9 * d - 9,
        a**2 + 3 * b**2 + 2 * c + 3 * d - 3,
    ]


def kojima_shindo_jacobian(z):
    a, b = z[:2]
    return [
        [6 * a + 2 * b, 2 * a + 4 * b, 1, 3],
        [4 * a + 1, 2 * b, 10, 2],
        [6 * a + b, a + 4 * b, 2, 9],
        [2 * a, 6 * b, 2, 3],
    ]


SOLUTIONS = [[np.sqrt(6) / 2, 0.0, 0.0, 0.5], [1.0, 0.0, 3.0, 0.0]]


def test_values_at_the_two_solutions():  # S:V-20
    problem = saltus.Ncp(4, kojima_shindo, kojima_shindo_jacobian)
    assert problem.F(SOLUTIONS[0])[1] == pytest.approx(3.2247448714, abs=1e-10)
    assert problem.F(SOLUTIONS[1]) == pytest.approx([0.0, 31.0, 0.0, 4.0], abs=1e-14)
    for z in SOLUTIONS:
        assert problem.residual(z) < 1e-14
        assert problem.fischer_burmeister_merit(z) < 1e-28
        assert problem.implicit_lagrangian(z) == pytest.approx(0.0, abs=1e-13)


def test_newton_josephy_needs_at_most_eight_linear_problems():  # S:V-20
    problem = saltus.Ncp(4, kojima_shindo, kojima_shindo_jacobian)
    z, report = saltus.solve(problem, np.ones(4), saltus.NewtonJosephy())
    assert report.converged() and report.iterations <= 8
    assert z == pytest.approx([1.0, 0.0, 3.0, 0.0], abs=1e-7)


@pytest.mark.parametrize("given", ["jacobian", "differences"])
@pytest.mark.parametrize("solver", ALGORITHMS, ids=lambda s: type(s).__name__)
def test_success_is_only_claimed_at_a_solution(solver, given):  # S:V-20
    jacobian = kojima_shindo_jacobian if given == "jacobian" else None
    problem = saltus.Ncp(4, kojima_shindo, jacobian)
    for guess in (np.ones(4), np.zeros(4)):
        z, report = saltus.solve(problem, guess, solver)
        assert problem.residual(z) == report.residual
        if report.converged():
            # the first solution is degenerate: there an error e leaves a residual of order e²
            assert min(np.abs(z - s).max() for s in SOLUTIONS) < 1e-3
            assert report.residual <= 1e-8 * 9  # ‖F(0)‖ = 9
        if isinstance(solver, saltus.NcpAutomatic):
            assert report.converged()


def test_differences_give_the_jacobian():
    exact = saltus.Ncp(4, kojima_shindo, kojima_shindo_jacobian)
    differences = saltus.Ncp(4, kojima_shindo)
    z = [0.3, 0.7, 1.1, 0.2]
    # F is quadratic: central differences have rounding only, ε^⅔ times the size of F
    assert differences.jacobian(z) == pytest.approx(exact.jacobian(z), abs=1e-8)


def test_a_jacobian_may_be_sparse():
    diagonal = sparse.diags([np.array([2.0, 3.0])], [0])
    problem = saltus.Ncp(2, lambda z: [2 * z[0] - 4, 3 * z[1] + 1], lambda z: diagonal)
    z, report = saltus.solve(problem)
    assert report.converged() and z == pytest.approx([2.0, 0.0], abs=1e-8)


def test_a_step_of_newton_is_a_linear_problem():
    problem = saltus.Ncp(1, lambda z: z**2 - 4.0)
    lcp = problem.linearise([3.0])  # 9 − 4 + 6 (z − 3)
    assert lcp.M[0, 0] == pytest.approx(6.0, abs=1e-8) and lcp.q == pytest.approx([-13.0], abs=1e-7)


@pytest.mark.parametrize("solver", ALGORITHMS, ids=lambda s: type(s).__name__)
def test_bounds_of_a_mixed_problem(solver):
    # z₀ free: z₀ = 3; z₁ ∈ [0, 1] pressed to 1; z₂ ∈ [0, 1] pressed to 0; z₃ between: 0.5
    inf = np.inf
    problem = saltus.Mcp(
        lambda z: z - [3.0, 4.0, -1.0, 0.5], [-inf, 0.0, 0.0, 0.0], [inf, 1.0, 1.0, 1.0]
    )
    z, report = saltus.solve(problem, solver=solver)
    assert report.converged() and z == pytest.approx([3.0, 1.0, 0.0, 0.5], abs=1e-7)
    assert problem.n == 4 and problem.upper.tolist() == [inf, 1.0, 1.0, 1.0]


def test_conversions_keep_the_solution():
    problem = saltus.Ncp(4, kojima_shindo, kojima_shindo_jacobian)
    z = SOLUTIONS[1]
    assert problem.to_mcp().residual(z) < 1e-14
    assert problem.to_vi().residual(z) < 1e-14
    assert problem.to_mcp().to_vi().to_mcp().residual(z) < 1e-14
    assert problem.to_nlp().f(z) == pytest.approx(0.0, abs=1e-14)
    box = saltus.Mcp(lambda z: z - 4.0, [0.0], [1.0])
    ncp, expand = box.to_ncp()
    x, report = saltus.solve(ncp)
    assert report.converged() and expand(x) == pytest.approx([1.0], abs=1e-8)
    lcp = saltus.Lcp([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0])  # S:V-09
    assert lcp.to_ncp().residual([4 / 3, 7 / 3]) < 1e-14
    mixed = saltus.Mlcp([[1.0, 1.0], [-1.0, 0.0]], [-2.0, 1.0], equalities=[0])
    assert mixed.to_mcp().residual([1.0, 1.0]) < 1e-14


class Broken(Exception):
    """Of the user."""


@pytest.mark.parametrize("solver", ALGORITHMS, ids=lambda s: type(s).__name__)
def test_an_exception_of_the_user_arrives_unchanged(solver):
    raised = Broken("by F")

    def F(z):
        raise raised

    with pytest.raises(Broken) as caught:
        saltus.solve(saltus.Ncp(2, F), solver=solver)
    assert caught.value is raised

    def jacobian(z):
        raise raised

    # neither the guess 0 nor the point 1 inside solves, so every method asks for the Jacobian
    with pytest.raises(Broken):
        saltus.solve(saltus.Ncp(2, lambda z: z - 3.0, jacobian), solver=solver)


def test_not_a_number_is_a_status():
    _, report = saltus.solve(saltus.Ncp(1, lambda z: z * np.nan), solver=saltus.NcpNewton())
    assert not report.converged()


def test_a_function_is_released_with_its_problem():
    class Function:
        def __call__(self, z):
            return z - 1.0

    function = Function()
    watch = weakref.ref(function)
    problem = saltus.Ncp(1, function)
    saltus.solve(problem)
    del function
    assert watch() is not None
    del problem
    gc.collect()
    assert watch() is None


def test_mistakes_are_errors():
    with pytest.raises(TypeError, match="Ncp: F: expected a callable, given 3"):
        saltus.Ncp(2, 3)
    with pytest.raises(TypeError, match="Ncp: jacobian: expected a callable"):
        saltus.Ncp(2, lambda z: z, [[1.0]])
    with pytest.raises(saltus.Error, match="Ncp"):
        saltus.Ncp(-1, lambda z: z)
    with pytest.raises(saltus.Error, match=r"Ncp: F: returned shape \(3,\), expected \(2,\)"):
        saltus.solve(saltus.Ncp(2, lambda z: [1.0, 2.0, 3.0]))
    with pytest.raises(saltus.Error, match=r"Ncp: jacobian: returned shape \(1, 2\)"):
        saltus.solve(saltus.Ncp(2, lambda z: z - 1.0, lambda z: [[1.0, 0.0]]))
    with pytest.raises(saltus.Error, match="F: expected real numbers"):
        saltus.solve(saltus.Ncp(1, lambda z: None))
    with pytest.raises(saltus.Error, match="guess has size 1, the problem has 2 unknowns"):
        saltus.solve(saltus.Ncp(2, lambda z: z), [0.0])
    with pytest.raises(saltus.Error, match="lower"):
        saltus.Mcp(lambda z: z, [1.0], [0.0])
    with pytest.raises(TypeError, match="solver: expected one of NcpAutomatic"):
        saltus.solve(saltus.Ncp(1, lambda z: z), solver=saltus.Lemke())
    with pytest.raises(saltus.Error, match="NcpNewton: lambda is 0"):
        saltus.NcpNewton(lambda_=0.0)
