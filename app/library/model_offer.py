"""Offers the multilingual model where many documents are not in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QLocale, QObject, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from app.background import Latest
from app.widgets.controls import Button, Label
from app.widgets.icons import IconLabel
from app.widgets.notices import announce
from core.model_names import BUILT_IN, MULTILINGUAL

if TYPE_CHECKING:
    from app.search.rows import Answer
    from app.session import Session
    from core.library.library import Library

# Settings that the two buttons write.
ACCEPTED: Final[dict[str, Any]] = {"model": MULTILINGUAL}
DECLINED: Final[dict[str, Any]] = {"model": BUILT_IN}


def percent(share: float) -> str:
    """Return a share as a percentage in the language of the window."""
    return f"{QLocale().toString(round(100 * share))}%"


class ModelOfferStrip(QFrame):
    """A strip above the results with the offer, and buttons to accept and to decline it."""

    accepted = Signal()
    declined = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self.setProperty("plain", "true")
        self.text = Label(wraps=True)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.text.setMinimumWidth(80)
        self.accept = Button(self.tr("Use Multilingual Model"), self._accept, "main")
        self.decline = Button(self.tr("Keep English Model"), self._decline, "quiet")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 6)
        layout.setSpacing(10)
        layout.addWidget(IconLabel("info", 18))
        layout.addWidget(self.text, 1)
        layout.addWidget(self.accept)
        layout.addWidget(self.decline)
        self.hide()

    def offer(self, share: float, *, is_for_query: bool = False) -> None:
        """Show the offer for this share of texts, or for the query; hide it for neither."""
        if not share and not is_for_query:
            self.hide()
            return
        sentence = self._query_text() if is_for_query else self._share_text(share)
        self.text.setText(sentence)
        self.setAccessibleName(sentence)
        if self.isHidden():
            self.show()
            announce(self, sentence)

    def _query_text(self) -> str:
        return self.tr(
            "The model in use only reads English, so this query found documents only by its words. "
            "The multilingual model takes about twice as long to index; you can search meanwhile."
        )

    def _share_text(self, share: float) -> str:
        return self.tr(
            "About {0} of your documents are not in English, the only language of the model in "
            "use. Searches find them mainly by their words. The multilingual model takes about "
            "twice as long to index; you can search meanwhile."
        ).format(percent(share))

    def _accept(self) -> None:
        self.hide()
        self.accepted.emit()

    def _decline(self) -> None:
        self.hide()
        self.declined.emit()


class ModelOffer(QObject):
    """Shows the offer after each sync of the library, until the person has chosen a model.

    It is also shown for a query in another language than English without close matches.
    """

    def __init__(self, session: Session, strip: ModelOfferStrip, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._strip = strip
        self._share = 0.0
        self._is_for_query = False
        self._looking = Latest(session.files, self, self._take_share, session.failed.emit)
        self._looking_at_query = Latest(session.files, self, self._take_query, session.failed.emit)
        session.opened.connect(self._look)
        session.synced.connect(self._look)

    def _look(self, _of: object = None) -> None:
        library: Library | None = self._session.library
        if library is not None:
            self._looking.start(lambda job: library.offered_share(job=job))

    def look_at(self, answer: Answer) -> None:
        """Offer the model if the query of an answer without close matches is not in English."""
        library: Library | None = self._session.library
        if library is None or answer.likely:
            self.forget_query()
        else:
            query = answer.results.query
            self._looking_at_query.start(lambda _job: library.is_offered_for(query))

    def forget_query(self) -> None:
        """Take back an offer for the last query."""
        self._looking_at_query.drop()
        if self._is_for_query:
            self._take_query(is_offered=False)

    def _take_share(self, share: float) -> None:
        self._share = share
        self._show()

    def _take_query(self, is_offered: bool) -> None:
        self._is_for_query = is_offered
        self._show()

    def _show(self) -> None:
        is_for_query = self._is_for_query and not self._share
        self._strip.offer(self._share, is_for_query=is_for_query)
