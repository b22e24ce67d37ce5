"""Adding folders: which, by what rules, after a look at what that would do."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.library.add_dialog import AddDialog
from app.library.folders_dialog import FoldersDialog, ask_for_folder
from app.widgets.window_geometry import DialogSizes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.engine import Engine
    from app.session import Session
    from core.catalog.folders import Folder, FolderRules


class Adding(QObject):
    """Has the person look at each folder before it is added; one page after the other."""

    def __init__(
        self, session: Session, dialog: FoldersDialog, sizes: DialogSizes, window: QWidget
    ) -> None:
        super().__init__(window)
        self._session = session
        self._dialog = dialog
        self._sizes = sizes
        self._window = window
        self._engine: Engine | None = None
        self._waiting: deque[tuple[Path, FolderRules | None]] = deque()
        self._page: AddDialog | None = None
        session.opened.connect(self._use)
        dialog.add_wanted.connect(self.ask)
        dialog.rules_wanted.connect(self.change)

    @property
    def page(self) -> AddDialog | None:
        """The page that is open, if any."""
        return self._page

    def ask(self) -> None:
        """Let the person choose a folder."""
        ask_for_folder(self._parent()).fileSelected.connect(lambda path: self.add([Path(path)]))

    def add(self, folders: Iterable[Path]) -> None:
        """Show what adding these folders does; before the library is open they are just added."""
        if self._engine is None:
            self._session.add_folders(list(folders))
            return
        self._waiting.extend((folder, None) for folder in folders)
        self._turn()

    def change(self, folder: Folder) -> None:
        """Show what is left out of a folder that was added, and let the person change it."""
        self._waiting.append((folder.path, folder.rules))
        self._turn()

    def leave(self) -> None:
        """Add none of those that the person has not said yes to."""
        self._waiting.clear()
        if self._page is not None:
            self._page.reject()

    def _use(self, engine: Engine) -> None:
        self._engine = engine

    def _parent(self) -> QWidget:
        return self._dialog if self._dialog.isVisible() else self._window

    def _turn(self) -> None:
        """Open the page of the next folder, if none is open."""
        if self._page is not None or not self._waiting or self._engine is None:
            return
        folder, rules = self._waiting.popleft()
        parent = self._parent()
        self._page = AddDialog(self._engine, self._session.files, folder, rules, parent)
        self._sizes.hold(self._page, "adding")
        self._page.chosen.connect(self._session.add_folder)
        self._page.finished.connect(self._end_page)
        self._page.open()

    def _end_page(self, _result: int) -> None:
        self._page = None
        self._turn()
