"""The lists below the hint without results: searches and documents to open, filters to remove."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app import texts
from app.background import Lane, Latest
from app.palette import scheme_of
from app.search.row_labels import folder_labels, kind_tag, shown_day
from app.search.rows import shown_title
from app.text_size import px
from app.widgets.controls import Button, ElidedLabel, Label
from app.widgets.icons import IconButton, icon
from app.widgets.layouts import fill, horizontal, vertical
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.progress import Job
    from core.requests import Answerer
    from core.responses import DocumentHit
    from core.search.near_misses import NearMiss

# Entries per list.
_MOST_SHOWN: Final = 5
_MOST_LETTERS: Final = 60
# Pixels at a text size of 100 %.
_WIDTH: Final = 560


class _Lists(QFrame):
    """Lines of buttons, in a column of limited width; hidden while empty or not wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("emptyLists")
        self.setMaximumWidth(px(_WIDTH))
        self._lines = vertical(self, margins=(0, 8, 0, 0), spacing=2)
        self._is_wanted = False
        self.hide()

    def set_wanted(self, *, is_wanted: bool) -> None:
        """Show the lines, if there are any, or hide them."""
        self._is_wanted = is_wanted
        self.setVisible(is_wanted and self._lines.count() > 0)

    def _fill(self, lines: Sequence[QWidget]) -> None:
        while (item := self._lines.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.setParent(None)
                old.deleteLater()
        for line in lines:
            self._lines.addWidget(line)
        self.set_wanted(is_wanted=self._is_wanted)

    def _button(self, text: str, drawing: str, press: Callable[[], object]) -> Button:
        shown = text if len(text) <= _MOST_LETTERS else text[: _MOST_LETTERS - 1] + "…"
        button = Button(shown.replace("&", "&&"), press, "quiet")
        if drawing:
            button.setIcon(icon(drawing, scheme_of(self.palette()).muted, 16))
        button.setAccessibleName(text)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        return button

    # Qt's names

    def sizeHint(self) -> QSize:
        # The muted texts are elided, and have no width of their own.
        return QSize(px(_WIDTH), super().sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setMaximumWidth(px(_WIDTH))


def _line(start: QWidget, muted_text: str, *ends: QWidget) -> QWidget:
    """Return a line with a widget, a muted text, and further widgets at its end."""
    line = QWidget()
    about = ElidedLabel(Qt.TextElideMode.ElideMiddle, role="muted")
    about.set_text(muted_text)
    row = fill(horizontal(line, margins=(0, 0, 0, 0), spacing=8), start, (about, 1))
    for end in ends:
        row.addWidget(end)
    return line


class StartLists(_Lists):
    """Saved and recent searches and the newest documents, while the search box is empty."""

    query_chosen = Signal(str)
    document_opened = Signal(object)
    """The DocumentHit to open."""
    removed = Signal(str)
    """The query to remove from its list."""
    rename_wanted = Signal(str)
    """The saved query to name."""

    def __init__(self) -> None:
        super().__init__()
        self._saved: Mapping[str, str] = {}
        self._recent: tuple[str, ...] = ()
        self._newest: tuple[DocumentHit, ...] = ()

    def show_searches(self, saved: Mapping[str, str], recent: Sequence[str]) -> None:
        """Show the first of these searches: saved ones with their names, and recent ones."""
        shown = tuple(query for query in recent if query not in saved)
        searches = dict(islice(saved.items(), _MOST_SHOWN)), shown[:_MOST_SHOWN]
        if searches != (self._saved, self._recent):
            self._saved, self._recent = searches
            self._show()

    def show_newest(self, newest: Sequence[DocumentHit]) -> None:
        """Show these documents."""
        if tuple(newest) != self._newest:
            self._newest = tuple(newest)
            self._show()

    def _show(self) -> None:
        lines: list[QWidget] = []
        for title, drawing, names in (
            (self.tr("Saved searches"), "starred", self._saved),
            (self.tr("Recent searches"), "history", {query: query for query in self._recent}),
        ):
            if names:
                lines.append(Label(title, role="muted"))
            for query, name in names.items():
                search = self._button(name, drawing, partial(self.query_chosen.emit, query))
                remove = IconButton("close", self.tr("Remove {0}").format(name), size=12)
                remove.clicked.connect(partial(self.removed.emit, query))
                ends = [remove]
                if query in self._saved:
                    rename = IconButton("rename", self.tr("Rename {0}").format(name), size=14)
                    rename.clicked.connect(partial(self.rename_wanted.emit, query))
                    ends.insert(0, rename)
                lines.append(_line(search, "" if query == name else quoted(query), *ends))
        if self._newest:
            lines.append(Label(self.tr("Newest documents"), role="muted"))
        lines.extend(map(self._document, self._newest))
        self._fill(lines)

    def _document(self, hit: DocumentHit) -> QWidget:
        title = shown_title(hit)
        button = self._button(title, "", partial(self.document_opened.emit, hit))
        button.setToolTip(texts.hint(texts.shown_document_path(hit)))
        about = (kind_tag(hit), folder_labels(hit)[0], shown_day(hit))
        return _line(button, " · ".join(filter(None, about)))


class FilterLists(_Lists):
    """The filters, phrases and exclusions of a query without results, with counts and buttons."""

    query_chosen = Signal(str)
    """The query without one of them."""

    def show_counts(self, steps: Sequence[NearMiss]) -> None:
        """Show phrases and exclusions that hide results, then filters.

        Of the filters those that match nothing come first.
        """
        others = [step for step in steps if step.kind != "filter" and step.without]
        filters = [step for step in steps if step.kind == "filter"]
        filters.sort(key=lambda step: (step.alone > 0, -step.without))
        self._fill([*map(self._step, others), *map(self._filter, filters)])

    def _step(self, step: NearMiss) -> QWidget:
        name = quoted(step.text)
        count = texts.documents(step.without)
        if step.kind == "quotes":
            return self._with_button(
                step,
                self.tr("{0} without quotation marks").format(count),
                self.tr("Remove the quotation marks of {0}").format(name),
            )
        return self._with_button(
            step, self.tr("{0} without it").format(count), self.tr("Remove {0}").format(name)
        )

    def _filter(self, count: NearMiss) -> QWidget:
        parts = [texts.documents(count.alone)]
        if count.alone and count.without:
            parts.append(self.tr("{0} without it").format(texts.documents(count.without)))
        removal = self.tr("Remove {0}").format(quoted(count.text))
        return self._with_button(count, " · ".join(parts), removal)

    def _with_button(self, step: NearMiss, about: str, removal: str) -> QWidget:
        label = Label(texts.left_to_right(quoted(step.text)), role="title")
        remove = IconButton("close", removal)
        remove.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        remove.clicked.connect(lambda: self.query_chosen.emit(step.query))
        return _line(label, about, remove)


class EmptyListsController(QObject):
    """Looks up the newest documents, and counts for empty results, in the background."""

    def __init__(
        self, lane: Lane, start: StartLists, filters: FilterLists, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._library: Answerer | None = None
        self._filters = filters
        # Errors are reported by the searches, which fail with the same error.
        self._newest = Latest(lane, self, start.show_newest)
        self._counting = Latest(lane, self, filters.show_counts)

    @property
    def is_running(self) -> bool:
        """Whether something is being looked up."""
        return self._newest.is_running or self._counting.is_running

    def use(self, library: Answerer) -> None:
        """Replace the library, and look up its newest documents."""
        self._library = library
        self.look_up_newest()

    def look_up_newest(self) -> None:
        """Show the newest documents."""
        if self._library is not None:
            self._newest.start(partial(_newest_documents, self._library))

    def count_steps(self, typed: str) -> None:
        """Show what a query finds with one step less; "" for none."""
        if typed and self._library is not None:
            self._counting.start(partial(_near_misses, self._library, typed))
        else:
            self._counting.drop()
            self._filters.show_counts(())


def _near_misses(library: Answerer, typed: str, job: Job) -> tuple[NearMiss, ...]:
    from core.search.near_misses import near_misses

    return near_misses(library, typed, job)


def _newest_documents(library: Answerer, job: Job) -> tuple[DocumentHit, ...]:
    from core.requests import Search
    from core.responses import Mode
    from core.search.query.addressing import EVERYTHING

    request = Search(EVERYTHING, Mode.WORDS, _MOST_SHOWN, is_refined=False)
    return library.answer(request, job).hits
