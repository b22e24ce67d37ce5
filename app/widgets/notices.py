"""What the window says to its person: notices, what stands in an empty place, what is read out."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import (
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.widgets.controls import Button, Label, scaled
from app.widgets.icons import IconButton, IconLabel


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the person; `report` is what they may send us ("" where nothing is amiss).

    `is_plain` marks what is only worth knowing, with nothing gone wrong.
    """

    text: str
    report: str = ""
    is_plain: bool = False


class NoticeBar(QFrame):
    """One notice at a time, above what it is about, until the person closes it."""

    dismissed = Signal(object)
    """The person has closed this Notice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self._notice: Notice | None = None
        self._drawing = IconLabel("warning", 18)
        self._text = Label(wraps=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._text.setMinimumWidth(80)
        self._copy = Button(self.tr("Copy report"), self._copy_report, "quiet")
        close = IconButton("close", self.tr("Dismiss"))
        close.setIconSize(QSize(14, 14))
        close.clicked.connect(self._dismiss)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 6)
        layout.setSpacing(10)
        layout.addWidget(self._drawing)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._copy)
        layout.addWidget(close)
        self.hide()

    @property
    def notice(self) -> Notice | None:
        """What is shown at the moment."""
        return self._notice

    def show_notice(self, notice: Notice) -> None:
        # Said once: each key that is typed may have the same notice shown again.
        is_news = notice != self._notice
        self._notice = notice
        self._text.setText(notice.text)
        self._copy.setText(self.tr("Copy report"))
        self._copy.setVisible(bool(notice.report))
        self._drawing.set_drawing("info" if notice.is_plain else "warning")
        self.setProperty("plain", "true" if notice.is_plain else "false")
        self.style().unpolish(self)
        self.style().polish(self)
        self.setAccessibleName(notice.text)
        self.show()
        if is_news:
            announce(self, notice.text, is_urgent=not notice.is_plain)

    def clear(self) -> None:
        """Take the notice away, if there is one."""
        self._notice = None
        self.hide()

    def _dismiss(self) -> None:
        notice = self._notice
        self.clear()
        self.dismissed.emit(notice)

    def _copy_report(self) -> None:
        if self._notice is not None:
            QGuiApplication.clipboard().setText(self._notice.report)
            self._copy.setText(self.tr("Copied"))


def announce(source: QWidget, text: str, *, is_urgent: bool = False) -> None:
    """Have a screen reader say `text`, which is shown by `source`.

    Args:
        source: where it is shown.
        text: a sentence.
        is_urgent: whether it is said at once; else when what is being said has ended.
    """
    event = QAccessibleAnnouncementEvent(source, text)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if is_urgent else politeness.Polite)
    QAccessible.updateAccessibility(event)


class EmptyState(QWidget):
    """A drawing, a headline, a sentence, and a button where there is one thing to do."""

    acted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawing = IconLabel("search", 44)
        self._headline = Label(role="title", wraps=True)
        self._headline.setFont(scaled(self._headline.font(), 1.35))
        self._sentence = Label(role="muted", wraps=True)
        for label in (self._headline, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._button = Button("", self.acted, "main")
        self._button.setCursor(Qt.CursorShape.PointingHandCursor)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(32, 32, 32, 48)
        layout.setSpacing(10)
        layout.addStretch(2)
        layout.addWidget(self._drawing, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(6)
        layout.addWidget(self._headline)
        layout.addWidget(self._sentence)
        layout.addSpacing(10)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)

    @property
    def headline(self) -> str:
        return self._headline.text()

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def say(self, drawing: str, headline: str, sentence: str, button: str = "") -> None:
        """Show these; without `button` there is none."""
        self._drawing.set_drawing(drawing)
        self._headline.setText(headline)
        self._sentence.setText(sentence)
        self._button.setText(button)
        self._button.setVisible(bool(button))
