"""An installed Winnow ships a converted model, and neither weights nor torch."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.openvino import conversion
from core.errors import ModelError
from core.files import paths


@pytest.fixture
def checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkpoint:
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    built_in = load_checkpoint()
    return dataclasses.replace(
        built_in, folder=tmp_path / "no weights", resources=tmp_path / "resources"
    )


def ship(checkpoint: Checkpoint, name: str) -> Path:
    folder = checkpoint.resources / conversion.SHIPPED / name
    folder.mkdir(parents=True)
    (folder / "model.xml").write_text("<net/>", encoding="utf-8")
    return folder / "model.xml"


def test_the_shipped_model_is_used(checkpoint: Checkpoint) -> None:
    shipped = ship(checkpoint, conversion.conversion_fingerprint(checkpoint))
    assert conversion.converted(checkpoint) == shipped


def test_one_of_other_weights_or_of_another_openvino_is_not(checkpoint: Checkpoint) -> None:
    ship(checkpoint, "0123456789abcdef")
    with pytest.raises(ModelError, match="cannot be read"):
        conversion.converted(checkpoint)


def test_the_model_that_came_along_is_never_removed() -> None:
    model = paths.RESOURCES / "models" / "winnow-mini" / conversion.SHIPPED / "0" / "model.xml"
    with pytest.raises(ModelError, match="install Winnow again"):
        conversion.discard_converted(model)
