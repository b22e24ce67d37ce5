"""Errors are sentences; unexpected ones have a report without private data."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QPushButton, QToolButton

from app.errors import notice_of, report_of, take_unexpected
from app.main_window import MainWindow
from app.widgets.notices import Notice, NoticeBar
from core.errors import DiskFullError

if TYPE_CHECKING:
    import pytest
    from PySide6.QtGui import QAccessibleAnnouncementEvent
    from pytestqt.qtbot import QtBot


def unexpected() -> Exception:
    secret = "the letter to my lawyer"
    try:
        try:
            raise KeyError(secret)
        except KeyError as cause:
            raise ValueError(f"could not parse {secret!r}") from cause
    except ValueError as error:
        return error


def button(bar: NoticeBar, text: str) -> QPushButton:
    return next(found for found in bar.findChildren(QPushButton) if found.text() == text)


def test_a_known_error_is_shown_as_its_sentence(qtbot: QtBot) -> None:
    bar = NoticeBar()
    qtbot.addWidget(bar)

    bar.show_notice(notice_of(DiskFullError("The disk is full; free some space.")))

    assert bar.isVisible()
    assert bar.accessibleName() == "The disk is full; free some space."
    assert not button(bar, "Copy report").isVisible()


def test_a_notice_is_announced_once(
    qtbot: QtBot, announced: list[QAccessibleAnnouncementEvent]
) -> None:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    full = notice_of(DiskFullError("The disk is full."))
    plain = Notice("Nothing is searched in.", is_plain=True)

    for notice in (full, full, plain):
        bar.show_notice(notice)
    bar.clear()
    bar.show_notice(plain)

    manner = QAccessible.AnnouncementPoliteness
    assert [(event.message(), event.politeness()) for event in announced] == [
        (full.text, manner.Assertive),
        (plain.text, manner.Polite),
        (plain.text, manner.Polite),
    ]
    source = announced[0].accessibleInterface()
    assert source.text(QAccessible.Text.Name) == plain.text


def test_a_notice_can_be_dismissed(qtbot: QtBot) -> None:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.show_notice(notice_of(DiskFullError("The disk is full.")))

    qtbot.mouseClick(bar.findChild(QToolButton), Qt.MouseButton.LeftButton)

    assert not bar.isVisible()
    assert bar.notice is None


def test_an_unexpected_error_has_a_report_without_anything_private(qtbot: QtBot) -> None:
    bar = NoticeBar()
    qtbot.addWidget(bar)
    bar.show_notice(notice_of(unexpected()))

    assert "unexpected" in bar.accessibleName()
    qtbot.mouseClick(button(bar, "Copy report"), Qt.MouseButton.LeftButton)

    report = QGuiApplication.clipboard().text()
    assert "builtins.ValueError" in report
    assert "builtins.KeyError" in report
    assert "tests/app/test_errors.py" in report
    assert "in unexpected" in report
    assert "lawyer" not in report
    assert button(bar, "Copied").isVisible()


SECRETS = ("lawyer", "Müller", "letter.docx", "diagnosis", "/home/anna", "divorce")


def failing(query: str, folder: str) -> Exception:
    """Return an error with private data in every place."""
    plug_in = compile(
        "def read(path): raise OSError(2, 'not there', path)", f"{folder}/divorce.py", "exec"
    )
    space: dict[str, Any] = {}
    exec(plug_in, space)
    try:
        try:
            space["read"](f"{folder}/letter.docx")
        except OSError as cause:
            cause.add_note("It begins with: diagnosis")
            group = ExceptionGroup(
                "about divorce",
                [
                    KeyError(query),
                    UnicodeDecodeError("utf-8", "Müller".encode("latin-1"), 1, 2, "diagnosis"),
                ],
            )
            raise group from cause
    except ExceptionGroup as error:
        return error


def test_a_report_contains_no_text_file_name_or_query() -> None:
    report = report_of(failing("divorce lawyer Müller", "/home/anna"))

    assert "builtins.ExceptionGroup" in report
    assert "builtins.FileNotFoundError" in report
    assert "elsewhere:1 in read" in report
    assert [secret for secret in SECRETS if secret in report] == []


def test_a_report_names_the_code_of_packages_and_of_python() -> None:
    try:
        json.loads("{")
    except ValueError as error:
        report = report_of(error)

    assert "  json/decoder.py:" in report
    assert sys.prefix not in report
    assert str(Path.home()) not in report


def test_an_error_in_an_event_handler_is_shown_in_the_window(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("the letter to my lawyer")

    monkeypatch.setattr(sys, "excepthook", partial(take_unexpected, window.trouble.show_notice))
    QTimer.singleShot(0, fail)
    qtbot.waitUntil(window.trouble.isVisible)

    assert "unexpected" in window.trouble.accessibleName()
    qtbot.mouseClick(button(window.trouble, "Copy report"), Qt.MouseButton.LeftButton)
    report = QGuiApplication.clipboard().text()
    assert "RuntimeError" in report
    assert "lawyer" not in report
