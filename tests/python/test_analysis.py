"""Linear complementarity systems: structure, analysis, EMTS."""

import numpy as np
import pytest
import saltus

TRIPLE = saltus.Lcs(A=[[0, 1, 0], [0, 0, 1], [0, 0, 0]], B=[[0], [0], [1]], C=[[1, 0, 0]])
# Two diodes: L2 = 1, L3 = 2, C4 = 1/2, R1 = 1, R2 = 2, R3 = 3.
DIODES = saltus.Lcs(A=[[0, 1, 0], [-1, -2, 0.5], [0, 1, -3]], B=[[0, 0], [0.5, 0.5], [-1, 0]],
                    C=[[0, 1, -1], [0, 1, 0]])


def test_the_relative_degree_of_a_triple_integrator():  # F:V50
    degree = saltus.relative_degree(TRIPLE)
    assert degree.degrees == [3] and degree.uniform() == 3 and degree.exists
    np.testing.assert_allclose(degree.decoupling, [[1.0]])
    form = saltus.zero_dynamics_form(TRIPLE)
    np.testing.assert_allclose(form.W, np.eye(3))
    assert form.A_xi.shape == (0, 0)


def test_emts_is_exact_after_one_step():  # TI:V-21
    run = saltus.simulate_lcs(TRIPLE, [0, -1, 0], step=1e-3, end=1e-2)
    assert run.done() and run.last.status == saltus.StepStatus.done
    assert run.x.shape == (3, 11)
    np.testing.assert_array_equal(run.x[:, 1:], 0)
    np.testing.assert_allclose(run.measures[:, 1], [0, 1, 0], atol=1e-15)
    np.testing.assert_allclose([table[0, 1] for table in run.impulses], [0, 1, 0], atol=1e-15)
    scheme = saltus.Emts(solver=saltus.Lemke(tolerance=1e-12))
    again = saltus.simulate_lcs(TRIPLE, [0, -1, 0], 1e-3, 1e-2, scheme)
    np.testing.assert_array_equal(again.x, run.x)


def test_passivity_and_the_three_jump_rules():  # F:V26
    found = saltus.passivity(DIODES)
    assert found.passive == saltus.Answer.yes and found.minimal() and found.full_rank
    np.testing.assert_allclose(found.P @ DIODES.B, DIODES.C.T, atol=1e-9)
    for rule in (saltus.JumpRule.cone, saltus.JumpRule.state, saltus.JumpRule.multiplier):
        jump = saltus.consistent_jump(DIODES, [1, -1, 0.5], rule, found.P)
        assert jump.report.converged()
        np.testing.assert_allclose(jump.x, [1, 0, 0], atol=1e-7)
        np.testing.assert_allclose(jump.lambda_, [0.5, 1.5], atol=1e-7)
    with pytest.raises(saltus.Error, match="P is 0×0"):
        saltus.consistent_jump(DIODES, [1, -1, 0.5], saltus.JumpRule.state)


def test_well_posedness_names_its_theorem():  # F:B31
    found = saltus.well_posedness(TRIPLE)
    assert found.existence() and found.uniqueness()
    applying = [t.name for t in found.theorems if t.applies == saltus.Answer.yes]
    assert applying == ["sweeping process of higher order"]
    assert "CA^(r-1)B = 1 > 0" in found.text()
    none = saltus.well_posedness(saltus.Lcs(A=[[-1]], B=[[1]], C=[[1]], D=[[-1]]))
    assert "no theorem applies" in none.text()


def test_equilibria_of_a_ball_on_the_floor():  # F:F192
    ball = saltus.Lcs(A=[[0, 1], [0, 0]], B=[[0], [1]], C=[[1, 0]], a=[0, -9.81])
    (rest,) = saltus.equilibria(ball)
    np.testing.assert_allclose(rest.x, 0, atol=1e-9)
    np.testing.assert_allclose(rest.lambda_, 9.81)
    assert rest.active == [0] and not rest.family and rest.directions.shape == (3, 0)


def test_a_model_is_linearised():
    model = saltus.Model()
    ball = model.add(saltus.PointMass(m=2.0, gravity=[-9.81]), q=[1.0], v=[0.0])
    model.link(ball, saltus.LinearRelation(H=[[1.0]]), saltus.NewtonImpact(e=0.5))
    system = saltus.linearised(model)
    np.testing.assert_array_equal(system.A, [[0, 1], [0, 0]])
    np.testing.assert_array_equal(system.B, [[0], [0.5]])
    assert saltus.relative_degree(system).uniform() == 2


def test_mistakes_are_explained():
    with pytest.raises(saltus.Error, match="B is 1×1, expected 3×1"):
        saltus.Lcs(A=np.eye(3), B=[[1]], C=[[1, 0, 0]])
    with pytest.raises(saltus.Error, match="A is empty"):
        saltus.relative_degree(saltus.Lcs())
    with pytest.raises(TypeError, match="expected Lcs"):
        saltus.relative_degree([[1]])
    with pytest.raises(saltus.Error, match="D is not zero"):
        saltus.zero_dynamics_form(saltus.Lcs(A=[[1]], B=[[1]], C=[[1]], D=[[1]]))
    with pytest.raises(saltus.Error, match="x0 has size 2"):
        saltus.simulate_lcs(TRIPLE, [0, 1], 0.1, 1)
