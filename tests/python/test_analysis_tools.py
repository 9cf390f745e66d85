"""What can be said of a complementarity system or an inclusion before it is simulated."""

import math

import numpy as np
import pytest
import saltus

FIRST = saltus.Lcs(A=[[-1.0]], B=[[1.0]], C=[[1.0]])
LEAD = saltus.Lcs(A=[[-1.0]], B=[[1.0]], C=[[1.0]], D=[[1.0]])  # 1 + 1/(s + 1)


def test_transfer_functions_and_markov_parameters():  # F:F193, F:C0-31
    alpha, beta = 2.0, 3.0
    A = [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1 + alpha, 1 + beta, 0, -1]]
    system = saltus.Lcs(A=A, B=[[0], [0], [0], [1]], C=[[-1, 0, 1, 0]])
    numerator, denominator = saltus.transfer_function(system)
    np.testing.assert_allclose(numerator, [0, 0, 1, 0, -1], atol=1e-13)
    np.testing.assert_allclose(denominator, [1, 1, 0, -(1 + beta), -(1 + alpha)], atol=1e-13)
    s = 0.7
    direct = np.array([[-1, 0, 1, 0]]) @ np.linalg.solve(s * np.eye(4) - A, [0, 0, 0, 1])
    assert np.polyval(numerator, s) / np.polyval(denominator, s) == pytest.approx(direct[0])
    D, CB, CAB = saltus.markov_parameters(system, 3)
    assert (D, CB, CAB) == (0, 0, 1)
    degree = saltus.relative_degree(system)
    assert degree.sum() == degree.largest() == degree.uniform() == 2
    form = saltus.zero_dynamics_form(system)
    assert form.chains == 2 and form.row(0, 1) == 1
    x = np.array([1.0, -2.0, 0.5, 3.0])
    np.testing.assert_allclose(form.from_canonical(form.to_canonical(x)), x, atol=1e-12)
    np.testing.assert_allclose(np.sort(np.linalg.eigvals(form.A_xi).real), [-1, 1], atol=1e-10)
    with pytest.raises(saltus.Error, match="derivative 2"):
        form.row(0, 2)
    W = np.diag([1.0, 2.0, 3.0, 4.0])
    moved = saltus.transformed(system, W)
    np.testing.assert_allclose(moved.A, W @ A @ np.linalg.inv(W))


def test_vector_relative_degrees():  # F:F194
    A = np.zeros((3, 3))
    A[0, 1] = 1
    mixed = saltus.relative_degree(
        saltus.Lcs(A=A, B=[[0, 0], [1, 0], [0, 1]], C=[[1, 0, 0], [0, 0, 1]]))
    assert mixed.degrees == [2, 1] and mixed.uniform() == -1 and mixed.exists and mixed.sum() == 3


def test_positive_realness():  # F:F085, TI:V-24
    assert saltus.passivity(FIRST).passive == saltus.Answer.yes
    unstable = saltus.Lcs(A=[[1.0]], B=[[1.0]], C=[[1.0]])
    assert saltus.passivity(unstable, saltus.StorageSearch()).passive == saltus.Answer.no
    assert saltus.positivity(FIRST) == saltus.Positivity.strict
    assert saltus.positivity(LEAD) == saltus.Positivity.strong
    assert saltus.positivity(unstable) == saltus.Positivity.none
    assert saltus.controllable(FIRST) and saltus.observable(FIRST)
    lost = saltus.Lcs(A=np.diag([-1.0, -2.0]), B=[[1], [0]], C=[[1, 1]])
    assert not saltus.controllable(lost) and saltus.observable(lost)
    omega = np.array([0.0, 1.0, 2.0])
    np.testing.assert_allclose(saltus.smallest_real_part(FIRST, omega), 2 / (1 + omega**2))
    assert saltus.smallest_real_part(FIRST, 1.0) == pytest.approx(1.0)


def test_storage_matrices():  # F:F200
    least, most = saltus.storage_bounds(LEAD)
    for P in (least, most):  # −2P + (P − 1)²/2 = 0
        assert -2 * P[0, 0] + (P[0, 0] - 1) ** 2 / 2 == pytest.approx(0, abs=1e-12)
    assert least[0, 0] == pytest.approx(3 - math.sqrt(8))
    found = saltus.passivity(LEAD)
    assert least[0, 0] <= found.P[0, 0] <= most[0, 0] and found.lmi_largest <= 1e-6
    matrix = saltus.passivity_matrix(LEAD, [[1.0]])
    np.testing.assert_allclose(matrix, [[-2, 0], [0, -2]])
    V, G = saltus.complementary_cone(np.diag([1.0, 0.0]))
    np.testing.assert_allclose(np.abs(V), [[0], [1]])
    assert G.shape[1] == 1
    with pytest.raises(saltus.Error):
        saltus.storage_bounds(FIRST)


def test_states_of_rest():  # F:F192
    pump = saltus.Lcs(A=[[-1.0]], B=[[1.0]], C=[[1.0]], D=[[1.0]], b=[-4.0])
    lcp = saltus.equilibrium_lcp(pump)
    np.testing.assert_allclose(lcp.M, [[2.0]])
    rest, report = saltus.equilibrium(pump)
    assert report.converged() and rest.x[0] == pytest.approx(2.0)
    assert saltus.equilibrium_residual(pump, rest.x, rest.lambda_) < 1e-12
    assert saltus.equilibrium_residual(pump, [0.0], [0.0]) == pytest.approx(4.0)
    ball = saltus.Model()
    mass = ball.add(saltus.PointMass(m=1.0, gravity=[-9.81]), q=[1.0], v=[-2.0])
    ball.link(mass, saltus.LinearRelation(H=[[1.0]]), saltus.NewtonImpact(e=0.5))
    np.testing.assert_allclose(saltus.linearised_state(ball), [1.0, -2.0])


def test_one_sided_lipschitz_constants():  # F:V16, F:F056, F:F057
    def sign(x):
        return float(np.sign(x)) if x else (-1, 1)

    relay = saltus.lipschitz_constants(lambda x: np.negative(sign(x))[::-1] if x == 0 else -sign(x),
                                       -1, 1, special=[0])
    assert relay.uniform_one_sided == 0 and relay.lipschitz == math.inf
    assert saltus.lipschitz_constants(sign, -1, 1, special=[0]).one_sided == math.inf
    line = saltus.lipschitz_constants(lambda x: 3 * x, -1, 1)
    assert line.lipschitz == pytest.approx(3) and line.growth == pytest.approx(1.5)
    with pytest.raises(saltus.Error, match="returned 3 numbers"):
        saltus.lipschitz_constants(lambda x: [1, 2, 3], -1, 1)
    assert saltus.one_sided_lipschitz([[-1, 5], [-5, -2]]) == pytest.approx(-1)
    P = saltus.lyapunov_matrix([[-1, 5], [0, -2]], np.eye(2))
    assert saltus.one_sided_lipschitz([[-1, 5], [0, -2]], P) < 0
    assert saltus.lyapunov_rate([2.0], [[-1.0], [0.5]]) == (-2.0, 1.0)


def test_well_posedness_of_what_is_known():  # F:B31
    swept = saltus.well_posedness_of(saltus.Formalism.sweeping_process, closed_convex=True,
                                     lipschitz=True, start_admissible=True)
    assert swept.existence() and swept.uniqueness()
    theorem = next(t for t in swept.theorems if t.applies == saltus.Answer.yes)
    assert theorem.existence and theorem.uniqueness
    unknown = saltus.well_posedness_of(saltus.Formalism.sweeping_process, closed_convex=None)
    assert not unknown.existence()
    with pytest.raises(TypeError, match="convexity"):
        saltus.well_posedness_of(saltus.Formalism.sweeping_process, convexity=True)
    triple = saltus.Lcs(A=[[0, 1, 0], [0, 0, 1], [0, 0, 0]], B=[[0], [0], [1]], C=[[1, 0, 0]])
    found = saltus.solution_class(triple)
    assert found.relative_degree == 3 and found.order_of_discontinuity == -2
    assert not found.backward_euler and "Emts" in found.scheme and found.solutions
    assert saltus.solution_class(FIRST).backward_euler
