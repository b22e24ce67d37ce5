"""Everyday jobs take at most two clicks, one typed line, or one key.

A drag counts as a click, and so does opening a menu. A query that only prepares is not counted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QMenu,
    QTabBar,
    QTableView,
    QWidget,
)

from app.main_window import MainWindow
from app.session import open_library
from app.theme import ThemeSwitch
from core.library.library import Library
from core.progress import Progress, Stage
from core.settings import LoadedSettings, Settings
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import is_at_rest, line, page_of, titles
from tests.waiting import patience
from tools.tour.pdf import pdf

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

PATIENCE_MS = round(patience() * 1000)
MOST_CLICKS = 2


@dataclass
class Effort:
    """Uses the mouse and the keyboard, and counts."""

    bot: QtBot
    clicks: int = 0
    keys: int = 0
    lines: int = 0

    def click(self, widget: QWidget, point: QPoint | None = None) -> None:
        assert widget.isVisible()
        self.clicks += 1
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=point or widget.rect().center())

    def click_button(self, parent: QWidget, name: str) -> None:
        def button() -> QAbstractButton | None:
            named = (
                one
                for one in parent.findChildren(QAbstractButton)
                if one.isVisible() and name in (one.text().replace("&", ""), one.accessibleName())
            )
            return next(named, None)

        self.bot.waitUntil(lambda: button() is not None)
        found = button()
        assert found is not None
        self.click(found)

    def click_row(self, view: QAbstractItemView, index: Callable[[], QModelIndex]) -> None:
        self.bot.waitUntil(lambda: index().isValid())
        view.scrollTo(index())
        self.click(view.viewport(), view.visualRect(index()).center())

    def choose(self, view: QWidget, point: QPoint, entry: str) -> None:
        """Open the menu of a place with the right button, and click an entry."""
        self.clicks += 1
        shown_at = view.mapToGlobal(point)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, shown_at)
        QApplication.sendEvent(view, event)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        action = next(one for one in menu.actions() if one.text() == entry)
        self.click(menu, menu.actionGeometry(action).center())

    def type(self, window: MainWindow, text: str) -> None:
        """Type a line in the search box, and wait for the answer."""
        self.lines += 1
        QTest.keyClicks(line(window), text)
        results = window.main_view.results

        def is_answered() -> bool:
            answer = results.answer
            return answer is not None and answer.results.original_query == text

        self.bot.waitUntil(is_answered)
        self.bot.waitUntil(lambda: not window.searcher.is_waiting and is_at_rest(window))

    def press(self, widget: QWidget, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
        self.keys += 1
        self.bot.keyClick(widget, key, *modifiers)

    def check(self, *, clicks: int = 0, keys: int = 0, lines: int = 0) -> None:
        """Compare with the expected effort, and with the limit."""
        assert (self.clicks, self.keys, self.lines) == (clicks, keys, lines)
        assert self.clicks <= MOST_CLICKS
        assert self.lines + self.keys <= 1 or not self.clicks


@pytest.fixture
def effort(qtbot: QtBot) -> Effort:
    return Effort(qtbot)


def by(author: str, content: bytes) -> bytes:
    """Return a PDF with an author, appended as an incremental update."""
    body = b"90 0 obj\n<< /Author (%s) >>\nendobj\n" % author.encode("ascii")
    before = content.rsplit(b"startxref\n", 1)[1].split(b"\n")[0]
    at = len(content)
    table = b"xref\n90 1\n%010d 00000 n \n" % at
    trailer = b"trailer\n<< /Size 91 /Root 1 0 R /Info 90 0 R /Prev %s >>\n" % before
    return content + body + table + trailer + b"startxref\n%d\n%%%%EOF\n" % (at + len(body))


def mail(subject: str, *, is_attached: bool) -> bytes:
    message = EmailMessage()
    message["From"] = "Ben <ben@example.org>"
    message["Subject"] = subject
    message["Date"] = "Fri, 03 May 2019 12:00:00 +0000"
    message.set_content("The harvest is in the barn.")
    if is_attached:
        message.add_attachment("Two tons of rye.", filename="list.txt")
    return bytes(message)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "documents"
    (root / "old").mkdir(parents=True)
    (root / "budget.pdf").write_bytes(by("Anna Weber", pdf(["# Cover", "The barn costs 3000."])))
    (root / "plan.pdf").write_bytes(by("Ben Ott", pdf(["The barn needs a roof."])))
    for path, written in (("budget.pdf", last_march()), ("plan.pdf", last_march())):
        moment = datetime.combine(written, datetime.min.time()).astimezone().timestamp()
        os.utime(root / path, (moment, moment))
    (root / "old" / "barn.txt").write_text("The old barn burned down.")
    (root / "sent.eml").write_bytes(mail("Harvest", is_attached=True))
    (root / "bare.eml").write_bytes(mail("Greetings", is_attached=False))
    (root / "broken.pdf").write_text("This is no PDF.")
    return root


def last_march() -> date:
    today = date.today()  # noqa: DTZ011 - as the query means it
    year = today.year if today.month > 3 else today.year - 1
    return date(year, 3, 15)


@pytest.fixture
def window(qtbot: QtBot, theme: ThemeSwitch, home: Path, folder: Path) -> Iterator[MainWindow]:
    opened = MainWindow(
        lambda: open_library(home),
        LoadedSettings(Settings(filters_shown=True)),
        home / "settings.json",
        theme,
        [folder],
    )
    opened.resize(1300, 850)
    opened.show()
    with qtbot.waitSignal(opened.session.synced, timeout=PATIENCE_MS):
        opened.start()
    qtbot.waitUntil(lambda: is_at_rest(opened), timeout=PATIENCE_MS)
    yield opened
    with qtbot.waitSignal(opened.closed, timeout=PATIENCE_MS):
        opened.close()
    opened.deleteLater()


def filter_row(window: MainWindow, label: str) -> QModelIndex:
    model = window.main_view.filters.tree.filters
    flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
    found = model.match(model.index(0, 0), Qt.ItemDataRole.DisplayRole, label, 1, flags)
    return found[0] if found else QModelIndex()


def place_of(qtbot: QtBot, window: MainWindow, label: str) -> QPoint:
    qtbot.waitUntil(lambda: filter_row(window, label).isValid())
    tree = window.main_view.filters.tree
    tree.scrollTo(filter_row(window, label))
    return tree.visualRect(filter_row(window, label)).center()


def test_find_by_words(window: MainWindow, effort: Effort) -> None:
    effort.type(window, "burned down")
    assert titles(window)[0] == "barn"
    effort.check(lines=1)


def test_find_by_meaning(window: MainWindow, effort: Effort) -> None:
    """None of the words is in the document."""
    effort.type(window, "price of stable")
    best = window.main_view.results.answer
    assert best is not None
    assert best.documents[0].best.document.path.name == "budget.pdf"
    effort.check(lines=1)


def opened_by(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int | None]]:
    """Return the list that receives the names and pages of opened files."""
    opened: list[tuple[str, int | None]] = []
    monkeypatch.setattr(
        window.opener, "open", lambda path, page, _line: opened.append((path.name, page))
    )
    return opened


def test_open_a_document(
    window: MainWindow, effort: Effort, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = opened_by(window, monkeypatch)
    Effort(effort.bot).type(window, "burned")
    results = window.main_view.results
    point = results.visualRect(results.model().index(0, 0)).center()
    effort.click(results.viewport(), point)
    QTest.mouseDClick(results.viewport(), Qt.MouseButton.LeftButton, pos=point)
    effort.clicks += 1
    assert [name for name, _ in opened] == ["barn.txt"]
    effort.check(clicks=2)


def test_look_at_a_page_quickly(window: MainWindow, effort: Effort) -> None:
    Effort(effort.bot).type(window, "barn 3000 author:anna")
    results = window.main_view.results
    effort.click(results.viewport(), results.visualRect(results.model().index(0, 0)).center())
    effort.press(results, Qt.Key.Key_Space)
    reader = window.main_view.reader
    effort.bot.waitUntil(lambda: reader.width() > window.main_view.width() - 10)
    assert reader.isVisible()
    effort.check(clicks=1, keys=1)


def test_filter_by_type(window: MainWindow, effort: Effort, qtbot: QtBot) -> None:
    Effort(qtbot).type(window, "barn")
    effort.click_row(window.main_view.filters.tree, lambda: filter_row(window, "PDF"))
    qtbot.waitUntil(lambda: window.box.text() == "barn type:pdf")
    qtbot.waitUntil(lambda: len(titles(window)) == 2, timeout=PATIENCE_MS)
    effort.check(clicks=1)


def test_filter_by_date(window: MainWindow, effort: Effort, qtbot: QtBot) -> None:
    year = str(last_march().year)
    Effort(qtbot).type(window, "barn")
    effort.click_row(window.main_view.filters.tree, lambda: filter_row(window, year))
    qtbot.waitUntil(lambda: window.box.text() == f"barn date:{year}")
    effort.check(clicks=1)


def test_add_a_folder(window: MainWindow, effort: Effort, qtbot: QtBot, tmp_path: Path) -> None:
    letters = tmp_path / "letters"
    letters.mkdir()
    (letters / "to anna.txt").write_text("The quagga is extinct.")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(letters))])
    everything = (Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    middle = window.rect().center()
    copying = Qt.DropAction.CopyAction
    QApplication.sendEvent(window, QDragEnterEvent(middle, copying, data, *everything))
    QApplication.sendEvent(window, QDropEvent(middle.toPointF(), copying, data, *everything))
    effort.clicks += 1
    effort.click_button(page_of(qtbot, window, letters), "Add")
    qtbot.waitUntil(lambda: is_at_rest(window), timeout=PATIENCE_MS)
    effort.check(clicks=2)
    Effort(qtbot).type(window, "quagga")
    qtbot.waitUntil(lambda: titles(window)[0] == "to anna", timeout=PATIENCE_MS)


def test_find_the_pdf_of_last_march_by_anna(window: MainWindow, effort: Effort) -> None:
    effort.type(window, 'type:pdf author:anna date:"last march"')
    answer = window.main_view.results.answer
    assert answer is not None
    assert [one.best.document.path.name for one in answer.documents] == ["budget.pdf"]
    effort.check(lines=1)


def test_open_at_the_page(
    window: MainWindow, effort: Effort, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = opened_by(window, monkeypatch)
    Effort(effort.bot).type(window, "barn 3000 author:anna")
    effort.press(line(window), Qt.Key.Key_Return)
    assert opened == [("budget.pdf", 2)]
    effort.check(keys=1)


def test_copy_a_quotation_with_its_source(window: MainWindow, effort: Effort) -> None:
    Effort(effort.bot).type(window, "burned")
    text = window.main_view.reader.view.text
    effort.bot.waitUntil(lambda: "burned" in text.toPlainText())
    # The selection is the person's own choice of the quotation.
    cursor = text.textCursor()
    cursor.setPosition(text.toPlainText().index("old barn"))
    cursor.movePosition(cursor.MoveOperation.Right, cursor.MoveMode.KeepAnchor, 8)
    text.setTextCursor(cursor)
    effort.choose(text.viewport(), QPoint(40, 20), "Copy with source")
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("old barn\n\n— ")
    assert "barn.txt" in copied
    effort.check(clicks=2)


def test_exclude_a_folder_and_undo_it(
    window: MainWindow, effort: Effort, folder: Path, qtbot: QtBot
) -> None:
    place = place_of(qtbot, window, "old")
    effort.choose(window.main_view.filters.tree.viewport(), place, "Exclude this folder")
    qtbot.waitUntil(lambda: not filter_row(window, "old").isValid(), timeout=PATIENCE_MS)
    effort.check(clicks=2)

    def rules() -> tuple[str, ...]:
        assert window.session.state is not None
        return window.session.state.folders[0].rules.exclude

    qtbot.waitUntil(lambda: rules() == ("/old/",))
    notice = window.trouble.notice
    assert notice is not None
    assert notice.text.endswith("old is excluded.")
    undoing = Effort(qtbot)
    undoing.click_button(window.trouble, "Undo")
    qtbot.waitUntil(lambda: filter_row(window, "old").isValid(), timeout=PATIENCE_MS)
    assert rules() == ()
    assert not window.trouble.isVisible()
    undoing.check(clicks=1)


def test_what_failed_and_why(window: MainWindow, effort: Effort) -> None:
    effort.click_button(window, "Library")
    bar = window.folders.pages.findChild(QTabBar)
    row = next(row for row in range(bar.count()) if "(1)" in bar.tabText(row))
    effort.click(bar, bar.tabRect(row).center())
    page = window.folders.pages.currentWidget()
    model = page.findChild(QTableView).model()
    effort.bot.waitUntil(lambda: model.rowCount() == 2)
    assert "broken.pdf" in str(model.index(1, 0).data())
    effort.check(clicks=2)
    window.folders.close()


def test_update_one_folder(
    window: MainWindow,
    effort: Effort,
    folder: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scanned: list[Any] = []
    sync = Library.sync

    def noted(library: Library, job: Any = None, changed: Any = None, **options: Any) -> Any:
        scanned.append(changed)
        return sync(library, job, changed, **options)

    monkeypatch.setattr(Library, "sync", noted)
    place = place_of(qtbot, window, "old")
    with qtbot.waitSignal(window.session.synced, timeout=PATIENCE_MS):
        effort.choose(window.main_view.filters.tree.viewport(), place, "Update this folder")
    assert scanned[0] == frozenset({folder / "old"})
    effort.check(clicks=2)


def test_mails_with_an_attachment(window: MainWindow, effort: Effort, qtbot: QtBot) -> None:
    tree = window.main_view.filters.tree
    effort.click_row(tree, lambda: filter_row(window, "Has attachment"))
    qtbot.waitUntil(lambda: titles(window) == ["Harvest"], timeout=PATIENCE_MS)
    assert window.box.text() == "has:attachment"
    effort.check(clicks=1)


def test_names_only(window: MainWindow, effort: Effort, qtbot: QtBot) -> None:
    effort.type(window, "barn")
    assert len(titles(window)) > 1
    tree = window.main_view.filters.tree
    effort.click_row(tree, lambda: filter_row(window, "Names only"))
    qtbot.waitUntil(lambda: titles(window) == ["barn"], timeout=PATIENCE_MS)
    assert line(window).text() == "name:barn"
    effort.check(clicks=1, lines=1)


def test_save_a_search(window: MainWindow, effort: Effort) -> None:
    Effort(effort.bot).type(window, "barn")
    effort.click_button(window.box, "Save search")
    assert window.tools.history.is_saved("barn")
    effort.check(clicks=1)


def test_pause(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, effort: Effort
) -> None:
    library.sync_gate.clear()
    library.progress = [Progress(Stage.READING, 3, 8, "b.pdf", 40, 130.0)]
    window = make_window()
    qtbot.waitUntil(lambda: window.progress.isVisible() and library.in_sync.is_set())
    effort.click_button(window.progress, "Pause")
    qtbot.waitUntil(lambda: library.cancelled_syncs == 1)
    effort.check(clicks=1)
    library.sync_gate.set()
