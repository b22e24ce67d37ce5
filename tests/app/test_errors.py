"""Errors are sentences; what is unexpected has a report that quotes nothing of the person's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QToolButton

from app.errors import NoticeBar, notice_of
from core.errors import DiskFullError

if TYPE_CHECKING:
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
