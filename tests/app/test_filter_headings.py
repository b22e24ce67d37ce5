"""The headings of the side bar, which come and go with what is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.filters.pane import FilterPane
from app.filters.tree import Offer, Row, change
from core.search.choices import AuthorChoice, KindChoice

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

KIND, AUTHOR = KindChoice("pdf"), AuthorChoice("Ada")
KINDS = Row("kinds", "Type", None, (Row(KIND, "PDF", KIND),))
AUTHORS = Row("authors", "Author", None, (Row(AUTHOR, "Ada", AUTHOR),))


def test_a_heading_that_comes_again_is_open_unless_it_was_closed(qtbot: QtBot) -> None:
    pane = FilterPane()
    qtbot.addWidget(pane)
    tree = pane.tree
    both, one = Offer((KINDS, AUTHORS)), Offer((KINDS,))
    pane.show_change(change(Offer(), both))
    tree.collapse(tree.filters.index_of("kinds"))

    for before, now in ((both, one), (one, both)):
        pane.show_change(change(before, now))

    assert tree.isExpanded(tree.filters.index_of("authors"))
    assert not tree.isExpanded(tree.filters.index_of("kinds"))


def test_a_side_bar_that_has_nothing_says_what_it_is_for(qtbot: QtBot) -> None:
    pane = FilterPane()
    qtbot.addWidget(pane)
    pane.show()
    assert pane.hint.isVisible()
    assert "by folder, type, date and author" in pane.hint.text()
    one = Offer((KINDS,))
    for before, now in ((Offer(), one), (one, Offer())):
        pane.show_change(change(before, now))
        assert pane.hint.isVisible() == (now != one)
