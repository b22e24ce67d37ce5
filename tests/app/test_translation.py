"""The window in other languages: the choice of the language, plurals, messages of the engine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication

from app import texts
from app.translation import best_language, current_language, install_language, languages, translated
from core.catalog.catalog_file import damaged
from core.documents.damage import gaps_of
from core.documents.document import IS_PICTURE, Document, Page
from core.documents.formats import FORMATS, listed_keys
from core.errors import LibraryError, Message
from core.search.query.language import parse
from core.search.query.operators import OPERATORS, kind_named
from core.settings import load_settings
from tests.app.conftest import MakeWindow
from tools import ts_files

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

ROOT = Path(__file__).resolve().parents[2]
ENGINE = sorted(
    text.source
    for text in ts_files.read(ROOT / "resources/translations/winnow_zh_CN.ts")
    if text.context == "core"
)


@pytest.fixture(autouse=True)
def as_before(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    yield
    install_language(qapp, "en")
    QLocale.setDefault(before)


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        (["de-Latn-AT", "de-AT", "de"], "de"),
        (["en-GB", "de"], "en"),
        (["zh-Hans-SG", "zh-SG"], "zh_CN"),
        (["zh-Hant-TW", "zh-TW"], "en"),
        (["fr-FR", "fr", "de"], "de"),
        (["C"], "en"),
        ([], "en"),
    ],
)
def test_the_first_available_language_is_used(wanted: list[str], language: str) -> None:
    assert best_language(wanted, languages()) == language


def test_the_available_languages() -> None:
    assert languages() == ("de", "en", "zh_CN")


@pytest.mark.parametrize(
    ("language", "one", "many", "cancel"),
    [
        ("en", "1 document", "1,234 documents", "Cancel"),
        ("de", "1 Dokument", "1.234 Dokumente", "Abbrechen"),
        ("zh_CN", "1 个文档", "1,234 个文档", "取消"),
    ],
)
def test_plurals_numbers_and_qts_own_words_are_those_of_the_language(
    qapp: QApplication, language: str, one: str, many: str, cancel: str
) -> None:
    assert install_language(qapp, language) == current_language() == language
    QLocale.setDefault(QLocale(language))
    assert texts.documents(1) == one
    assert texts.documents(1234) == many
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == cancel


def test_an_untranslated_language_falls_back_to_english(qapp: QApplication) -> None:
    assert install_language(qapp, "fi") == "en"
    assert texts.documents(2) == "2 documents"


def test_the_window_speaks_german(make_window: MakeWindow, qapp: QApplication) -> None:
    install_language(qapp, "de")
    window = make_window()
    assert window.box.focusProxy().accessibleName() == "Suche"
    assert window.main_view.empty.headline == "Bitte warten"


@pytest.mark.parametrize(
    ("variables", "word"),
    [
        ({"LANG": "de_DE.UTF-8"}, "Einstellungen"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "zh_CN:de"}, "设置"),
        ({"LANG": "C.UTF-8"}, "Settings"),
    ],
)
def test_the_language_follows_the_system(variables: dict[str, str], word: str) -> None:
    code = (
        "from PySide6.QtCore import QCoreApplication as A; "
        "from app.translation import install_language; "
        "a = A([]); install_language(a); print(A.translate('SettingsDialog', 'Settings'))"
    )
    unset = {"LANGUAGE", "LC_ALL", "LC_MESSAGES"}
    environment = {name: value for name, value in os.environ.items() if name not in unset}
    printed = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", code],
        cwd=ROOT,
        env={**environment, "QT_QPA_PLATFORM": "offscreen", **variables},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert printed.stdout.strip() == word


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", 'after:"last month" means from 1 October 2026 on.'),
        ("de", 'after:"last month" bedeutet: ab 1. Oktober 2026.'),
        ("zh_CN", 'after:"last month" 表示：2026年10月1日起。'),
    ],
)
def test_an_interpreted_date_is_formatted_for_the_locale(
    qapp: QApplication, language: str, sentence: str
) -> None:
    install_language(qapp, language)
    (reading,) = parse('after:"last month"', date(2026, 11, 24)).readings
    assert translated(reading) == sentence


@pytest.mark.parametrize("language", languages())
def test_the_examples_of_the_search_tips_are_queries_in_each_language(
    qapp: QApplication, language: str
) -> None:
    install_language(qapp, language)
    for operator in OPERATORS:
        example = translated(operator.example)
        query = parse(example)
        assert query.notices == ()
        assert str(query) == example
        if operator.key:
            assert translated(operator.form).startswith(f"{operator.key}:")
            assert f"{operator.key}:" in example


@pytest.mark.parametrize("language", languages())
def test_the_file_types_in_the_search_tips_are_those_of_the_filter(
    qapp: QApplication, language: str
) -> None:
    install_language(qapp, language)
    kinds = dict.fromkeys(format_.key for format_ in FORMATS)
    names = re.split("[,、] ?", translated(listed_keys()))
    assert [kind_named(name) for name in names] == list(kinds)
    for name in names:
        assert parse(f"type:{name}").notices == ()


@pytest.mark.parametrize(
    ("language", "dates"),
    [
        ("de", ["gestern", "März", "letzten Monat", "3w"]),
        ("zh_CN", ["昨天", "三月", "上个月", "3w"]),
    ],
)
def test_the_dates_in_the_search_tips_can_be_searched(
    qapp: QApplication, language: str, dates: list[str]
) -> None:
    install_language(qapp, language)
    [operator] = [one for one in OPERATORS if one.key == "date"]
    meaning = translated(operator.meaning)
    for written in dates:
        assert written in meaning
        assert parse(f'date:"{written}"').notices == ()


@pytest.mark.parametrize("sentence", ENGINE)
def test_each_sentence_of_the_engine_is_translated(qapp: QApplication, sentence: str) -> None:
    gaps = sorted(set(re.findall(r"\{\d+\}", sentence)))
    fields = [f"<{number}>" for number in range(len(gaps))]
    message = Message.unpacked(Message(sentence, *fields).packed)
    assert message == sentence.format(*fields)
    install_language(qapp, "zh_CN")
    text = translated(message)
    assert text == QCoreApplication.translate("core", sentence).format(*fields)
    assert all(field in text for field in fields)


@pytest.mark.parametrize(
    ("message", "german"),
    [
        (Message("Password required"), "Passwort erforderlich"),
        ("Password required", "Passwort erforderlich"),
        (
            Message("Damaged: the file is truncated or modified"),
            "Beschädigt: Die Datei ist abgeschnitten oder verändert",
        ),
        (
            Message("Damaged: page {0} cannot be displayed", 3),
            "Beschädigt: Seite 3 kann nicht angezeigt werden",
        ),
        (
            Message(
                "The codebook {0} is damaged. To fix this, {1}.", "/a {0}", "install Winnow again"
            ),
            "Das Codebuch /a {0} ist beschädigt. Abhilfe: installieren Sie Winnow erneut.",
        ),
        (
            Message.joined(
                [
                    Message("{0}:{1} was searched as text ({2}).", "size", "huge", "not a size"),
                    Message("The query is long; only its beginning was compared by meaning."),
                ]
            ),
            (
                "size:huge wurde als Text gesucht (keine Größe). Die Suchanfrage ist lang; "
                "nur ihr Anfang wurde nach Bedeutung verglichen."
            ),
        ),
        (
            LibraryError("The word index in {0} does not match the text.", "/a b").message,
            "Der Wortindex in /a b stimmt nicht mit dem Text überein.",
        ),
        (
            Message("The catalog {0} is damaged ({1} refer to missing rows).", "/a", "documents"),
            "Der Katalog /a ist beschädigt (documents verweisen auf fehlende Zeilen).",
        ),
        (
            damaged(Path("/b"), "x"),
            (
                "Die Bibliothek in /b ist beschädigt (x). Führen Sie winnow check --repair aus, um "
                "sie aus Ihren Dateien neu zu erstellen; die Dateien sind nicht betroffen."
            ),
        ),
        ("Something that no file has.", "Something that no file has."),
        ("", ""),
    ],
)
def test_messages_of_the_engine_are_translated(
    qapp: QApplication, message: str, german: str
) -> None:
    assert translated(message) == message
    install_language(qapp, "de")
    assert translated(message) == german


def test_gaps_in_a_document_are_listed_in_the_language(qapp: QApplication) -> None:
    pages = [Page(1, "Crows"), Page(2, "", unread=IS_PICTURE), Page(3, "", unread="Not text")]
    install_language(qapp, "de")
    assert translated(gaps_of(Document("", tuple(pages)))) == (
        "Unvollständig. Seite 2: Bild: Schalten Sie zum Lesen die Texterkennung ein. "
        "Seite 3: Kein Text"
    )


def test_the_language_is_chosen_in_the_settings(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window()
    window.preferences.present()
    qtbot.waitUntil(lambda: not window.session.is_reading)
    offered = window.preferences.appearance.choices["language"]
    names = [offered.itemText(row) for row in range(offered.count())]
    assert names == ["System", "Deutsch", "English", "简体中文"]
    assert offered.currentIndex() == 0

    offered.setCurrentIndex(1)
    offered.activated.emit(1)
    path = tmp_path / "home" / "settings.json"
    qtbot.waitUntil(lambda: load_settings(path).settings.language == "de")
