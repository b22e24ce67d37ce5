"""What is said of a lit word and of a word of the query: why it is lit, and how much it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QObject, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractScrollArea, QToolTip

from app import texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.search.match import Highlight, QueryWord


def of_lit(lit: Highlight, words: Sequence[QueryWord]) -> str:
    """Give why a word is lit: which word of the query lights it, and how similar they are."""
    word = next((one for one in words if one.number == lit.word), None)
    if word is None:
        return ""
    if lit.similarity is None:
        return _tr("“{0}”: the word itself").format(word.text)
    said = _tr("“{0}”: similarity {1}").format(word.text, figure(lit.similarity, 2))
    return f"{said}\n{of_share(word)}"


class Telling(QObject):
    """Tells at the pointer why a word of a view is lit.

    Args:
        view: whose words are lit; where the pointer is on none it tells what it told before.
        lit_at: gives the lit word at a place of the view.
        words: gives those of the query.
    """

    def __init__(
        self,
        view: QAbstractScrollArea,
        lit_at: Callable[[QPoint], Highlight | None],
        words: Callable[[], Sequence[QueryWord]],
    ) -> None:
        super().__init__(view)
        self._place = view.viewport()
        self._lit_at = lit_at
        self._words = words
        self._place.installEventFilter(self)

    # Qt's names

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent):
            return False
        lit = self._lit_at(event.pos())
        said = of_lit(lit, self._words()) if lit is not None else ""
        QToolTip.showText(event.globalPos(), texts.hint(said), self._place)
        return lit is not None


def of_share(word: QueryWord) -> str:
    """Give how much of the query a word decides; "" where no model took part."""
    if word.share is None:
        return ""
    return _tr("counts for {0} % of the query").format(texts.number(round(100 * word.share)))


def figure(value: float, digits: int) -> str:
    """Give a number with so many digits behind the point, or what stands for it here."""
    return QLocale().toString(value, "f", digits)


def _tr(text: str) -> str:
    return QCoreApplication.translate("why", text)
