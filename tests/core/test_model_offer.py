"""The offer of the multilingual model: for texts in other languages, until a model is chosen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import ModelError
from core.library import model_offer
from core.library.library import Library
from core.settings import change_settings
from tests.conftest import Run, write_files

GERMAN = "Der Reiher wartet im flachen Wasser auf die Fische, und er steht dabei ganz still."
FRENCH = "Le héron attend les poissons dans l'eau peu profonde, et il ne bouge pas du tout."
CHINESE = "苍鹭在浅水里等着鱼，一动也不动。它在天黑以前飞回树林。"
THAI = "นกกระสายืนรอปลาอยู่ในน้ำตื้น และไม่ขยับตัวเลย"
ENGLISH = "The heron waits in the shallow water for the fish, and it does not move at all."


@pytest.fixture
def has_multilingual(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package with the model's weights is installed."""
    monkeypatch.setattr(model_offer, "load_checkpoint", lambda _name: None)


def texts_of(*texts: str) -> dict[str, str]:
    return {f"{number}.txt": text for number, text in enumerate(texts)}


def share_of_new(library: Library, folder: Path) -> float:
    """Return the share of a folder's texts in other languages, before it is added."""
    return library.offered_share(library.read_sample(library.preview(folder)).beginnings)


@pytest.mark.parametrize("text", [GERMAN, FRENCH, CHINESE, THAI])
@pytest.mark.usefixtures("has_multilingual")
def test_it_is_offered_for_another_language(library: Library, folder: Path, text: str) -> None:
    write_files(folder, texts_of(text, text, text, ENGLISH))
    assert share_of_new(library, folder) == 0.75
    library.add_folder(folder)
    library.sync()
    assert library.offered_share() == 0.75


@pytest.mark.usefixtures("has_multilingual")
def test_it_is_not_offered_for_english_or_for_few_texts(library: Library, folder: Path) -> None:
    write_files(folder, texts_of(*[ENGLISH] * 40, GERMAN))
    (folder / "few").mkdir()
    write_files(folder / "few", texts_of(GERMAN, GERMAN))
    assert share_of_new(library, folder / "few") == 0
    library.add_folder(folder)
    library.sync()
    assert library.offered_share() == 0
    assert library.offered_share(()) == 0


@pytest.mark.usefixtures("has_multilingual")
def test_it_is_not_offered_once_a_model_was_chosen(
    open_library: Callable[..., Library], home: Path, folder: Path
) -> None:
    write_files(folder, texts_of(GERMAN, GERMAN, GERMAN))
    change_settings(home / "settings.json", model="winnow-mini")
    library = open_library()
    assert share_of_new(library, folder) == 0


def test_it_is_not_offered_where_it_is_not_installed(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_name: str) -> None:
        raise ModelError("not installed")

    monkeypatch.setattr(model_offer, "load_checkpoint", missing)
    write_files(folder, texts_of(GERMAN, GERMAN, GERMAN))
    assert share_of_new(library, folder) == 0


@pytest.mark.usefixtures("has_multilingual")
def test_the_command_recommends_it(run: Run, folder: Path) -> None:
    write_files(folder, texts_of(GERMAN, FRENCH, GERMAN))
    for arguments in (["--dry-run"], []):
        status, out, _ = run("index", *arguments, str(folder))
        assert status == 0
        assert "About 100% of the documents are not in English" in out
        assert "winnow settings --model winnow-mini-multi" in out
