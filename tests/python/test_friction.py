"""Contact with friction: FS:V6, FS:V7, two bodies, measures, FCLib files, mistakes."""

import numpy as np
import pytest
import saltus
from scipy import sparse

# FS:V6 a sliding contact, FS:V7 one with coupled rows
V6 = saltus.FrictionContact(np.eye(3), [-1.0, 1.0, 0.0], [0.5])
V6_R = [1.0, -0.5, 0.0]
V7 = saltus.FrictionContact(
    [[1.0, 0.2, -0.1], [0.2, 1.5, 0.3], [-0.1, 0.3, 0.8]], [-1.0, 0.6, -0.4], [0.3]
)
V7_R = [1.0699203022, -0.2472815867, 0.2046398486]
# The card gives ten decimals. Solvers stop at a residual of 1e-8; both problems are well
# conditioned (eigenvalues of W between 0.6 and 1.7), so that r is at most ten times as wrong.
NEAR = 1e-7

# Those that solve another law, and those that do not get there from r = 0: one is sublinear, the
# equations of the other are singular where r_T = 0.
OTHER_LAW = ["SOCLCP-NSGS-PLI", "CONVEXQP-PG", "CONVEXQP-MPRGP", "NSN-REGULARISED"]
UNRELIABLE = ["FP-HP", "NSN-XSW"]


def two_bodies():
    """B (2 kg) on A (1 kg) on the ground, falling at 1 m/s and moving along x at 1 m/s.

    The normal impulses are 3 and 2. A slides on the ground (friction 0.5 · 3 = 1.5), both go on
    with (3 − 1.5)/3 = 0.5 m/s; B needs 2 · (0.5 − 1) = −1 of its 0.8 · 2 and sticks to A.
    """
    M = sparse.diags([1.0, 1.0, 1.0, 2.0, 2.0, 2.0]).tocsc()
    frame = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])  # columns n = z, x, y
    H = np.block([[frame, -frame], [np.zeros((3, 3)), frame]])
    f = M @ np.array([1.0, 0.0, -1.0, 1.0, 0.0, -1.0])
    problem = saltus.GlobalFrictionContact(M, sparse.csc_matrix(H), f, np.zeros(6), [0.5, 0.8])
    return problem, [0.5, 0, 0, 0.5, 0, 0], [3, -1.5, 0, 2, -1, 0]


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in saltus.friction_preset_names()
        if name not in OTHER_LAW + UNRELIABLE
    ],
)
def test_every_solver_of_the_literature_finds_the_sliding_contact(name):
    solver = saltus.friction_preset(name.lower())
    r, report = saltus.solve(V6, solver=solver)
    assert report.converged() and report.solver == type(solver).__name__
    assert r == pytest.approx(V6_R, abs=NEAR)


SOLVERS = [
    saltus.CoulombCascade(),
    saltus.Automatic(),
    saltus.Nsgs(local=saltus.LocalExact()),
    saltus.Nsgs(local=saltus.LocalNonsmoothNewton(equation=saltus.JeanMoreau())),
    saltus.Nsgs(order=saltus.ShuffledEverySweep(seed=3), over_relaxation=0.9),
    saltus.NonsmoothNewton(line_search=saltus.GoldsteinPrice(), rho=saltus.SpectralRho()),
    saltus.FrictionProximalPoint(rule=saltus.ErrorDriven()),
    saltus.Aclm(),
    saltus.TrescaFixedPoint(),
    saltus.Panagiotopoulos(),
    saltus.Admm(),
    saltus.GlockerNcp(),
]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__)
def test_solvers_agree_on_the_coupled_contact(solver):
    r, report = saltus.solve(V7, solver=solver)
    assert report.converged()
    assert r == pytest.approx(V7_R, abs=NEAR)
    assert V7.residual(r) == pytest.approx(report.residual, abs=1e-14)
    assert saltus.contact_status(V7, r) == [saltus.ContactStatus.slide]


def test_the_convex_relaxation_solves_another_law_and_says_so():
    r, report = saltus.solve(V6, solver=saltus.SoclcpRelaxation())
    assert r == pytest.approx([1.2, -0.6, 0.0], abs=NEAR)
    assert report.status == saltus.SolveStatus.stalled
    cone = saltus.BlockForm(np.eye(3), [-1.0, 1.0, 0.0], [(saltus.SecondOrderCone(mu=0.5), 3)])
    r, report = saltus.solve(cone, solver=saltus.SoclcpRelaxation())
    assert report.converged() and r == pytest.approx([1.2, -0.6, 0.0], abs=NEAR)


@pytest.mark.parametrize(
    ("set_", "q", "expected"),
    [
        (saltus.EllipticCone(mu_1=0.5, mu_2=0.2), [-1, 1, 0], [1, -0.5, 0]),
        (saltus.EllipticCone(mu_1=0.5, mu_2=0.2), [-1, 0, 1], [1, 0, -0.2]),
        (saltus.FrictionCylinder(radius=0.3), [-1, 1, 0], [1, -0.3, 0]),
        (saltus.RollingCone(mu=0.5, mu_rolling=0.1), [-1, 0.3, 0, 1, 0], [1, -0.3, 0, -0.1, 0]),
    ],
)
def test_blocks_with_other_laws_of_friction(set_, q, expected):
    problem = saltus.BlockForm(np.eye(len(q)), q, [(set_, len(q))])
    assert problem.K == [(set_, len(q))]
    r, report = saltus.solve(problem)
    assert report.converged() and r == pytest.approx(expected, abs=NEAR)


def test_rolling_friction():
    problem = saltus.FrictionContact(
        np.eye(5), [-1.0, 0.3, 0.0, 1.0, 0.0], [0.5], dimension=5, mu_rolling=[0.1]
    )
    r, report = saltus.solve(problem)
    assert report.converged() and r == pytest.approx([1.0, -0.3, 0.0, -0.1, 0.0], abs=NEAR)
    assert problem.to_block_form().K == [(saltus.RollingCone(mu=0.5, mu_rolling=0.1), 5)]
    assert problem.mu_rolling == pytest.approx([0.1]) and V6.mu_rolling.size == 0


@pytest.mark.parametrize("solver", [None, saltus.CoulombCascade(), saltus.Nsgs()])
def test_two_bodies_on_each_other(solver):
    problem, v_exact, r_exact = two_bodies()
    (v, r), report = saltus.solve(problem, solver=solver)
    assert report.converged()
    assert report.solver == ("CoulombCascade" if solver is None else type(solver).__name__)
    assert v == pytest.approx(v_exact, abs=NEAR) and r == pytest.approx(r_exact, abs=NEAR)
    assert v == pytest.approx(problem.velocity(r), abs=1e-12)
    status = saltus.ContactStatus
    assert saltus.contact_status(problem, r) == [status.slide, status.stick]


def two_bodies_one_guided():
    """The same, but A may not move along x."""
    problem, _, _ = two_bodies()
    G = sparse.csc_matrix([[1.0], [0.0], [0.0], [0.0], [0.0], [0.0]])
    cones = [(saltus.FrictionCone(mu=0.5), 3), (saltus.FrictionCone(mu=0.8), 3)]
    H, K = sparse.hstack([problem.H, G]), [*cones, (saltus.Reals(), 1)]
    return saltus.GlobalBlockForm(problem.M, H, problem.f, np.zeros(7), K)


def test_bilateral_rows_and_contacts_mix_in_the_global_block_form():
    form = two_bodies_one_guided()
    (v, r), report = saltus.solve(form)
    assert report.converged() and form.residual(v, r) < NEAR
    assert v == pytest.approx([0.0, 0.0, 0.0, 0.2, 0.0, 0.0], abs=NEAR)  # 1 − 0.8 · 2/2
    assert form.K[2] == (saltus.Reals(), 1)
    r, report = saltus.solve(form.reduce())
    assert report.converged() and form.velocity(r)[3] == pytest.approx(0.2, abs=NEAR)


def test_errors_are_relative_to_q():
    # FS:V6: 0.6324555320 at r = 0 and 0.3162277660 at (1, 0, 0); ‖q‖ = √2
    zero = saltus.friction_errors(V6, np.zeros(3))
    assert zero.e1 == pytest.approx(0.6324555320, abs=1e-10)
    assert zero.e1 == pytest.approx(V6.residual(np.zeros(3)) / np.sqrt(2.0), abs=1e-15)
    errors = saltus.friction_errors(V6, [1.0, 0.0, 0.0])
    assert errors.e1 == pytest.approx(0.3162277660, abs=1e-10)
    assert errors.worst() == max(errors.e1, errors.e2)
    assert saltus.friction_errors(V6, V6_R).worst() < 1e-15
    assert errors.trusted() and errors.self_stress_limit == 1e4
    assert not saltus.friction_errors(V6, [1e5, 0.0, 0.0]).trusted()
    problem, _, r = two_bodies()
    for form in (problem, problem.to_global_block_form(), problem.reduce()):
        assert saltus.friction_errors(form, r).worst() < 1e-14


def test_a_certificate_solves_the_perturbed_problem_exactly():
    certificate = saltus.friction_certificate(V7, [1.0, -0.25, 0.2])
    assert V7.W @ certificate.r + V7.q + certificate.dq == pytest.approx(certificate.u, abs=1e-14)
    nearby = saltus.FrictionContact(V7.W, V7.q + certificate.dq, V7.mu)
    assert nearby.residual(certificate.r) < 1e-14
    assert certificate.perturbation == pytest.approx(np.linalg.norm(certificate.dq), abs=1e-15)
    assert certificate.relative == pytest.approx(certificate.perturbation, abs=1e-15)  # ‖q‖∞ = 1


def test_diagnostics_tell_size_and_rank():
    problem, _, _ = two_bodies()
    found = saltus.diagnose(problem)
    assert (found.contacts, found.rows, found.velocities, found.rank) == (2, 6, 6, 6)
    assert found.density == 1.0 and found.asymmetry < 1e-15
    assert saltus.diagnose(problem, dense_rows=3).rank == 0
    assert saltus.diagnose(V7).velocities == 0


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else np.asarray(matrix)


def same(a, b):
    assert type(a) is type(b)
    for name in ("W", "M", "H", "q", "f", "w", "mu", "mu_rolling", "sizes"):
        if hasattr(a, name):
            assert np.array_equal(dense(getattr(a, name)), dense(getattr(b, name))), name
    assert getattr(a, "dimension", None) == getattr(b, "dimension", None)
    assert getattr(a, "K", None) == getattr(b, "K", None)


ROLLING = saltus.FrictionContact(
    np.eye(5), [-1.0, 0.3, 0.0, 1.0, 0.0], [0.5], dimension=5, mu_rolling=[0.1]
)


@pytest.mark.parametrize(
    "problem", [V7, ROLLING, two_bodies()[0], two_bodies_one_guided()], ids=repr
)
def test_an_fclib_file_is_read_back(tmp_path, problem):
    path = tmp_path / "p.hdf5"
    rows = (problem.q if hasattr(problem, "q") else problem.w).size
    guess = saltus.FclibFile(problem).point(np.arange(rows) / 7)
    saltus.write_fclib(path, saltus.FclibFile(problem, title="Zwei Körper", guesses=[guess]))
    file = saltus.read_fclib(path)
    same(file.problem, problem)
    same(saltus.read_problem(path), problem)
    assert file.title == "Zwei Körper" and file.solution is None
    for part in ("r", "u", "v", "l"):
        assert np.array_equal(getattr(file.guesses[0], part), getattr(guess, part))
    assert guess.r.size + guess.l.size == rows


def test_a_solution_is_added_to_an_fclib_file(tmp_path):
    problem, v_exact, _ = two_bodies()
    source, path = tmp_path / "p.hdf5", tmp_path / "solved.hdf5"
    saltus.write_fclib(source, saltus.FclibFile(problem, description="stacked"))
    (_, r), report = saltus.solve(problem)
    saltus.write_fclib_solution(source, path, saltus.read_fclib(source).point(r))
    file = saltus.read_fclib(path)
    assert file.description == "stacked" and saltus.read_fclib(source).solution is None
    assert np.array_equal(file.solution.r, r)
    assert file.solution.v == pytest.approx(v_exact, abs=NEAR)
    assert saltus.friction_errors(file.problem, file.solution.r).worst() <= report.tolerance


@pytest.mark.parametrize(
    "problem",
    [V7, ROLLING, two_bodies()[0], saltus.Soclcp(np.eye(3), [-1.0, 0.5, 0.25], [3], [0.5])],
    ids=repr,
)
def test_contact_problems_as_text(tmp_path, problem):
    saltus.write_problem(tmp_path / "p.dat", problem)
    same(saltus.read_problem(tmp_path / "p.dat"), problem)
    with pytest.raises(saltus.Error, match="use write_fclib"):
        saltus.write_problem(tmp_path / "p.h5", problem)


def test_an_unknown_preset_names_the_known_ones():
    preset = saltus.friction_preset("NSN-AC-GP")
    assert preset == saltus.NonsmoothNewton(
        equation=saltus.AlartCurnier(), line_search=saltus.GoldsteinPrice()
    )
    with pytest.raises(saltus.Error, match="'NSN-XY', expected one of FP-DS, .*NSN-AC-GP"):
        saltus.friction_preset("NSN-XY")


def test_wrong_problems_are_errors():
    with pytest.raises(saltus.Error, match="dimension is 4, expected 2 or 3"):
        saltus.FrictionContact(np.eye(4), np.zeros(4), [0.5], dimension=4)
    with pytest.raises(saltus.Error, match="dimension is 2, expected 3 or 5"):
        saltus.FrictionContact(np.eye(2), np.zeros(2), [0.5], dimension=2, mu_rolling=[0.1])
    with pytest.raises(saltus.Error, match="mu"):
        saltus.FrictionContact(np.eye(3), np.zeros(3), [-0.5])
    with pytest.raises(saltus.Error, match="mu_rolling has size 2"):
        saltus.FrictionContact(np.eye(5), np.zeros(5), [0.5], 5, [0.1, 0.1])
    with pytest.raises(saltus.Error, match=r"GlobalBlockForm: K\[0\] is a Disk"):
        saltus.GlobalBlockForm(
            np.eye(2), np.eye(2), [0, 0], [0, 0], [(saltus.Disk(radius=1.0), 2)]
        )
    with pytest.raises(saltus.Error, match="elliptic friction cone of block 0 has 4 rows"):
        saltus.BlockForm(np.eye(4), np.zeros(4), [(saltus.EllipticCone(mu_1=1.0, mu_2=1.0), 4)])
    for mass, row in (([1, -1, 1], 1), ([1, 1, 0], 2)):
        bad = saltus.GlobalFrictionContact(np.diag(mass), np.eye(3), [-1, 0, 0], [0, 0, 0], [0.5])
        with pytest.raises(saltus.Error, match=f"M is not positive definite: the pivot of row {row}"):
            saltus.solve(bad)
    for cone in (saltus.RollingCone, saltus.RollingDualCone, saltus.SecondOrderCone):
        with pytest.raises(saltus.Error, match="mu is -1"):
            cone(mu=-1.0)


def test_wrong_arguments_are_errors(tmp_path):
    with pytest.raises(saltus.Error, match="r has size 2, expected 3"):
        saltus.friction_errors(V6, [1.0, 2.0])
    with pytest.raises(TypeError, match="diagnose: problem: expected FrictionContact"):
        saltus.diagnose(saltus.Lcp([[1.0]], [1.0]))
    with pytest.raises(TypeError, match="solve: solver: expected one of Automatic, CoulombCascade"):
        saltus.solve(V6, solver=saltus.Lemke())
    with pytest.raises(TypeError, match="Nsgs: local: expected one of LocalNewton"):
        saltus.Nsgs(local=saltus.Lemke())
    with pytest.raises(TypeError, match="FclibFile: problem: expected FrictionContact"):
        saltus.FclibFile(saltus.Lcp([[1.0]], [1.0]))
    with pytest.raises(saltus.Error, match="nowhere.hdf5"):
        saltus.read_fclib(tmp_path / "nowhere.hdf5")
    saltus.write_fclib(tmp_path / "p.hdf5", saltus.FclibFile(V6))
    with pytest.raises(saltus.Error):
        wrong = saltus.FclibPoint(r=[1.0, 2.0])
        saltus.write_fclib_solution(tmp_path / "p.hdf5", tmp_path / "p.hdf5", wrong)
    assert saltus.read_fclib(tmp_path / "p.hdf5").solution is None


def squeezed():
    """FS:V11: a point between two walls that close on it."""
    H = np.zeros((3, 6))
    H[0, 0] = H[1, 1] = H[2, 2] = 1
    H[0, 3], H[1, 4], H[2, 5] = -1, 1, 1
    w = [-1.0, 0, 0, -1, 0, 0]
    return saltus.GlobalFrictionContact(np.eye(3), H, np.zeros(3), w, [0.5, 0.5])


def test_existence_is_tested_and_its_failure_proved():
    problem = squeezed()
    answer = saltus.friction_existence(problem)
    assert answer.verdict == saltus.Existence.impossible
    assert answer.margin == pytest.approx(-1, abs=1e-9)
    assert problem.to_global_block_form().proves_infeasible(answer.direction)
    assert saltus.friction_infeasibility(problem, [5, 0, 0, 5, 0, 0]) == pytest.approx(
        [1, 0, 0, 1, 0, 0]
    )
    reduced = problem.reduce().to_block_form()
    assert reduced.proves_infeasible(saltus.friction_infeasibility(reduced))
    assert not saltus.solve(problem, solver=saltus.CoulombCascade(budget=200))[1].converged()
    solvable, _, _ = two_bodies()
    assert saltus.friction_existence(solvable).verdict == saltus.Existence.guaranteed
    assert saltus.friction_infeasibility(solvable) is None
    with pytest.raises(saltus.Error, match="r has size 1, expected 6"):
        saltus.friction_infeasibility(problem, [1.0])


def test_the_namespace_of_friction_has_everything_under_short_names(tmp_path):
    from saltus import friction

    problem, v_expected, r_expected = two_bodies()
    friction.write(tmp_path / "p.hdf5", friction.FclibFile(problem))
    read = friction.read(tmp_path / "p.hdf5").problem
    (v, r), report = friction.solve(read)
    assert report.converged() and v == pytest.approx(v_expected, abs=NEAR)
    assert r == pytest.approx(r_expected, abs=NEAR)
    assert friction.errors(read, r).worst() <= 1e-8
    assert friction.certificate(read, r).relative <= 1e-7
    assert [s.name for s in friction.status(read, r)] == ["slide", "stick"]
    assert friction.diagnose(read).contacts == 2
    assert friction.existence(read).verdict.name == "guaranteed"
    assert friction.infeasibility(read) is None
    assert "NSN-AC-GP" in friction.presets()
    r, report = friction.solve(read.reduce(), solver=friction.preset("NSN-AC-GP"))
    assert report.converged()
    point = friction.FclibFile(problem).point(r_expected)
    friction.write_solution(tmp_path / "p.hdf5", tmp_path / "s.hdf5", point)
    assert friction.read(tmp_path / "s.hdf5").solution.r == pytest.approx(r_expected)
    for name in friction.__all__:
        assert getattr(friction, name).__doc__
    assert saltus.friction is friction


def test_newton_works_on_the_global_form():
    M = sparse.diags(np.linspace(1, 2, 6)).tocsc()
    H = np.eye(6)[:, :3] + 0.1  # one contact, full rank
    problem = saltus.GlobalFrictionContact(M, H, [-1.0, 0.5, 0, 0, 0, 0], np.zeros(3), [0.4])
    (v, r), report = saltus.solve(problem, solver=saltus.NonsmoothNewton(tolerance=1e-12))
    assert report.converged() and report.solver == "NonsmoothNewton"
    assert problem.residual(v, r) <= 1e-11
    (_, reference), _ = saltus.solve(problem, solver=saltus.CoulombCascade(tolerance=1e-12))
    assert r == pytest.approx(reference, abs=1e-9)


def test_bilateral_rows_of_a_reduced_problem_are_kept_in_fclib(tmp_path):
    W = np.diag([2.0, 1, 1, 3])
    W[0, 3] = W[3, 0] = 0.5
    problem = saltus.BlockForm(
        W, [-1.0, 0.1, 0, 1], [(saltus.FrictionCone(mu=0.4), 3), (saltus.Reals(), 1)]
    )
    r, report = saltus.solve(problem, solver=saltus.CoulombCascade())
    assert report.converged()
    file = saltus.FclibFile(problem)
    saltus.write_fclib(tmp_path / "p.hdf5", saltus.FclibFile(problem, solution=file.point(r)))
    again = saltus.read_fclib(tmp_path / "p.hdf5")
    assert again.problem.q == pytest.approx(problem.q, abs=0)
    assert again.solution.l == pytest.approx(r[3:], abs=0)
    assert again.problem.residual(r) == problem.residual(r)
