"""Plots of curves."""

from __future__ import annotations

import builtins
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import UsageError, WinnowError
from lab.evaluation.pictures import Dots, Series, boxes, check_path, dots, lines, spread

CURVES = [
    Series("pooling", [5, 10, 20], [0.36, 0.38, 0.39]),
    Series("random", [5, 10, 20], [0.1, float("nan"), 0.3]),
]


def draw(path: Path) -> None:
    lines(path, CURVES, "What is kept", "share, %", "nDCG@10", references={"all": 0.4})


@pytest.mark.parametrize(("suffix", "magic"), [(".svg", b"<?xml"), (".PNG", b"\x89PNG")])
def test_the_suffix_selects_the_format(suffix: str, magic: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"curves{suffix}"
    draw(path)
    assert path.read_bytes().startswith(magic)


def test_curves_are_labelled_and_files_are_reproducible(tmp_path: Path) -> None:
    first, second = tmp_path / "1.svg", tmp_path / "2.svg"
    draw(first)
    draw(second)
    text = first.read_text()
    for label in ("pooling", "random", "all", "What is kept", "share, %", "nDCG@10"):
        assert f">{label}<" in text
    assert text == second.read_text()


def test_many_curves_on_a_logarithmic_scale_are_plotted(tmp_path: Path) -> None:
    curves = [Series(f"set {n}", range(1, 101), [n / k for k in range(1, 101)]) for n in range(17)]
    path = tmp_path / "many.svg"
    lines(path, curves, "", "rank", "share", log_x=True, x_ticks=[1, 10, 100], with_points=False)
    assert path.read_text().count(">set ") == 17


def test_dots_and_boxes_have_a_row_per_name(tmp_path: Path) -> None:
    names = ["the recipe", "loss of XTR"]
    series = [Dots("all", [0.3, 0.2], [0.01, 0.02]), Dots("pruned", [0.25, float("nan")])]
    dots(tmp_path / "dots.svg", names, series, "What each gives", "nDCG@10")
    text = (tmp_path / "dots.svg").read_text()
    for label in (*names, "all", "pruned", "What each gives", "nDCG@10"):
        assert f">{label}<" in text
    boxes(tmp_path / "boxes.svg", {"birds": [1, 2, 3], "fowls": []}, "Words", "words a query")
    text = (tmp_path / "boxes.svg").read_text()
    for label in ("birds", "fowls", "Words", "words a query"):
        assert f">{label}<" in text
    for nothing in (
        lambda: dots(tmp_path / "a.svg", ["x"], [Dots("y", [float("nan")])], "", ""),
        lambda: boxes(tmp_path / "a.svg", {"x": []}, "", ""),
    ):
        with pytest.raises(UsageError, match="nothing to draw"):
            nothing()


def test_a_band_shows_the_deviation(tmp_path: Path) -> None:
    for name, band in (("with", [0.1, 0.1]), ("without", None)):
        lines(tmp_path / f"{name}.svg", [Series("a", [1, 2], [0.5, 0.4], band)], "", "", "")
    with_band, without = ((tmp_path / f"{name}.svg").read_text() for name in ("with", "without"))
    assert "FillBetween" in with_band or with_band.count("<path") > without.count("<path")


@pytest.mark.parametrize("name", ["picture.pdf", "picture", "nowhere/picture.svg"])
def test_invalid_paths_are_refused_early(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="picture"):
        check_path(tmp_path / name)


def test_empty_plots_and_unwritable_paths_are_reported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to draw"):
        lines(tmp_path / "a.svg", [Series("a", [1], [float("nan")])], "", "", "")
    (tmp_path / "b.svg").mkdir()
    with pytest.raises(WinnowError, match="cannot be written"):
        draw(tmp_path / "b.svg")


def test_without_matplotlib_the_error_names_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = builtins.__import__

    def missing(name: str, *arguments: Any, **options: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return known(name, *arguments, **options)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(UsageError, match=r"pip install 'winnow-search\[train\]'"):
        draw(tmp_path / "a.svg")


@given(st.lists(st.floats(0, 1), max_size=12), st.floats(0.01, 0.2))
def test_labels_do_not_overlap_and_keep_their_order(levels: list[float], gap: float) -> None:
    placed = spread(levels, gap)
    order = sorted(range(len(levels)), key=lambda number: levels[number])
    assert all(placed[b] - placed[a] > gap - 1e-9 for a, b in pairwise(order))
    if all(levels[b] - levels[a] > gap for a, b in pairwise(order)):
        assert placed == pytest.approx(levels)
