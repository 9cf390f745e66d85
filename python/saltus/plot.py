"""Draws a trajectory as a PNG file.

The program `saltus` runs this file by itself, with the data on the standard input:

    one line of JSON: {"figure": {...}, "columns": ["t", "ball.q[0]", ...], "rows": n}
    the columns one after the other, each as n doubles in the byte order of the machine

It needs NumPy and matplotlib, but neither h5py nor the compiled part of Saltus: the program has
read the trajectory already. `figure` says what to draw:

    {"title", "time_label", "time_scale",
     "panels": [{"title", "y_label", "x_label", "profile", "until",
                 "curves": [{"label", "columns", "scale", "background"}]}]}

A curve is scale * (sum of its columns) over time, up to "until" if that is not 0. In a panel with
"profile", it is the last value of each of its columns, against their number from 1.
"""

import json
import sys

MOST_POINTS = 20000  # of a curve; a picture has fewer pixels


def thinned(x, y):
    """Least and greatest values of pieces of a long curve, in order: looks the same."""
    import numpy as np

    if len(y) <= MOST_POINTS:
        return x, y
    size = -(-len(y) // (MOST_POINTS // 2))
    pieces = [np.arange(i, min(i + size, len(y))) for i in range(0, len(y), size)]
    kept = np.unique([k for p in pieces for k in (p[y[p].argmin()], p[y[p].argmax()])])
    return x[kept], y[kept]


def is_multiplier(name):
    return ".r[" in name


def draw_over_time(axes, curve, figure, until, data, color):
    """Multipliers belong to the step that ends at t: there is none at the first instant."""
    begin = 1 if any(is_multiplier(name) for name in curve["columns"]) else 0
    t = data["t"]
    end = t.searchsorted(until, side="right") if until > 0 else len(t)
    y = sum(data[name] for name in curve["columns"]) * curve["scale"]
    x, y = thinned(t[begin:end] * figure["time_scale"], y[begin:end])
    width = 4.5 if curve["background"] else 1.4
    axes.plot(x, y, label=curve["label"], color=color, linewidth=width)


def draw_profile(axes, curve, data, color):
    last = [data[name][-1] * curve["scale"] for name in curve["columns"]]
    axes.plot(range(1, len(last) + 1), last, label=curve["label"], color=color, linewidth=1.8)
    axes.xaxis.get_major_locator().set_params(integer=True)


def colors(count):
    """Distinct ones for a few curves, a gradient for a family."""
    from matplotlib import colormaps

    if count <= 4:
        return ["#1f5fa8", "#d1495b", "#2a9d6f", "#8a6fb3"][:count]
    return [colormaps["viridis"](0.88 * i / (count - 1)) for i in range(count)]


def draw_panel(axes, panel, figure, data):
    curves = panel["curves"]
    palette = iter(colors(sum(not curve["background"] for curve in curves)))
    for curve in curves:
        color = "#f7c873" if curve["background"] else next(palette)
        if panel["profile"]:
            draw_profile(axes, curve, data, color)
        else:
            draw_over_time(axes, curve, figure, panel["until"], data, color)
    axes.set_title(panel["title"], loc="left", fontsize=11)
    axes.set_ylabel(panel["y_label"])
    axes.set_xlabel(panel["x_label"] if panel["profile"] else figure["time_label"])
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(x=0.01)
    axes.spines[["top", "right"]].set_visible(False)
    if len(curves) > 1:
        handles, labels = axes.get_legend_handles_labels()
        order = slice(None, None, -1 if len(curves) > 4 else 1)  # a family: from the top down
        axes.legend(handles[order], labels[order], loc="center left", bbox_to_anchor=(1.0, 0.5),
                    frameon=False, fontsize=9)


def draw(figure, data):
    """The matplotlib figure for a description and a dictionary of columns."""
    from matplotlib.figure import Figure

    panels = figure["panels"]
    picture = Figure(figsize=(9, 0.6 + 2.6 * len(panels)), layout="constrained")
    every = picture.subplots(len(panels), 1, squeeze=False)[:, 0]
    for axes, panel in zip(every, panels):
        draw_panel(axes, panel, figure, data)
    picture.align_ylabels()
    if figure["title"]:
        picture.suptitle(figure["title"], fontsize=13, fontweight="bold")
    return picture


def main():
    try:
        import matplotlib
        import numpy as np
    except ImportError as error:
        sys.exit(f"Python lacks {error.name} (Debian package python3-{error.name})")
    matplotlib.use("Agg")
    header = json.loads(sys.stdin.buffer.readline())
    values = np.frombuffer(sys.stdin.buffer.read()).reshape(len(header["columns"]), header["rows"])
    picture = draw(header["figure"], dict(zip(header["columns"], values)))
    picture.savefig(sys.argv[1], format="png", dpi=150)


if __name__ == "__main__":
    main()
