"""Files that are called what is looked for, whether they could be read or not."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app import texts
from app.translation import said
from app.widgets.labels import ElidedLabel, Label
from core.printable import quoted

if TYPE_CHECKING:
    from core.catalog.documents import NamedDocument

_SHOWN: Final = 3


class NamedFiles(QFrame):
    """A few lines above the results; away while no file is called so."""

    opened = Signal(object)
    """The person asked for the document at this path."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("namedFiles")
        self.setAccessibleName(self.tr("Files that are called so"))
        self._named: tuple[NamedDocument, ...] = ()
        self._lines = QVBoxLayout(self)
        self._lines.setContentsMargins(20, 8, 14, 8)
        self._lines.setSpacing(2)
        self.hide()

    @property
    def lines(self) -> list[str]:
        """What is shown, line by line."""
        return [label.accessibleName() for label in self.findChildren(QPushButton)]

    def show_named(self, named: tuple[NamedDocument, ...]) -> None:
        """Show the first of these; nothing for none."""
        if named[:_SHOWN] != self._named:
            self._named = named[:_SHOWN]
            while (item := self._lines.takeAt(0)) is not None:
                if (line := item.widget()) is not None:
                    line.setParent(None)
                    line.deleteLater()
            for one in self._named:
                self._lines.addWidget(self._line(one))
        self.setVisible(bool(self._named))

    def _line(self, named: NamedDocument) -> QWidget:
        line = QWidget()
        name = QPushButton(texts.name_of(named.path).replace("&", "&&"))
        name.setProperty("quiet", "true")
        name.setCursor(Qt.CursorShape.PointingHandCursor)
        name.setToolTip(texts.hint(self.tr("Open {0}").format(quoted(named.path))))
        state = self._state(named)
        spoken = f"{texts.name_of(named.path)}, {state}" if state else texts.name_of(named.path)
        name.setAccessibleName(spoken)
        name.clicked.connect(partial(self.opened.emit, named.path))
        place = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        place.setProperty("role", "muted")
        place.set_text(texts.shown_path(named.path.parent))
        told = Label(state)
        told.setProperty("role", "faint")
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(name)
        row.addWidget(place, 1)
        row.addWidget(told)
        return line

    def _state(self, named: NamedDocument) -> str:
        if named.reason:
            return said(named.reason)
        return self.tr("not read yet") if named.is_waiting else ""
