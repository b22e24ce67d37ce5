"""The line at the foot of the window: about the answer on the left, the library on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app import texts
from app.elided import ElidedLabel
from app.label import Label

if TYPE_CHECKING:
    from app.search.rows import Answer
    from core.catalog.records import Status


class StatusLine(QFrame):
    """Two short texts in small type."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusLine")
        self._answer = Label()
        self._library = ElidedLabel(Qt.TextElideMode.ElideRight, is_trailing=True)
        for label in (self._answer, self._library):
            font = label.font()
            font.setPointSizeF(font.pointSizeF() * 0.88)
            label.setFont(font)
        self._is_warm = False
        self._is_coming = True
        self._status: Status | None = None
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 5, 20, 6)
        layout.addWidget(self._answer)
        layout.addWidget(self._library, 1)

    @property
    def answer_text(self) -> str:
        return self._answer.text()

    @property
    def library_text(self) -> str:
        return self._library.whole

    def show_answer(self, answer: Answer) -> None:
        count = texts.documents(len(answer.found))
        took = self.tr("{0} ms").format(texts.number(max(1, round(answer.results.took_ms))))
        self._answer.setText(f"{count} · {took}")

    def clear_answer(self) -> None:
        self._answer.setText("")

    def show_status(self, status: Status) -> None:
        self._status = status
        self._tell()

    def show_model(self, *, is_warm: bool, is_coming: bool) -> None:
        """Say how searching works: by meaning as well, or by words only as yet."""
        self._is_warm = is_warm
        self._is_coming = is_coming
        self._tell()

    def _tell(self) -> None:
        parts: list[str] = []
        if not self._is_warm:
            parts.append(
                self.tr("Getting ready to search by meaning…")
                if self._is_coming
                else self.tr("Searching by words only")
            )
        if self._status is not None and self._status.folders:
            parts.append(texts.documents(self._status.documents))
            parts.append(texts.passages(self._status.passages))
            if self._status.waiting:
                waiting = texts.number(self._status.waiting)
                parts.append(self.tr("{0} by words only as yet").format(waiting))
        self._library.set_text(" · ".join(parts))
