"""A quiet line that says that Winnow has something to propose."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from app.widgets.icons import Drawing, IconButton
from app.widgets.labels import Label
from app.widgets.notices import announce


class ProposalBar(QFrame):
    """Stands above the results until it is looked at or closed."""

    show_wanted = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Dressed as a notice with which nothing is amiss.
        self.setObjectName("noticeBar")
        self.setProperty("plain", "true")
        text = Label(self.tr("Winnow can rank results like those you marked better."))
        self.setAccessibleName(text.text())
        self._text = text.text()
        show = QPushButton(self.tr("Show"))
        show.setProperty("quiet", "true")
        show.setAccessibleDescription(text.text())
        show.clicked.connect(self.show_wanted)
        close = IconButton("close", self.tr("Not now"))
        close.setIconSize(QSize(14, 14))
        close.clicked.connect(self.dismissed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 6)
        layout.setSpacing(10)
        layout.addWidget(Drawing("right", 18))
        layout.addWidget(text, 1)
        layout.addWidget(show)
        layout.addWidget(close)
        self.hide()

    def propose(self, *, is_something: bool) -> None:
        """Come up where there is something to propose; else go away."""
        if is_something and self.isHidden():
            announce(self, self._text)
        self.setVisible(is_something)
