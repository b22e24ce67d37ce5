"""What a person does to the window, and sees in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit

from app.main_window import MainWindow

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def line(window: MainWindow) -> QLineEdit:
    return window.findChild(QLineEdit, "searchBox")


def search(qtbot: QtBot, window: MainWindow, query: str) -> None:
    line(window).clear()
    qtbot.keyClicks(line(window), query)
    qtbot.waitUntil(lambda: shown_query(window) == query)


def shown_query(window: MainWindow) -> str | None:
    answer = window.body.results.answer
    return answer.results.query if answer is not None else None


def titles(window: MainWindow) -> list[str]:
    model = window.body.results.model()
    rows = [model.index(row, 0).data() for row in range(model.rowCount())]
    return [row.split(",")[0] for row in rows if "more passage" not in row]
