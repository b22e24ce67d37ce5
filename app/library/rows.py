"""A list of rows, of which there may be a hundred thousand."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHeaderView, QTableView

_LOOKED_AT: Final = 20
"""Rows: by so many widths are found, not by all."""


class Rows(QTableView):
    """Whole rows are chosen, one at a time.

    A table and not a tree or a list, which ask the model for each row before they show one.
    """

    def __init__(self, name: str, height: int) -> None:
        """Make a list that screen readers call `name`, its rows `height` pixels high."""
        super().__init__()
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        heads = self.verticalHeader()
        heads.hide()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setMinimumSectionSize(height)
        heads.setDefaultSectionSize(height)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionsMovable(False)
        header.setResizeContentsPrecision(_LOOKED_AT)
