"""The three systems of the platform, against values known beforehand (TI:V-30, PL:C-01, PL:C-02,
PL:C-03). The decimals are those of the scheme in exact arithmetic: 2000 steps round at most some 1e-12."""

import numpy as np
import pytest
import saltus

ROUNDING = 1e-11


def ball(e, step=5e-3, **options):
    model = saltus.Model()
    body = model.add(saltus.PointMass(m=1.0, gravity=[-9.81]), q=[1.0], v=[0.0], name="ball")
    model.link(body, saltus.LinearRelation(H=[[1.0]]), saltus.NewtonImpact(e=e), name="ground")
    scheme = saltus.MoreauJean(theta=0.5, solver=saltus.Lemke())
    return saltus.Simulation(model, scheme, step=step, **options)


def test_bouncing_ball_replays_the_scheme_step_by_step():  # TI:V-30, TI:E15, TI:E16
    run = ball(e=0.9).run(10.0)
    assert run.report.ok()
    assert run.t[91] == pytest.approx(0.455, abs=1e-15)
    assert run.v[90, 0] < 0
    assert run.v[91, 0] == pytest.approx(3.97305, abs=ROUNDING)
    assert run.q[200, 0] == pytest.approx(0.7140385, abs=ROUNDING)
    assert run.v[200, 0] == pytest.approx(-1.3734, abs=ROUNDING)
    assert run.q[300, 0] == pytest.approx(0.5675874625, abs=ROUNDING)
    assert run.v[300, 0] == pytest.approx(1.319445, abs=ROUNDING)
    assert abs(run.v[-1, 0]) < 1e-12
    # the percussions balance the weight over the whole run
    assert run.r.sum() == pytest.approx(98.1 + run.v[-1, 0], abs=1e-10)


def test_half_restitution_replays_the_scheme():  # TI:V-30
    run = ball(e=0.5).run(1.0)
    assert run.q[-1, 0] == pytest.approx(0.0580560625, abs=ROUNDING)
    assert run.v[-1, 0] == pytest.approx(0.220725, abs=ROUNDING)


def test_plastic_ball_rests_and_carries_its_weight():  # TI:V-30
    run = ball(e=0.0).run(2.0)
    rest = run.t >= 1.0
    assert np.abs(run.v[rest]).max() < 1e-14
    assert run.q[rest] == pytest.approx(-0.00429875, abs=ROUNDING)
    assert run.r[rest] == pytest.approx(0.04905, abs=1e-14)


def test_impact_steps_and_speeds_of_the_bouncing_ball():  # PL:C-02
    run = ball(e=0.9).run(10.0)
    v = run["ball.v[0]"]
    impacts = 1 + np.flatnonzero((v[:-1] < 0) & (v[1:] > 0))
    assert list(impacts[:3]) == [91, 254, 401]
    assert v[impacts[:3] - 1] == pytest.approx([-4.4145, -3.97305, -3.585555], abs=1e-6)
    assert v[impacts[:3]] == pytest.approx([3.97305, 3.575745, 3.226999], abs=1e-6)
    assert run.q.min() == pytest.approx(-7.4466563750e-3, abs=1e-12)


def bridge_error(step):
    run = saltus.Simulation(
        saltus.DiodeBridge().model(), saltus.MoreauJean(solver=saltus.Lemke()), step=step
    ).run(5e-3)
    assert run.report.ok()
    a, w = 500.0, np.sqrt(1e8 - 500.0**2)
    exact = 10 * np.exp(-a * run.t) * (np.cos(w * run.t) - a / w * np.sin(w * run.t))
    return run, np.abs(run.x[:, 0] - exact).max()


def test_diode_bridge_replays_the_scheme_and_its_order():  # PL:C-01
    run, fine = bridge_error(1e-6)
    _, coarse = bridge_error(2e-6)
    known = [4.7514752533, -4.9784213353, 0.7883868726]
    assert run.x[[100, 1000, 5000], 0] == pytest.approx(known, abs=1e-6)
    assert fine == pytest.approx(0.01909, abs=1e-4)
    assert coarse / fine == pytest.approx(2.0, abs=0.2)
    assert run.report.solver_iterations <= 3 * run.report.steps


def test_resting_column_carries_the_weight_above_each_contact():  # PL:C-03
    n, h = 1000, 1e-3
    sim = saltus.Simulation(saltus.BeadColumn(count=n).model(), step=h)
    assert sim.run(5 * h).report.ok()
    exact = (n - np.arange(n)) * 9.81 * h
    assert np.abs(sim.multipliers() - exact).max() < 1e-10


def test_two_runs_are_equal_bit_by_bit():
    first, second = ball(e=0.9).run(5.0), ball(e=0.9).run(5.0)
    for name in first.names():
        assert first[name].tobytes() == second[name].tobytes()


def test_a_run_goes_on_where_the_last_one_ended():
    whole, sim = ball(e=0.9).run(1.0), ball(e=0.9)
    first, second = sim.run(0.5), sim.run(1.0)
    assert first.t[-1] == second.t[0] == 0.5
    assert second.q[-1] == whole.q[-1]


def test_every_tenth_step_and_only_the_state_can_be_recorded():
    record = saltus.RecordOptions(every=10, outputs=False, multipliers=False)
    run, whole = ball(e=0.9, record=record).run(1.0), ball(e=0.9).run(1.0)
    assert np.array_equal(run.q, whole.q[::10])
    assert run.y.shape == run.r.shape == (21, 0)


def test_coulomb_friction_stops_a_sliding_block():
    mu, g, h, v0 = 0.3, 9.81, 1e-3, 1.0
    model = saltus.Model()
    block = model.add(saltus.PointMass(m=2.0, gravity=[-g, 0.0]), q=[0.0, 0.0], v=[0.0, v0])
    model.link(block, saltus.LinearRelation(H=np.eye(2)), saltus.Coulomb(mu=mu))
    run = saltus.Simulation(model, step=h).run(1.0)
    sliding = run.t < v0 / (mu * g) - h
    # constant deceleration mu g is exact for the scheme; the solver stops at 1e-8 of the problem
    assert run.v[sliding, 1] == pytest.approx(v0 - mu * g * run.t[sliding], abs=1e-6)
    assert abs(run.v[-1, 1]) < 1e-6


def test_parameters_z_shift_the_ground_between_runs():  # PL:DS-02
    model = saltus.Model()
    body = model.add(saltus.PointMass(m=1.0, gravity=[-10.0]), q=[0.0], z=[0.0])
    model.link(body, saltus.LinearRelation(H=[[1.0]], F=[[-1.0]]), saltus.NewtonImpact())
    sim = saltus.Simulation(model, step=1e-2)
    assert sim.run(0.1).q[-1, 0] == 0.0
    sim.set_parameters(body, [-1.0])
    assert sim.run(0.2).q[-1, 0] < 0.0
