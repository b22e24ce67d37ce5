"""The query's words as a row of chips; hovering over one shows only its highlights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QStyle, QWidget

from app import texts
from app.highlighting import about_share, paint_underline, reads_from_right
from app.palette import highlight_color, scheme_of, word_color
from core.search.output.match import QueryWord

if TYPE_CHECKING:
    from app.search.rows import Answer


_PADDING: Final = 9.0
_KEYBOARD: Final = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.OtherFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


@dataclass(frozen=True, slots=True)
class Chip:
    """A word of the query: an outline if it has no highlights, faded if it is insignificant.

    `word` is the number of its colour. A word that no result contains is struck through.
    """

    text: str
    word: int
    has_highlights: bool
    share: float | None = None
    is_significant: bool = True
    is_absent: bool = False


class ChipButton(QAbstractButton):
    """A chip that can be hovered over, focused by keyboard, and pinned by a click."""

    pointed = Signal(bool)
    """The mouse or the keyboard focus has entered (True) or left the chip."""
    stepped = Signal(int)
    """The right (1) or left (-1) arrow key was pressed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.chip = Chip("", 0, has_highlights=False)
        self.is_under_mouse = False
        # Whether the focus came from the keyboard; clicks do not count.
        self.is_focused = False
        self.setCheckable(True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_chip(self, chip: Chip) -> None:
        self.chip = chip
        self.setText(chip.text)
        self.setAccessibleName(chip.text)
        description = self._description()
        self.setAccessibleDescription(description)
        self.setToolTip(texts.hint(description))
        self.update()

    def _description(self) -> str:
        chip = self.chip
        if not chip.is_significant:
            description = self.tr("Carries little weight in this query; not highlighted")
        elif chip.is_absent:
            description = self.tr("No result contains this word")
        elif not chip.has_highlights:
            description = self.tr("No matches in the results")
        else:
            description = self.tr("Hover to show only this word’s matches; click to pin")
        share = about_share(QueryWord(chip.word, chip.text, chip.share))
        return f"{description}\n{chip.text}: {share}" if share else description

    def _emit_pointed(self) -> None:
        self.pointed.emit(self.is_under_mouse or self.is_focused)
        self.update()

    # Qt's names

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        width = metrics.horizontalAdvance(self.chip.text) + 2 * _PADDING
        return QSize(round(width + 0.5), round(metrics.height()) + 10)

    def paintEvent(self, _event: QPaintEvent) -> None:
        chip, scheme = self.chip, scheme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        radius = area.height() / 2
        is_pointed = self.is_under_mouse or self.is_focused or self.isChecked()
        color = word_color(scheme, chip.word)
        pen = QPen(QColor(scheme.line), 1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if chip.is_significant and chip.has_highlights:
            painter.setBrush(highlight_color(scheme, chip.word, 1.0))
            pen = QPen(Qt.PenStyle.NoPen)
        elif not chip.is_significant:
            pen = QPen(QColor(scheme.line), 1, Qt.PenStyle.DotLine)
        if is_pointed:
            pen = QPen(color, 2 if self.isChecked() else 1.4)
        painter.setPen(pen)
        painter.drawRoundedRect(area, radius, radius)
        if self.hasFocus() and self.is_focused:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(scheme.accent), 1.6))
            painter.drawRoundedRect(area.adjusted(-0.6, -0.6, 0.6, 0.6), radius, radius)
        if (chip.is_significant and not chip.is_absent) or is_pointed:
            line = area.adjusted(_PADDING - 2, 0, 2 - _PADDING, -2.5)
            paint_underline(painter, line, scheme, chip.word, 1.0 if chip.has_highlights else 0.4)
        is_strong = (chip.is_significant and chip.has_highlights) or is_pointed
        painter.setPen(QColor(scheme.text if is_strong else scheme.muted))
        font = painter.font()
        font.setStrikeOut(chip.is_absent)
        painter.setFont(font)
        painter.drawText(area.adjusted(0, -1.5, 0, -1.5), Qt.AlignmentFlag.AlignCenter, chip.text)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        # Not on enter events, which also occur when a chip appears under a resting mouse.
        super().mouseMoveEvent(event)
        if not self.is_under_mouse:
            self.is_under_mouse = True
            self._emit_pointed()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.is_under_mouse = False
        self._emit_pointed()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.is_focused = event.reason() in _KEYBOARD
        self._emit_pointed()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.is_focused = False
        self._emit_pointed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
        if event.key() in steps:
            is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            self.stepped.emit(steps[Qt.Key(event.key())] * (-1 if is_mirrored else 1))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


_GAP: Final = 6
_STEP: Final = 60
# Maximum number of chips, enough for a wide screen: the query may be a pasted page.
_MAX_CHIPS: Final = 64


class ChipRow(QWidget):
    """One line of chips that scrolls if they do not fit; a single stop for the Tab key.

    The first words have chips, the rest are counted. The left and right keys move between chips. A
    pinned chip stays active until it is clicked again or another query is answered.
    """

    pointed = Signal(object)
    """The number of the active word, or None."""

    def __init__(self) -> None:
        super().__init__()
        self._buttons: list[ChipButton] = []
        # All chips, including those that are scrolled out of view.
        self.chips: tuple[Chip, ...] = ()
        self._beyond = 0
        self._query = ""
        self._offset = 0
        # The number of the active word.
        self.only: int | None = None
        self._before: QWidget | None = None
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.clear()

    def follow(self, before: QWidget) -> None:
        """Let the Tab key move from this widget to the chips."""
        self._before = before

    @property
    def buttons(self) -> tuple[ChipButton, ...]:
        """The buttons of the chips, in order."""
        return tuple(self._buttons[: len(self.chips)])

    @property
    def hidden(self) -> int:
        """The number of query words without a visible chip."""
        return self._beyond + sum(not button.isVisible() for button in self.buttons)

    def show_answer(self, answer: Answer) -> None:
        if answer.results.query != self._query:
            self._query = answer.results.query
            self._unpin()
            if reads_from_right(self._query):
                self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
            else:
                self.unsetLayoutDirection()
        self._set(
            tuple(
                Chip(
                    word.text,
                    word.index,
                    word.index in answer.highlighted_words,
                    word.share,
                    word.is_significant,
                    word.index in answer.absent_words - answer.highlighted_words,
                )
                for word in answer.words[:_MAX_CHIPS]
            ),
            beyond=max(0, len(answer.words) - _MAX_CHIPS),
        )

    def clear(self) -> None:
        self._query = ""
        self._unpin()
        self._set(())

    def _unpin(self) -> None:
        for button in self._buttons:
            button.setChecked(False)
        self._offset = 0

    def _set(self, chips: tuple[Chip, ...], beyond: int = 0) -> None:
        self.chips = chips
        self._beyond = beyond
        while len(self._buttons) < len(chips):
            self._buttons.append(self._create_button())
        for button, chip in zip(self._buttons, chips, strict=False):
            if button.chip != chip:
                button.show_chip(chip)
        words = ", ".join(chip.text for chip in chips)
        self.setAccessibleName(self.tr("Query words: {0}").format(words) if words else "")
        if not any(button.focusPolicy() for button in self.buttons):
            self._set_tab_stop(0)
        self.setVisible(bool(chips))
        self._lay_out()
        self._emit_pointed()

    def _create_button(self) -> ChipButton:
        button = ChipButton(self)
        button.pointed.connect(partial(self._point, button))
        button.stepped.connect(partial(self._step, button))
        button.toggled.connect(partial(self._pin, button))
        return button

    def _set_tab_stop(self, current_index: int) -> None:
        """Let the Tab key focus the chip at `current_index`."""
        for index, button in enumerate(self._buttons):
            is_stop = index == current_index
            policy = Qt.FocusPolicy.TabFocus if is_stop else Qt.FocusPolicy.NoFocus
            button.setFocusPolicy(policy)
            if is_stop and self._before is not None:
                # New widgets are the last tab stops of a window.
                QWidget.setTabOrder(self._before, button)

    def _point(self, button: ChipButton, is_pointed: bool) -> None:
        if is_pointed and button.is_focused:
            self._bring_into_view(button)
        self._emit_pointed()

    def _step(self, button: ChipButton, step: int) -> None:
        index = self._buttons.index(button) + step
        if 0 <= index < len(self.chips):
            self._set_tab_stop(index)
            self._bring_into_view(self._buttons[index])
            self._buttons[index].setFocus(Qt.FocusReason.TabFocusReason)

    def _pin(self, pinned: ChipButton, is_pinned: bool) -> None:
        if is_pinned:
            for button in self._buttons:
                if button is not pinned:
                    button.setChecked(False)
        self._emit_pointed()

    def _emit_pointed(self) -> None:
        """Emit the active word: hovered, else focused by keyboard, else pinned."""
        under_mouse = [button for button in self.buttons if button.is_under_mouse]
        focused = [button for button in self.buttons if button.is_focused]
        pressed = [button for button in self.buttons if button.isChecked()]
        pointed = next(iter((*under_mouse, *focused, *pressed)), None)
        only = pointed.chip.word if pointed is not None else None
        if only != self.only:
            self.only = only
            self.pointed.emit(only)

    # Layout

    def _widths(self) -> list[int]:
        return [button.sizeHint().width() for button in self.buttons]

    def _room(self) -> int:
        return sum(self._widths()) + _GAP * max(0, len(self.chips) - 1)

    def _lay_out(self) -> None:
        self._offset = max(0, min(self._offset, self._room() - self.width() + self._rest_width()))
        left = -self._offset
        height = self.sizeHint().height()
        end = self.width() - self._rest_width()
        for button, width in zip(self.buttons, self._widths(), strict=True):
            rect = QRect(left, 0, width, height)
            mirrored = QStyle.visualRect(self.layoutDirection(), self.rect(), rect)
            button.setGeometry(mirrored)
            is_in_view = left >= 0 and left + width <= end
            button.setVisible(is_in_view or button.hasFocus())
            left += width + _GAP
        for button in self._buttons[len(self.chips) :]:
            button.hide()
        self.update()

    def _rest_width(self) -> int:
        """Return the width reserved for the count of words without a chip."""
        if self._room() <= self.width() and not self._beyond:
            return 0
        most = self._rest(len(self.chips) + self._beyond)
        return self.fontMetrics().horizontalAdvance(most) + _GAP

    def _rest(self, count: int) -> str:
        return self.tr("+{0}").format(count)

    def _bring_into_view(self, button: ChipButton) -> None:
        index = self._buttons.index(button)
        left = sum(self._widths()[:index]) + _GAP * index
        right = left + button.sizeHint().width() + self._rest_width() - self.width()
        self._offset = max(min(self._offset, left), right)
        self._lay_out()

    # Qt's names

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.hidden:
            return
        painter = QPainter(self)
        painter.setLayoutDirection(self.layoutDirection())
        painter.setPen(QColor(scheme_of(self.palette()).muted))
        trailing = Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), trailing, self._rest(self.hidden))

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta()
        self._offset -= _STEP * (1 if turned.y() + turned.x() > 0 else -1)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
            self._lay_out()

    def sizeHint(self) -> QSize:
        return QSize(200, self.fontMetrics().height() + 10)
