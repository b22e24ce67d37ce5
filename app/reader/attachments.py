"""The strip above a mail: its subject, and what is attached to it."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QVBoxLayout, QWidget

from app import texts
from app.translation import said
from app.widgets.labels import Label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.indexing.views import Inner

_COLUMNS: Final = 3
_MOST_SHOWN: Final = 30
_WIDEST_NAME: Final = 200


class MailStrip(QFrame):
    """Shows a mail's subject and a button for each attachment; one opens those that were read."""

    opened = Signal(object)
    """The Inner that was chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("mailStrip")
        self._subject = Label()
        self._subject.setWordWrap(True)
        self._subject.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        font = self._subject.font()
        font.setPointSizeF(font.pointSizeF() * 1.3)
        font.setBold(True)
        self._subject.setFont(font)
        self._made: list[QPushButton] = []
        self._buttons = QGridLayout()
        self._buttons.setSpacing(6)
        self._buttons.setColumnStretch(_COLUMNS, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(42, 16, 28, 4)
        layout.setSpacing(10)
        layout.addWidget(self._subject)
        layout.addLayout(self._buttons)

    @property
    def buttons(self) -> list[QPushButton]:
        return self._made

    def show_mail(self, subject: str, attachments: Sequence[Inner]) -> None:
        """Show what a mail is about, and what is attached to it."""
        self._subject.setText(subject)
        for button in self._made:
            self._buttons.removeWidget(button)
            button.deleteLater()
        self._made = [self._button(inner) for inner in islice(attachments, _MOST_SHOWN)]
        for number, button in enumerate(self._made):
            self._buttons.addWidget(button, *divmod(number, _COLUMNS))

    def _button(self, inner: Inner) -> QPushButton:
        name = texts.name_of(inner.path)
        cut = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, _WIDEST_NAME)
        button = QPushButton(cut.replace("&", "&&"))
        button.setAccessibleName(name)
        button.setEnabled(inner.is_read)
        button.clicked.connect(partial(self.opened.emit, inner))
        if inner.is_read:
            button.setToolTip(texts.hint(self.tr("Show {0}").format(name)))
        elif inner.reason:
            button.setToolTip(texts.hint(f"{name}: {said(inner.reason)}"))
        else:
            button.setToolTip(texts.hint(self.tr("{0} has not been read yet.").format(name)))
        return button
