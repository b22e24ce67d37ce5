"""One folder of the library, with its counts and a way to remove it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app import texts
from app.elided import ElidedLabel
from app.icons import Drawing, IconButton
from core.catalog.rules import NO_RULES

if TYPE_CHECKING:
    from pathlib import Path

    from core.catalog.records import Folder


class FolderRow(QFrame):
    """Shows a folder; removing it asks once, in place."""

    removed = Signal(object)
    """The person wants this folder (a Path) out of the library."""
    rules_wanted = Signal(object)
    """The person wants to see what is left out of this Folder."""

    def __init__(self, folder: Folder, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("folderRow")
        self._folder = folder
        self._path: Path = folder.path
        name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        name.set_text(texts.shown_path(folder.path))
        name.setToolTip(str(folder.path))
        name.setProperty("role", "title")
        self._counts = QLabel()
        self._counts.setProperty("role", "muted")
        self._counts.setWordWrap(True)
        self._rules = IconButton(
            "sieve", self.tr("What is left out of {0}").format(folder.path.name)
        )
        self._rules.clicked.connect(lambda: self.rules_wanted.emit(self._folder))
        self._remove = IconButton("trash", self.tr("Remove {0}").format(folder.path.name))
        self._remove.clicked.connect(self._ask)
        self._keep = QPushButton(self.tr("Keep"))
        self._keep.clicked.connect(self._stop_asking)
        self._really = QPushButton(self.tr("Remove"))
        self._really.setProperty("main", "true")
        self._really.clicked.connect(self._give_up)
        lines = QVBoxLayout()
        lines.setSpacing(3)
        lines.addWidget(name)
        lines.addWidget(self._counts)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 11, 10, 11)
        layout.setSpacing(12)
        layout.addWidget(Drawing("folder", 22))
        layout.addLayout(lines, 1)
        layout.addWidget(self._rules)
        layout.addWidget(self._remove)
        layout.addWidget(self._keep)
        layout.addWidget(self._really)
        self._stop_asking()

    @property
    def text(self) -> str:
        return self._counts.text()

    def show_folder(self, folder: Folder) -> None:
        """Show the counts anew, unless the person is being asked something."""
        self._folder = folder
        if not self._remove.isHidden():
            self._counts.setText(self._counts_text())

    def _counts_text(self) -> str:
        if not self._folder.is_there:
            return self.tr("Cannot be reached at the moment; nothing is forgotten meanwhile.")
        parts = [texts.documents(self._folder.documents)]
        if self._folder.failed:
            parts.append(self.tr("%Ln could not be read", "", self._folder.failed))
        if self._folder.rules != NO_RULES:
            parts.append(self.tr("with rules of your own"))
        return " · ".join(parts)

    def _ask(self) -> None:
        self._counts.setText(self.tr("Remove from Winnow? The files stay where they are."))
        self._rules.hide()
        self._remove.hide()
        self._keep.show()
        self._really.show()
        self._keep.setFocus()

    def _stop_asking(self) -> None:
        self._keep.hide()
        self._really.hide()
        self._rules.show()
        self._remove.show()
        self._counts.setText(self._counts_text())

    def _give_up(self) -> None:
        self._keep.setEnabled(False)
        self._really.setEnabled(False)
        self._counts.setText(self.tr("Removing…"))
        self.removed.emit(self._path)
