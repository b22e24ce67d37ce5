"""Models in the cache folder of Hugging Face's library, found by their names on the hub."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from core.encoders.folders.hub_cache import cache_folder, downloaded
from core.encoders.folders.layouts import load_checkpoint
from core.errors import ModelError
from tests.core.tiny_models import save_tiny_colbert

NAME = "birds/tiny-colbert"
OLD, NEW = "0" * 40, "1" * 40


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, which `HF_HOME` names."""
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "hf" / "hub"
    folder.mkdir(parents=True)
    return folder


def download(hub: Path, commit: str, name: str = NAME) -> Path:
    """Store a model as `hf download` does, and return the snapshot's folder."""
    repository = hub / f"models--{name.replace('/', '--')}"
    snapshot = repository / "snapshots" / commit
    files = save_tiny_colbert(hub.parent / f"files-{commit}")
    (repository / "blobs").mkdir(parents=True, exist_ok=True)
    snapshot.mkdir(parents=True)
    for path in files.iterdir():
        if sys.platform == "win32":
            path.replace(snapshot / path.name)  # as the library does without the right to links
            continue
        blob = repository / "blobs" / f"{commit[0]}-{path.name}"
        path.replace(blob)
        (snapshot / path.name).symlink_to(os.path.relpath(blob, snapshot))
    (repository / "refs").mkdir(exist_ok=True)
    (repository / "refs" / "main").write_text(commit)
    return snapshot


def test_a_name_on_the_hub_finds_the_downloaded_model(hub: Path) -> None:
    snapshot = download(hub, OLD)
    checkpoint = load_checkpoint(NAME)
    assert (checkpoint.name, checkpoint.dimensions) == ("tiny-colbert", 16)
    assert checkpoint.folder == snapshot
    # An index finds its model again when another commit has been downloaded.
    download(hub, NEW)
    assert load_checkpoint(NAME).folder.name == NEW
    assert load_checkpoint(checkpoint.source) == checkpoint


def test_a_folder_of_that_name_takes_precedence(hub: Path, tmp_path: Path) -> None:
    download(hub, OLD)
    save_tiny_colbert(tmp_path / NAME)
    assert load_checkpoint(NAME).folder == tmp_path / NAME


def test_a_model_that_was_not_downloaded_is_a_sentence(hub: Path) -> None:
    expected = rf"no folder {NAME}, and no model of this name .*; download it: hf download {NAME}$"
    with pytest.raises(ModelError, match=expected):
        load_checkpoint(NAME)
    for other in ("tiny-colbert", "a/b/c", "../a", "/a/b"):
        with pytest.raises(ModelError, match="There is no built-in model"):
            load_checkpoint(other)


def test_a_partly_downloaded_model_is_a_sentence(hub: Path) -> None:
    (download(hub, OLD) / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=rf"no model.safetensors\. .* download it .* {NAME}"):
        load_checkpoint(NAME)


@pytest.mark.parametrize("commit", ["", "../../../elsewhere", "/", "main", "\xe9", OLD[:-1]])
def test_a_reference_leads_only_to_a_snapshot(hub: Path, tmp_path: Path, commit: str) -> None:
    (tmp_path / "hf" / "elsewhere").mkdir()
    reference = download(hub, OLD).parents[1] / "refs" / "main"
    reference.write_text(commit, encoding="utf-8")
    assert downloaded(NAME) is None


def test_the_variables_of_the_library_name_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    assert cache_folder() == Path("~/.cache/huggingface/hub").expanduser()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "huggingface" / "hub"
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    assert cache_folder() == tmp_path / "home" / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    assert cache_folder() == tmp_path / "cache"
