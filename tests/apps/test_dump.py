"""`saltus run MODEL --dump-problems DIR`: one-step problems as FCLib files."""

import os
import subprocess
import sys

import pytest

PROGRAM = os.environ["SALTUS_PROGRAM"]


def saltus(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def test_the_problems_of_a_run_are_written_and_can_be_solved(tmp_path):
    done = saltus("run", "box_stack", "--set", "count=3", "--time", 0.02, "--output", tmp_path / "out",
                  "--no-plot", "--dump-problems", tmp_path / "dump", "--dump-every", 2)
    assert done.returncode == 0, done.stderr
    files = sorted(path.name for path in (tmp_path / "dump").iterdir())
    assert files == ["box_stack-nc-12-2.hdf5", "box_stack-nc-12-4.hdf5"]
    assert "2 FCLib files" in done.stdout
    solved = saltus("solve", *(tmp_path / "dump").iterdir())
    assert solved.returncode == 0 and "2 of 2 solved" in solved.stdout


@pytest.mark.parametrize("model", ["pile_of_spheres", "pile_of_boxes", "pile_of_capsules", "wall",
                                   "arch"])
def test_every_scene_runs(tmp_path, model):
    done = saltus("run", model, "--time", 0.02, "--output", tmp_path, "--no-plot")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / f"{model}.h5").exists()


def test_mistakes_are_named(tmp_path):
    (tmp_path / "file").write_text("x")
    taken = saltus("run", "box_stack", "--dump-problems", tmp_path / "file", "--output", tmp_path)
    assert taken.returncode == 2 and "cannot write into the output folder" in taken.stderr
    never = saltus("run", "box_stack", "--dump-problems", tmp_path / "d", "--dump-every", 0,
                   "--output", tmp_path)
    assert never.returncode == 2 and "every is 0" in never.stderr


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", __file__]))
