"""The way to the inspector: it is made when it is first asked for, not with the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.background import Lane
    from app.engine import Engine
    from app.inspector.dialog import Inspector
    from app.search.rows import PassageRow


class InspectorOpener(QObject):
    """Knows what the inspector is to show, before there is one and after."""

    def __init__(self, lane: Lane, window: QWidget) -> None:
        super().__init__(window)
        self._lane = lane
        self._window = window
        self._engine: Engine | None = None
        self._query = ""
        self._row: PassageRow | None = None
        self._dialog: Inspector | None = None

    @property
    def dialog(self) -> Inspector:
        """The inspector; made now if need be."""
        if self._dialog is None:
            # It stands on numpy, which would keep the window from the screen for a tenth of a
            # second. Whoever asks why has a result, and the engine has loaded numpy for it.
            from app.inspector.dialog import Inspector

            self._dialog = Inspector(self._lane, self._window)
            if self._engine is not None:
                self._dialog.use(self._engine)
            self._dialog.follow(self._query, self._row)
        return self._dialog

    def use(self, engine: Engine) -> None:
        self._engine = engine
        if self._dialog is not None:
            self._dialog.use(engine)

    def follow(self, query: str, row: PassageRow | None) -> None:
        """Take note of the passage that is chosen now, None for none, and of its query."""
        self._query, self._row = query, row
        if self._dialog is not None:
            self._dialog.follow(query, row)

    def open(self) -> None:
        """Show the inspector in front."""
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def hide(self) -> None:
        if self._dialog is not None:
            self._dialog.hide()
