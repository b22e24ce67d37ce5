"""Filters, order, history, help and actions on results, connected to the window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QSignalBlocker, Signal

from app.filters.completion import FilterCompleter
from app.filters.filtering import Filtering
from app.search.box import OperatorHelp, QueryHelp, SearchBox, operators
from app.search.empty_lists import EmptyListsController
from app.search.history import History
from app.search.result_actions import ResultActions
from core.settings import Order, Settings

if TYPE_CHECKING:
    from app.background import Lane
    from app.main_view import MainView
    from app.reader.reader import ReaderView
    from app.search.searcher import Searcher
    from app.session import Session
    from app.widgets.icons import IconButton
    from core.requests import Answerer


# Characters of a selection that are searched for.
_LONGEST_SELECTION: Final = 300


class SearchTools(QObject):
    """Connects filters, order, history, help and actions on results with the search."""

    # A choice that must be stored immediately.
    changed = Signal()
    failed = Signal(object)

    def __init__(
        self,
        session: Session,
        searcher: Searcher,
        box: SearchBox,
        filters_button: IconButton,
        main_view: MainView,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._searcher = searcher
        self._box = box
        self._main_view = main_view
        self.filtering = Filtering(session.reads, main_view.filters, self)
        self.filters_button = filters_button
        self.filters_button.setAccessibleName(self.tr("Filters"))
        self.filters_button.setShortcut("F9")
        self.filters_button.setCheckable(True)
        self.filters_button.toggled.connect(self._show_filters)
        self._are_wanted = True
        main_view.arrangement.narrowed.connect(self._make_room)
        main_view.filters.left.connect(partial(self.filters_button.setChecked, False))
        self.history = History(self)
        self._lists = EmptyListsController(
            session.reads, main_view.start_lists, main_view.filter_lists, self
        )
        self._connect_filters(session)
        self._connect_lists(session)
        self._connect_history()
        self.actions = ResultActions(session, main_view.results, main_view.header, self)
        self.actions.query_created.connect(self._search)
        main_view.answer.copy_wanted.connect(self.actions.copy)
        self.actions.failed.connect(self.failed)
        main_view.spelling.chosen.connect(self._search)
        main_view.spelling.exactly_wanted.connect(searcher.ask_exactly)
        box.help_wanted.connect(partial(self._ask_for_help, session.reads))
        main_view.results.end_reached.connect(self._ask_for_more)
        main_view.header.order_chosen.connect(self._set_order)

    def _connect_filters(self, session: Session) -> None:
        box, searcher = self._box, self._searcher
        box.changed.connect(self.filtering.follow)
        self.filtering.written.connect(self._search)
        searcher.answered.connect(self.filtering.take)
        session.opened.connect(self.filtering.use)
        session.warmed.connect(self.filtering.use_meaning)
        session.grown.connect(self._count_again)
        self.filtering.separated.connect(box.show_separated)
        self.completer = FilterCompleter(session.reads, box, self)
        session.opened.connect(self.completer.use)
        session.grown.connect(self.completer.forget)

    def _connect_lists(self, session: Session) -> None:
        session.opened.connect(self._lists.use)
        view = self._main_view
        view.nothing_found.connect(self._lists.count_steps)
        for lists in (view.start_lists, view.filter_lists):
            lists.query_chosen.connect(self._search)
        view.start_lists.removed.connect(self.history.remove)
        view.start_lists.rename_wanted.connect(
            lambda query: self.history.ask_for_name(query, view.window())
        )
        self.history.changed.connect(self._list_searches)

    def _list_searches(self) -> None:
        history = self.history
        saved = {query: history.name_of(query) for query in history.saved}
        self._main_view.start_lists.show_searches(saved, history.recent)

    def take_reader(self, reader: ReaderView) -> None:
        """Add searches to the history if the person opens a document from the reader."""
        for turned in (reader.document_opened, reader.folder_opened):
            turned.connect(self._note)
        reader.copy_wanted.connect(self.actions.copy)
        reader.search_wanted.connect(self._search_for)

    def _search_for(self, text: str) -> None:
        """Search for text of a document, in which quotation marks and colons mean nothing."""
        from core.search.query.language import QUOTES

        plain = "".join(" " if sign in f"{QUOTES}:()" else sign for sign in text)
        self._search(" ".join(plain.split())[:_LONGEST_SELECTION])

    def use(self, libraries: Answerer) -> None:
        """Use these libraries for counts and actions."""
        self.filtering.use(libraries)
        self.completer.use(libraries)
        self._lists.use(libraries)
        self.actions.use(libraries)

    def _count_again(self) -> None:
        # A query is searched again, and its new results are counted.
        if not self._box.text().strip():
            self.filtering.count()
            self._lists.look_up_newest()

    def _connect_history(self) -> None:
        box, results = self._box, self._main_view.results
        box.changed.connect(self._show_star)
        box.star_clicked.connect(lambda: self.history.toggle(box.text()))
        box.history_wanted.connect(lambda: self.history.show_menu(box))
        # A search counts as successful if the person uses a result.
        for turned in (
            box.left_downwards,
            box.entered,
            box.entered_for_folder,
            results.clicked,
            results.document_opened,
            results.folder_opened,
        ):
            turned.connect(self._note)
        self.history.chosen.connect(self._search)
        self.history.changed.connect(self._show_star)
        self.history.changed.connect(self.changed)

    def restore(self, settings: Settings) -> None:
        """Restore the state from the settings."""
        self.history.restore(settings)
        self._list_searches()
        self._main_view.set_order(settings.order)
        self._set_order(settings.order)
        self._main_view.arrangement.set_filters_width(settings.filters_width)
        self._are_wanted = settings.filters_shown
        self._make_room(is_narrow=self._main_view.arrangement.is_narrow)

    def as_settings(self) -> dict[str, Any]:
        """Return the chosen values by the names of their settings."""
        return {
            "order": self._main_view.order,
            "recent_searches": self.history.recent,
            "saved_searches": self.history.saved,
            "filters_shown": self._are_wanted,
            "filters_width": self._main_view.arrangement.filters_width,
        }

    def _note(self) -> None:
        if self._main_view.shows_results:
            self.history.note(self._box.text())

    def _show_star(self) -> None:
        self._box.show_saved(is_saved=self.history.is_saved(self._box.text()))

    def _ask_for_help(self, lane: Lane) -> None:
        task = lane.start(operators)
        task.succeeded.connect(self._show_help)
        task.failed.connect(self.failed)

    def _show_help(self, help_of_operators: tuple[OperatorHelp, ...]) -> None:
        shown = QueryHelp(help_of_operators, self._box.window())
        shown.example_chosen.connect(self._box.add)
        shown.show_below(self._box)

    def _ask_for_more(self) -> None:
        answer = self._main_view.results.answer
        if answer is not None and len(answer.documents) >= self._searcher.limit:
            self._searcher.ask_for_more()

    def _set_order(self, order: Order) -> None:
        self._searcher.reach(is_far=order is not Order.RELEVANCE)

    def _make_room(self, is_narrow: bool) -> None:
        """Hide the side bar while the window is too narrow for it."""
        is_shown = self._are_wanted and not is_narrow
        with QSignalBlocker(self.filters_button):
            self.filters_button.setChecked(is_shown)
        self._show_filters(is_shown, by_person=False)

    def _show_filters(self, is_shown: bool, *, by_person: bool = True) -> None:
        if not self._main_view.arrangement.is_narrow:
            self._are_wanted = is_shown
        had_focus = self._main_view.filters.tree.hasFocus()
        self.filtering.show(is_shown=is_shown)
        self._main_view.arrangement.fit()
        if is_shown and by_person:
            self._main_view.filters.setFocus()
        elif had_focus:
            self._box.setFocus()

    def _search(self, query: str) -> None:
        """Search for a chosen query, without waiting for a pause in typing."""
        self._box.set_text(query)
        self._searcher.ask_now()
