"""Torch is found where it is, or a sentence says how it gets there."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

import pytest

from core.errors import ModelError
from core.optional_packages import find_package, require_torch


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide torch and transformers outside the folders that a test adds to `sys.path`."""
    before = [*sys.path]
    monkeypatch.setattr(sys, "path", [*sys.path])

    def find(name: str) -> ModuleSpec | None:
        return PathFinder.find_spec(name, [path for path in sys.path if path not in before])

    monkeypatch.setattr(importlib.util, "find_spec", find)


@pytest.mark.parametrize("extra", ["models", "gpu"])
def test_a_missing_torch_is_installed_by_an_extra(without_torch: None, extra: str) -> None:
    with pytest.raises(ModelError, match=rf"pip install 'winnow-search\[{extra}\]'\.$"):
        require_torch("Preparing a model", extra)


def test_the_packaged_program_names_the_folder_of_add_ons(
    without_torch: None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    with pytest.raises(ModelError) as raised:
        require_torch("Training")
    sentence = str(raised.value)
    assert sentence.startswith("Training requires torch")
    assert f'--target "{home / "add-ons"}" torch transformers' in sentence
    assert sentence.endswith(".")


def test_torch_is_found_in_the_folder_of_add_ons(
    without_torch: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("torch", "transformers"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise AssertionError('this ran')")
    monkeypatch.setenv("WINNOW_ADD_ONS", str(tmp_path))
    before = list(sys.path)

    assert find_package("torch") is not None
    assert sys.path == before
    require_torch("Training")
    require_torch("Training")

    assert sys.path == [*before, str(tmp_path)]
