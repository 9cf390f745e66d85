"""Saving, loading, drawing."""

import numpy as np
import pytest
import saltus

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(scope="module")
def run():
    return saltus.Simulation(saltus.BouncingBall().model(), step=5e-3).run(1.0)


def test_hdf5_keeps_a_trajectory_bit_by_bit(run, tmp_path):
    path = tmp_path / "ball.h5"
    run.save(path, notes={"model": "ball"})
    loaded = saltus.load(path)
    assert loaded.names() == run.names()
    for name in run.names():
        assert loaded[name].tobytes() == run[name].tobytes()
    assert loaded.report.steps == run.report.steps and loaded.report.ok()
    assert saltus.read_notes(str(path)) == {"model": "ball"}


def test_csv_has_one_column_per_name(run, tmp_path):
    path = tmp_path / "ball.csv"
    run.save(str(path))
    table = np.genfromtxt(path, delimiter=",", skip_header=1)
    assert path.read_text().splitlines()[0].replace('"', "").split(",") == run.names()
    assert np.array_equal(table[:, 1], run.q[:, 0])


def test_files_that_cannot_be_written_or_read(run, tmp_path):
    with pytest.raises(saltus.Error, match="expected .h5, .hdf5 or .csv"):
        run.save(tmp_path / "ball.txt")
    with pytest.raises(saltus.Error):
        run.save(tmp_path / "nowhere" / "ball.h5")
    with pytest.raises(saltus.Error, match="missing.h5"):
        saltus.load(tmp_path / "missing.h5")


def test_plot_draws_the_states_by_default(run, tmp_path):
    axes = run.plot()
    assert [panel.get_ylabel() for panel in axes] == ["position", "velocity"]
    line = axes[0].get_lines()[0]
    assert np.array_equal(line.get_ydata(), run.q[:, 0]) and line.get_label() == "ball.q[0]"
    path = tmp_path / "ball.png"
    axes[0].figure.savefig(path)
    assert path.stat().st_size > 1000


def test_plot_draws_columns_and_tables_by_name(run):
    assert len(run.plot("ball.q[0]").get_lines()) == 1
    assert [panel.get_ylabel() for panel in run.plot("r", "ball.v[0]")] == ["multiplier r", "velocity"]
    axes = matplotlib.pyplot.figure().subplots()
    assert run.plot("q", "v", ax=axes, show=False) is axes and len(axes.get_lines()) == 2
    with pytest.raises(saltus.Error, match="no column 'height'"):
        run.plot("height")
    matplotlib.pyplot.close("all")
