"""The library page on duplicate files and the space they use."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from app import texts
from app.widgets.controls import Button, Label
from app.widgets.layouts import fill, horizontal, vertical
from app.widgets.tables import RowModel, RowTable
from core.catalog.text.normalisation import day_of
from core.printable import quoted

if TYPE_CHECKING:
    from core.catalog.copies import CopiedFile, CopiesReport, CopyGroup


class CopyColumn(IntEnum):
    """The columns of the list of copies."""

    FILE = 0
    CHANGED = 1
    SIZE = 2


@dataclass(frozen=True, slots=True)
class _Line:
    """The heading of a group, or one of its files."""

    group: CopyGroup
    file: CopiedFile | None = None


class CopiesModel(RowModel):
    """Groups, each with a heading row and a row per file."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, {CopyColumn.CHANGED, CopyColumn.SIZE})
        self.titles = (self.tr("File"), self.tr("Modified"), self.tr("Size"))
        self._groups: tuple[CopyGroup, ...] = ()

    def show_groups(self, groups: tuple[CopyGroup, ...]) -> bool:
        """Show groups; return whether they changed."""
        if groups == self._groups:
            return False
        self._groups = groups
        files = ((None, *group.files) for group in groups)
        pairs = zip(groups, files, strict=True)
        self.show_rows([_Line(group, file) for group, listed in pairs for file in listed])
        return True

    def file(self, row: int) -> CopiedFile | None:
        """Return the file of a row; None for a heading."""
        return self.rows[row].file if 0 <= row < len(self.rows) else None

    def text(self, line: _Line, column: int) -> str:
        group, file = line.group, line.file
        if file is None:
            if column == CopyColumn.FILE:
                count = texts.grouped(len(group.files))
                name = self.tr("{0} copies") if group.is_exact else self.tr("{0} versions")
                return name.format(count)
            return texts.size(group.room_bytes) if column == CopyColumn.SIZE else ""
        match column:
            case CopyColumn.FILE:
                return "    " + texts.shown_path(file.path)
            case CopyColumn.CHANGED:
                return texts.day(day_of(file.changed_ns))
        return texts.size(file.size_bytes)

    def hint(self, line: _Line) -> str:
        if line.file is not None:
            return texts.hint(quoted(line.file.path))
        if line.group.is_exact:
            return self.tr("Identical content. Keeping only one file would free this much space.")
        return self.tr("Nearly identical text. Keeping only one file would free this much space.")

    def is_heading(self, line: _Line) -> bool:
        return line.file is None


# Groups of copies, and of versions, that are shown: the largest ones.
SHOWN: Final = 200


class CopiesPage(QWidget):
    """Lists the largest groups first. It shows where the files are; it deletes nothing."""

    # The person wants to see a file in its folder; carries a Path.
    folder_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.model = CopiesModel(self)
        self.summary = Label(self.tr("Looking for duplicates…"), wraps=True)
        self._note = Label("", role="muted", wraps=True)
        self.view = RowTable(self.tr("Duplicate files"), 1.8)
        self.view.setObjectName("copies")
        self.view.show_model(self.model)
        self.show_folder = Button(self.tr("&Show in folder"), self._ask_for_folder)
        self.view.selectionModel().currentChanged.connect(self._enable)
        self.view.doubleClicked.connect(self._ask_for_folder)
        buttons = fill(horizontal(), (self._note, 1), self.show_folder)
        layout = vertical(self, margins=(0, 12, 0, 0), spacing=10)
        # The summary stays at the top when there is no list below it.
        fill(layout, (self.summary, Qt.AlignmentFlag.AlignTop), (self.view, 1), buttons)
        self._enable()

    def show_report(self, report: CopiesReport) -> None:
        """Show the report; the selected file stays selected if it is still listed."""
        chosen = self.model.file(self.view.currentIndex().row())
        with QSignalBlocker(self.view.selectionModel()):
            if self.model.show_groups(report.groups) and chosen is not None:
                self._choose(chosen)
        self.summary.setText(self._summary_of(report))
        self.view.setVisible(bool(report.groups))
        self.show_folder.setVisible(bool(report.groups))
        self._note.setText(self._note_of(report))
        self._enable()

    def _choose(self, chosen: CopiedFile) -> None:
        for row in range(self.model.rowCount()):
            if (file := self.model.file(row)) is not None and file.path == chosen.path:
                self.view.setCurrentIndex(self.model.index(row, 0))
                return

    def _summary_of(self, report: CopiesReport) -> str:
        parts = []
        if report.exact.groups:
            parts.append(
                self.tr("Identical: {0}; the extra copies take up {1}.").format(
                    texts.files(report.exact.files), texts.size(report.exact.room_bytes)
                )
            )
        if report.versions.groups:
            parts.append(
                self.tr("Nearly identical: {0}; the extra versions take up {1}.").format(
                    texts.files(report.versions.files), texts.size(report.versions.room_bytes)
                )
            )
        return " ".join(parts) or self.tr("There are no duplicates in your folders.")

    def _note_of(self, report: CopiesReport) -> str:
        if report.waiting:
            sentence = self.tr("{0} not compared yet. They are compared at the next update.")
            return sentence.format(texts.documents(report.waiting))
        groups = report.exact.groups + report.versions.groups
        return self.tr("Only the largest groups are shown.") if len(report.groups) < groups else ""

    def _enable(self) -> None:
        row = self.view.currentIndex().row()
        self.show_folder.setEnabled(self.model.file(row) is not None)

    def _ask_for_folder(self) -> None:
        if (file := self.model.file(self.view.currentIndex().row())) is not None:
            self.folder_wanted.emit(file.path)
