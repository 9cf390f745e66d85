"""python/saltus/plot.py, the drawing behind the pictures, on its own."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

FILE = Path(__file__).resolve().parents[2] / "python" / "saltus" / "plot.py"
specification = importlib.util.spec_from_file_location("plot", FILE)
plot = importlib.util.module_from_spec(specification)
specification.loader.exec_module(plot)

DATA = {"t": np.array([0.0, 1, 2, 3]), "a.x[0]": np.array([1.0, 2, 3, 4]),
        "a.x[1]": np.array([10.0, 20, 30, 40]), "c.r[0]": np.array([0.0, 5, 6, 7])}


def curve(*columns, label="curve", scale=1, background=False):
    return {"label": label, "columns": columns, "scale": scale, "background": background}


def axes_of(*curves, profile=False, until=0, time_scale=1):
    panel = {"title": "Panel", "y_label": "y [m]", "x_label": "number", "profile": profile,
             "until": until, "curves": curves}
    figure = {"title": "Figure", "time_label": "time [ms]", "time_scale": time_scale,
              "panels": [panel]}
    return plot.draw(figure, DATA).axes[0]


def points(axes, line=0):
    return axes.lines[line].get_xdata(), axes.lines[line].get_ydata()


def test_a_curve_is_the_scaled_sum_of_its_columns_over_scaled_time():
    x, y = points(axes_of(curve("a.x[0]", "a.x[1]", scale=2), time_scale=1e3))
    assert list(x) == [0, 1000, 2000, 3000]
    assert list(y) == [22, 44, 66, 88]


def test_multipliers_begin_with_the_first_step():
    x, y = points(axes_of(curve("c.r[0]")))
    assert list(x) == [1, 2, 3]
    assert list(y) == [5, 6, 7]


def test_a_panel_can_end_early():
    x, _ = points(axes_of(curve("a.x[0]"), until=2))
    assert list(x) == [0, 1, 2]


def test_a_profile_shows_the_last_values_by_number():
    axes = axes_of(curve("a.x[0]", "a.x[1]", "c.r[0]", scale=2), profile=True)
    x, y = points(axes)
    assert list(x) == [1, 2, 3]
    assert list(y) == [8, 80, 14]
    assert axes.get_xlabel() == "number"


def test_panels_are_labelled_and_several_curves_have_a_legend():
    axes = axes_of(curve("a.x[0]", label="first"), curve("a.x[1]", label="second"))
    assert axes.get_title(loc="left") == "Panel"
    assert axes.get_ylabel() == "y [m]"
    assert axes.get_xlabel() == "time [ms]"
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["first", "second"]
    assert axes_of(curve("a.x[0]")).get_legend() is None


@pytest.mark.parametrize("length", [plot.MOST_POINTS, plot.MOST_POINTS + 1, 1_234_567])
def test_long_curves_are_thinned_but_keep_their_extremes(length):
    x = np.arange(length, dtype=float)
    y = np.sin(x / 1000)
    y[length // 3] = 7  # a spike of one sample
    y[length // 2] = -7
    kept_x, kept_y = plot.thinned(x, y)
    assert len(kept_x) == len(kept_y) <= plot.MOST_POINTS
    assert kept_y.max() == 7 and kept_y.min() == -7
    assert np.all(np.diff(kept_x) > 0)
    assert np.array_equal(y[kept_x.astype(int)], kept_y)


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", __file__]))
