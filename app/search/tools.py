"""What a person does with a search beside typing it, connected to the parts of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.filters.filtering import Filtering
from app.icons import IconButton
from core.settings import Order

if TYPE_CHECKING:
    from app.body import Body
    from app.search.box import SearchBox
    from app.search.searcher import Searcher
    from app.session import Session
    from core.settings import Settings


class SearchTools(QObject):
    """Filters beside the results; each changes the query in the box, and nothing else."""

    def __init__(
        self, session: Session, searcher: Searcher, box: SearchBox, body: Body, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._searcher = searcher
        self._box = box
        self._body = body
        self.filtering = Filtering(session.reads, body.filters, self)
        self.filters_button = IconButton("filter", self.tr("Filters (F9)"))
        self.filters_button.setAccessibleName(self.tr("Filters"))
        self.filters_button.setShortcut("F9")
        self.filters_button.setCheckable(True)
        self.filters_button.toggled.connect(self._show_filters)
        box.changed.connect(self.filtering.follow)
        self.filtering.written.connect(self._search)
        searcher.answered.connect(lambda _: self.filtering.count(searcher.limit))
        body.results.end_reached.connect(self._ask_for_more)
        body.header.order_chosen.connect(self._reach)
        session.opened.connect(self.filtering.use)
        session.warmed.connect(self.filtering.use_meaning)
        session.grown.connect(lambda: self.filtering.count(searcher.limit))

    def restore(self, settings: Settings) -> None:
        """Show what was shown when the window was closed."""
        self._body.set_order(settings.order)
        self._reach(settings.order)
        self._body.set_filters_width(settings.filters_width)
        self.filters_button.setChecked(settings.filters_shown)
        self._show_filters(settings.filters_shown, by_person=False)

    def kept(self) -> dict[str, Any]:
        """Give what of the settings is chosen here."""
        return {
            "order": self._body.order,
            "filters_shown": self.filters_button.isChecked(),
            "filters_width": self._body.filters_width,
        }

    def _ask_for_more(self) -> None:
        answer = self._body.results.answer
        if answer is not None and len(answer.found) >= self._searcher.limit:
            self._searcher.ask_for_more()

    def _reach(self, order: Order) -> None:
        self._searcher.reach(is_far=order is not Order.RELEVANCE)

    def _show_filters(self, is_shown: bool, *, by_person: bool = True) -> None:
        had_focus = self._body.filters.tree.hasFocus()
        self.filtering.show(is_shown=is_shown)
        if is_shown and by_person:
            self._body.filters.setFocus()
        elif had_focus:
            self._box.setFocus()

    def _search(self, query: str) -> None:
        """Search for what was chosen, without waiting for a pause in typing."""
        self._box.set_text(query)
        self._searcher.ask_now()
