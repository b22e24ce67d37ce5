"""The measured speed of encoding, which later estimates use."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.indexing.build.speed import note, tokens_per_s
from core.model_names import BUILT_IN, MULTILINGUAL


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_the_last_measured_speed_counts() -> None:
    usual = tokens_per_s(BUILT_IN)
    assert tokens_per_s(MULTILINGUAL) < usual
    note(BUILT_IN, 9000, 2.0)
    note(BUILT_IN, 8000, 2.0)
    assert tokens_per_s(BUILT_IN) == pytest.approx(4000)
    assert tokens_per_s(MULTILINGUAL) == pytest.approx(2000), "until it is measured itself"
    note(MULTILINGUAL, 1000, 2.0)
    assert tokens_per_s(MULTILINGUAL) == pytest.approx(500)


def test_nothing_and_damaged_measurements_are_ignored(own_cache: Path) -> None:
    usual = tokens_per_s(BUILT_IN)
    note(BUILT_IN, 0, 2.0)
    note(BUILT_IN, 10, 0.0)
    assert tokens_per_s(BUILT_IN) == usual
    note(BUILT_IN, 8000, 2.0)
    (file,) = own_cache.iterdir()
    file.write_text("[1, 2")
    assert tokens_per_s(BUILT_IN) == usual
