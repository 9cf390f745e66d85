"""Problem files: what is written is read back; mistakes are errors."""

import numpy as np
import pytest
import saltus
from scipy import sparse

M, q = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-5.0, -1 / 3])
RELAY = [(saltus.Interval(lower=-1.0, upper=2.0), 1), (saltus.NonNegative(), 1)]
PROBLEMS = {
    "lcp": saltus.Lcp(M, q),
    "mlcp": saltus.Mlcp(M, q, equalities=[1]),
    "relay": saltus.BlockForm(sparse.csr_matrix(M), q, RELAY),
    "sparse_lcp": saltus.Lcp(sparse.identity(30), np.arange(30) - 7.5),
}


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else matrix


def same(a, b):
    assert type(a) is type(b)
    name = "W" if isinstance(a, saltus.BlockForm) else "M"
    assert np.array_equal(dense(getattr(a, name)), dense(getattr(b, name)))
    assert np.array_equal(a.q, b.q)
    assert getattr(a, "equalities", None) == getattr(b, "equalities", None)
    assert getattr(a, "K", None) == getattr(b, "K", None)


@pytest.mark.parametrize("ending", [".h5", ".hdf5", ".dat", ".txt"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_problem_is_read_back_bit_for_bit(tmp_path, name, ending):
    path = tmp_path / (name + ending)
    saltus.write_problem(path, PROBLEMS[name])
    same(saltus.read_problem(str(path)), PROBLEMS[name])


def test_matrix_market_takes_two_files(tmp_path):
    saltus.write_problem(tmp_path / "p.mtx", PROBLEMS["lcp"])
    same(saltus.read_problem(tmp_path / "p.mtx"), PROBLEMS["lcp"])
    (tmp_path / "p_q.mtx").rename(tmp_path / "other.mtx")
    same(saltus.read_problem(tmp_path / "p.mtx", q=tmp_path / "other.mtx"), PROBLEMS["lcp"])
    with pytest.raises(saltus.Error, match="hold an Lcp only"):
        saltus.write_problem(tmp_path / "m.mtx", PROBLEMS["mlcp"])


def test_a_solution_is_kept_with_its_problem(tmp_path):
    problem = PROBLEMS["lcp"]
    z, report = saltus.solve(problem, solver=saltus.Lemke(tolerance=1e-11))
    saltus.write_problem(tmp_path / "p.h5", problem, (z, report))
    again, stored = saltus.read_solution(tmp_path / "p.h5")
    assert np.array_equal(again, z) and problem.residual(again) == stored.residual
    assert (stored.solver, stored.tolerance) == ("Lemke", 1e-11)
    assert stored.status == report.status and stored.iterations == report.iterations
    assert stored.certificate is None


def test_a_certificate_is_kept_with_its_problem(tmp_path):
    problem = saltus.Lcp([[-1.0, 0.0], [0.0, 1.0]], [-1.0, 0.0])  # S:V-12
    saltus.write_problem(tmp_path / "p.h5", problem, saltus.solve(problem))
    _, stored = saltus.read_solution(tmp_path / "p.h5")
    assert stored.status == saltus.SolveStatus.infeasible
    assert problem.proves_infeasible(stored.certificate)


def test_a_file_without_solution(tmp_path):
    saltus.write_problem(tmp_path / "p.h5", PROBLEMS["relay"])
    assert saltus.read_solution(tmp_path / "p.h5") is None


def test_a_text_may_need_its_kind(tmp_path):
    saltus.write_problem(tmp_path / "unnamed.dat", PROBLEMS["relay"])
    same(saltus.read_problem(tmp_path / "unnamed.dat", kind="relay"), PROBLEMS["relay"])
    with pytest.raises(saltus.Error, match="expected 'lcp', 'mlcp' or 'relay'"):
        saltus.read_problem(tmp_path / "unnamed.dat", kind="qp")


def test_mistakes_are_errors(tmp_path):
    problem = PROBLEMS["lcp"]
    with pytest.raises(saltus.Error, match="nowhere.h5"):
        saltus.read_problem(tmp_path / "nowhere.h5")
    (tmp_path / "bad.dat").write_text("2\n0 2 2\n1.0 what")
    with pytest.raises(saltus.Error, match="bad.dat"):
        saltus.read_problem(tmp_path / "bad.dat")
    with pytest.raises(saltus.Error, match="ends with '.csv', expected .h5"):
        saltus.write_problem(tmp_path / "p.csv", problem)
    with pytest.raises(saltus.Error, match="a solution needs the ending .h5"):
        saltus.write_problem(tmp_path / "p.dat", problem, saltus.solve(problem))
    with pytest.raises(TypeError, match="solution: expected what solve returns"):
        saltus.write_problem(tmp_path / "p.h5", problem, [1.0, 2.0])
    with pytest.raises(TypeError, match="problem: expected Lcp, Mlcp, BlockForm, Soclcp"):
        saltus.write_problem(tmp_path / "p.h5", saltus.Qp(np.eye(1), [0.0]))
    with pytest.raises(saltus.Error):  # a cone has no bounds
        cone = saltus.BlockForm(np.eye(3), np.zeros(3), [(saltus.FrictionCone(mu=0.5), 3)])
        saltus.write_problem(tmp_path / "p.h5", cone)
    assert list(tmp_path.iterdir()) == [tmp_path / "bad.dat"]
