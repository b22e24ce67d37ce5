"""The offer of the multilingual model above the results."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from app.main_window import MainWindow
from app.widgets.notices import Notice
from core.settings import load_settings
from tests.app.library_double import LibraryDouble
from tests.app.person import line, search

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def offered(qtbot: QtBot, window: MainWindow, library: LibraryDouble) -> MainWindow:
    """A window whose library has many documents that are not in English."""
    library.share_of_texts = 0.8
    window.session.sync()
    qtbot.waitUntil(window.model_offer.isVisible)
    return window


def model_in_file(home: Path) -> str:
    return load_settings(home / "settings.json").settings.model


def test_nothing_is_offered_for_english_documents(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.session.synced):
        window.session.sync()
    qtbot.waitUntil(lambda: window.session.is_idle)
    assert window.model_offer.isHidden()


def test_the_offer_names_the_share_and_the_cost(offered: MainWindow) -> None:
    """The time depends on the speed that was last measured here."""
    text = offered.model_offer.text.text()
    assert "About 80% of your documents are not in English" in text
    assert re.search("takes about .+ in the background, and 275.0 MB of disk space", text)


def test_the_tab_key_reaches_the_offer_before_the_results(offered: MainWindow) -> None:
    order: list[QWidget | None] = [offered.box.edit]
    while len(order) < 2 or order[-1] is not order[0]:
        order.append(order[-1].nextInFocusChain() if order[-1] is not None else None)
    results = order.index(offered.main_view.results)
    assert order.index(offered.model_offer.accept) < results
    assert order.index(offered.model_offer.decline) < results


def test_accepting_switches_the_model(
    qtbot: QtBot, offered: MainWindow, library: LibraryDouble
) -> None:
    library.share_of_texts = 0.0
    offered.model_offer.accept.click()
    assert offered.model_offer.isHidden()
    qtbot.waitUntil(lambda: model_in_file(library.home) == "winnow-mini-multi")


def test_declining_chooses_the_model_in_use(
    qtbot: QtBot, offered: MainWindow, library: LibraryDouble
) -> None:
    """A chosen model ends the offer: `core.library.model_offer` makes none then."""
    library.share_of_texts = 0.0
    offered.model_offer.decline.click()
    assert offered.model_offer.isHidden()
    qtbot.waitUntil(lambda: model_in_file(library.home) == "winnow-mini")


def test_a_model_chosen_in_the_settings_ends_the_offer(
    qtbot: QtBot, offered: MainWindow, library: LibraryDouble
) -> None:
    library.share_of_texts = 0.0
    offered.settings.apply({"model": "winnow-mini-multi"})
    qtbot.waitUntil(offered.model_offer.isHidden)


def test_a_query_in_another_language_without_close_matches_gets_the_offer(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.foreign_queries = {"铁轨的宽度", "wheat und der Weizen"}
    library.unlikely = {book.title for book in library.books}
    line(window).setText("铁轨的宽度")
    qtbot.waitUntil(window.model_offer.isVisible)
    assert window.main_view.empty.isVisible()
    assert "reads only English" in window.model_offer.text.text()
    line(window).setText("quagga")
    qtbot.waitUntil(lambda: not window.model_offer.isVisible())
    line(window).setText("wheat und der Weizen")
    qtbot.waitUntil(window.model_offer.isVisible)
    assert window.main_view.shows_results, "above the less likely results"


def test_a_query_with_close_matches_gets_no_offer(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.foreign_queries = {"wheat"}
    search(qtbot, window, "wheat")
    qtbot.waitUntil(lambda: not window.searcher.is_settling and window.session.is_idle)
    assert window.model_offer.isHidden()


def test_in_a_small_window_most_of_the_room_is_for_the_results(
    qtbot: QtBot, offered: MainWindow, library: LibraryDouble
) -> None:
    offered.resize(400, 500)
    library.meant["weat"] = ("wheat", True)
    search(qtbot, offered, "weat")
    results = offered.main_view.results
    head = [offered.model_offer, offered.main_view.spelling, offered.trouble]
    qtbot.waitUntil(lambda: results.isVisible() and results.height() > 0)
    assert [widget.isVisible() for widget in head] == [True, True, False]
    assert offered.model_offer.height() < 6 * offered.fontMetrics().height()
    qtbot.waitUntil(lambda: results.height() > offered.height() / 3)

    # A notice is more urgent than the offer, which is back afterwards.
    offered.trouble.show_notice(Notice("A file could not be opened."))
    qtbot.waitUntil(lambda: not offered.model_offer.isVisible())
    qtbot.waitUntil(lambda: results.height() > offered.height() / 3)
    offered.trouble.clear()
    qtbot.waitUntil(offered.model_offer.isVisible)
