"""Pictures of curves, as SVG or PNG, in one style."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError, WinnowError

FORMATS: Final = (".svg", ".png")

# Okabe and Ito's colours, told apart by the colour-blind; their yellow is too faint for a line.
_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_DASHES: Final = ("-", "--", "-.")
_GREY: Final = "#6b6b6b"
_WIDTH_IN, _HEIGHT_IN = 7.2, 4.4
_LABEL_POINTS: Final = 9.0
_STYLE: Final[dict[Any, Any]] = {  # matplotlib's own type lists 300 keys
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same on every machine
    "font.size": _LABEL_POINTS,
    "svg.fonttype": "none",
    "svg.hashsalt": "winnow",  # the same picture is the same file
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": _GREY,
    "axes.labelcolor": _GREY,
    "xtick.color": _GREY,
    "ytick.color": _GREY,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.6,
}


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: a point for each of `x`; where `y` is NaN the curve has a gap."""

    label: str
    x: Sequence[float]
    y: Sequence[float]


def check_path(path: Path) -> None:
    """Say at once, before hours of work, that a picture could not be drawn at `path`.

    Raises:
        UsageError: its suffix is no picture's, its folder is not there, or matplotlib is missing.
    """
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"A picture is {' or '.join(FORMATS)}, but its file is to be {path}.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent} for the picture {path.name}.")
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise UsageError(
            "Pictures need matplotlib, which is not installed: pip install 'winnow[train]'."
        ) from error


def lines(
    path: Path,
    series: Sequence[Series],
    title: str,
    x_label: str,
    y_label: str,
    *,
    references: Mapping[str, float] | None = None,
    x_ticks: Sequence[float] | None = None,
    log_x: bool = False,
    from_zero: bool = False,
    with_points: bool = True,
) -> None:
    """Draw curves, each with its name at its right end.

    Args:
        path: where to; `.svg` or `.png`.
        series: the curves; more than seven get dashes, for want of colours.
        title: above the picture.
        x_label: what x is, with its unit.
        y_label: what y is, with its unit.
        references: dotted level lines, by their names.
        x_ticks: where x is marked; as matplotlib sees fit if None.
        log_x: whether x is on a logarithmic scale.
        from_zero: whether y begins at 0 even where no curve comes near it.
        with_points: whether each point of a curve has a dot.

    Raises:
        UsageError: as `check_path`, or there is nothing to draw.
        WinnowError: the file cannot be written.
    """
    check_path(path)
    drawn = [one for one in series if any(math.isfinite(y) for y in one.y)]
    if not drawn:
        raise UsageError(f"There is nothing to draw in {path.name}.")
    import matplotlib as mpl
    from matplotlib.figure import Figure  # without pyplot: no windows, nothing global
    from matplotlib.ticker import NullFormatter, NullLocator, StrMethodFormatter

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(_WIDTH_IN, _HEIGHT_IN), layout="constrained")
        axes = figure.add_subplot()
        if log_x:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
            axes.xaxis.set_minor_formatter(NullFormatter())
        labels: list[tuple[float, str, str]] = []
        for number, one in enumerate(drawn):
            colour = _COLOURS[number % len(_COLOURS)]
            axes.plot(
                one.x,
                one.y,
                _DASHES[number // len(_COLOURS) % len(_DASHES)],
                color=colour,
                linewidth=1.6,
                marker="o" if with_points else "",
                markersize=3.5,
            )
            last = max((x, y) for x, y in zip(one.x, one.y, strict=True) if math.isfinite(y))
            labels.append((last[1], one.label, colour))
        for label, level in (references or {}).items():
            axes.axhline(level, color=_GREY, linewidth=1, linestyle=":")
            labels.append((level, label, _GREY))
        if x_ticks is not None:
            axes.set_xticks(x_ticks)
            axes.xaxis.set_minor_locator(NullLocator())
        axes.set_title(title, loc="left", fontsize=_LABEL_POINTS + 2)
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        if from_zero:
            axes.set_ylim(bottom=0)
        low, high = axes.get_ylim()
        # The height of a line of text, in units of y; the title and the axis take a fifth.
        gap = (high - low) * 1.35 * _LABEL_POINTS / 72 / (_HEIGHT_IN * 0.8)
        heights = spread([level for level, _, _ in labels], gap)
        for (level, label, colour), height in zip(labels, heights, strict=True):
            axes.annotate(
                label,
                xy=(1, level),
                xytext=(1.02, height),
                xycoords=axes.get_yaxis_transform(),
                color=colour,
                va="center",
                annotation_clip=False,
            )
        try:
            # A date would make the same picture another file.
            figure.savefig(path, dpi=160, metadata={"Date": None} if _is_svg(path) else None)
        except OSError as error:
            raise WinnowError(f"{path} cannot be written: {error.strerror}.") from error


def spread(levels: Sequence[float], gap: float) -> list[float]:
    """Return where labels go that are meant for `levels`, at least `gap` apart, in the same order.

    Labels that are too near each other are moved apart round their middle.

    >>> spread([5, 1, 5.5], gap=1)
    [4.75, 1.0, 5.75]
    """
    order = sorted(range(len(levels)), key=lambda number: levels[number])
    bunches: list[tuple[float, int]] = []  # middle and size, from below
    for number in order:
        bunch = (float(levels[number]), 1)
        while bunches and bunch[0] - bunches[-1][0] < gap * (bunch[1] + bunches[-1][1]) / 2:
            middle, size = bunches.pop()
            total = size + bunch[1]
            bunch = ((middle * size + bunch[0] * bunch[1]) / total, total)
        bunches.append(bunch)
    placed = [0.0] * len(levels)
    places = iter(order)
    for middle, size in bunches:
        for step in range(size):
            placed[next(places)] = middle + gap * (step - (size - 1) / 2)
    return placed


def _is_svg(path: Path) -> bool:
    return path.suffix.lower() == ".svg"
