"""Methods of Trajectory that are written in Python."""

_LABELS = {
    "q": "position",
    "v": "velocity",
    "x": "state",
    "y": "output y",
    "u": "relative velocity u",
    "r": "multiplier r",
    "v()": "voltage [V]",
    "i()": "current [A]",
}
_MOST_CURVES = 10


def _letter(name):
    """'q' of 'ball.q[0]', 'v()' of the probe 'v(out)'."""
    if name.endswith(")"):
        return name.partition("(")[0] + "()"
    return name.rpartition(".")[2].partition("[")[0]


def _chosen(run, names):
    """The columns to draw: those named, or those of the tables named ('q'); by default the states."""
    known = [name for name in run.names() if name != "t"]
    if not names:
        states = [name for name in known if _letter(name) in ("q", "v", "x")]
        names = dict.fromkeys(_letter(name) for name in states or known)
    columns = []
    for name in names:
        table = [column for column in known if _letter(column) == name]
        if not table and name not in run:
            run[name]  # raises the Error that lists the known names
        columns += table[:_MOST_CURVES] or [name]
    return columns


def plot(self, *names, ax=None, show=None):
    """Draws columns over time with matplotlib; returns the axes.

    names  columns such as "ball.q[0]", or whole tables such as "q" (its first ten columns); by
           default the states q, v and x. One panel per kind of quantity.
    ax     an axes of matplotlib: everything is drawn into it
    show   whether to open a window; by default only if the figure is made here and the backend
           has windows
    """
    import matplotlib
    from matplotlib import pyplot

    columns = _chosen(self, names)
    letters = list(dict.fromkeys(_letter(column) for column in columns))
    own = ax is None
    if own:
        _, panels = pyplot.subplots(len(letters), sharex=True, squeeze=False, layout="constrained")
        axes = dict(zip(letters, panels[:, 0]))
    else:
        axes = dict.fromkeys(letters, ax)
    for column in columns:
        begin = 1 if _letter(column) == "r" else 0  # a multiplier belongs to the step that ends at t
        axes[_letter(column)].plot(self.t[begin:], self[column][begin:], label=column, linewidth=1)
    for letter, panel in axes.items():
        if own:
            panel.set_ylabel(_LABELS[letter])
        panel.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    last = list(axes.values())[-1]
    last.set_xlabel("t [s]")
    windows = matplotlib.get_backend().lower() not in ("agg", "pdf", "ps", "svg", "cairo", "template")
    if show or (show is None and own and windows):
        pyplot.show()
    return last if len(letters) == 1 or not own else list(axes.values())
