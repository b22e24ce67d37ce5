"""The sizes of the dialogs, as the person left them."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtWidgets import QDialog

Size = tuple[int, int]


class DialogSizes(QObject):
    """Opens each dialog as large as it was left, and no larger than the screen.

    Args:
        kept: widths and heights by the dialogs' names.
    """

    changed = Signal()
    """A dialog was closed that had another size than when it was opened."""

    def __init__(self, kept: Mapping[str, Size], parent: QObject) -> None:
        super().__init__(parent)
        self._sizes = dict(kept)
        self._opened: dict[str, QSize] = {}

    def hold(self, dialog: QDialog, name: str) -> None:
        """Give a dialog the size that is kept under `name`, if any, and keep what it is given."""
        dialog.setObjectName(name)
        if name in self._sizes:
            dialog.resize(QSize(*self._sizes[name]).boundedTo(dialog.screen().availableSize()))
        dialog.installEventFilter(self)

    def kept(self) -> dict[str, object]:
        """What was chosen, as settings."""
        return {"dialog_sizes": dict(self._sizes)}

    # Qt's names

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(watched, QDialog):
            name, size = watched.objectName(), watched.size()
            if event.type() == QEvent.Type.Show:
                self._opened[name] = size
            elif event.type() == QEvent.Type.Hide and self._opened.get(name, size) != size:
                self._sizes[name] = (size.width(), size.height())
                self.changed.emit()
        return False
