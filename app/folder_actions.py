"""The menu of a folder, in the side bar, on the Folders page and for results."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app import texts
from app.widgets.menus import Menu, copy_path
from app.widgets.notices import Notice

if TYPE_CHECKING:
    from pathlib import Path

    from app.desktop.opening import Opener
    from app.session import Session
    from core.indexing.scan.exclusion import Exclusion


class FolderActions(QObject):
    """Searches, updates, shows, excludes or removes a folder."""

    # The person wants to search only a folder; carries its Path.
    only_wanted = Signal(object)
    # The person wants to remove one of the library's folders; carries its Path.
    removal_wanted = Signal(object)
    # Carries a Notice with a button to undo an exclusion.
    excluded = Signal(object)

    def __init__(self, session: Session, opener: Opener, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._opener = opener
        session.excluded.connect(self._report)

    def show_menu(self, folder: Path, point: QPoint, parent: QWidget) -> QMenu:
        """Show the menu of a folder at a `point` on the screen; it deletes itself."""
        menu = Menu(parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Only this folder"), partial(self.only_wanted.emit, folder))
        menu.addAction(self.tr("Update this folder"), partial(self._session.update_folder, folder))
        menu.addSeparator()
        menu.addAction(self.tr("Show in folder"), partial(self._opener.open_folder, folder))
        menu.addAction(self.tr("Copy path"), partial(copy_path, folder))
        menu.addSeparator()
        self._add_exclusion(menu, folder)
        menu.popup(point)
        return menu

    def add_to(self, menu: QMenu, folder: Path) -> None:
        """Add the entries for the folder of a result to its menu."""
        menu.addSeparator()
        menu.addAction(self.tr("Only this folder"), partial(self.only_wanted.emit, folder))
        if not self._is_root(folder):
            self._add_exclusion(menu, folder)

    def _add_exclusion(self, menu: QMenu, folder: Path) -> None:
        """Add the entry that excludes or removes a folder, once the library's are known."""
        if self._session.state is None:
            return
        if self._is_root(folder):
            menu.addAction(
                self.tr("Remove from library…"), partial(self.removal_wanted.emit, folder)
            )
        else:
            menu.addAction(
                self.tr("Exclude this folder"), partial(self._session.exclude_folder, folder)
            )

    def _is_root(self, folder: Path) -> bool:
        state = self._session.state
        return state is not None and any(root.path == folder for root in state.folders)

    def _report(self, exclusion: Exclusion) -> None:
        sentence = self.tr("{0} is excluded.").format(texts.shown_path(exclusion.path))
        undo = partial(self._session.include_folder, exclusion)
        self.excluded.emit(Notice(sentence, is_plain=True, action=self.tr("Undo"), act=undo))
