"""What is said of a lit word and of a word of the query: why it is lit, and how much it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QToolTip, QWidget

from app import texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QHelpEvent

    from app.highlights import Lit, QueryWord


def of_lit(lit: Lit, words: Sequence[QueryWord]) -> str:
    """Give why a word is lit: which word of the query lights it, and how similar they are."""
    word = next((one for one in words if one.number == lit.word), None)
    if word is None:
        return ""
    if lit.similarity is None:
        return _tr("“{0}”: the word itself").format(word.text)
    said = _tr("“{0}”: similarity {1}").format(word.text, figure(lit.similarity, 2))
    return f"{said}\n{of_share(word)}"


def tell(event: QHelpEvent, lit: Lit | None, words: Sequence[QueryWord], place: QWidget) -> None:
    """Tell at the pointer why a word is lit; with no lit word there, take away what was told."""
    said = of_lit(lit, words) if lit is not None else ""
    QToolTip.showText(event.globalPos(), said, place)


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
