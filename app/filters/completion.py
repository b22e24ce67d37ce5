"""Completion of filters while they are typed, from the values in the library."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QModelIndex, QObject, QRect, Qt
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QFrame, QHeaderView, QTreeView

from app import texts
from app.background import Lane, Latest
from app.filters.tree import recent_periods
from app.namesakes import outer_folders
from app.text_size import px
from app.translation import translated
from core.addresses import readable_path
from core.catalog.text.normalisation import fold
from core.documents.formats import kind_name
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.search.box import SearchBox
    from core.progress import Job
    from core.requests import Answerer
    from core.responses import Facets

# A filter before the cursor, whose value may be an open phrase.
_TYPED: Final = re.compile(
    r'(?<!\S)-?(type|in|author|tag|from|to|date|after|before):(?:"([^"]*)|([^\s"]*))$',
    re.IGNORECASE,
)
_MOST_SHOWN: Final = 8
_WIDTH: Final = 340


@dataclass(frozen=True, slots=True)
class Completion:
    """A value of a filter, its name for the person, and its number of documents if known."""

    value: str
    label: str
    document_count: int | None


class FilterCompleter(QObject):
    """Offers values in a list below the box, which the arrow keys, Enter and Tab choose from."""

    def __init__(self, lane: Lane, box: SearchBox, parent: QObject) -> None:
        super().__init__(parent)
        self._box = box
        self._library: Answerer | None = None
        self._facets: Facets | None = None
        # The typed filter: its key, and where it begins in the text.
        self._key, self._start = "", 0
        self._model = QStandardItemModel(0, 2, self)
        self.popup = QTreeView()
        self.popup.setObjectName("completions")
        self.popup.setAccessibleName(self.tr("Values of the filter"))
        self.popup.setRootIsDecorated(False)
        self.popup.setAllColumnsShowFocus(True)
        self.popup.setUniformRowHeights(True)
        self.popup.setHeaderHidden(True)
        self.popup.setFrameShape(QFrame.Shape.NoFrame)
        self._completer = QCompleter(self._model, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setMaxVisibleItems(_MOST_SHOWN)
        self._completer.setPopup(self.popup)
        self._completer.setWidget(box.edit)
        scrolls = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.popup.setVerticalScrollBarPolicy(scrolls)
        self.popup.header().setStretchLastSection(False)
        self.popup.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.popup.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        # After the completer, to see keys first.
        self.popup.installEventFilter(self)
        self._completer.activated[QModelIndex].connect(self._choose)  # type: ignore[index] # by type
        # Errors are reported by the search, which fails with the same error.
        self._looking_up = Latest(lane, self, self._offer)
        box.cursor_moved.connect(self._follow)

    @property
    def is_looking_up(self) -> bool:
        return self._looking_up.is_running

    @property
    def offered(self) -> tuple[str, ...]:
        """The values in the list; none while it is hidden."""
        rows = range(self._model.rowCount()) if self.popup.isVisible() else ()
        return tuple(self._model.item(row).data() for row in rows)

    def use(self, library: Answerer) -> None:
        """Replace the library."""
        self._library, self._facets = library, None

    def forget(self) -> None:
        """Look up the values again when they are next needed: the library has changed."""
        self._facets = None

    def _follow(self) -> None:
        edit = self._box.edit
        before = edit.text()[: edit.cursorPosition()]
        match = _TYPED.search(before) if edit.hasFocus() and not edit.hasSelectedText() else None
        if match is None or self._library is None:
            self._looking_up.drop()
            self.popup.hide()
            return
        self._key, self._start = match[1].lower(), match.start()
        typed = match[2] if match[2] is not None else match[3]
        look_up = partial(_completions, self._library, self._facets, self._key, typed)
        self._looking_up.start(look_up)

    def _offer(self, result: tuple[Facets, tuple[Completion, ...]]) -> None:
        self._facets, completions = result
        self._model.removeRows(0, self._model.rowCount())
        for completion in completions:
            value, count = QStandardItem(completion.label), QStandardItem()
            value.setData(completion.value)
            count.setTextAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
            if completion.document_count is not None:
                count.setText(texts.grouped(completion.document_count))
                count.setAccessibleText(texts.documents(completion.document_count))
            self._model.appendRow([value, count])
        if not completions:
            self.popup.hide()
            return
        edit = self._box.edit
        left = edit.fontMetrics().horizontalAdvance(edit.text()[: self._start])
        room = QRect(min(left, edit.width()), 0, px(_WIDTH), edit.height() + px(8))
        self._completer.complete(room)
        self.popup.setCurrentIndex(QModelIndex())

    def _choose(self, index: QModelIndex) -> None:
        from core.search.query.language import Clause

        value = index.siblingAtColumn(0).data(Qt.ItemDataRole.UserRole + 1)
        minus = "-" if self._box.edit.text()[self._start] == "-" else ""
        self._box.complete(self._start, f"{minus}{Clause(self._key, value)} ")

    # Qt's name

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            current = self.popup.currentIndex()
            if event.key() == Qt.Key.Key_Tab:
                if self.is_looking_up:
                    # The list is that of an earlier text.
                    return True
                self.popup.hide()
                self._choose(current if current.isValid() else self._model.index(0, 0))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not current.isValid():
                # Without a choice, the key is for the box.
                self.popup.hide()
                return QCoreApplication.sendEvent(self._box.edit, event)
        return super().eventFilter(watched, event)


def _completions(
    library: Answerer, facets: Facets | None, key: str, typed: str, job: Job
) -> tuple[Facets, tuple[Completion, ...]]:
    """Return the library's counts, and the values of a filter that match the typed letters."""
    from core.requests import CountFacets
    from core.responses import Mode

    if facets is None:
        facets = library.answer(CountFacets("", Mode.WORDS), job)
    return facets, completions(facets, key, typed)


def completions(facets: Facets, key: str, typed: str) -> tuple[Completion, ...]:
    """Return the values of a filter whose value or name matches the typed letters, the best first.

    Those that begin with it come first, then those with a word that does. A value already typed is
    not one of them.
    """
    wanted = fold(typed)
    ranked = []
    for completion in _values(facets, key, wanted):
        names = (fold(completion.value), fold(completion.label))
        if wanted == names[0]:
            continue
        if any(name.startswith(wanted) for name in names):
            ranked.append((0, completion))
        elif any(word.startswith(wanted) for name in names for word in re.split(r"\W+", name)):
            ranked.append((1, completion))
    ranked.sort(key=lambda item: item[0])
    return tuple(completion for _, completion in ranked[:_MOST_SHOWN])


def _values(facets: Facets, key: str, wanted: str) -> Iterable[Completion]:
    """Return the values of a filter in the library, the most frequent or latest first."""
    if key == "type":
        counted = ((kind, count) for kind, count in facets.kinds.items() if count)
        return [Completion(kind, translated(kind_name(kind)), count) for kind, count in counted]
    if key in {"author", "from", "to", "tag"}:
        counts = facets.tags if key == "tag" else facets.authors
        named = sorted(counts.items(), key=lambda item: -item[1])
        # People are counted as authors, and not as senders or recipients.
        is_counted = key in {"author", "tag"}
        return [
            Completion(name, quoted(name), count if is_counted else None)
            for name, count in named
            if count
        ]
    if key == "in":
        return _folders(facets, wanted)
    return _days(facets, has_recent=key == "date")


def _folders(facets: Facets, wanted: str) -> list[Completion]:
    """Return the folders with a name that begins with or contains a word, the outermost first."""
    names = Counter(path.name for path in facets.folders)
    matching = [
        path for path, count in facets.folders.items() if count and wanted in fold(path.name)
    ]
    matching.sort(key=lambda path: (not fold(path.name).startswith(wanted), len(path.parts)))
    listed = []
    for path, outer in outer_folders(matching[: 2 * _MOST_SHOWN]).items():
        label = " · ".join(filter(None, (texts.name_of(path), quoted(outer))))
        value = path.name if names[path.name] == 1 and path.name else readable_path(path)
        listed.append(Completion(value, label, facets.folders[path]))
    return listed


def _days(facets: Facets, *, has_recent: bool) -> Iterator[Completion]:
    """Yield recent days, the years with documents, and their months, the latest first."""
    from core.search.query.dates import local_day

    if has_recent:
        today = local_day()
        for count_of_days, label, first in recent_periods(today):
            count = sum(count for day, count in facets.days.items() if day >= first)
            yield Completion(f"{count_of_days}d", label, count)
    counted = [(day, count) for day, count in facets.days.items() if count]
    years = Counter[int]()
    months = Counter[tuple[int, int]]()
    for day, count in counted:
        years[day.year] += count
        months[day.year, day.month] += count
    for year in sorted(years, reverse=True):
        yield Completion(f"{year}", f"{year}", years[year])
    for year, month in sorted(months, reverse=True):
        label = f"{QLocale().standaloneMonthName(month)} {year}"
        yield Completion(f"{year}-{month:02}", label, months[year, month])
