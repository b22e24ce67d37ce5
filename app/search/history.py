"""Searches that were made before and those that were saved, offered in a menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.palette import scheme_of
from app.widgets.icons import icon

if TYPE_CHECKING:
    from core.settings import Settings

_MOST_KEPT: Final = 100
_MOST_SHOWN: Final = 12
_LONGEST_SHOWN: Final = 80


class History(QObject):
    """Remembers queries by which something was found that the person turned to."""

    chosen = Signal(str)
    """The person wants this query again."""
    changed = Signal()
    """What is remembered is different from before."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._recent: tuple[str, ...] = ()
        self._saved: tuple[str, ...] = ()

    @property
    def recent(self) -> tuple[str, ...]:
        """The queries, the latest first."""
        return self._recent

    @property
    def saved(self) -> tuple[str, ...]:
        """The queries that were saved, in the order in which they were."""
        return self._saved

    def restore(self, settings: Settings) -> None:
        self._recent, self._saved = settings.recent_searches, settings.saved_searches

    def note(self, query: str) -> None:
        """Remember a query as the latest one."""
        query = query.strip()
        if query and query != next(iter(self._recent), ""):
            others = [one for one in self._recent if one != query]
            self._recent = (query, *others)[:_MOST_KEPT]
            self.changed.emit()

    def is_saved(self, query: str) -> bool:
        return query.strip() in self._saved

    def toggle(self, query: str) -> None:
        """Save a query, or forget that it was saved."""
        query = query.strip()
        rest = tuple(one for one in self._saved if one != query)
        self._saved = rest if query in self._saved else (*rest, query)
        self.changed.emit()

    def clear(self) -> None:
        """Forget the queries that were not saved."""
        self._recent = ()
        self.changed.emit()

    def show_menu(self, below: QWidget) -> QMenu:
        """Offer the queries in a menu below a widget; it deletes itself."""
        menu = QMenu(below)
        menu.setAccessibleName(self.tr("Saved and recent searches"))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        color = scheme_of(below.palette()).muted
        for query in self._saved:
            action = menu.addAction(icon("starred", color), _shown(query))
            action.triggered.connect(partial(self.chosen.emit, query))
        if self._saved:
            menu.addSeparator()
        recent = [one for one in self._recent if one not in self._saved][:_MOST_SHOWN]
        for query in recent:
            action = menu.addAction(icon("history", color), _shown(query))
            action.triggered.connect(partial(self.chosen.emit, query))
        if recent:
            menu.addSeparator()
            menu.addAction(self.tr("Clear recent searches"), self.clear)
        if menu.isEmpty():
            nothing = self.tr("Searches that helped you are listed here, and those you save.")
            menu.addAction(nothing).setEnabled(False)
        menu.setMinimumWidth(min(below.width(), 560))
        menu.popup(below.mapToGlobal(QPoint(0, below.height() + 4)))
        if menu.actions()[0].isEnabled():
            menu.setActiveAction(menu.actions()[0])
        return menu


def _shown(query: str) -> str:
    """Give a query as a menu shows it, in which & would underline the next letter."""
    short = query if len(query) <= _LONGEST_SHOWN else query[: _LONGEST_SHOWN - 1] + "…"
    return short.replace("&", "&&")
