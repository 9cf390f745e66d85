"""Friction that depends on the slip speed, and contacts with nonlinear dynamics."""

import numpy as np
import pytest
import saltus


def test_stribeck_friction_under_a_known_load():
    # S:FC-09b: 1 at rest, 1 - s/2 up to s = 1, then 1/2
    graph = saltus.SlipGraph([1.0], [-0.5])
    assert graph.change(-0.5) == pytest.approx(0.25)
    for q, expected in [(0.7, -0.7), (1.2, -0.8), (2.0, -0.5)]:
        form = saltus.BlockForm([[1.0]], [q], [(saltus.Interval(lower=-1.0, upper=1.0), 1)])
        problem = saltus.PiecewiseFriction(form, [graph])
        r, report = saltus.solve(problem)
        assert report.converged() and report.solver == "SlipFriction"
        assert r[0] == pytest.approx(expected, abs=1e-12)
        assert problem.residual(r) < 1e-12


def test_stribeck_friction_of_a_contact():
    form = saltus.BlockForm(np.eye(2), [-0.5, 3.0], [(saltus.FrictionCone(mu=0.6), 2)])
    problem = saltus.PiecewiseFriction(form, [saltus.SlipGraph([1.0], [-0.4], 0.05)])
    r, report = saltus.solve(problem, solver=saltus.SlipFriction(tolerance=1e-12))
    slip = (3 - 0.5 * 0.15) / (1 + 0.5 * 0.05)  # u = q - r_N (0.15 + 0.05 u)
    np.testing.assert_allclose(r, [0.5, slip - 3], atol=1e-11)
    assert report.converged()


def test_wrong_graphs_are_refused():
    form = saltus.BlockForm([[1.0]], [1.0], [(saltus.NonNegative(), 1)])
    with pytest.raises(saltus.Error, match="block 0 has a graph"):
        saltus.PiecewiseFriction(form, [saltus.SlipGraph([1.0], [0.5])])
    saltus.PiecewiseFriction(form, [None])


def test_nonlinear_dynamics_and_a_contact_together():
    # S:FC-05: v + v^3 = r + 1 with 0 <= v - 1 + w perp r: the obstacle holds v at 1, r = 1
    problem = saltus.MixedNonlinear(
        residual=lambda v: v + v**3 - 1.0,
        jacobian=lambda v: np.diag(1 + 3 * v**2),
        directions=lambda v: np.eye(1),
        w=[-1.0],
        K=[(saltus.NonNegative(), 1)],
        n=1,
    )
    (v, r), report = saltus.solve(problem, guess=[0.3])
    assert report.converged() and report.solver == "NonsmoothNewton"
    assert v[0] == pytest.approx(1, abs=1e-8) and r[0] == pytest.approx(1, abs=1e-8)
    assert problem.residual(v, r) < 1e-8


def test_directions_that_turn_with_the_velocity():
    # H(v) = (cos a, sin a) with a = 0.1 v_1: derivatives given, and left out
    def directions(v):
        return np.array([[np.cos(0.1 * v[0])], [np.sin(0.1 * v[0])]])

    def force_slope(v, r):
        a = 0.1 * v[0]
        return np.array([[-0.1 * np.sin(a) * r[0], 0], [0.1 * np.cos(a) * r[0], 0]])

    def velocity_slope(v):
        a = 0.1 * v[0]
        turn = 0.1 * (-np.sin(a) * v[0] + np.cos(a) * v[1])
        return np.array([[np.cos(a) + turn, np.sin(a)]])

    common = dict(
        residual=lambda v: v - np.array([-1.0, 0.5]),
        jacobian=lambda v: np.eye(2),
        directions=directions,
        w=[0.0],
        K=[(saltus.NonNegative(), 1)],
        n=2,
    )
    solver = saltus.NonsmoothNewton(tolerance=1e-12)
    full = saltus.MixedNonlinear(**common, force_slope=force_slope, velocity_slope=velocity_slope)
    (v, r), report = saltus.solve(full, guess=[-1.0, 0.5], solver=solver)
    (w, s), other = saltus.solve(saltus.MixedNonlinear(**common), guess=[-1.0, 0.5], solver=solver)
    assert report.converged() and other.converged()
    assert report.iterations < other.iterations
    np.testing.assert_allclose(v, w, atol=1e-10)
    np.testing.assert_allclose(v, np.array([-1.0, 0.5]) + directions(v)[:, 0] * r[0], atol=1e-11)
    assert (directions(v)[:, 0] @ v) == pytest.approx(0, abs=1e-11)


def test_wrong_sizes_are_named():
    problem = saltus.MixedNonlinear(
        residual=lambda v: v,
        jacobian=lambda v: np.eye(2),
        directions=lambda v: np.eye(1),
        w=[0.0],
        K=[(saltus.NonNegative(), 1)],
        n=1,
    )
    with pytest.raises((saltus.Error, ValueError, TypeError), match="jacobian"):
        saltus.solve(problem, guess=[0.0])
