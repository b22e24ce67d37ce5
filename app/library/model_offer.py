"""Offers the multilingual model where many documents are not in English."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QCoreApplication, QLocale, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QSizePolicy

from app import texts
from app.background import Latest
from app.widgets.controls import Button, ElidedLabel, Label
from app.widgets.icons import IconLabel
from app.widgets.layouts import SPACE, fill, horizontal
from app.widgets.notices import announce
from core.model_names import BUILT_IN, MULTILINGUAL, MULTILINGUAL_CACHE_BYTES

if TYPE_CHECKING:
    from app.search.rows import Answer
    from app.session import Session
    from core.library.library import Library
    from core.progress import Job

# Settings that the two buttons write.
ACCEPTED: Final[dict[str, Any]] = {"model": MULTILINGUAL}
DECLINED: Final[dict[str, Any]] = {"model": BUILT_IN}

# Width, in average characters, from which the buttons are next to the text.
_ONE_LINE_FROM: Final = 130


def percent(share: float) -> str:
    """Return a share as a percentage in the language of the window."""
    percentage = QLocale().toString(round(100 * share))
    return QCoreApplication.translate("ModelOfferStrip", "{0}%").format(percentage)


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer of the multilingual model, and what its index takes.

    `share` is that of the texts in other languages, 0 if the query is the reason.
    """

    share: float
    encoding_s: float
    size_bytes: int


class ModelOfferStrip(QFrame):
    """A strip above the results with the offer, and buttons to accept and to decline it."""

    accepted = Signal()
    declined = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("noticeBar")
        self.setProperty("plain", "true")
        # In a wide window all sentences, in a narrow one a line, so that the results have room.
        self.text = Label(wraps=True)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._line = ElidedLabel(Qt.TextElideMode.ElideRight)
        self.accept = Button(self.tr("Use Multilingual Model"), self._accept, "main")
        self.decline = Button(self.tr("Keep English Model"), self._decline, "quiet")
        self._layout = horizontal(self, margins=(12, 6, 6, 6), spacing=10)
        words = fill(horizontal(spacing=10), IconLabel("info", 18), (self.text, 1), (self._line, 1))
        buttons = fill(horizontal(spacing=10), SPACE, self.accept, self.decline)
        fill(self._layout, (words, 1), buttons)
        self.hide()

    def show_offer(self, offer: Offer | None) -> None:
        """Show the offer; hide if there is none."""
        if offer is None:
            self.hide()
            return
        line = (
            self.tr("About {0} of your documents are not in English").format(percent(offer.share))
            if offer.share
            else self.tr("The model in use reads only English")
        )
        reason = (
            self.tr(
                "About {0} of your documents are not in English and are found mainly by their "
                "words. The multilingual model also finds them by meaning."
            ).format(percent(offer.share))
            if offer.share
            else self.tr(
                "The model in use reads only English, so this query found documents only by its "
                "words. The multilingual model also finds them by meaning."
            )
        )
        cost = self.tr("Switching takes {0} in the background, and {1} of disk space.").format(
            texts.duration(offer.encoding_s), texts.size(offer.size_bytes)
        )
        sentence = self.tr("{0} {1}", "Two sentences.").format(reason, cost)
        self.text.setText(sentence)
        self._line.set_text(line)
        for widget in (self._line, self.accept):
            widget.setToolTip(texts.hint(sentence))
        self.setAccessibleName(sentence)
        if self.isHidden():
            self.show()
            announce(self, sentence)

    def _accept(self) -> None:
        self.hide()
        self.accepted.emit()

    def _decline(self) -> None:
        self.hide()
        self.declined.emit()

    # Qt's names

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # In a narrow window the buttons are below the line.
        is_wide = event.size().width() >= _ONE_LINE_FROM * self.fontMetrics().averageCharWidth()
        self.text.setVisible(is_wide)
        self._line.setVisible(not is_wide)
        directions = QBoxLayout.Direction
        self._layout.setDirection(directions.LeftToRight if is_wide else directions.TopToBottom)


class ModelOffer(QObject):
    """Shows the offer after each sync of the library, until the person has chosen a model.

    It is also shown for a query in another language than English without close matches.
    """

    def __init__(self, session: Session, strip: ModelOfferStrip, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._strip = strip
        self._for_texts: Offer | None = None
        self._for_query: Offer | None = None
        self._looking = Latest(session.files, self, self._take, session.failed.emit)
        self._looking_at_query = Latest(session.files, self, self._take_query, session.failed.emit)
        session.opened.connect(self._look)
        session.synced.connect(self._look)

    def look_again(self) -> None:
        """Take the offer back if the person has chosen a model meanwhile."""
        self.forget_query()
        self._look()

    def _look(self, _of: object = None) -> None:
        library: Library | None = self._session.library
        if library is not None:
            self._looking.start(partial(_offer_for_texts, library))

    def look_at(self, answer: Answer) -> None:
        """Offer the model if the query of an answer without close matches is not in English."""
        library: Library | None = self._session.library
        if library is None or answer.likely:
            self.forget_query()
        else:
            self._looking_at_query.start(partial(_offer_for_query, library, answer.results.query))

    def forget_query(self) -> None:
        """Take back an offer for the last query."""
        self._looking_at_query.drop()
        if self._for_query is not None:
            self._take_query(None)

    def _take(self, offer: Offer | None) -> None:
        self._for_texts = offer
        self._strip.show_offer(self._for_texts or self._for_query)

    def _take_query(self, offer: Offer | None) -> None:
        self._for_query = offer
        self._strip.show_offer(self._for_texts or self._for_query)


def _offer_for_texts(library: Library, _job: Job) -> Offer | None:
    share = library.offered_share()
    return _offer(library, share) if share else None


def _offer_for_query(library: Library, query: str, _job: Job) -> Offer | None:
    return _offer(library, 0.0) if library.is_offered_for(query) else None


def _offer(library: Library, share: float) -> Offer:
    choices = library.choosing.choices(**ACCEPTED)
    cost = choices.cost(choices.configured)
    index_bytes = cost.index_bytes if cost is not None else 0
    return Offer(share, choices.usual_encoding_s, index_bytes + MULTILINGUAL_CACHE_BYTES)
