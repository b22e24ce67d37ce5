"""A simulated user who waits, types, clicks and takes screenshots."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPoint, QRect, Qt
from PySide6.QtGui import QAction, QColor, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.reader.reader import ReaderView

TIMEOUT_S: Final = 180.0
_POLL_MS: Final = 30
FRONT: Final = "front"
"""The part of a picture with the topmost dialog or menu, or the window."""
READER: Final = "reader"


class TourError(Exception):
    """A screen cannot be reached; the message gives the reason."""


class Person:
    """Uses one window with its dialogs and menus."""

    def __init__(self, window: QWidget, pictures: Path) -> None:
        self._window = window
        self._pictures = pictures
        self.screens: list[str] = []

    def wait(self, what: str, condition: Callable[[], bool], timeout_s: float = TIMEOUT_S) -> None:
        """Process events until the condition is true.

        Raises:
            TourError: timeout.
        """
        end = time.monotonic() + timeout_s
        while not condition():
            if time.monotonic() > end:
                raise TourError(f"Timed out waiting for {what}.")
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, _POLL_MS)
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def settle(self) -> None:
        """Wait until everything is painted."""
        for _ in range(4):
            QTest.qWait(_POLL_MS)

    def type(self, field: QWidget, text: str) -> None:
        """Replace the content of a field by typing `text`."""
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(field, text)

    def press(self, widget: QWidget, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
        pressed = Qt.KeyboardModifier.NoModifier
        for one in modifiers:
            pressed |= one
        QTest.keyClick(widget, key, pressed)

    def click(self, control: QWidget | None, what: str) -> None:
        """Click a control.

        Raises:
            TourError: it is missing, hidden or disabled.
        """
        if control is None or not control.isVisible() or not control.isEnabled():
            raise TourError(f"There is no {what} to click.")
        QTest.mouseClick(control, Qt.MouseButton.LeftButton)

    def choose(self, menu: QWidget, shortcut: str, what: str) -> None:
        """Choose the menu entry with this shortcut.

        Raises:
            TourError: there is no such entry.
        """
        for action in menu.findChildren(QAction):
            if action.shortcut().toString() == shortcut:
                action.trigger()
                return
        raise TourError(f"The menu has no {what} ({shortcut}).")

    def shoot(self, name: str) -> None:
        """Take a screenshot of the window with its dialogs and menus.

        Stores the rectangles (left, top, width, height) of `FRONT` and `READER` as image texts.
        """
        self.settle()
        shown = [self._window, *(one for one in _windows_in_front(self._window))]
        areas = [QRect(one.mapToGlobal(QPoint()), one.size()) for one in shown if one.isVisible()]
        if not areas:
            raise TourError(f"Nothing is shown where {name} should be.")
        whole = areas[0]
        for area in areas[1:]:
            whole = whole.united(area)
        scale = self._window.devicePixelRatioF()
        picture = QPixmap(whole.size() * scale)
        picture.setDevicePixelRatio(scale)
        picture.fill(QColor("#7f7f7f"))
        painter = QPainter(picture)
        # Draws a border around windows without a frame.
        painter.setPen(QColor("#7f7f7f"))
        for one in shown:
            if one.isVisible():
                place = one.mapToGlobal(QPoint()) - whole.topLeft()
                painter.drawPixmap(place, one.grab())
                painter.drawRect(QRect(place, one.size()).adjusted(0, 0, -1, -1))
        painter.end()
        image = picture.toImage()
        readers = self._window.findChildren(ReaderView)
        for part, one in [(FRONT, shown[-1]), *((READER, reader) for reader in readers)]:
            if one.isVisible():
                place = one.mapToGlobal(QPoint()) - whole.topLeft()
                numbers = (place.x(), place.y(), one.width(), one.height())
                image.setText(part, " ".join(str(round(scale * number)) for number in numbers))
        self._pictures.mkdir(parents=True, exist_ok=True)
        if not image.save(str(self._pictures / f"{name}.png")):
            raise TourError(f"The picture {name} cannot be written to {self._pictures}.")
        self.screens.append(name)


def _windows_in_front(window: QWidget) -> list[QWidget]:
    """Return the windows in front of `window`: dialogs above their parents, then menus."""
    windows = [
        one for one in QApplication.topLevelWidgets() if one.isVisible() and one is not window
    ]
    return sorted(
        windows, key=lambda window: (window.windowType() == Qt.WindowType.Popup, _depth(window))
    )


def _depth(widget: QWidget) -> int:
    """Return the number of parent windows."""
    depth = 0
    while (parent := widget.parentWidget()) is not None:
        widget, depth = parent.window(), depth + 1
    return depth
