"""Laws, schemes and formalisms for first-order inclusions."""

import math
import pickle

import numpy as np
import pytest
import saltus


def integrator(start, drift, law):
    """x' = drift + λ, y = x."""
    n = len(start)
    model = saltus.Model()
    x = model.add(saltus.FirstOrderLinear(A=np.zeros((n, n)), b=drift), x=start)
    model.link(x, saltus.FirstOrderLinearRelation(C=np.eye(n), B=np.eye(n)), law)
    return model


def run(model, step, end, scheme=None):
    scheme = scheme or saltus.MoreauJean(theta=1.0)
    result = saltus.Simulation(model, scheme, step=step).run(end)
    assert result.report.ok(), result.report
    return result


def sliding():
    return saltus.relay_system([1.0, 0.0], [[0, 1], [0, 0]], [[0], [1]], [[1, 1]])


def test_broken_lines_are_laws():
    law = saltus.PiecewiseLinear(points=[[-0.5, 1], [0.5, -1]])
    assert law == saltus.saturation(2.0, 1.0)
    assert pickle.loads(pickle.dumps(law)) == law
    r = run(integrator([2.0], [0.0], law), 0.01, 1.0)
    assert np.allclose(r.x[:, 0], 2 - r.t)  # saturated
    r = run(integrator([0.0], [1.0], saltus.dead_zone(0.5, math.inf)), 0.1, 2.0)
    assert np.allclose(r.x[:, 0], np.minimum(r.t, 0.5))
    for other in (saltus.relay_with_dead_zone(0.1, 1.0), saltus.zener(5.0, 0.1),
                  saltus.hinge_sum([1.0, 2.0], [0.0, 1.0])):
        assert isinstance(other, saltus.PiecewiseLinear)


def test_graphs_that_rise_are_refused():
    with pytest.raises(saltus.Error, match="does not fall"):
        saltus.PiecewiseLinear(points=[[0, 0], [1, 1]])
    with pytest.raises(saltus.Error, match="after is 1"):
        saltus.PiecewiseLinear(after=1.0)


def test_normal_cones_take_any_set():
    law = saltus.NormalCone(set=saltus.Disk(radius=2.0))
    r = run(integrator([3.0, 4.0], [0.0, 0.0], law), 0.1, 4.0)
    left = np.maximum(0, 5 - 2 * r.t)
    assert np.allclose(r.x, np.outer(left, [0.6, 0.8]), atol=1e-10)
    kept = saltus.NormalCone(set=saltus.Ball(center=[0.0, 0.0], radius=1.0), of_output=True)
    r = run(integrator([0.0, 0.0], [1.0, 0.0], kept), 0.1, 2.0)
    assert np.allclose(r.x[:, 0], np.minimum(r.t, 1), atol=1e-12)
    assert kept.set.radius == 1.0
    with pytest.raises(TypeError, match="a set"):
        saltus.NormalCone(set=3)


@pytest.mark.parametrize("scheme", [
    saltus.ThetaMethod(theta=1.0), saltus.Bdf2(), saltus.Sdirk(), saltus.Sdirk(order=3),
    saltus.ZeroOrderHold(), saltus.CatchingUp()], ids=repr)
def test_implicit_schemes_slide_exactly(scheme):
    r = run(sliding(), 0.01, 3.0, scheme)
    assert np.abs(r.x[80:].sum(axis=1)).max() < 1e-12
    assert np.abs(r.r[80:, 0] - r.x[80:, 0]).max() < 0.02  # the equivalent control


def test_explicit_schemes_chatter_or_are_cut():
    r = run(sliding(), 0.01, 3.0, saltus.ExplicitInclusion())
    assert np.sum(r.r[201:, 0] * r.r[200:-1, 0] < 0) > 30
    r = run(sliding(), 0.01, 3.0, saltus.Mannshardt())
    surface, t = math.sqrt(3) - 1, r.t[-1]
    assert r.x[-1, 0] == pytest.approx(surface * math.exp(surface - t), abs=1e-8)
    band = saltus.ExplicitInclusion(order=4, selection=saltus.SwitchModel(epsilon=0.02))
    assert abs(run(sliding(), 0.01, 3.0, band).x[-1].sum()) < 1e-3


def test_averaged_multipliers_are_of_order_two():
    def error(step):
        model = saltus.Model()
        x = model.add(saltus.FirstOrderLinear(A=[[-1.0]]), x=[0.0])
        relation = saltus.FirstOrderLinearRelation(C=[[1.0]], B=[[1.0]], D=[[1.0]], e=[-1.0])
        model.link(x, relation, saltus.Complementarity())
        scheme = saltus.ThetaMethod(theta=0.5, multiplier=saltus.AveragedMultiplier())
        return abs(run(model, step, 1.0, scheme).x[-1, 0] - (1 - math.exp(-2)) / 2)

    assert error(0.1) / error(0.05) == pytest.approx(4, rel=0.05)


def test_sweeping_processes_move_their_sets():
    disc = saltus.sweeping_process([0.0, 1.0], saltus.Disk(radius=1.0), lambda t: [t, 0.0])
    r = run(disc, 1e-2, 2.0, saltus.CatchingUp())
    assert np.abs(r.x[-1] - [2 - math.tanh(2), 1 / math.cosh(2)]).max() < 2e-3
    shrink = saltus.sweeping_process([0.8], saltus.Interval(lower=-1.0, upper=1.0),
                                     scale=lambda t: math.exp(-t))
    assert run(shrink, 0.05, 2.0).x[-1, 0] == pytest.approx(math.exp(-2))
    walls = saltus.polyhedral_sweeping([0.8], [[1.0], [-1.0]], lambda t: [math.exp(-t)] * 2)
    assert run(walls, 0.05, 2.0).x[-1, 0] == pytest.approx(math.exp(-2))
    with pytest.raises(saltus.Error, match="returned 3 numbers"):
        bad = saltus.sweeping_process([0.0], saltus.NonNegative(), lambda t: [1.0, 2.0, 3.0])
        saltus.Simulation(bad, step=0.1).run(0.1)


def test_play_is_lazy():
    r = run(saltus.play(0.5, lambda t: t if t < 2 else 4 - t), 0.1, 4.0, saltus.CatchingUp())
    assert r.x[20, 0] == pytest.approx(1.5)
    assert r.x[30, 0] == pytest.approx(1.5)
    assert r.x[40, 0] == pytest.approx(0.5)


def test_inequalities_and_discontinuous_fields():
    one = saltus.unilateral_inclusion([0.0], saltus.NonNegative(), lambda t, x: [-math.cos(t)])
    r = run(one, 1e-2, 4.5)
    assert abs(r.x[400, 0]) < 1e-12
    dvi = saltus.differential_variational_inequality(
        [0.33], [[1.0]], lambda t, x: x, saltus.Interval(lower=-1.0, upper=1.0))
    assert np.allclose(run(dvi, 0.1, 0.6).x[:, 0], [0.33, 0.23, 0.13, 0.03, 0, 0, 0])
    field = saltus.filippov_system([1.0], lambda t, x: [-1.0], lambda t, x: [2.0], lambda x: x[0])
    r = run(field, 0.01, 2.0)
    assert np.allclose(r.x[:, 0], np.maximum(1 - r.t, 0))
    assert r.r[-1, 0] == pytest.approx(-1 / 3)  # α = (1 − λ)/2 = 2/3
