"""The dialog on the library, built on first use, and where notices are shown while it is open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.errors import notice_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.library.folders_dialog import FoldersDialog
    from app.session import Session
    from app.widgets.notices import Notice, NoticeBar
    from app.widgets.window_geometry import DialogSizes
    from core.catalog.reports import Status


class LibraryDialogOwner(QObject):
    """Owns the dialog on the library, which costs much time to build."""

    # Carries the dialog, to be connected.
    built = Signal(object)

    def __init__(
        self, session: Session, sizes: DialogSizes, trouble: NoticeBar, window: QWidget
    ) -> None:
        super().__init__(window)
        self._session = session
        self._sizes = sizes
        self._trouble = trouble
        self._window = window
        self._dialog: FoldersDialog | None = None

    @property
    def dialog(self) -> FoldersDialog:
        """The dialog on the library."""
        if self._dialog is None:
            from app.library.folders_dialog import FoldersDialog

            self._dialog = FoldersDialog(self._session, self._window)
            self._sizes.hold(self._dialog, "folders")
            self.built.emit(self._dialog)
        return self._dialog

    def front(self) -> QWidget:
        """Return the window, or the dialog while that is open."""
        if self._dialog is not None and self._dialog.isVisible():
            return self._dialog
        return self._window

    def ask_removal(self, folder: Path) -> None:
        """Ask in the dialog whether to remove one of the library's folders."""
        self.dialog.present()
        self.dialog.ask_removal_of(folder)

    def show_status(self, status: Status) -> None:
        """Show the library's state in the dialog if it has been built."""
        if self._dialog is not None:
            self._dialog.show_status(status)

    def show_error(self, error: Exception) -> None:
        """Show an error where the person looks."""
        self.show_notice(notice_of(error))

    def show_notice(self, notice: Notice) -> None:
        """Show a notice in the window, or in the dialog while that is open."""
        is_in_window = self.front() is self._window
        (self._trouble if is_in_window else self.dialog.notice).show_notice(notice)

    def remove_error(self, error: Exception) -> None:
        """Remove the notice of an error whose cause is gone."""
        bars = [self._trouble, *([] if self._dialog is None else [self._dialog.notice])]
        for bar in bars:
            bar.retract(notice_of(error))
