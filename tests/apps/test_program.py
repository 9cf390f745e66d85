"""The program `saltus` as its user sees it: exit codes, texts, files.

SALTUS_PROGRAM names the program. Covers PL:C-01, PL:C-02, PL:C-03 on the command line.
"""

import csv
import os
import re
import subprocess
import sys

import numpy as np
import pytest

PROGRAM = os.environ["SALTUS_PROGRAM"]
MODELS = ["diode_bridge", "bouncing_ball", "bead_column"]
SHORT = {"diode_bridge": ["--time", "1e-4"], "bouncing_ball": ["--time", "1"],
         "bead_column": ["--time", "0.05", "--set", "count=20"]}


def saltus(*words, **environment):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})


def run_model(folder, model, *words, **environment):
    return saltus("run", model, "--output", str(folder), *words, **environment)


def columns(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return dict(zip(rows[0], np.array(rows[1:], dtype=float).T))


def checked_error(result):
    """The number in the line `check`."""
    return float(re.search(r"check .*?: ([\d.e+-]+)", result.stdout).group(1))


def assert_mistake(result, *parts):
    """One line that begins with the name of the program, exit code 2, nothing else printed."""
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith("saltus: ")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    for part in parts:
        assert part in result.stderr


# Help -------------------------------------------------------------------------------------------


def test_help_teaches_every_command_by_example():
    result = saltus("--help")
    assert result.returncode == 0
    commands = re.search(r"Subcommands:\n((?:  .*\n)+)", result.stdout).group(1)
    names = re.findall(r"^  (\w+)", commands, re.MULTILINE)
    assert names == ["run", "solve", "circuit", "bench", "solvers", "examples", "plot"]
    for name in names:
        assert f"saltus {name} " in result.stdout.split("Examples:")[1]


def test_the_examples_in_the_help_work(tmp_path):
    lines = saltus("--help").stdout.split("Examples:\n")[1].split("\n\n")[0].splitlines()
    commands = [re.split(r"\s{2,}", line.strip())[0].split()[1:] for line in lines]
    assert len(commands) == 8
    (tmp_path / "problem.dat").write_text("1\n0 1 1 1 1\n2\n-4\n")  # 0 <= 2 z - 4 _|_ z >= 0
    (tmp_path / "buck.cir").write_text("charge\nV1 in 0 5\nR1 in out 1k\nC1 out 0 1u\n"
                                       ".tran 10u 5m\n.end\n")
    (tmp_path / "contacts").mkdir()
    (tmp_path / "contacts" / "ball.dat").write_text("2 1 0 2 2 2 2 1 0 0 1 -1 0.2 0.5\n")
    for words in commands:
        done = subprocess.run([PROGRAM, *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, (words, done.stderr)


@pytest.mark.parametrize("command", ["run", "solve", "circuit", "bench", "solvers", "examples", "plot"])
def test_every_command_has_its_help(command):
    result = saltus(command, "--help")
    assert result.returncode == 0
    assert f"Usage: saltus {command}" in result.stdout


def test_version():
    result = saltus("--version")
    assert result.returncode == 0
    assert re.fullmatch(r"saltus \d+\.\d+\.\d+\n", result.stdout)


def test_examples_lists_the_models():
    text = saltus("examples").stdout
    for model in MODELS:
        assert re.search(rf"^  {model} ", text, re.MULTILINE)


def test_examples_explains_a_model():
    text = saltus("examples", "bouncing_ball").stdout
    assert re.search(r"^  e +0.9 +in \[0, 1\] +coefficient of restitution$", text, re.MULTILINE)
    assert "--step 0.005 --time 10 --every 1 --solver Lemke" in text


# Runs -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", MODELS)
def test_a_run_writes_trajectory_table_and_picture(tmp_path, model):
    folder = tmp_path / "new" / "folder"
    result = run_model(folder, model, *SHORT[model])
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    names = [f"{model}.{ending}" for ending in ("csv", "h5", "png")]
    assert sorted(p.name for p in folder.iterdir()) == names
    assert (folder / f"{model}.h5").read_bytes()[:8] == b"\x89HDF\r\n\x1a\n"
    assert (folder / f"{model}.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    for name in names:
        assert str(folder / name) in result.stdout


def test_the_summary_says_what_the_run_cost(tmp_path):
    text = run_model(tmp_path, "diode_bridge", "--no-plot").stdout
    assert "DiodeBridge(inductance=0.01" in text
    assert "theta = 0.5" in text
    assert "Lemke(" in text
    assert "5 000, 5 000 with active constraints" in text
    for word in ("steps per second", "iterations", "residual", "wall time", "solver", "recording"):
        assert word in text
    shares = [float(s) for s in re.findall(r" ([\d.]+) %", text)]
    assert len(shares) == 7
    assert abs(sum(shares) - 100) <= 7 * 0.05 + 1e-9  # each is rounded to one decimal


def test_the_diode_bridge_reports_its_error(tmp_path):
    """PL:C-01 gives 0.01909 V for h = 1e-6."""
    assert checked_error(run_model(tmp_path, "diode_bridge", "--no-plot")) == 0.0191


@pytest.mark.parametrize("resistance", [1e3, 50, 20])  # underdamped, critical, overdamped
def test_the_exact_voltage_holds_for_every_damping(tmp_path, resistance):
    """Against the matrix exponential of C v' = -i - v/R, L i' = v, by many squarings."""
    result = run_model(tmp_path, "diode_bridge", "--no-plot", "--time", "1e-3", "--step", "2e-6",
                       "--set", f"resistance={resistance}", "--set", "current=0.02")
    data = columns(tmp_path / "diode_bridge.csv")
    L, C = 1e-2, 1e-6
    A = np.array([[-1 / (resistance * C), -1 / C], [1 / L, 0]])
    step, term = np.eye(2), np.eye(2)
    for k in range(1, 20):  # |A h| = 0.22 at most: the series ends far below rounding
        term = term @ A * 2e-6 / k
        step = step + term
    x, error = np.array([10, 0.02]), 0
    for v in data["oscillator.x[0]"]:
        error = max(error, abs(v - x[0]))
        x = step @ x
    assert checked_error(result) == pytest.approx(error, rel=5e-3)  # printed with three digits


def test_the_ball_reports_its_error(tmp_path):
    """Heights of PL:C-02 until the third impact, from the impact times themselves."""
    result = run_model(tmp_path, "bouncing_ball", "--no-plot", "--time", "1.9")
    data = columns(tmp_path / "bouncing_ball.csv")
    g, e, error = 9.81, 0.9, 0
    impacts = [0.4515236410, 1.2642661948, 1.9957344932]
    for t, z in zip(data["t"], data["ball.q[0]"]):
        if t < impacts[0]:
            exact = 1 - g * t * t / 2
        else:
            k = 1 if t < impacts[1] else 2
            flight = t - impacts[k - 1]
            exact = flight * (e**k * g * impacts[0] - g * flight / 2)
        error = max(error, abs(z - exact))
    assert checked_error(result) == pytest.approx(error, rel=5e-3)


def test_the_column_comes_to_rest_and_carries_its_weight(tmp_path):
    """PL:C-03: contact i carries (N - i + 1) m g."""
    result = run_model(tmp_path, "bead_column", "--no-plot", "--set", "count=50", "--time", "1")
    assert "at rest" in result.stdout
    assert checked_error(result) <= 1e-10
    data = columns(tmp_path / "bead_column.csv")
    forces = [data[f"contact{i}.r[0]"][-1] / 2e-4 for i in range(50)]
    assert forces == pytest.approx([(50 - i) * 9.81 for i in range(50)], rel=1e-10)


def test_a_column_that_still_moves_says_so(tmp_path):
    result = run_model(tmp_path, "bead_column", *SHORT["bead_column"], "--no-plot")
    assert "still moving" in result.stdout


def test_parameters_and_options_reach_the_run(tmp_path):
    result = run_model(tmp_path, "bouncing_ball", "--set", "height=2", "--set", "e=0.5", "--step",
                       "1e-2", "--time", "1.015", "--every", "10", "--theta", "1", "--gamma", "1",
                       "--solver", "psor", "--tolerance", "1e-6", "--no-plot")
    assert result.returncode == 0
    assert "BouncingBall(height=2, e=0.5, " in result.stdout
    assert "theta = 1, gamma = 1, 1.015 s in steps of 0.01 s" in result.stdout
    assert "Psor(tolerance=1e-06" in result.stdout
    data = columns(tmp_path / "bouncing_ball.csv")
    assert data["ball.q[0]"][0] == 2
    assert data["t"] == pytest.approx([*np.arange(0, 1.01, 0.1), 1.015])  # and the last step


def test_another_scheme_and_adaptive_steps_reach_the_run(tmp_path):
    result = run_model(tmp_path, "bouncing_ball", "--scheme", "GeneralizedAlpha", "--set", "e=0.5",
                       "--time", "1", "--step", "1e-3", "--no-plot")
    assert result.returncode == 0
    assert "Scheme  GeneralizedAlpha, 1 s in steps of 0.001 s" in result.stdout
    assert min(columns(tmp_path / "bouncing_ball.csv")["ball.q[0]"]) > -1e-11
    result = run_model(tmp_path, "bouncing_ball", "--adaptive", "1e-4", "--step", "1e-2", "--time",
                       "1", "--every", "1", "--no-plot")
    assert result.returncode == 0
    steps = np.diff(columns(tmp_path / "bouncing_ball.csv")["t"])
    assert steps.min() < 1e-4 and steps.max() == pytest.approx(1e-2)


def test_two_runs_write_the_same_table(tmp_path):
    for folder in ("a", "b"):
        run_model(tmp_path / folder, "bouncing_ball", "--no-plot")
    first, second = ((tmp_path / f / "bouncing_ball.csv").read_bytes() for f in "ab")
    assert first == second


def test_no_plot_writes_no_picture(tmp_path):
    run_model(tmp_path, "bouncing_ball", "--no-plot")
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".csv", ".h5"]


def test_quiet_prints_nothing(tmp_path):
    result = run_model(tmp_path, "bouncing_ball", "--quiet", "--no-plot")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_progress_is_shown_only_if_asked_for_or_on_a_terminal(tmp_path):
    """A million steps take longer than the tenth of a second between two drawings."""
    slow = ["--step", "1e-6", "--time", "1", "--every", "100000", "--no-plot"]
    shown = run_model(tmp_path, "bouncing_ball", "--progress", *slow)
    assert re.search(r"\d+ %  .* elapsed, .* to go", shown.stderr)
    for words in ([], ["--progress", "--no-progress"]):
        assert run_model(tmp_path, "bouncing_ball", *words, *slow).stderr == ""


# Failures ---------------------------------------------------------------------------------------


def test_a_failed_step_keeps_what_was_recorded(tmp_path):
    """PSOR cannot solve the bridge: its matrix has zeros on the diagonal."""
    result = run_model(tmp_path, "diode_bridge", "--solver", "Psor")
    assert result.returncode == 1
    assert re.fullmatch(r"saltus: a step failed at t = .*\n", result.stderr)
    data = columns(tmp_path / "diode_bridge.csv")
    assert data["oscillator.x[0]"][0] == 10
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".csv", ".h5", ".png"]


@pytest.mark.parametrize("words, parts", [
    ([], ["subcommand is required"]),
    (["rn"], ["command 'rn' is unknown", "did you mean run?", "Known: run, solve, circuit, bench, solvers, examples, plot"]),
    (["run"], ["MODEL is required"]),
    (["run", "diod_brige"], ["model 'diod_brige' is unknown", "did you mean diode_bridge?"]),
    (["run", "zzz"], ["'zzz' is unknown.", "Known: diode_bridge, bouncing_ball, bead_column"]),
    (["run", "bouncing_ball", "--bogus"], ["--bogus"]),
    (["run", "bouncing_ball", "--step", "abc"], ["--step", "abc"]),
    (["run", "bouncing_ball", "--step", "0"], ["--step is 0, expected a number > 0"]),
    (["run", "bouncing_ball", "--step", "-1"], ["--step is -1, expected a number > 0"]),
    (["run", "bouncing_ball", "--step", "nan"], ["--step is nan, expected a number > 0"]),
    (["run", "bouncing_ball", "--time", "inf"], ["--time is inf, expected a number > 0"]),
    (["run", "bouncing_ball", "--scheme", "MoreauJan"], ["--scheme", "MoreauJean"]),
    (["run", "bouncing_ball", "--scheme", "PaoliSchatzman", "--theta", "1"],
     ["--theta: PaoliSchatzman has no theta"]),
    (["run", "bouncing_ball", "--theta", "2"], ["theta is 2, expected in [0, 1]"]),
    (["run", "bouncing_ball", "--gamma", "-1"], ["gamma is -1, expected in [0, 1]"]),
    (["run", "bouncing_ball", "--every", "0"], ["every is 0, expected in [1, "]),
    (["run", "bouncing_ball", "--solver", "Lemk"], ["'Lemk' is unknown", "did you mean Lemke?"]),
    (["run", "bouncing_ball", "--tolerance", "0"], ["tolerance is 0, expected > 0"]),
    (["run", "bouncing_ball", "--set", "e"], ["--set is 'e', expected name=value"]),
    (["run", "bouncing_ball", "--set", "hight=1"], ["'hight' is unknown; did you mean height?"]),
    (["run", "bouncing_ball", "--set", "e=1.5"], ["e is 1.5, expected in [0, 1]"]),
    (["run", "bouncing_ball", "--set", "e=-0.1"], ["e is -0.1, expected in [0, 1]"]),
    (["run", "bouncing_ball", "--set", "e=nan"], ["e is 'nan', expected a number"]),
    (["run", "bouncing_ball", "--set", "mass=1x"], ["mass is '1x', expected a number"]),
    (["run", "bouncing_ball", "--set", "mass=-1"], ["mass is -1, expected > 0"]),
    (["run", "bead_column", "--set", "count=2.5"], ["count is '2.5', expected a whole number"]),
    (["run", "diode_bridge", "--step", "1e-30"], ["raise --every or --step, or lower --time"]),
    (["examples", "bal"], ["'bal' is unknown; did you mean bouncing_ball?"]),
    (["plot", "none.h5"], ["cannot read 'none.h5': there is no such file"]),
])
def test_a_mistake_is_one_line_and_nothing_is_done(tmp_path, words, parts):
    result = subprocess.run([PROGRAM, *words], cwd=tmp_path, capture_output=True, text=True)
    assert_mistake(result, *parts)
    assert list(tmp_path.iterdir()) == []


def test_an_output_folder_that_is_a_file_is_a_mistake(tmp_path):
    (tmp_path / "file").write_text("precious")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        assert_mistake(run_model(folder, "bouncing_ball"), "output folder", str(folder))
    assert (tmp_path / "file").read_text() == "precious"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_output_folder_without_permission_is_a_mistake(tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    assert_mistake(run_model(tmp_path / "locked", "bouncing_ball"), "Permission denied")


# Pictures ---------------------------------------------------------------------------------------


def test_the_picture_can_be_drawn_again_from_the_file_alone(tmp_path):
    run_model(tmp_path, "bouncing_ball")
    first = (tmp_path / "bouncing_ball.png").read_bytes()
    other = tmp_path / "other.png"
    assert saltus("plot", str(tmp_path / "bouncing_ball.h5"), "-o", str(other)).returncode == 0
    assert other.read_bytes() == first


def test_without_python_everything_but_the_picture_is_written(tmp_path):
    result = run_model(tmp_path, "bouncing_ball", SALTUS_PYTHON=str(tmp_path / "no-python"))
    assert result.returncode == 0
    assert re.fullmatch(r"saltus: no picture: cannot start .*\n", result.stderr)
    assert sorted(p.suffix for p in tmp_path.iterdir()) == [".csv", ".h5"]


def test_without_matplotlib_everything_but_the_picture_is_written(tmp_path):
    """An interpreter without its packages stands in for one that lacks matplotlib."""
    python = tmp_path / "bare-python"
    python.write_text(f"#!{sys.executable}\nimport os, sys\n"
                      f"os.execv({sys.executable!r}, [{sys.executable!r}, '-S'] + sys.argv[1:])\n")
    python.chmod(0o755)
    folder = tmp_path / "out"
    result = run_model(folder, "bouncing_ball", SALTUS_PYTHON=str(python))
    assert result.returncode == 0
    assert re.fullmatch(r"saltus: no picture: Python lacks matplotlib .*\n", result.stderr)
    assert sorted(p.suffix for p in folder.iterdir()) == [".csv", ".h5"]


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", __file__]))
