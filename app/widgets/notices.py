"""Notices, placeholders for empty views, and announcements for screen readers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.text_size import set_font_factor
from app.widgets.controls import Button, Label
from app.widgets.icons import IconButton, IconLabel
from app.widgets.layouts import fill, horizontal, vertical


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the person; `report` is an error report to send, or "".

    `is_plain` marks information that is not a problem. `action` is the label of a button that calls
    `act`, or "".
    """

    text: str
    report: str = ""
    is_plain: bool = False
    action: str = ""
    act: Callable[[], object] = field(default=bool, compare=False)


class NoticeBar(QFrame):
    """Shows one notice until it is dismissed."""

    dismissed = Signal(object)
    """The Notice that was dismissed."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("noticeBar")
        # The notice that is shown.
        self.notice: Notice | None = None
        self._drawing = IconLabel("warning", 18)
        self._text = Label(wraps=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._text.setMinimumWidth(80)
        self._copy = Button(self.tr("Copy report"), self._copy_report, "quiet")
        self._action = Button("", self._act, "quiet")
        close = IconButton("close", self.tr("Dismiss"), self._dismiss, size=14)
        layout = horizontal(self, margins=(12, 6, 6, 6), spacing=10)
        fill(layout, self._drawing, (self._text, 1), self._copy, self._action, close)
        self.hide()

    def show_notice(self, notice: Notice) -> None:
        # Announce a notice once: each key press may show it again.
        is_news = notice != self.notice
        self.notice = notice
        self._text.setText(notice.text)
        self._copy.setText(self.tr("Copy report"))
        self._copy.setVisible(bool(notice.report))
        self._action.setText(notice.action)
        self._action.setVisible(bool(notice.action))
        self._drawing.set_drawing("info" if notice.is_plain else "warning")
        self.setProperty("plain", "true" if notice.is_plain else "false")
        self.style().unpolish(self)
        self.style().polish(self)
        self.setAccessibleName(notice.text)
        self.show()
        if is_news:
            announce(self, notice.text, is_urgent=not notice.is_plain)

    def retract(self, notice: Notice | None) -> None:
        """Hide this notice if it is shown."""
        if notice is not None and self.notice == notice:
            self.clear()

    def clear(self) -> None:
        """Hide the notice, if there is one."""
        self.notice = None
        self.hide()

    def _dismiss(self) -> None:
        notice = self.notice
        self.clear()
        self.dismissed.emit(notice)

    def _act(self) -> None:
        notice = self.notice
        self.clear()
        if notice is not None:
            notice.act()

    def _copy_report(self) -> None:
        if self.notice is not None:
            QGuiApplication.clipboard().setText(self.notice.report)
            self._copy.setText(self.tr("Copied"))


# How long a brief notice stays, in milliseconds per letter, and the least with an action.
_MS_PER_LETTER: Final = 60
_BRIEF_MS: Final = 2500
_WITH_ACTION_MS: Final = 8000
# Pixels between a brief notice and the bottom of the window.
_ABOVE_BOTTOM: Final = 44


class BriefNotice(QFrame):
    """Says for some seconds, over the bottom of a window, what an action did; may undo it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("briefNotice")
        self._window = window
        self._notice: Notice | None = None
        self._text = Label()
        self._action = Button("", self._act, "quiet")
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.hide)
        fill(horizontal(self, margins=(14, 6, 14, 6)), self._text, self._action)
        window.installEventFilter(self)
        self.hide()

    @property
    def text(self) -> str:
        """The shown text; "" while hidden."""
        return "" if self.isHidden() else self._text.text()

    def show_notice(self, notice: Notice) -> None:
        self._notice = notice
        self._text.setText(notice.text)
        self._action.setText(notice.action)
        self._action.setVisible(bool(notice.action))
        shortest = _WITH_ACTION_MS if notice.action else _BRIEF_MS
        self._timer.start(max(shortest, len(notice.text) * _MS_PER_LETTER))
        self._move()
        self.show()
        self.raise_()
        announce(self, notice.text)

    def _act(self) -> None:
        self.hide()
        if self._notice is not None:
            self._notice.act()

    def _move(self) -> None:
        self.adjustSize()
        room = self._window.size()
        left = max((room.width() - self.width()) // 2, 0)
        self.move(left, max(room.height() - self.height() - _ABOVE_BOTTOM, 0))

    # Qt's name

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and not self.isHidden():
            self._move()
        return super().eventFilter(watched, event)


def announce(source: QWidget, text: str, *, is_urgent: bool = False) -> None:
    """Let a screen reader announce `text`.

    Args:
        source: the widget that shows the text.
        text: a sentence.
        is_urgent: whether to interrupt the current announcement.
    """
    event = QAccessibleAnnouncementEvent(source, text)
    politeness = QAccessible.AnnouncementPoliteness
    event.setPoliteness(politeness.Assertive if is_urgent else politeness.Polite)
    QAccessible.updateAccessibility(event)


class EmptyState(QWidget):
    """An icon, a headline, a sentence, and a button if there is one obvious action."""

    acted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._drawing = IconLabel("search", 44)
        self._headline = Label(role="title", wraps=True)
        set_font_factor(self._headline, 1.35)
        self._sentence = Label(role="muted", wraps=True)
        for label in (self._headline, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._button = Button("", self.acted, "main")
        self._button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._lines = layout = vertical(self, margins=(32, 32, 32, 48), spacing=10)
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

    def add_below(self, widget: QWidget) -> None:
        """Add a widget below the button."""
        # Before the space at the bottom.
        self._lines.insertWidget(self._lines.count() - 1, widget)
        self._lines.setAlignment(widget, Qt.AlignmentFlag.AlignHCenter)

    def say(self, drawing: str, headline: str, sentence: str, button: str = "") -> None:
        """Show these; no button if `button` is empty."""
        self._drawing.set_drawing(drawing)
        self._headline.setText(headline)
        self._sentence.setText(sentence)
        self._button.setText(button)
        self._button.setVisible(bool(button))
