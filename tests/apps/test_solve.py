"""`saltus solve` and `saltus solvers` as their user sees them: tables, JSON, files, exit codes.

SALTUS_PROGRAM names the program. Problem files are typed here, in the plain-text form of SICONOS.
"""

import json
import os
import subprocess

import pytest

PROGRAM = os.environ["SALTUS_PROGRAM"]

FILES = {
    # 0 <= 2 z - 4 _|_ z >= 0: z = 2
    "lcp.dat": "1\n0\n1\n1\n1 1\n2\n-4\n",
    # z_0 free with z_0 + z_1 - 3 = 0, 0 <= -z_0 + z_1 + 1 _|_ z_1 >= 0: z = (2, 1)
    "mlcp.dat": "1\n0\n1\n1\n0 1 2\n0 1\n0\n2\n2\n2 2\n1 -1\n1 1\n-3 1\n",
    # u = z + 5 > 0 on [-1, 1]: z = -1
    "relay.dat": "1\n0\n1\n1\n1 1\n1\n5\n-1\n1\n",
}
SOLUTIONS = {"lcp.dat": [2], "mlcp.dat": [2, 1], "relay.dat": [-1]}
# w = -1 whatever z is; y = 1 proves it: y >= 0, M'y <= 0, q'y < 0
INFEASIBLE = "1\n0\n1\n1\n1 1\n0\n-1\n"


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "none.dat").write_text(INFEASIBLE)
    (tmp_path / "bad.dat").write_text("1\n0\n1\n1\n1 1\nx\n-4\n")
    return tmp_path


def saltus(folder, *words):
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=120)


def objects(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


def assert_mistake(result, *parts):
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith("saltus: ") and result.stderr.count("\n") == 1
    for part in parts:
        assert part in result.stderr


# Results ----------------------------------------------------------------------------------------


def test_every_kind_is_recognised_and_solved(folder):
    result = saltus(folder, "solve", *FILES)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["FILE", "PROBLEM", "N", "SOLVER", "STATUS", "RESIDUAL",
                                "ITERATIONS", "TIME"]
    assert [line.split()[:2] for line in lines[1:4]] == [
        ["lcp.dat", "lcp"], ["mlcp.dat", "mlcp"], ["relay.dat", "relay"]]
    assert all("converged" in line for line in lines[1:4])
    assert lines[4] == "3 of 3 solved"
    column = lines[0].index("STATUS")
    assert all(line[column:].startswith("converged") for line in lines[1:4])


def test_json_has_one_object_per_file(folder):
    result = saltus(folder, "solve", *FILES, "--json", "--tolerance", "1e-10", "--solver", "lemke")
    assert result.returncode == 0, result.stderr
    found = objects(result)
    assert [o["file"] for o in found] == list(FILES)
    for o in found:
        assert set(o) == {"file", "problem", "n", "solver", "status", "residual", "iterations",
                          "seconds"}
        assert o["solver"] == "Lemke" and o["status"] == "converged"
        assert 0 <= o["residual"] <= 1e-10 * 5  # tolerance times the largest |q_i|
        assert o["seconds"] >= 0 and o["n"] == len(SOLUTIONS[o["file"]])


def test_a_problem_without_solution_is_said_with_its_proof(folder):
    result = saltus(folder, "solve", "none.dat", "lcp.dat")
    assert result.returncode == 1
    assert "infeasible, proved" in result.stdout
    assert result.stdout.endswith("1 of 2 solved\n")
    (o,) = objects(saltus(folder, "solve", "none.dat", "--json"))
    assert o["status"] == "infeasible"
    (y,) = o["certificate"]
    assert y > 0  # here M = 0 and q = -1


def test_too_few_iterations_are_not_a_solution(folder):
    # M = [[1, -3], [3, 1]], q = (-1, -10): Gauss-Seidel cycles, (1, 7) -> (22, 0) -> (1, 7).
    (folder / "rotation.dat").write_text("2\n0\n2\n2\n2 2\n1 3\n-3 1\n-1 -10\n")
    result = saltus(folder, "solve", "rotation.dat", "--solver", "Psor", "--json")
    assert result.returncode == 1
    (o,) = objects(result)
    assert o["status"] != "converged"
    assert o["residual"] is None or o["residual"] > 1e-8


# Files ------------------------------------------------------------------------------------------


def test_output_holds_the_problems_with_their_solutions(folder):
    result = saltus(folder, "solve", *FILES, "none.dat", "--output", "solved/here", "--json")
    assert result.returncode == 1
    made = sorted(path.name for path in (folder / "solved" / "here").iterdir())
    assert made == ["lcp.h5", "mlcp.h5", "none.h5", "relay.h5"]
    again = saltus(folder, "solve", *(f"solved/here/{name}" for name in made), "--json")
    assert [o["problem"] for o in objects(again)] == ["lcp", "mlcp", "lcp", "relay"]
    assert [o["residual"] for o in objects(again)][:2] == [o["residual"]
                                                           for o in objects(result)[:2]]


def test_output_explains_itself_to_h5dump(folder):
    h5py = pytest.importorskip("h5py")
    saltus(folder, "solve", *FILES, "--output", "solved")
    for name, expected in SOLUTIONS.items():
        with h5py.File(folder / "solved" / name.replace(".dat", ".h5")) as file:
            assert file.attrs["format"] in ("saltus problem", b"saltus problem")
            assert list(file["solution/z"]) == pytest.approx(expected, abs=1e-8)


def test_matrix_market_takes_its_vector_from_the_sibling(folder):
    (folder / "m.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n"
                                  "1 1 2\n2 2 4\n")
    assert_mistake(saltus(folder, "solve", "m.mtx"), "its vector q is not in 'm_q.mtx'", "--q FILE")
    (folder / "m_q.mtx").write_text("%%MatrixMarket matrix array real general\n2 1\n-4\n4\n")
    assert saltus(folder, "solve", "m.mtx").returncode == 0
    (folder / "other.mtx").write_text("%%MatrixMarket matrix array real general\n1 1\n-4\n")
    assert_mistake(saltus(folder, "solve", "m.mtx", "--q", "other.mtx"), "has size 1, expected")
    assert_mistake(saltus(folder, "solve", "m.mtx", "lcp.dat", "--q", "other.mtx"),
                   "--q gives the vector of one file, but there are 2 files")


def test_the_kind_can_be_given(folder):
    (folder / "x.dat").write_text("1\n0\n1\n1\n1 1\n2\n-4\n7\n")
    assert_mistake(saltus(folder, "solve", "x.dat"), "--problem lcp, mlcp or relay")
    assert saltus(folder, "solve", "x.dat", "--problem", "lcp").returncode == 0
    assert_mistake(saltus(folder, "solve", "x.dat", "--problem", "relais"),
                   "--problem 'relais' is unknown. Known: lcp, mlcp, relay")


# Mistakes ---------------------------------------------------------------------------------------


def test_an_unreadable_file_does_not_stop_the_others(folder):
    result = saltus(folder, "solve", "bad.dat", "gone.dat", "none.dat", "lcp.dat")
    assert result.returncode == 2
    assert result.stderr.splitlines() == [
        "saltus: cannot read 'bad.dat': line 6: found 'x', expected the values of the matrix, "
        "a number",
        "saltus: cannot read 'gone.dat': there is no such file"]
    assert "lcp.dat" in result.stdout and result.stdout.endswith("1 of 4 solved\n")


def test_json_tells_unreadable_files_too(folder):
    result = saltus(folder, "solve", "bad.dat", "lcp.dat", "--json")
    assert result.returncode == 2
    bad, good = objects(result)
    assert bad["file"] == "bad.dat" and "line 6" in bad["error"]
    assert good["status"] == "converged"


def test_a_misspelt_solver_is_found(folder):
    result = saltus(folder, "solve", "lcp.dat", "--solver", "Lemk")
    assert_mistake(result, "--solver 'Lemk' is unknown; did you mean Lemke?")
    assert result.stdout == ""


def test_a_solver_for_other_problems_is_refused(folder):
    assert_mistake(saltus(folder, "solve", "lcp.dat", "--solver", "Nsgs"),
                   "Nsgs does not solve problems of kind lcp; these do: Automatic, ")
    assert saltus(folder, "solve", "relay.dat", "--solver", "Nsgs").returncode == 0


@pytest.mark.parametrize("tolerance", ["0", "-1", "nan", "inf"])
def test_a_tolerance_that_makes_no_sense_is_refused(folder, tolerance):
    assert_mistake(saltus(folder, "solve", "lcp.dat", "--tolerance", tolerance), "--tolerance is")


def test_two_files_of_one_name_are_not_written_over_each_other(folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "lcp.dat").write_text(FILES["lcp.dat"])
    result = saltus(folder, "solve", "lcp.dat", "sub/lcp.dat", "--output", "solved")
    assert_mistake(result, "two of the files would be written as 'solved/lcp.h5'")
    assert not (folder / "solved").exists()


def test_an_output_folder_that_is_a_file_is_refused(folder):
    assert_mistake(saltus(folder, "solve", "lcp.dat", "--output", "mlcp.dat"),
                   "cannot write into the output folder 'mlcp.dat'")


def test_files_are_required(folder):
    assert_mistake(saltus(folder, "solve"), "FILE is required")


# The catalogue ----------------------------------------------------------------------------------


def test_solvers_are_listed_with_use_and_paper(folder):
    result = saltus(folder, "solvers")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0].split()[:4] == ["PROBLEM", "ALGORITHM", "WHEN", "TO"]
    assert {line.split()[0] for line in lines[1:]} >= {"lcp", "mlcp", "relay", "friction"}
    for line in lines[1:]:
        assert len(line.split()) > 3, f"no advice: {line}"
    (lemke,) = [line for line in lines if line.split()[:2] == ["lcp", "Lemke"]]
    assert lemke.endswith("Lemke 1965")


def test_solvers_of_one_problem(folder):
    lines = saltus(folder, "solvers", "friction").stdout.splitlines()
    assert [line.split()[:2] for line in lines[1:3]] == [["friction", "Automatic"],
                                                         ["friction", "CoulombCascade"]]
    assert_mistake(saltus(folder, "solvers", "lcq"), "problem 'lcq' is unknown; did you mean lcp")


def test_every_listed_solver_can_be_asked_for(folder):
    for line in saltus(folder, "solvers", "lcp").stdout.splitlines()[1:]:
        result = saltus(folder, "solve", "lcp.dat", "--solver", line.split()[1])
        assert result.returncode == 0, (line, result.stdout, result.stderr)


# Contact with friction --------------------------------------------------------------------------

# one contact in space that slides: dimension, contacts, W dense by columns, q, mu
SLIDING = ("3\n1\n0\n3\n3\n3 3\n1 0.2 -0.1\n0.2 1.5 0.3\n-0.1 0.3 0.8\n"
           "-1 0.6 -0.4\n0.3\n")


def test_a_friction_problem_is_solved_with_errors_certificate_and_status(folder):
    (folder / "contact.dat").write_text(SLIDING)
    result = saltus(folder, "solve", "contact.dat", "--json", "--tolerance", "1e-10")
    assert result.returncode == 0, result.stderr
    (entry,) = objects(result)
    assert entry["problem"] == "friction" and entry["status"] == "converged"
    assert max(entry["e1"], entry["e2"]) <= 1e-10
    assert entry["certificate"]["relative"] <= 1e-9
    assert (entry["open"], entry["stick"], entry["slide"]) == (0, 0, 1)


def test_friction_solvers_go_by_the_acronyms_of_the_literature(folder):
    (folder / "contact.dat").write_text(SLIDING)
    for name in ("NSN-AC-GP", "nsgs-exact", "FP-VI-UPK", "Nsgs", "CoulombCascade"):
        result = saltus(folder, "solve", "contact.dat", "--solver", name)
        assert result.returncode == 0, name + result.stderr
    assert_mistake(saltus(folder, "solve", "contact.dat", "--solver", "NSN-XX"), "NSN-XX")


def test_a_friction_solution_is_written_as_fclib_and_read_again(folder):
    (folder / "contact.dat").write_text(SLIDING)
    assert saltus(folder, "solve", "contact.dat", "--output", "solved").returncode == 0
    again = saltus(folder, "solve", "solved/contact.h5", "--json")
    assert again.returncode == 0, again.stderr
    assert objects(again)[0]["slide"] == 1


# Contact problems that are none -----------------------------------------------------------------

# one contact in the plane, global: dimension, contacts, M, H (dense, by columns), f, w, mu
GLOBAL = "2\n1\n0\n2\n2\n2 2\n{M}\n0\n2\n2\n2 2\n{H}\n{f}\n{w}\n{mu}\n"
GOOD = {"M": "2 0 0 1", "H": "1 0 0 1", "f": "-1 1", "w": "0 0", "mu": "0.5"}


@pytest.mark.parametrize("wrong, parts", [
    ({"mu": "-0.5"}, ["line 15: the coefficients mu: entry 0 is -0.5, expected >= 0"]),
    ({"mu": ""}, ["the coefficients mu"]),
    ({"f": "nan 1"}, ["line 13: found 'nan'"]),
    ({"M": "2 0 0 x"}, ["found 'x'"]),
    ({"M": "2 0 0 0"}, ["cannot solve", "M is not positive definite: the pivot of row 1 is 0"]),
    ({"M": "2 0 0 -1"}, ["M is not positive definite: the pivot of row 1 is -1, expected > 0"]),
    ({"M": "1 2 2 1"}, ["M is not positive definite"]),
])
def test_a_wrong_contact_problem_is_one_clear_error(folder, wrong, parts):
    (folder / "contact.dat").write_text(GLOBAL.format(**GOOD))
    assert saltus(folder, "solve", "contact.dat").returncode == 0
    (folder / "contact.dat").write_text(GLOBAL.format(**{**GOOD, **wrong}))
    assert_mistake(saltus(folder, "solve", "contact.dat"), "'contact.dat'", *parts)


def test_a_truncated_fclib_file_is_one_clear_error(folder):
    (folder / "contact.dat").write_text(SLIDING)
    assert saltus(folder, "solve", "contact.dat", "--output", "solved").returncode == 0
    whole = (folder / "solved" / "contact.h5").read_bytes()
    for size in (8, 100, len(whole) // 2, len(whole) - 1):
        (folder / "cut.h5").write_bytes(whole[:size])
        assert_mistake(saltus(folder, "solve", "cut.h5"), "cannot read 'cut.h5': ")


def test_newton_takes_the_global_form_of_a_file(folder):
    (folder / "contact.dat").write_text(GLOBAL.format(**GOOD))
    result = saltus(folder, "solve", "contact.dat", "--solver", "NSN-AC", "--json")
    assert result.returncode == 0, result.stderr
    assert objects(result)[0]["factorisations"] > 0
