"""Every scheme from Python: the same numbers as in C++, options, errors."""

import numpy as np
import pytest
import saltus


def ball(e):
    return saltus.BouncingBall(e=e).model()


def test_moreau_jean_with_projection_does_not_penetrate():
    scheme = saltus.MoreauJean(stabilisation=saltus.CombinedProjection(tolerance=1e-12))
    run = saltus.Simulation(ball(0.5), scheme, step=5e-3).run(2.0)
    assert run.report.ok()
    assert run.q.min() >= -1e-12
    assert saltus.Simulation(ball(0.5), scheme, step=5e-3).advance().projection_iterations == 0


def test_consistent_gap_needs_plastic_contacts():
    scheme = saltus.MoreauJean(gap=saltus.ConsistentGap())
    run = saltus.Simulation(ball(0.0), scheme, step=5e-3).run(1.0)
    assert (run.q[:, 0] + 0.5 * 5e-3 * run.v[:, 0]).min() >= -1e-12
    with pytest.raises(saltus.Error, match="restitution e = 0.9"):
        saltus.Simulation(ball(0.9), scheme, step=5e-3)


def test_stewart_trinkle_lands_on_the_ground():
    run = saltus.Simulation(ball(0.0), saltus.StewartTrinkle(), step=5e-3).run(1.0)
    assert run.q.min() >= -1e-15
    assert run.v[-1, 0] == pytest.approx(0, abs=1e-12)


def test_anitescu_potra_bounces():
    run = saltus.Simulation(ball(0.5), saltus.AnitescuPotra(), step=1e-4).run(1.0)
    assert run.q[-1, 0] == pytest.approx(0.0612555657, abs=5e-3)  # TI:V-33: order 1


def test_paoli_schatzman_replays():
    """TI:V-33"""
    run = saltus.Simulation(ball(0.5), saltus.PaoliSchatzman(), step=1e-2).run(1.0)
    assert run.q[-1, 0] == pytest.approx(0.0527170, abs=5e-8)


def test_generalized_alpha_rests_exactly():
    scheme = saltus.GeneralizedAlpha(
        coefficients=saltus.ChungHulbert(rho=0.8), levels=saltus.LevelsPVA(strategy=3)
    )
    sim = saltus.Simulation(ball(0.0), scheme, step=5e-3)
    run = sim.run(1.0)
    assert run.report.ok()
    assert np.abs(run.q[-50:, 0]).max() < 1e-10  # newton_tolerance
    assert run.r[-1, 0] == pytest.approx(9.81 * 5e-3, rel=1e-9)
    assert sim.scheme() == scheme
    assert "GeneralizedAlpha" in repr(sim)


def test_adaptive_steps_are_reported():
    adaptive = saltus.AdaptiveSteps(tolerance=1e-4, least=1e-4)
    report = saltus.Simulation(ball(0.5), step=1e-2, adaptive=adaptive).run(1.0).report
    assert report.ok()
    assert report.rejected_steps > 0
    assert report.shortest_step < 1e-4 < report.longest_step == 1e-2
    with pytest.raises(saltus.Error, match="PaoliSchatzman needs constant steps"):
        saltus.Simulation(ball(0.5), saltus.PaoliSchatzman(), step=1e-2, adaptive=adaptive)


def test_wrong_scheme_is_named():
    with pytest.raises(TypeError, match="one of MoreauJean, StewartTrinkle"):
        saltus.Simulation(ball(0.5), saltus.Lemke(), step=1e-2)
