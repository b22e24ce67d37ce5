"""Sizes of windows and dialogs: within their screen, and restored from the last time."""

from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QDialog, QFrame, QScrollArea, QWidget

from app.text_size import px, text_scale

# Approximate size of a window's frame, which is known only once the window is shown.
_FRAME: Final = QSize(8, 40)


def open_within_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window that is not shown yet this size, limited by its screen.

    The size is given for a text size of 100 %.
    """
    room = window.screen().availableGeometry().size() - _FRAME
    window.resize(QSize(px(width), px(height)).boundedTo(room))


def bring_forward(window: QWidget) -> None:
    """Show a window above the others, and give it the keyboard."""
    window.show()
    window.raise_()
    window.activateWindow()


def move_onto_screen(window: QWidget, frame: QRect) -> None:
    """Move a window to the top left of `frame`, or as near as leaves all of it on its screen."""
    room = window.screen().availableGeometry()
    window.move(
        max(room.left(), min(frame.left(), room.right() - frame.width())),
        max(room.top(), min(frame.top(), room.bottom() - frame.height())),
    )


def resize_dialogs(factor: float) -> None:
    """Scale all dialogs, within their screens, when the text size has changed by `factor`."""
    for dialog in QApplication.topLevelWidgets():
        if not isinstance(dialog, QDialog) or dialog.windowType() == Qt.WindowType.Popup:
            continue
        room = dialog.screen().availableGeometry()
        dialog.resize((dialog.size() * factor).boundedTo(room.size() - _FRAME))
        if dialog.isVisible():
            move_onto_screen(dialog, dialog.frameGeometry())


def scrolled(page: QWidget) -> QScrollArea:
    """Return a scroll area around a page, for small screens and large fonts."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(page)
    return area


Size = tuple[int, int]


class DialogSizes(QObject):
    """Restores the size of each dialog, limited by its screen.

    Args:
        saved: widths and heights by the dialogs' names, for a text size of 100 %.
    """

    changed = Signal()
    """A dialog was closed after its size had changed."""

    def __init__(self, saved: Mapping[str, Size], parent: QObject) -> None:
        super().__init__(parent)
        self._sizes = dict(saved)
        self._opened: dict[str, QSize] = {}

    def hold(self, dialog: QDialog, name: str) -> None:
        """Restore the size saved under `name`, and save later changes."""
        dialog.setObjectName(name)
        if name in self._sizes:
            width, height = map(px, self._sizes[name])
            dialog.resize(QSize(width, height).boundedTo(dialog.screen().availableSize()))
        dialog.installEventFilter(self)

    def as_settings(self) -> dict[str, object]:
        """Return the sizes as settings."""
        return {"dialog_sizes": dict(self._sizes)}

    # Qt's names

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(watched, QDialog):
            name, size = watched.objectName(), watched.size() / text_scale()
            if event.type() == QEvent.Type.Show:
                self._opened[name] = size
            elif event.type() == QEvent.Type.Hide and self._opened.get(name, size) != size:
                self._sizes[name] = (size.width(), size.height())
                self.changed.emit()
        return False
