"""Tests of `dev.py bench quadratic`: the repeated pieces, and the report."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from core.documents.formats import FORMATS
from tests.core.containers import zip_bytes

ROOT = Path(__file__).resolve().parents[2]
Load = Callable[[str], ModuleType]


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Load:
    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return load


def test_pieces_are_repeated_up_to_a_size(module: Load) -> None:
    make = module("_repetition").Repetition
    nested = make(b"<x>", b"<a id='b'>", b"</a>", b"</x>", is_numbered=True)
    assert nested.sized(28) == b"<x><a id='b0'><a id='b1'></a></a></x>"
    assert nested.sized(1) == b"<x><a id='b0'></a></x>"
    assert len(make(b"", b"ab").sized(1_000)) == 1_000


def test_parts_of_packages_are_repeated(module: Load) -> None:
    repetition, parts_of = module("_repetition").repetition, module("_one_file").parts_of
    package = zip_bytes({"a.xml": b"<a><b c='d'>Crows</b></a>"})
    documents = [
        tried
        for seed in range(40)
        if (tried := repetition("docx", [package], random.Random(seed))) is not None
    ]
    assert len(documents) == 40
    sizes = [len(b"".join(parts_of(tried.sized(10_000)).values())) for tried in documents]
    assert all(10_000 - 700 <= size <= 30_000 for size in sizes)


def test_the_same_seed_tries_the_same_documents(module: Load) -> None:
    repetition = module("_repetition").repetition
    first, again = (
        [repetition("md", [], chance) for _ in range(20)]
        for chance in (random.Random(3), random.Random(3))
    )
    assert first == again


def test_there_are_marks_for_every_text_format(module: Load) -> None:
    formats = module("_repetition")._FORMATS
    marked = {*formats["marks"], *formats["same"]}
    texts = {
        format_.suffixes[0][1:]
        for format_ in FORMATS
        if ".text_formats." in format_.reader or ".mail." in (format_.reader or format_.members)
    } - {"pst"}  # binary, read by a library
    assert texts <= marked


@pytest.mark.parametrize(("power", "found"), [(1, 0), (2, 3)])
def test_growth_beyond_linear_is_reported(
    power: int, found: int, module: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    quadratic = module("quadratic")

    class Reading:
        def __init__(self, *_arguments: object) -> None:
            self.read = 0

        def seconds(self, data: bytes) -> float:
            return 2 * (len(data) / 256_000) ** power

    monkeypatch.setattr(quadratic, "Reading", Reading)
    spent = iter(range(50))
    monkeypatch.setattr(quadratic, "_used_s", lambda: next(spent))
    result = quadratic.search("txt", [], 40, seed=1)
    assert len(result.findings) == found
    assert result.tried >= found
    assert abs(result.steepest - power) < 0.2
