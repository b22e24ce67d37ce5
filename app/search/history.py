"""Recent searches, and saved ones with their names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from app.palette import scheme_of
from app.text_size import px
from app.widgets.icons import icon
from app.widgets.menus import Menu
from app.widgets.notices import Notice
from core.printable import quoted

if TYPE_CHECKING:
    from core.settings import Settings


_MAX_RECENT: Final = 100
_MAX_IN_MENU: Final = 12
_MAX_LABEL_LENGTH: Final = 80


class History(QObject):
    """Remembers queries whose results were opened, and saved queries."""

    chosen = Signal(str)
    """The query to search for again."""
    changed = Signal()
    """The recent or saved queries have changed."""
    edited = Signal(object)
    """A Notice about a change by the person, which its action undoes."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        # The recent queries, latest first.
        self.recent: tuple[str, ...] = ()
        # The saved queries in the order in which they were saved, with the names given to them.
        self.saved: Mapping[str, str] = {}

    def restore(self, settings: Settings) -> None:
        self.recent, self.saved = settings.recent_searches, settings.saved_searches

    def note(self, query: str) -> None:
        """Remember a query as the latest one."""
        query = query.strip()
        if query and query != next(iter(self.recent), ""):
            rest = [earlier for earlier in self.recent if earlier != query]
            self.recent = (query, *rest)[:_MAX_RECENT]
            self.changed.emit()

    def is_saved(self, query: str) -> bool:
        return query.strip() in self.saved

    def name_of(self, query: str) -> str:
        """Return the name of a query: the one given by the person, or its words and filters."""
        return self.saved.get(query) or readable_name(query)

    def ask_for_name(self, query: str, parent: QWidget) -> None:
        """Let the person change the name of a saved query."""
        dialog = QInputDialog(parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(self.tr("Rename saved search"))
        dialog.setLabelText(self.tr("Name of the search “{0}”:").format(quoted(_short(query))))
        dialog.setOkButtonText(self.tr("Rename"))
        dialog.setCancelButtonText(self.tr("Cancel"))
        dialog.setTextValue(self.name_of(query))
        dialog.textValueSelected.connect(partial(self.rename, query))
        dialog.open()

    def rename(self, query: str, name: str) -> None:
        """Give a saved query a name; "" for its words and filters."""
        name = " ".join(name.split())[:_MAX_LABEL_LENGTH]
        if query in self.saved:
            own = "" if name == readable_name(query) else name
            self._edit(self.recent, {**self.saved, query: own}, self.tr("Search renamed"))

    def toggle(self, query: str) -> None:
        """Save a query, or remove it from the saved ones."""
        query = query.strip()
        if query in self.saved:
            self._edit(
                self.recent, _without(self.saved, query), self.tr("Search removed from the list")
            )
        else:
            sentence = self.tr("Search saved as “{0}”").format(quoted(self.name_of(query)))
            self._edit(self.recent, {**self.saved, query: ""}, sentence)

    def remove(self, query: str) -> None:
        """Remove a query from the saved and the recent ones."""
        recent = tuple(other for other in self.recent if other != query)
        self._edit(recent, _without(self.saved, query), self.tr("Search removed from the list"))

    def clear(self) -> None:
        """Forget the recent queries."""
        self._edit((), self.saved, self.tr("Recent searches cleared"))

    def _edit(self, recent: tuple[str, ...], saved: Mapping[str, str], sentence: str) -> None:
        """Change the queries, and say so with the offer to undo it."""
        undo = partial(self._set, self.recent, self.saved)
        self._set(recent, saved)
        self.edited.emit(Notice(sentence, is_plain=True, action=self.tr("Undo"), act=undo))

    def _set(self, recent: tuple[str, ...], saved: Mapping[str, str]) -> None:
        self.recent, self.saved = recent, saved
        self.changed.emit()

    def show_menu(self, below: QWidget) -> QMenu:
        """Show the queries in a menu below a widget; the menu deletes itself."""
        menu = Menu(below)
        menu.setAccessibleName(self.tr("Saved and recent searches"))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        color = scheme_of(below.palette()).muted
        for query in self.saved:
            action = menu.addAction(icon("starred", color), _shown(self.name_of(query)))
            action.triggered.connect(partial(self.chosen.emit, query))
        if self.saved:
            menu.addSeparator()
        recent = [earlier for earlier in self.recent if earlier not in self.saved][:_MAX_IN_MENU]
        for query in recent:
            action = menu.addAction(icon("history", color), _shown(query))
            action.triggered.connect(partial(self.chosen.emit, query))
        if recent:
            menu.addSeparator()
            menu.addAction(self.tr("Clear recent searches"), self.clear)
        if menu.isEmpty():
            nothing = self.tr("No saved or recent searches")
            menu.addAction(nothing).setEnabled(False)
        menu.setMinimumWidth(min(below.width(), px(560)))
        menu.popup(below.mapToGlobal(QPoint(0, below.height() + 4)))
        if menu.actions()[0].isEnabled():
            menu.setActiveAction(menu.actions()[0])
        return menu


def _without(saved: Mapping[str, str], query: str) -> dict[str, str]:
    return {other: name for other, name in saved.items() if other != query}


_FILTER: Final = re.compile(r'(?<!\S)[a-z]+:("[^"]+"|[^\s"/]+)(?!\S)')


def readable_name(query: str) -> str:
    """Return a name for a query: its words, then the values of its filters.

    >>> readable_name('invoice type:pdf in:"tax 2024"')
    'invoice · pdf · tax 2024'
    >>> readable_name("-draft http://example.org")
    '-draft http://example.org'
    """
    values = [match[1].strip('"') for match in _FILTER.finditer(query)]
    words = " ".join(_FILTER.sub(" ", query).split())
    return " · ".join(filter(None, (words, *values)))


def _short(query: str) -> str:
    return query if len(query) <= _MAX_LABEL_LENGTH else query[: _MAX_LABEL_LENGTH - 1] + "…"


def _shown(query: str) -> str:
    """Return a query as a menu label: shortened, with & escaped."""
    return _short(query).replace("&", "&&")
