"""Tests that the translations are complete, up to date and consistent with the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import consistency, translations, ts_files
from tools.sentences import sentences_of_engine
from tools.texts import Text, TextError, texts_of_window, untranslated
from tools.ts_files import PLURAL_FORMS, Translation

ROOT = Path(__file__).resolve().parents[2]
# Not translated: a name, example patterns, and the text in a picture.
UNTRANSLATED = ("Winnow", "drafts/  *.bak  !important.bak", "HARVEST FESTIVAL")
HINT = "run python3 dev.py translations, and write what is missing"


@pytest.fixture(scope="module")
def texts() -> set[Text]:
    return translations.texts_of()


def test_all_window_texts_are_translatable() -> None:
    assert list(untranslated(ROOT / "app", UNTRANSLATED)) == []


@pytest.mark.parametrize("language", PLURAL_FORMS)
def test_each_language_has_exactly_the_texts_of_the_code(language: str, texts: set[Text]) -> None:
    known = set(ts_files.read(translations.file_of(language)))
    expected = translations.texts_for(language, texts)
    assert sorted(expected - known) == [], HINT
    assert sorted(known - expected) == [], HINT


def test_all_texts_are_translated_consistently() -> None:
    assert translations.problems(translations.FOLDER) == []


@pytest.mark.parametrize("language", PLURAL_FORMS)
def test_compiled_translations_are_up_to_date(language: str, tmp_path: Path) -> None:
    source = translations.file_of(language)
    ts_files.release(source, tmp_path / "made.qm")
    assert (tmp_path / "made.qm").read_bytes() == source.with_suffix(".qm").read_bytes(), HINT


def test_files_survive_a_round_trip(tmp_path: Path) -> None:
    expected = {
        Text("Box", "%n file(s)"): Translation(("%n Datei", "%n Dateien")),
        Text("Box", "Open <b>{0}</b> & go", "verb"): Translation(("„{0}“ öffnen",)),
        Text("Box", "Close"): Translation(("Zu",), is_unsure=True),
        Text("list", "New"): Translation(("",)),
    }
    path = tmp_path / "a.ts"
    ts_files.write(path, expected, "de")
    assert ts_files.read(path) == expected
    written = path.read_bytes()
    ts_files.write(path, ts_files.read(path), "de")
    assert path.read_bytes() == written


def test_an_update_keeps_translations_and_drops_removed_texts() -> None:
    unchanged, moved, removed = Text("A", "Keep"), Text("A", "Move"), Text("A", "Gone")
    before = {one: Translation((one.source.upper(),)) for one in (unchanged, moved, removed)}
    new, plural, moved_text = Text("A", "New"), Text("A", "%n thing(s)"), Text("B", "Move")

    after = ts_files.merged([unchanged, moved_text, new, plural], before, "de")

    assert after[unchanged] == before[unchanged]
    assert after[moved_text] == Translation(("MOVE",), is_unsure=True)
    assert after[new] == Translation(("",))
    assert after[plural] == Translation(("", ""))
    assert removed not in after


CODE = """
class Window(QWidget):
    def show(self, count):
        self.tr("In a class", "a remark")
        return f"{self.tr('In an f-string')} {self.tr('%Ln file(s)', '', count)}"

NAME = QT_TRANSLATE_NOOP("names", "A name")

def said(painter):
    painter.translate(3, 4)
    return _tr("By a function"), QCoreApplication.translate("there", "In " "two pieces")

def _tr(text, count=-1):
    return QCoreApplication.translate("here", text, "", count)
"""


def found(tmp_path: Path, code: str) -> set[Text]:
    (tmp_path / "module.py").write_text(code, encoding="utf-8")
    return texts_of_window(tmp_path)


def test_texts_are_found_in_all_translation_calls(tmp_path: Path) -> None:
    assert found(tmp_path, CODE) == {
        Text("Window", "In a class", "a remark"),
        Text("Window", "In an f-string"),
        Text("Window", "%Ln file(s)"),
        Text("names", "A name"),
        Text("here", "By a function"),
        Text("there", "In two pieces"),
    }


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("self.tr(name)", "the text is not a literal"),
        ("other.tr('A')", "tr is called on something else than self"),
        ("QCoreApplication.translate(name, 'A')", "the context is not a literal"),
        ("self.tr('%n file(s)')", "plural texts need both %n and a number"),
        ("self.tr('files', '', 3)", "plural texts need both %n and a number"),
    ],
)
def test_untranslatable_calls_are_errors(tmp_path: Path, line: str, fault: str) -> None:
    with pytest.raises(TextError, match=fault):
        found(tmp_path, line)


def test_untranslated_texts_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "a.py").write_text(
        "QLabel('Rook')\nlabel.setText(f'{n} crows')\nlabel.say('warning')"
    )
    assert list(untranslated(folder)) == ["app/a.py:1: 'Rook'", "app/a.py:2: ' crows'"]


ENGINE = """
_UNTIL = "until then"

def read(path, count):
    if not count:
        raise DocumentError("is empty")
    if count < 3:
        raise LibraryError("{0} is damaged ({1}), {2} wait.", path, _why(path), _UNTIL)
    raise ValueError("no sentence for a person")

def _why(path):
    return Message("no end") if path else Message("{0} bytes", path)
"""


def test_templates_of_the_engine_and_their_arguments_are_found(tmp_path: Path) -> None:
    (tmp_path / "reader.py").write_text(ENGINE, encoding="utf-8")
    sources = {text.source for text in sentences_of_engine(tmp_path)}
    sentences = {"is empty", "{0} is damaged ({1}), {2} wait.", "until then", "no end", "{0} bytes"}
    assert sentences <= sources
    assert not any("no sentence" in one for one in sources)


@pytest.mark.parametrize(
    ("source", "forms", "fault"),
    [
        ("{0} of {1}", ["{1} von {1}"], "different placeholders"),
        ("%Ln file(s)", ["Datei", "Dateien"], "does not contain %n"),
        ("%Ln file(s)", ["%Ln %Ln", "%Ln Dateien"], "contains %n twice"),
        ("&Open", ["Öffnen"], "a mnemonic on one side"),
        ("&Open", ["&Ö&ffnen"], "two mnemonics"),
        ("a <b>word</b>", ["ein <i>Wort</i>"], "different markup"),
        (" MB", ["MB"], "spaces on one side"),
        ("one\ntwo", ["eins zwei"], "different number of lines"),
        ("Open…", ["Öffnen"], "different punctuation"),
        ("It is.", ["Es ist"], "different punctuation"),
        ("Open", ["Öffnen."], "different punctuation"),
    ],
)
def test_inconsistent_translations_are_reported(source: str, forms: list[str], fault: str) -> None:
    assert any(fault in one for one in consistency.faults(Text("A", source), forms))


@pytest.mark.parametrize(
    ("source", "forms"),
    [
        ("%Ln file(s)", ["eine Datei", "%Ln Dateien"]),
        ("Wheat && &rye:", ["麦子 && 黑麦(&R)："]),
        ("{0}. Search again.", ["{0}。请重新搜索。"]),
    ],
)
def test_consistent_translations_are_accepted(source: str, forms: list[str]) -> None:
    assert list(consistency.faults(Text("A", source), forms)) == []
