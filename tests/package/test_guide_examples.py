"""Runs the examples on the guide's page about the Python API."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.library.library import Library

if TYPE_CHECKING:
    import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "python.md"


def test_examples_have_the_documented_results(
    open_library: Callable[..., Library],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All examples share a loaded model; otherwise they run like a script."""
    monkeypatch.chdir(tmp_path)
    # The end of a code block must not count as expected output.
    text = PAGE.read_text(encoding="utf-8").replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, PAGE.name, str(PAGE), 0)
    assert len(examples.examples) > 30
    output: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_ONLY_FIRST_FAILURE)
    runner.run(examples, out=output.append)
    assert not runner.failures, "".join(output)
