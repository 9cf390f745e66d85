"""`saltus circuit` as its user sees it: measurements, JSON, files, mistakes, exit codes.

SALTUS_PROGRAM names the program.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

PROGRAM = os.environ["SALTUS_PROGRAM"]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RC = "RC\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1u ic=0\n.tran 10u 1m\n.probe v(b)\n.meas end last v(b)\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "rc.cir").write_text(RC)
    return tmp_path


def saltus(folder, *words):
    return subprocess.run([PROGRAM, "circuit", *words], cwd=folder, capture_output=True, text=True,
                          timeout=120)


def test_prints_the_measurements(folder):
    done = saltus(folder, "rc.cir", "--accuracy", "0")
    assert done.returncode == 0
    # backward Euler: 1 - (1 + h/RC)^-100; the consistent start takes 2e-11 s
    assert float(done.stdout.split()[-1]) == pytest.approx(1 - 1.01**-100, abs=1e-7)
    assert "100 steps" in done.stdout


def test_chooses_the_steps_by_their_error(folder):
    reports = {}
    for accuracy in ("1e-2", "1e-3", "1e-6"):
        done = saltus(folder, "rc.cir", "--json", "--accuracy", accuracy)
        reports[accuracy] = json.loads(done.stdout)
    default = json.loads(saltus(folder, "rc.cir", "--json").stdout)
    assert default["steps"] == reports["1e-3"]["steps"]
    assert reports["1e-6"]["steps"] > reports["1e-3"]["steps"]
    # errors of the steps add up at most
    assert reports["1e-6"]["measures"]["end"] == pytest.approx(
        1 - 2.718281828459045**-1, abs=1e-6 * reports["1e-6"]["steps"])
    text = saltus(folder, "rc.cir").stdout
    assert "repeated" in text
    for wrong in ("-1", "0.7", "nan", "x"):
        done = saltus(folder, "rc.cir", "--accuracy", wrong)
        assert done.returncode == 2 and "accuracy" in done.stderr


def test_json_has_all_of_it(folder):
    done = saltus(folder, "rc.cir", "--json", "--step", "1u", "--until", "2e-3")
    assert done.returncode == 2  # --step is a plain number
    done = saltus(folder, "rc.cir", "--json", "--step", "1e-6", "--until", "2e-3", "--theta", "0.5")
    report = json.loads(done.stdout)
    assert report["steps"] == 2000
    assert report["failure"] is None
    assert report["measures"]["end"] == pytest.approx(1 - 2.718281828459045**-2, abs=1e-6)


def test_writes_csv_and_hdf5(folder):
    done = saltus(folder, "rc.cir", "-q", "-o", "a.csv", "-o", "a.h5")
    assert done.returncode == 0 and done.stdout == ""
    lines = (folder / "a.csv").read_text().splitlines()
    assert lines[0] == "t,v(b)" and len(lines) == 102
    assert (folder / "a.h5").stat().st_size > 0


def test_draws_a_picture(folder):
    done = saltus(folder, "rc.cir", "--plot")
    assert done.returncode == 0, done.stderr
    assert (folder / "rc.png").read_bytes()[:4] == b"\x89PNG"


def test_tells_mistakes_with_line_and_column(folder):
    (folder / "bad.cir").write_text("bad\nR1 a 0 abc\n")
    done = saltus(folder, "bad.cir")
    assert done.returncode == 2
    assert done.stderr == ("saltus: bad.cir: netlist line 2, column 8: 'abc' is no number, expected "
                           "one like 4.7, 10u, 1meg or an expression in {}\n")
    (folder / "loop.cir").write_text("loop\nV1 a 0 1\nV2 a 0 2\n.tran 1 2\n")
    done = saltus(folder, "loop.cir")
    assert done.returncode == 2 and "voltage sources v2, v1 form a loop" in done.stderr
    assert saltus(folder, "none.cir").returncode == 2
    assert saltus(folder, "rc.cir", "-o", "a.txt").returncode == 2


def test_a_shorted_source_ends_the_run_with_code_1(folder):
    (folder / "short.cir").write_text(
        "short\nV1 a 0 5\nS1 a 0 pulse(0 1 1m 0 0 1m 10m)\nR1 a 0 1\n.tran 0.1m 3m uic\n")
    done = saltus(folder, "short.cir")
    assert done.returncode == 1
    assert "no solution at t = 0.001 s" in done.stderr


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*/*.cir")), ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_every_netlist_of_the_examples_runs(folder, file):
    done = saltus(folder, str(file), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["residual"] <= 1e-6
