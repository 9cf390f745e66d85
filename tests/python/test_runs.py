"""Event-driven runs, sets that are not convex, and fields with two surfaces."""

import math

import numpy as np
import pytest
import saltus


def circuit(R=10.0, C=1 / (2 * math.pi) ** 2):
    return saltus.Lcs(A=[[-1 / (R * C), 1], [-1 / C, 0]], B=[[-1 / R], [-1]],
                      C=[[1 / (R * C), -1]], D=[[1 / R]])


def test_events_are_exact():  # TI:V-11, TI:TI-055
    run = saltus.simulate_lcs_events(circuit(), [1, -1], 1.0)
    assert run.done() and run.status == saltus.EventStatus.done and run.end == 1.0
    np.testing.assert_allclose(run.t, [0, 0.3955578396552], atol=1e-12)
    assert run.held == [[], [0]] and run.shortest == math.inf
    np.testing.assert_array_equal(run.jumps, np.zeros((2, 2)))
    np.testing.assert_allclose(run.x(1.0), [-0.485895555496, -0.004548243574], atol=1e-11)
    times = np.linspace(0, 1, 50)
    x, w, force = run.x(times), run.w(times), run.lambda_(times)
    assert x.shape == (50, 2) and w.shape == (50, 1)
    assert np.abs(np.minimum(w, force)).max() < 1e-9
    with pytest.raises(saltus.Error, match="from 0 to 1"):
        run.x(2.0)
    with pytest.raises(saltus.Error, match="x0 has size 1"):
        saltus.simulate_lcs_events(circuit(), [1], 1.0)


def test_events_stop_where_they_accumulate():  # F:V57
    spiral = saltus.RelaySystem(saltus.Lcs(A=np.zeros((2, 2)), B=[[1, -2], [2, 1]], C=np.eye(2)))
    run = saltus.simulate_lcs_events(spiral.to_lcs(), [0, 1], 1.0,
                                     saltus.LcsEvents(min_dwell=1e-4))
    assert run.status == saltus.EventStatus.accumulation and not run.done()
    assert run.end == pytest.approx(0.5, abs=1e-4)
    assert run.shortest < 1e-4


def test_a_disc_pushes_a_point_aside():  # F:F063, F:F023
    disc = saltus.BallComplement([0, 0], 0.8)
    plough = saltus.ProxRegularSweeping([1.6, 0.3], disc, lambda t: [t, 0])
    run = plough.run(1e-3, 4.0)
    assert run.done() and run.x.shape == (2, 4001) and run.longest == pytest.approx(1e-3)
    assert run.x[1, -1] == pytest.approx(0.8, abs=2e-3)
    smooth = saltus.SmoothSet(2, lambda x: (x @ x) / 0.64 - 1, lambda x: 2 * x / 0.64, 0.8)
    same = saltus.ProxRegularSweeping([1.6, 0.3], smooth, lambda t: [t, 0])
    np.testing.assert_allclose(same.run(0.01, 4.0).x, plough.run(0.01, 4.0).x, atol=1e-10)
    steps = saltus.Simulation(plough.model(), saltus.MoreauJean(theta=1.0), step=0.01).run(2.0)
    np.testing.assert_allclose(steps.x.T, plough.run(0.01, 2.0).x, atol=1e-8)
    with pytest.raises(saltus.Error, match="take steps below"):
        plough.run(1.0, 4.0)
    with pytest.raises(TypeError, match="BallComplement or SmoothSet"):
        saltus.ProxRegularSweeping([0, 0], saltus.Disk(radius=1.0))


def test_two_surfaces_meet():  # TI:TI-080, TI:TI-002
    d1, d2, kappa = 0.4, -0.5, 0.5

    def field(s1, s2):
        return lambda t, x: [d1 - s1 + kappa * s1 * s2, d2 - s2, s1 * s2]

    fields = [field(*s) for s in ((1, -1), (-1, -1), (-1, 1), (1, 1))]
    system = saltus.TwoSurfaceSystem([0.3, 0.2, 0.0], fields, lambda x: x[:2])
    run = system.simulate(0.01, 1.0)
    assert run.done() and run.last.converged()
    assert np.abs(run.x[:2, 60:]).max() < 1e-10
    s1 = d1 / (1 - kappa * d2)
    np.testing.assert_allclose(run.s[:, 60:], np.outer([s1, d2], np.ones(41)), atol=1e-7)
    signs, report = system.sliding(0.0, [0, 0, 0])
    assert report.converged() and signs == pytest.approx([s1, d2])
    np.testing.assert_allclose(system.rate(0.0, [0, 0, 0], *signs), [0, 0, s1 * d2], atol=1e-9)
    scheme = saltus.TwoSurfaceEuler(solver=saltus.NewtonJosephy(tolerance=1e-11))
    np.testing.assert_allclose(system.simulate(0.01, 1.0, scheme).x, run.x, atol=1e-8)
    with pytest.raises(saltus.Error, match="3 fields, expected 4"):
        saltus.TwoSurfaceSystem([0, 0], fields[:3], lambda x: x)
