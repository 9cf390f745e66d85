"""Ways to state first-order nonsmooth systems, and the conversions between them."""

import math

import numpy as np
import pytest
import saltus

CELLS = [saltus.AffineCell(A=[[-1.0]], G=[[1.0]]), saltus.AffineCell(A=[[-3.0]], G=[[-1.0]])]
STOP = saltus.Lcs(A=[[0.0]], B=[[1.0]], C=[[1.0]], a=[-1.0])  # x' = −1 + λ, 0 ≤ x ⟂ λ ≥ 0


def run(model, step, end, scheme=None):
    result = saltus.Simulation(model, scheme or saltus.MoreauJean(theta=1.0), step=step).run(end)
    assert result.report.ok(), result.report
    return result


def test_one_problem_in_five_languages():  # F:B32, F:V24
    one = saltus.UnilateralInclusion([0.0], saltus.NonNegative(), lambda t, x: -math.cos(t))
    direct = run(one.model(), 0.01, 5.0).x
    assert abs(direct[400, 0]) < 1e-12  # held on [π, 3π/2]
    others = [one.to_evi(), one.to_projected(), one.to_sweeping(), one.to_evi().to_inclusion(),
              one.to_projected().to_inclusion(), one.to_evi().to_dvi()]
    for other in others:
        np.testing.assert_allclose(run(other.model(), 0.01, 5.0).x, direct, atol=1e-10)
        assert other.x0.tolist() == [0.0]
    with pytest.raises(saltus.Error, match="cone"):
        saltus.EvolutionVariationalInequality([0.0], saltus.Interval(lower=-1, upper=1)).to_dvi()
    with pytest.raises(TypeError, match="a callable"):
        saltus.UnilateralInclusion([0.0], saltus.NonNegative(), 3)


def test_a_relay_is_a_complementarity_system():  # F:B32, F:F037
    double = saltus.Lcs(A=[[0, 1], [0, 0]], B=[[0], [1]], C=[[1, 1]])
    relay = saltus.RelaySystem(double)
    direct = run(relay.model([1.0, 0.0]), 0.01, 2.0)
    lcs = relay.to_lcs()
    assert lcs.D.shape == (2, 2)
    other = run(saltus.complementarity_system([1.0, 0.0], lcs), 0.01, 2.0)
    np.testing.assert_allclose(other.x, direct.x, atol=1e-9)
    assert (relay.lower, relay.upper) == (-1.0, 1.0)


def test_positive_real_systems_are_swept():  # F:B15
    P = np.array([[2, 0.5], [0.5, 1]])
    B = np.array([[1.0], [-1.0]])
    lcs = saltus.Lcs(A=[[-1, 1], [-1, -0.5]], B=B, C=(P @ B).T, a=[-1, 1], b=[0.2])
    model, root = saltus.to_sweeping(lcs, P, [0.5, 0.0])
    z = run(model, 0.01, 3.0).x
    x = run(saltus.complementarity_system([0.5, 0.0], lcs), 0.01, 3.0).x
    np.testing.assert_allclose(z, x @ root.T, atol=1e-9)
    np.testing.assert_allclose(root @ root, P)
    with pytest.raises(saltus.Error, match="must be equal"):
        saltus.to_sweeping(lcs, np.eye(2), [0.5, 0.0])


def test_systems_of_degree_zero_are_piecewise_affine():  # F:B12
    lcs = saltus.Lcs(A=[[-1.0]], B=[[1.0]], C=[[1.0]], D=[[1.0]], b=[-1.0])
    cells = saltus.to_piecewise(lcs)
    assert isinstance(cells, saltus.PiecewiseAffineSystem) and len(cells.cells) == 2
    np.testing.assert_allclose(cells.rate([0.25]), [-0.25 + 0.75])
    np.testing.assert_allclose(cells.rate([2.0]), [-2.0])
    cells.require_continuous([[1.0]])
    x = run(cells.model([0.0]), 1e-3, 1.0).x
    assert x[-1, 0] == pytest.approx((1 - math.exp(-2)) / 2, abs=1e-3)
    with pytest.raises(saltus.Error, match="no P-matrix"):
        saltus.to_piecewise(STOP)
    stop = saltus.Lcs(A=[[0, 1], [-4, 0]], B=[[0], [-1]], C=[[0, -1]])
    np.testing.assert_allclose(saltus.lexicographic_rate(stop, [-0.5, 0]), [0, 0])
    np.testing.assert_allclose(saltus.lexicographic_rate(stop, [0.5, 0]), [0, -2])
    with pytest.raises(saltus.Error, match="x has size 1"):
        saltus.lexicographic_rate(stop, [1.0])


def test_piecewise_affine_systems():  # F:F091, F:F092
    pwa = saltus.PiecewiseAffineSystem(CELLS)
    assert pwa.cells_at([0.0]) == [0, 1] and pwa.cells_at([1.0]) == [0]
    assert pwa.cells[1] == CELLS[1]
    np.testing.assert_allclose(run(pwa.model([-1.0]), 1e-3, 1.0).x[-1], -math.exp(-3), rtol=5e-3)
    jump = saltus.PiecewiseAffineSystem([
        saltus.AffineCell(A=[[0.0]], a=[-1.0], G=[[1.0]]),
        saltus.AffineCell(A=[[0.0]], a=[2.0], G=[[-1.0]])])
    assert sorted(jump.filippov_fields([0.0])[:, 0]) == [-1.0, 2.0]
    assert jump.filippov_fields([1.0]).shape == (1, 1)
    with pytest.raises(saltus.Error, match="cells 0 and 1 differ"):
        jump.require_continuous([[0.0]])
    with pytest.raises(saltus.Error, match="A of cell 0 is 1x1"):
        jump.model([0.0, 0.0])
    with pytest.raises(saltus.Error, match="no cells"):
        saltus.PiecewiseAffineSystem([])
    with pytest.raises(saltus.Error, match="g has 2 entries, G has 1 rows"):
        saltus.AffineCell(A=[[1.0]], G=[[1.0]], g=[1, 2])


def test_mixed_and_nonlinear_complementarity_systems():  # F:F083, F:F084
    x = run(saltus.complementarity_system([1.0], STOP), 0.25, 2.0).x
    np.testing.assert_allclose(x[:, 0], [1, 0.75, 0.5, 0.25, 0, 0, 0, 0, 0], atol=1e-14)
    slow = run(saltus.complementarity_system([1.0], STOP, E=[[2.0]], M=[[4.0]]), 0.25, 2.0)
    np.testing.assert_allclose(slow.x[:, 0], 1 - slow.t / 2, atol=1e-14)
    tied = saltus.Lcs(A=[[0.0]], B=[[1.0]], C=[[1.0]], a=[-1.0], b=[-1.0])
    held = run(saltus.complementarity_system([1.0], tied, equalities=[0]), 0.25, 2.0)
    np.testing.assert_allclose(held.x[:, 0], 1.0, atol=1e-12)  # w = x − 1 = 0
    with pytest.raises(saltus.Error, match="equality 1 of 1 rows"):
        saltus.complementarity_system([1.0], tied, equalities=[1])
    nonlinear = saltus.nonlinear_complementarity_system(
        [0.0, 0.6], lambda t, x: [1.0, 0.0], lambda x: -x, lambda t, x: (1 - x @ x) / 2)
    inclusion = saltus.unilateral_inclusion([0.0, 0.6], saltus.Disk(radius=1.0),
                                            lambda t, x: [-1.0, 0.0])
    gradient = saltus.gradient_system([0.0, 0.6], lambda t, x: (1 - x @ x) / 2, lambda x: -x,
                                      lambda t, x: [-1.0, 0.0])
    want = run(inclusion, 0.02, 3.0).x
    np.testing.assert_allclose(run(nonlinear, 0.02, 3.0).x, want, atol=1e-9)
    np.testing.assert_allclose(run(gradient, 0.02, 3.0).x, want, atol=1e-9)


def test_switched_and_impulsive_systems():  # F:F096, F:V30
    fields = [lambda t, x: [1.0], lambda t, x: [-2.0]]
    x = run(saltus.switched_system([0.0], fields, [1.0, 1.5], [0, 1, 0]), 0.01, 2.0).x
    assert x[-1, 0] == pytest.approx(1 - 1 + 0.5, abs=0.05)
    with pytest.raises(saltus.Error, match="2 modes for 2 switching times"):
        saltus.switched_system([0.0], fields, [1.0, 1.5], [0, 1])
    grow = saltus.ImpulsiveSystem([2.0], g=lambda x: x, times=[1.0], jumps=[1.0])
    assert grow.solve(2.0, 0.1)[0] == pytest.approx(2 * math.e)
    assert grow.after_jump([2.0], 1.0)[0] == pytest.approx(2 * math.e)
    assert np.all(run(grow.model(), 0.1, 2.0).x == 2.0)
    with pytest.raises(saltus.Error, match="0 steps over a jump"):
        grow.after_jump([1.0], 1.0, steps=0)


def test_reachable_sets_of_second_order():  # TI:V-10, TI:TI-073
    sets = saltus.ReachableSet([[-1.0]], [[1.0]], x0=[2.0])
    for steps, error in ((10, 6.6154e-4), (20, 1.5918e-4), (40, 3.9049e-5)):
        (lower, upper), = sets.box(1.0, steps)
        a = (1 - 1 / steps + 0.5 / steps**2) ** steps
        assert a - math.exp(-1) == pytest.approx(error, rel=1e-4)
        assert (lower, upper) == (pytest.approx(3 * a - 1), pytest.approx(a + 1))
    plane = saltus.ReachableSet(lambda t: [[0, 1], [0, 0]], [[0], [1]])
    both = plane.support([[0, 1], [1, 0]], 1.0, 100)
    assert both == pytest.approx([1.0, 0.5], abs=1e-4)
    assert plane.support([1, 0], 1.0, 100) == pytest.approx(both[1])
    with pytest.raises(saltus.Error, match="x0 has size 1"):
        saltus.ReachableSet(np.zeros((2, 2)), np.ones((2, 1)), x0=[1.0]).box(1.0, 10)


def test_regions_that_meet():  # TI:V-01, TI:V-05, TI:V-06
    g = 0.5
    active = saltus.ActiveRegions([[-1.0], [1.0]], [[g - 1, g + 1]])
    np.testing.assert_allclose(active.M, [[1 - g, -1 - g], [-1 + g, 1 + g]])
    for alpha in (None, 3.0, 10.0):
        np.testing.assert_allclose(active.shares(alpha), [0.75, 0.25])
    assert active.regular() and active.reduced() == [[4.0]]
    assert active.lcp_matrix(3.0).min() > 0 and active.lcp_matrix(active.shift()).min() > 0
    regions = saltus.Regions([[1, -1], [-1, -1], [-1, 1], [1, 1]])
    corners = [(1, -1), (-1, -1), (-1, 1), (1, 1)]
    assert [regions.region(c) for c in corners] == [0, 1, 2, 3]
    np.testing.assert_allclose(regions.discriminants((1, -1)), [-2, 0, 2, 0])
    shares = saltus.product_shares(0.3, -0.2)
    assert shares.sum() == pytest.approx(1)
    assert shares[0] * shares[2] == pytest.approx(shares[1] * shares[3])
    assert saltus.surface_kind(-1, 2) == saltus.Surface.sliding
    assert saltus.surface_kind(1, 2) == saltus.Surface.crossing_up
    assert saltus.sliding_share(-1, 2) == pytest.approx(2 / 3)
    with pytest.raises(saltus.Error, match="normals is 1×1"):
        saltus.ActiveRegions([[1.0]], [[1.0, 2.0]])


def test_boundary_value_problems():  # TI:V-28, TI:TI-093
    model = saltus.complementarity_system([1.0], STOP)
    for b, start, end in ((0.5, 0.5, 0.0), (2.0, 1.8, 0.8)):
        report = saltus.solve_boundary_value(model, [[1.0]], [[0.25]], [b], end=1.0, steps=50)
        assert report.converged() and report.status == saltus.SolveStatus.converged
        assert report.x0[0] == pytest.approx(start) and report.x_end[0] == pytest.approx(end)
        assert report.residual < 1e-9 and report.iterations >= 1
    few = saltus.solve_boundary_value(model, [[1.0]], [[0.25]], [2.0], 1.0, 50, guess=[7.0],
                                      options=saltus.Shooting(max_iterations=1, tolerance=1e-14))
    assert few.x0.shape == (1,)
    with pytest.raises(saltus.Error, match="expected 1 conditions on 1 states"):
        saltus.solve_boundary_value(model, [[1.0, 2.0]], [[0.25]], [2.0], 1.0, 50)
