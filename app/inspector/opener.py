"""Creates the inspector on first use, not with the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.widgets.window_geometry import DialogSizes, bring_forward

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.background import Lane
    from app.inspector.dialog import Inspector
    from app.search.results_view import ResultsView
    from app.search.rows import PassageRow
    from core.requests import Answerer
    from core.search.output.match import QueryWord


class InspectorOpener(QObject):
    """Holds the inspector's content, whether or not the dialog exists yet."""

    def __init__(
        self, lane: Lane, results: ResultsView, sizes: DialogSizes, window: QWidget
    ) -> None:
        super().__init__(window)
        self._lane = lane
        self._results = results
        self._sizes = sizes
        self._window = window
        self._library: Answerer | None = None
        self._query = ""
        self._row: PassageRow | None = None
        self._words: tuple[QueryWord, ...] = ()
        self._dialog: Inspector | None = None
        results.passage_chosen.connect(self._follow)
        # There may be an answer already.
        self._follow(results.chosen)

    @property
    def dialog(self) -> Inspector:
        """The inspector, created on first access."""
        if self._dialog is None:
            # Imports numpy, which would delay the window by a tenth of a second. When there is a
            # result to explain, the engine has loaded numpy already.
            from app.inspector.dialog import Inspector

            self._dialog = Inspector(self._lane, self._window)
            self._sizes.hold(self._dialog, "inspector")
            if self._library is not None:
                self._dialog.use(self._library)
            self._dialog.follow(self._query, self._row, self._words)
        return self._dialog

    def use(self, library: Answerer) -> None:
        self._library = library
        if self._dialog is not None:
            self._dialog.use(library)

    def open(self) -> None:
        """Show the inspector and raise it."""
        bring_forward(self.dialog)

    def _follow(self, row: PassageRow | None) -> None:
        answer = self._results.answer
        self._query, self._row = (answer.results.query if answer is not None else ""), row
        self._words = answer.words if answer is not None else ()
        if self._dialog is not None:
            self._dialog.follow(self._query, row, self._words)
