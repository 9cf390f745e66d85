"""`saltus bench friction` as its user sees it: tables, files, failures, exit codes.

SALTUS_PROGRAM names the program. Problem files are typed here, in the plain-text form of SICONOS.
"""

import csv
import os
import subprocess

import numpy as np
import pytest

PROGRAM = os.environ["SALTUS_PROGRAM"]
PYTHON = "/usr/bin/python3"


def text(dimension, W, q, mu):
    """Dense W, its entries column by column."""
    numbers = [dimension, len(mu), 0, len(q), len(q), len(q), len(q), *np.ravel(W, order="F"), *q, *mu]
    return " ".join(str(x) for x in numbers) + "\n"


def pile(contacts, seed, decades=0):
    """W = H'H with more columns than rows of full rank: hyperstatic. Masses over so many decades."""
    generator = np.random.default_rng(seed)
    H = generator.standard_normal((2 * contacts, 3 * contacts))
    H *= np.logspace(-decades / 2, 0, 2 * contacts)[:, None]
    return text(3, H.T @ H, generator.standard_normal(3 * contacts) - 1, [0.5] * contacts)


@pytest.fixture
def folder(tmp_path):
    problems = tmp_path / "problems"
    for family in ("Balls", "Piles"):
        (problems / family).mkdir(parents=True)
    (problems / "Balls" / "plane.dat").write_text(text(2, np.eye(2), [-1, 0.2], [0.5]))
    (problems / "Balls" / "space.dat").write_text(text(3, np.eye(3), [-1, 2, 0], [0.5]))
    (problems / "Piles" / "pile.dat").write_text(pile(8, 1))
    (problems / "Flat-1.dat").write_text(text(3, np.eye(3), [1, 2, 0], [0.5]))
    (problems / "lcp.dat").write_text("1\n0 1 1 1 1\n2\n-4\n")
    (problems / "damaged.hdf5").write_bytes(b"\x89HDF\r\n\x1a\n and no more")
    return tmp_path


def bench(folder, *words):
    return subprocess.run([PROGRAM, "bench", "friction", *words], cwd=folder, capture_output=True,
                          text=True, timeout=120)


def rows(folder, output="out/bench/friction"):
    with open(folder / output / "results.csv", newline="") as file:
        return list(csv.DictReader(file))


def has_siconos():
    return subprocess.run([PYTHON, "-c", "import siconos.numerics"],
                          capture_output=True).returncode == 0


# Results ----------------------------------------------------------------------------------------


def test_the_default_solves_everything_and_writes_all_files(folder):
    result = bench(folder, "problems", "--tolerance", "1e-4,1e-8")
    assert result.returncode == 0, result.stderr
    assert "4 problems of 3 families" in result.stdout
    assert "default" in result.stdout and "100.0 %" in result.stdout
    table = rows(folder)
    assert len(table) == 4 * 2
    assert list(table[0]) == ["file", "family", "contacts", "form", "tolerance", "solver", "status",
                              "reason", "error", "self_stress", "seconds", "iterations",
                              "factorisations", "seconds_per_contact"]
    for row in table:
        assert row["status"] == "solved" and row["reason"] == ""
        assert float(row["error"]) <= float(row["tolerance"])
        assert 0 < float(row["seconds"]) < 10
        assert float(row["seconds_per_contact"]) * int(row["contacts"]) == pytest.approx(
            float(row["seconds"]))
    assert {row["family"] for row in table} == {"Balls", "Piles", "Flat"}
    assert {row["contacts"] for row in table if row["family"] == "Piles"} == {"8"}
    names = sorted(p.name for p in (folder / "out/bench/friction").iterdir())
    assert names == ["campaign.csv", "index.html", "profile-1e-4-Balls.png", "profile-1e-4-Flat.png",
                     "profile-1e-4-Piles.png", "profile-1e-4.png", "profile-1e-8-Balls.png",
                     "profile-1e-8-Flat.png", "profile-1e-8-Piles.png", "profile-1e-8.png",
                     "results.csv"]
    page = (folder / "out/bench/friction/index.html").read_text()
    assert 'src="profile-1e-8.png"' in page and "lcp.dat" in page


def test_files_that_are_no_contact_problem_are_skipped_with_the_reason(folder):
    result = bench(folder, "problems", "--tolerance", "1e-8", "--no-plot")
    assert "skipped problems/lcp.dat: no contact problem" in result.stdout
    assert "skipped problems/damaged.hdf5: " in result.stdout


def test_several_solvers_share_the_table(folder):
    result = bench(folder, "problems", "--tolerance", "1e-6", "--solvers", "default,NSGS-AC,FP-DS",
                   "--no-plot", "--output", "here", "--jobs", "2")
    assert result.returncode == 0, result.stderr
    table = rows(folder, "here")
    assert [row["solver"] for row in table[:3]] == ["default", "NSGS-AC", "FP-DS"]
    assert len(table) == 4 * 3
    assert [row["file"] for row in table] == sorted(
        (row["file"] for row in table), key=lambda f: ("Balls" not in f, "Flat" not in f, f))
    for row in table:  # honest: solved is what the error says
        assert (row["status"] == "solved") == (float(row["error"]) <= 1e-6)


def test_the_time_limit_is_a_result_and_spares_tighter_tolerances(folder):
    result = bench(folder, "--no-plot", "--time-limit", "1e-9", "--tolerance", "1e-4,1e-8",
                   "problems/Piles")
    assert result.returncode == 0, result.stderr
    assert "0.0 %" in result.stdout and "Not solved" in result.stdout
    first, second = rows(folder)
    assert (first["status"], first["reason"]) == ("time limit", "time limit")
    assert (second["status"], second["reason"]) == ("time limit",
                                                    "not tried: time limit at 1e-4")


def test_the_campaign_has_the_fastest_of_every_family(folder):
    bench(folder, "problems", "--tolerance", "1e-4,1e-8", "--solvers", "default,NSGS-AC", "--no-plot")
    with open(folder / "out/bench/friction/campaign.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [(line["family"], line["tolerance"]) for line in lines] == [
        (family, tolerance) for tolerance in ("0.0001", "1e-08")
        for family in ("Balls", "Flat", "Piles", "all")]
    for line in lines:
        fastest = {}
        for row in rows(folder):
            if row["status"] == "solved" and row["tolerance"] == line["tolerance"] and line["family"] in (
                    row["family"], "all"):
                fastest.setdefault(row["file"], []).append(
                    (float(row["seconds"]), int(row["contacts"])))
        best = np.array([min(times) for times in fastest.values()])
        assert int(line["problems"]) - int(line["unsolved"]) == len(best)
        assert float(line["fastest_mean"]) == pytest.approx(best[:, 0].mean())
        assert float(line["fastest_per_contact_mean"]) == pytest.approx((best[:, 0] / best[:, 1]).mean())
        if len(best) > 1:
            assert float(line["fastest_std"]) == pytest.approx(best[:, 0].std(ddof=1))
            assert float(line["fastest_per_contact_std"]) == pytest.approx(
                (best[:, 0] / best[:, 1]).std(ddof=1))
        else:
            assert line["fastest_std"] == "nan"


def test_the_error_reached_at_the_time_limit_is_told(folder):
    # Projections need far more steps than these for masses of very different size: what they have
    # reached is less than the error of r = 0, which is of order 1, and more than the tolerance.
    (folder / "problems" / "Piles" / "pile.dat").write_text(pile(100, 2, decades=6))
    bench(folder, "problems/Piles", "--tolerance", "1e-12", "--time-limit", "0.05", "--no-plot",
          "--solvers", "FP-VI-UPK")
    row, = rows(folder)
    assert row["status"] == "time limit"
    assert 1e-12 < float(row["error"]) < 0.5
    assert "1 at " in (folder / "out/bench/friction/index.html").read_text()


def test_a_sample_is_the_same_every_time(folder):
    for output in ("a", "b"):
        bench(folder, "problems/Balls", "problems/Piles", "--sample", "2", "--tolerance", "1e-8",
              "--no-plot", "--output", output)
    a, b = ([row["file"] for row in rows(folder, output)] for output in "ab")
    assert a == b and len(a) == 2


@pytest.mark.skipif(not has_siconos(), reason="python3-siconos is not installed")
def test_siconos_runs_on_the_same_files_and_is_judged_alike(folder):
    result = bench(folder, "problems", "--tolerance", "1e-8", "--against", "siconos", "--peers",
                   "NSGS,NSN_AC,LEMKE", "--time-limit", "5", "--no-plot")
    assert result.returncode == 0, result.stderr
    assert "against SICONOS 4." in result.stdout and "siconos: virtual best" in result.stdout
    table = rows(folder)
    solvers = {row["file"]: [] for row in table}
    for row in table:
        solvers[row["file"]].append(row["solver"])
        assert (row["status"] == "solved") == (float(row["error"]) <= 1e-8)
    assert solvers["problems/Balls/plane.dat"] == ["default", "siconos:NSGS", "siconos:LEMKE"]
    assert solvers["problems/Balls/space.dat"] == ["default", "siconos:NSGS", "siconos:NSN_AC"]
    # A single contact: both find the solution, so both have the same problem.
    assert all(row["status"] == "solved" for row in table if "space" in row["file"])


# Mistakes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("words, parts", [
    (["none"], ["there is no folder or file 'none'"]),
    (["empty"], ["there is no file *.hdf5, *.h5 or *.dat below 'empty'"]),
    (["problems", "--solvers", "NSGS-AK"], ["--solvers 'NSGS-AK' is unknown", "NSGS-AC"]),
    (["problems", "--tolerance", "0"], ["--tolerance is 0, expected numbers in (0, 1)"]),
    (["problems", "--tolerance", "1e-4,x"], ["--tolerance"]),
    (["problems", "--tolerance", "nan"], ["--tolerance is nan"]),
    (["problems", "--time-limit", "-1"], ["--time-limit is -1, expected seconds > 0"]),
    (["problems", "--patience", "0.5"], ["--patience is 0.5"]),
    (["problems", "--jobs", "0"], ["--jobs is 0"]),
    (["problems", "--sample", "-3"], ["--sample is -3"]),
    (["problems", "--against", "sicono"], ["--against 'sicono' is unknown; did you mean siconos?"]),
    (["problems", "--peers", "NSGS"], ["--against siconos"]),
    (["problems", "--output", "problems/lcp.dat"], ["cannot write into the output folder"]),
    ([], ["DIR is required"]),
])
def test_mistakes_are_one_line_and_exit_code_2(folder, words, parts):
    (folder / "empty").mkdir()
    result = bench(folder, *words)
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith("saltus: ") and result.stderr.count("\n") == 1
    assert result.stdout == ""
    for part in parts:
        assert part in result.stderr


def test_a_missing_siconos_names_the_package(folder, tmp_path):
    bare = tmp_path / "python"  # an interpreter without any package
    bare.write_text(f'#!/bin/sh\nshift\nexec {PYTHON} -I -S "$@"\n')
    bare.chmod(0o755)
    result = subprocess.run([PROGRAM, "bench", "friction", "problems", "--against", "siconos"],
                            cwd=folder, capture_output=True, text=True, timeout=60,
                            env={**os.environ, "SALTUS_PYTHON": str(bare)})
    assert result.returncode == 2
    assert "python3-siconos" in result.stderr and result.stderr.count("\n") == 1


def test_the_help_teaches_by_example():
    result = subprocess.run([PROGRAM, "bench", "friction", "--help"], capture_output=True, text=True)
    assert result.returncode == 0
    assert "Example:" in result.stdout and "--against siconos" in result.stdout
