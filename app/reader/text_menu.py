"""The menu of text in the reader: copying and searching for the selected words."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QCoreApplication, Qt, SignalInstance
from PySide6.QtGui import QContextMenuEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from app.widgets.menus import Menu


class SelectableView(Protocol):
    """A view with text that can be selected."""

    copy_wanted: SignalInstance
    """The text to copy with its source, or "" for the passage."""
    search_wanted: SignalInstance
    """The text to search for."""


def open_text_menu(
    view: SelectableView,
    event: QContextMenuEvent,
    selected: str,
    copy: Callable[[], object],
    select_all: Callable[[], object],
) -> None:
    """Open the menu of a view at the point of an event; it deletes itself."""
    assert isinstance(view, QWidget)
    menu = Menu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    copying = menu.addAction(_tr("Copy"), copy)
    copying.setShortcut(QKeySequence.StandardKey.Copy)
    copying.setEnabled(bool(selected))
    menu.addAction(_tr("Copy with source"), partial(view.copy_wanted.emit, selected))
    searching = menu.addAction(
        _tr("Search for selection"), partial(view.search_wanted.emit, selected)
    )
    searching.setEnabled(bool(selected))
    menu.addSeparator()
    everything = menu.addAction(_tr("Select all"), select_all)
    everything.setShortcut(QKeySequence.StandardKey.SelectAll)
    menu.popup(event.globalPos())


def _tr(text: str) -> str:
    return QCoreApplication.translate("TextView", text)
