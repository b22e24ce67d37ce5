"""The search box, its help and its history."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont, QFontDatabase, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QLineEdit, QWidget

from app import texts
from app.search.pills import Pill, PillButton, PillRow, SeparatedQuery, fitting
from app.text_size import px, scaled, set_font_factor, set_minimum_height, text_scale
from app.translation import translated
from app.widgets.controls import Button, Label
from app.widgets.icons import IconButton, IconLabel
from app.widgets.layouts import fill, horizontal, vertical
from app.widgets.menus import round_corners
from app.widgets.window_geometry import scrolled

if TYPE_CHECKING:
    from core.progress import Job


# Width of the text in pixels for which the pills leave room, at a text size of 100 %.
_LEAST_TEXT_WIDTH: Final = 220


class SearchBox(QFrame):
    """A large input with buttons to clear, save, recall and explain queries."""

    changed = Signal(str)
    left_downwards = Signal()
    entered = Signal()
    entered_for_folder = Signal()
    history_wanted = Signal()
    """The history was requested, by its button or by Down in an empty box."""
    star_clicked = Signal()
    help_wanted = Signal()
    cursor_moved = Signal()
    """The text before the cursor may have changed."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("searchFrame")
        self._edit = QLineEdit()
        self._edit.setObjectName("searchBox")
        self._edit.setPlaceholderText(self.tr("Search your documents"))
        self._edit.setAccessibleName(self.tr("Search"))
        set_font_factor(self._edit, 1.3)
        # The whole query as it was typed or set, and the one before it was set.
        self._text = self._replaced = ""
        # Whether all filters of the text become pills, also one that may be half typed.
        self._is_finished = False
        self._pills = PillRow()
        self._pills.removed.connect(self._remove_pill)
        self._edit.textChanged.connect(self._handle_text)
        self._edit.cursorPositionChanged.connect(self.cursor_moved)
        self._edit.installEventFilter(self)
        self._clear = IconButton("clear", self.tr("Clear (Esc)"))
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.clicked.connect(self.clear)
        self._star = IconButton("star", "", self.star_clicked)
        self._history = IconButton("history", self.tr("Saved and recent searches (↓)"))
        self._history.clicked.connect(self.history_wanted)
        self._help = IconButton(
            "help", self.tr("Search tips (Shift+F1)"), self.help_wanted, shortcut="Shift+F1"
        )
        self.show_saved(is_saved=False)
        layout = fill(horizontal(self, margins=(14, 7, 8, 7), spacing=10), IconLabel("search", 20))
        layout.addSpacing(8)
        layout.addWidget(self._pills)
        layout.addWidget(self._edit, 1)
        layout.setSpacing(2)
        for button in (self._clear, self._star, self._history, self._help):
            layout.addWidget(button)
        self._show_buttons()
        set_minimum_height(self, 46)
        self.setFocusProxy(self._edit)

    def text(self) -> str:
        """Return the whole query, with the filters of the pills."""
        return self._text

    @property
    def pills(self) -> tuple[PillButton, ...]:
        """The filters that are shown as pills."""
        return self._pills.buttons

    @property
    def edit(self) -> QLineEdit:
        """The input, without the filters of the pills."""
        return self._edit

    def clear(self) -> None:
        """Clear the box and focus it."""
        if self._text:
            self.set_text("")
        self._edit.setFocus()

    def set_text(self, text: str) -> None:
        """Replace the text; Undo restores the previous one."""
        self._replaced = self._text
        # Pills of filters that stay are not text for a moment.
        padded = f" {text} "
        self._show(text, tuple(pill for pill in self._pills.pills if f" {pill.text} " in padded))
        self._is_finished = True
        self.changed.emit(text)

    def show_separated(self, query: SeparatedQuery) -> None:
        """Show the filters of a query as pills, as many as have room.

        A filter that is being typed stays in the text until a space follows it.
        """
        if query.typed != self._text:
            return
        known = {pill.text for pill in self._pills.pills}
        typing = "" if self._is_finished else self._edit.text()[: self._edit.cursorPosition()]
        pills = [
            pill for pill in query.pills if pill.text in known or not typing.endswith(pill.text)
        ]
        width = (self._pills.width() if known else 0) + self._edit.width()
        self._show(query.typed, fitting(pills, width - px(_LEAST_TEXT_WIDTH)))

    def complete(self, start: int, text: str) -> None:
        """Replace the text from `start` to the cursor."""
        end = self._edit.cursorPosition()
        self._edit.setSelection(start, end - start)
        self._edit.insert(text)

    def _show(self, typed: str, pills: tuple[Pill, ...]) -> None:
        """Show a query with some of its filters as pills, without searching."""
        is_plain = not (pills or self._pills.pills)
        self._text = typed
        self._pills.show_pills(pills)
        rest = typed
        if pills:
            from core.search.facets.filters import without_filters

            rest = without_filters(typed, [pill.text for pill in pills])
            # A space before the last filter ends no word any more.
            rest = rest if typed[-1:].isspace() else rest.rstrip()
        if rest != self._edit.text():
            from_end = len(self._edit.text()) - self._edit.cursorPosition()
            with QSignalBlocker(self._edit):
                if is_plain:
                    self._edit.selectAll()
                    self._edit.insert(rest)
                else:
                    # Without the text before, which Undo would show next to the pills.
                    self._edit.setText(rest)
            self._edit.setCursorPosition(max(0, len(rest) - from_end))
        self._show_buttons()

    def _remove_pill(self, pill: Pill) -> None:
        self._pills.show_pills(tuple(other for other in self._pills.pills if other != pill))
        self._edit.setFocus()
        self._handle_text(self._edit.text())

    def _return_pill(self) -> None:
        """Make the last pill text again, to change it."""
        *pills, last = self._pills.pills
        with QSignalBlocker(self._edit):
            self._edit.setText(f"{last.text} {self._edit.text()}".rstrip())
        self._pills.show_pills(tuple(pills))
        self._is_finished = False
        self._edit.setCursorPosition(len(last.text))

    def select(self) -> None:
        """Focus the box and select its text."""
        self._edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._edit.selectAll()

    def type_on(self, text: str) -> None:
        """Focus the box and insert `text` at its end."""
        self._edit.setFocus()
        self._edit.setCursorPosition(len(self._edit.text()))
        self._edit.insert(text)

    def add(self, text: str) -> None:
        """Append `text`, separated by a space."""
        before = self._edit.text()
        self.type_on(text if not before or before[-1:].isspace() else f" {text}")

    def show_saved(self, *, is_saved: bool) -> None:
        """Show whether the query in the box is saved."""
        name = self.tr("Remove saved search") if is_saved else self.tr("Save search")
        self._star.set_drawing("starred" if is_saved else "star")
        self._star.setAccessibleName(name)
        keys = QKeySequence("Ctrl+S")
        self._star.setToolTip(f"{name} ({keys.toString(QKeySequence.SequenceFormat.NativeText)})")
        self._star.setShortcut(keys)

    def _show_buttons(self) -> None:
        has_text = bool(self._text)
        self._clear.setVisible(has_text)
        self._star.setVisible(has_text)
        self._history.setVisible(not has_text)

    def _handle_text(self, typed: str) -> None:
        self._is_finished = False
        pills = " ".join(pill.text for pill in self._pills.pills)
        # Before the text, which may end in an OR or an open bracket.
        self._text = " ".join(filter(None, (pills, typed)))
        self._show_buttons()
        self.changed.emit(self._text)

    def _show_focus(self, *, is_focused: bool) -> None:
        self.setProperty("focused", "true" if is_focused else "false")
        self.style().unpolish(self)
        self.style().polish(self)

    def _takes_key(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.entered_for_folder.emit()
            else:
                self.entered.emit()
            return True
        if event.key() == Qt.Key.Key_Down:
            (self.left_downwards if self._text else self.history_wanted).emit()
            return True
        if event.matches(QKeySequence.StandardKey.Undo) and self._is_finished:
            self.set_text(self._replaced)
            return True
        is_at_start = not self._edit.cursorPosition() and not self._edit.hasSelectedText()
        if event.key() == Qt.Key.Key_Backspace and is_at_start and self._pills.pills:
            self._return_pill()
            return True
        return False

    # Qt's names

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._pills.pills and self._edit.width() < px(_LEAST_TEXT_WIDTH) // 2:
            self._return_pill()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self._show_focus(is_focused=True)
        elif event.type() == QEvent.Type.FocusOut:
            self._show_focus(is_focused=False)
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._takes_key(event)
        return super().eventFilter(watched, event)


class OperatorHelp(NamedTuple):
    """An operator of the query language: its form, its meaning and an example.

    All three are translated when they are shown; keys such as `type:` are the same everywhere.
    """

    form: str
    meaning: str
    example: str


def operators(_job: Job) -> tuple[OperatorHelp, ...]:
    """Return all operators. Runs in the background, because this loads numpy."""
    from core.search.query.operators import OPERATORS

    return tuple(
        OperatorHelp(operator.form, operator.meaning, operator.example) for operator in OPERATORS
    )


class QueryHelp(QDialog):
    """Lists the operators; clicking an example inserts it into the box."""

    example_chosen = Signal(str)

    def __init__(self, listed: tuple[OperatorHelp, ...], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("queryHelp")
        round_corners(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = Label(self.tr("Search tips"), role="title")
        self.setAccessibleName(title.text())
        words = Label(role="muted")
        words.setText(self.tr("Type words or a whole question. To be more precise, use:"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        system = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed = scaled(system, text_scale())
        for line, operator in enumerate(listed):
            form = Label(translated(operator.form))
            bold = QFont(fixed)
            bold.setWeight(QFont.Weight.DemiBold)
            form.setFont(bold)
            meaning = Label(translated(operator.meaning), wraps=True)
            meaning.setMinimumWidth(300)
            query = translated(operator.example)
            example = Button(texts.left_to_right(query), partial(self._choose, query), "quiet")
            example.setFont(fixed)
            example.setCursor(Qt.CursorShape.PointingHandCursor)
            example.setAccessibleName(self.tr("Try {0}").format(query))
            example.setAccessibleDescription(meaning.text())
            example.setAutoDefault(False)
            for column, widget in enumerate((form, meaning, example)):
                grid.addWidget(widget, line, column, _alignment(column))
        self._page = QWidget()
        self._page.setObjectName("queryHelpPage")
        fill(vertical(self._page, margins=(20, 16, 12, 16), spacing=8), title, words, grid)
        # The dialog itself is transparent, and so are its corners.
        frame = QFrame()
        frame.setObjectName("queryHelpFrame")
        fill(vertical(frame, margins=(1, 1, 1, 1)), scrolled(self._page))
        fill(vertical(self, margins=(0, 0, 0, 0)), frame)

    def show_below(self, widget: QWidget) -> None:
        """Show the help below a widget, within its width and the screen's height."""
        room = widget.screen().availableGeometry()
        width = min(max(widget.width(), px(560)), px(820), room.width())
        height = self._page.heightForWidth(width - 2) + 2
        start = 0 if widget.isRightToLeft() else widget.width() - width
        corner = widget.mapToGlobal(QPoint(start, widget.height() + 4))
        below = room.bottom() - corner.y()
        self.setFixedSize(width, max(min(height, below), self.minimumSizeHint().height()))
        self.move(corner)
        self.show()

    def _choose(self, example: str) -> None:
        self.example_chosen.emit(example)
        self.close()


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag(0) if column == 1 else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
