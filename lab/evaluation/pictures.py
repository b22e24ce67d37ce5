"""Plots of curves, of named values and of distributions, as SVG or PNG, in one style."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError, WinnowError

FORMATS: Final = (".svg", ".png")

# Okabe and Ito's colours, safe for the colour-blind; their yellow is too faint for a line.
_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
_DASHES: Final = ("-", "--", "-.")
_GREY: Final = "#6b6b6b"
_WIDTH_IN, _HEIGHT_IN = 7.2, 4.4
_LABEL_POINTS: Final = 9.0
_STYLE: Final[dict[Any, Any]] = {  # matplotlib's own type lists 300 keys
    "font.family": "DejaVu Sans",  # ships with matplotlib, so it is the same on every machine
    "font.size": _LABEL_POINTS,
    "svg.fonttype": "none",
    "svg.hashsalt": "winnow",  # makes the output reproducible
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
    """A curve with a point for each of `x`; NaN in `y` leaves a gap."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    deviations: Sequence[float] | None = None
    """Half-height of the band around each point; None for no band."""


@dataclass(frozen=True, slots=True)
class Dots:
    """One value for each row of a plot; NaN leaves the row without a dot."""

    label: str
    values: Sequence[float]
    deviations: Sequence[float] | None = None
    """Half-length of the error bar of each dot; None for no bars."""


def check_path(path: Path) -> None:
    """Check that a plot can be written to `path`, before hours of work.

    Raises:
        UsageError: the suffix is not .svg or .png, the folder does not exist, or matplotlib is
            missing.
    """
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{path} must end in {' or '.join(FORMATS)}.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {path.parent} for the picture {path.name}.")
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise UsageError(
            "Pictures need matplotlib, which is not installed: pip install 'winnow-search[train]'."
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
    """Draw curves, each labelled at its right end.

    Args:
        path: output file; `.svg` or `.png`.
        series: the curves; from the eighth on they are dashed.
        title: of the plot.
        x_label: label of the x axis, with its unit.
        y_label: label of the y axis, with its unit.
        references: dotted horizontal lines by name.
        x_ticks: tick positions; None for matplotlib's choice.
        log_x: whether the x axis is logarithmic.
        from_zero: whether the y axis always starts at 0.
        with_points: whether the points are marked by dots.

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
            if one.deviations is not None:
                below, above = (
                    [y + sign * by for y, by in zip(one.y, one.deviations, strict=True)]
                    for sign in (-1, 1)
                )
                axes.fill_between(one.x, below, above, color=colour, alpha=0.12, linewidth=0)
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
        # Height of a line of text in units of y; the title and the axis take a fifth.
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
        _save(figure, path)


def dots(
    path: Path,
    rows: Sequence[str],
    series: Sequence[Dots],
    title: str,
    x_label: str,
) -> None:
    """Draw named values: a row for each name with a dot for each series.

    Args:
        path: output file; `.svg` or `.png`.
        rows: the names, top to bottom.
        series: at most seven, each with a value for each row.
        title: of the plot.
        x_label: label of the x axis, with its unit.

    Raises:
        UsageError: as `check_path`, or there is nothing to draw.
        WinnowError: the file cannot be written.
    """
    check_path(path)
    drawn = [one for one in series if any(map(math.isfinite, one.values))]
    if not drawn:
        raise UsageError(f"There is nothing to draw in {path.name}.")
    import matplotlib as mpl

    with mpl.rc_context(_STYLE):
        figure, axes = _rows(rows, title, x_label)
        for number, one in enumerate(drawn):
            # Offset within the row, so that error bars do not overlap.
            shift = 0.14 * (number - (len(drawn) - 1) / 2)
            axes.errorbar(
                one.values,
                [row + shift for row in range(len(rows))],
                xerr=one.deviations,
                fmt="osD^vPX"[number],
                color=_COLOURS[number],
                markersize=4.5,
                elinewidth=1,
                label=one.label,
            )
        figure.legend(
            loc="outside lower center", ncols=4, frameon=False, columnspacing=1.4, handletextpad=0.2
        )
        _save(figure, path)


def boxes(path: Path, rows: Mapping[str, Sequence[float]], title: str, x_label: str) -> None:
    """Draw a box plot with a row for each distribution, without outliers.

    Whiskers reach to the last value within 1.5 times the interquartile range.

    Args:
        path: output file; `.svg` or `.png`.
        rows: the values of each distribution by name, top to bottom.
        title: of the plot.
        x_label: label of the x axis, with its unit.

    Raises:
        UsageError: as `check_path`, or there is nothing to draw.
        WinnowError: the file cannot be written.
    """
    check_path(path)
    if not any(map(len, rows.values())):
        raise UsageError(f"There is nothing to draw in {path.name}.")
    import matplotlib as mpl

    with mpl.rc_context(_STYLE):
        figure, axes = _rows(list(rows), title, x_label)
        axes.boxplot(
            list(rows.values()),
            positions=range(len(rows)),
            orientation="horizontal",
            showfliers=False,
            widths=0.5,
            manage_ticks=False,
            boxprops={"color": _COLOURS[0]},
            whiskerprops={"color": _COLOURS[0]},
            capprops={"color": _COLOURS[0]},
            medianprops={"color": _COLOURS[1], "linewidth": 1.6},
        )
        axes.set_xlim(left=0)
        _save(figure, path)


def _rows(names: Sequence[str], title: str, x_label: str) -> tuple[Any, Any]:
    """Return a figure and its axes, with a labelled row for each name, top to bottom."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH_IN, 1.3 + 0.34 * len(names)), layout="constrained")
    axes = figure.add_subplot()
    axes.set_yticks(range(len(names)), labels=list(names))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_title(title, loc="left", fontsize=_LABEL_POINTS + 2)
    axes.set_xlabel(x_label)
    return figure, axes


def _save(figure: Any, path: Path) -> None:
    try:
        # A date would change the file on every run.
        figure.savefig(path, dpi=160, metadata={"Date": None} if _is_svg(path) else None)
    except OSError as error:
        raise WinnowError(f"{path} cannot be written: {error.strerror}.") from error


def spread(levels: Sequence[float], gap: float) -> list[float]:
    """Return label positions near `levels`, at least `gap` apart, in the same order.

    Labels that are too close are moved apart around their centre.

        >>> spread([5, 1, 5.5], gap=1)
        [4.75, 1.0, 5.75]
    """
    order = sorted(range(len(levels)), key=lambda index: levels[index])
    bunches: list[tuple[float, int]] = []  # centre and count, bottom to top
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
