"""Draws performance profiles as PNG files.

The program `saltus` runs this file by itself for `saltus bench`, with JSON on the standard input:

    [{"file", "title", "curves": [{"label", "peer", "steps": [[tau, rho], ...]}]}]

rho is the share of the problems that a solver solves within tau times the time of the fastest. The
solvers of the peer are thin lines, ours thick ones.
"""

import json
import sys

LONGEST = 1e3  # tau up to which the axis goes


def points(steps):
    """A staircase from tau = 1 to the end of the axis."""
    x, y = [1.0], [0.0]
    for tau, share in steps:
        x.append(min(tau, LONGEST))
        y.append(share)
    return x + [LONGEST], y + [y[-1]]


def draw(figure):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    picture = Figure(figsize=(9, 5), layout="constrained")
    axes = picture.subplots()
    axes.set_prop_cycle(color=matplotlib.colormaps["tab20"].colors)
    for curve in figure["curves"]:
        x, y = points(curve["steps"])
        axes.step(x, y, where="post", label=curve["label"], linewidth=1 if curve["peer"] else 2.6,
                  linestyle="-" if not curve["peer"] else "--")
    axes.set(xscale="log", xlim=(1, LONGEST), ylim=(0, 1.02),
             xlabel="time over that of the fastest, tau", ylabel="share of the problems solved")
    axes.set_title(figure["title"], loc="left")
    axes.grid(alpha=0.3)
    if figure["curves"]:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8, frameon=False)
    picture.savefig(figure["file"], dpi=110, format="png")


def main():
    for figure in json.load(sys.stdin):
        draw(figure)


if __name__ == "__main__":
    main()
