"""The reader's controls: its keys, its header and the list of attachments."""

from __future__ import annotations

from enum import Enum, auto
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QKeyCombination, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QGridLayout, QPushButton, QToolButton, QWidget

from app import texts
from app.reader.zoom import Fit
from app.text_size import px, set_font_factor
from app.translation import translated
from app.widgets.controls import Button, ElidedLabel, Label
from app.widgets.icons import IconButton
from app.widgets.layouts import fill, horizontal, vertical
from app.widgets.menus import Menu
from core.files.locations import Location
from core.printable import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtGui import QKeyEvent

    from core.responses import Inner


class ReaderCommand(Enum):
    """Commands that have a key in the reader."""

    FIND = auto()
    NEXT = auto()
    PREVIOUS = auto()
    BACK = auto()
    LARGER = auto()
    SMALLER = auto()
    USUAL_SIZE = auto()
    FIT_PAGE = auto()
    FIT_WIDTH = auto()
    CLOSE = auto()


_CONTROL: Final = Qt.KeyboardModifier.ControlModifier
_KEYS: Final = {
    QKeyCombination(_CONTROL, Qt.Key.Key_F): ReaderCommand.FIND,
    QKeyCombination(Qt.Key.Key_F3): ReaderCommand.NEXT,
    QKeyCombination(Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_F3): ReaderCommand.PREVIOUS,
    QKeyCombination(Qt.KeyboardModifier.AltModifier, Qt.Key.Key_Left): ReaderCommand.BACK,
    QKeyCombination(_CONTROL, Qt.Key.Key_Plus): ReaderCommand.LARGER,
    QKeyCombination(_CONTROL, Qt.Key.Key_Equal): ReaderCommand.LARGER,
    QKeyCombination(_CONTROL, Qt.Key.Key_Minus): ReaderCommand.SMALLER,
    QKeyCombination(_CONTROL, Qt.Key.Key_0): ReaderCommand.USUAL_SIZE,
    QKeyCombination(Qt.Key.Key_F): ReaderCommand.FIT_PAGE,
    QKeyCombination(Qt.Key.Key_W): ReaderCommand.FIT_WIDTH,
    QKeyCombination(Qt.Key.Key_Escape): ReaderCommand.CLOSE,
}
# Commands that also work while another part of the window has the focus.
EVERYWHERE: Final = frozenset(
    {ReaderCommand.NEXT, ReaderCommand.PREVIOUS, ReaderCommand.LARGER, ReaderCommand.SMALLER}
)
_IGNORED: Final = Qt.KeyboardModifier.KeypadModifier
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier


def command_of(event: QKeyEvent) -> ReaderCommand | None:
    """Return the command of a key, or None."""
    modifiers = event.modifiers() & ~_IGNORED
    key = Qt.Key(event.key())
    if key == Qt.Key.Key_Plus:
        # Most keyboards need Shift for the plus sign.
        modifiers &= ~_SHIFT
    return _KEYS.get(QKeyCombination(modifiers, key))


# Factors of the printed size on offer.
_FACTORS: Final = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)


class ReaderHeader(QFrame):
    """Title, path, page turning, the choice of pages or text, and opening in other programs."""

    turned = Signal(int)
    """Turn to the previous (-1) or next (1) page."""
    page_wanted = Signal()
    text_wanted = Signal()
    open_wanted = Signal()
    folder_wanted = Signal()
    why_wanted = Signal()
    stepped = Signal(int)
    """Step to the previous (-1) or next (1) highlight."""
    back_wanted = Signal()
    zoom_wanted = Signal(object)
    """A Fit, or a factor of the printed size."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("readerHeader")
        self._zoom = self._zoom_button()
        self._shown: Path | None = None
        self._title = ElidedLabel(Qt.TextElideMode.ElideRight, role="title")
        self._path = ElidedLabel(Qt.TextElideMode.ElideMiddle, role="muted")
        set_font_factor(self._path, 0.88)
        self._back = IconButton("back", "", self.back_wanted)
        self._hit = Label(role="muted")
        up = IconButton("up", self.tr("Previous match (Shift+F3)"), lambda: self.stepped.emit(-1))
        down = IconButton("expand", self.tr("Next match (F3)"), lambda: self.stepped.emit(1))
        self._hits = (self._hit, up, down)
        self._gap = QWidget()
        self._gap.setFixedWidth(8)
        self._position = Label(role="muted")
        self._previous = IconButton(
            "previous", self.tr("Previous page"), lambda: self.turned.emit(-1), shortcut="Ctrl+PgUp"
        )
        self._next = IconButton(
            "next", self.tr("Next page"), lambda: self.turned.emit(1), shortcut="Ctrl+PgDown"
        )
        self._page = IconButton("page", self.tr("Show page"))
        self._text = IconButton("text", self.tr("Show text"))
        views = QButtonGroup(self)
        for button, wanted in ((self._page, self.page_wanted), (self._text, self.text_wanted)):
            button.setCheckable(True)
            views.addButton(button)
            button.clicked.connect(wanted)
        why = IconButton("why", self.tr("Why this result? (Ctrl+I)"))
        why.setObjectName("whyButton")
        why.clicked.connect(self.why_wanted)
        self._folder = IconButton("folder", self.tr("Show in folder (Ctrl+Enter)"))
        self._folder.clicked.connect(self.folder_wanted)
        self._outside = IconButton("open", self.tr("Open document (Enter)"), self.open_wanted)
        first = fill(horizontal(spacing=3), self._back, (self._title, 1))
        first.addSpacing(12)
        for widget in (self._page, self._text, why, self._folder, self._outside):
            first.addWidget(widget)
        second = horizontal(spacing=3)
        # Keep the height of the buttons when there are none, so that documents do not move.
        second.addStrut(up.sizeHint().height())
        second.addWidget(self._path, 1)
        second.addSpacing(12)
        for item in (
            self._zoom,
            *self._hits,
            self._gap,
            self._previous,
            self._position,
            self._next,
        ):
            second.addWidget(item)
        fill(vertical(self, margins=(22, 7, 12, 5), spacing=0), first, second)

    def show_document(self, title: str, path: Path, *, has_pages: bool) -> None:
        self._title.set_text(title)
        self._path.set_text(texts.shown_path(path))
        self._path.setToolTip(texts.hint(quoted(path)))
        if path != self._shown:
            self._shown = path
            self._folder.setEnabled(Location.of(path).is_local)
            self.show_file(path)
        self._page.setVisible(has_pages)
        self._text.setVisible(has_pages)

    def show_file(self, file: Path) -> None:
        """Offer to open the document, or `file`, which contains it."""
        if file == self._shown:
            self._outside.set_name(self.tr("Open document (Enter)"))
        else:
            self._outside.set_name(self.tr("Open {0} (Enter)").format(file.name))

    def show_back(self, title: str) -> None:
        """Offer to go back to the document with this `title`; hide the button if it is empty."""
        self._back.set_name(self.tr("Back to {0} (Alt+Left)").format(title))
        self._back.setVisible(bool(title))

    def show_hit(self, index: int | None, count: int) -> None:
        """Show that highlight `index`, counted from 0, of `count` is the current one."""
        if index is None:
            text = texts.matches(count)
        else:
            text = self.tr("{0} of {1}").format(texts.grouped(index + 1), texts.grouped(count))
        self._hit.setText(text)
        for widget in self._hits:
            widget.setVisible(count > 0)

    def show_position(
        self, position: int, count: int, *, can_turn: tuple[bool, bool] = (False, False)
    ) -> None:
        """Show that this is page or part `position` of `count`, counted from 1.

        `can_turn` says separately whether there is a previous and a next one: long pages have
        parts.
        """
        self._position.setText(f"{texts.grouped(position)} / {texts.grouped(count)}")
        for button, can in zip((self._previous, self._next), can_turn, strict=True):
            button.setEnabled(can)
        for widget in (self._previous, self._position, self._next):
            widget.setVisible(count > 1)

    def show_view(self, *, is_text: bool) -> None:
        (self._text if is_text else self._page).setChecked(True)
        self._zoom.setVisible(not is_text and not self._page.isHidden())

    def show_zoom(self, zoom: Fit | float) -> None:
        """Show how large the pages are."""
        name = dict(self._zooms())[zoom] if isinstance(zoom, Fit) else self._percent(zoom)
        self._zoom.setText(f"{name} ▾")
        self._zoom.setAccessibleName(self.tr("Zoom: {0}").format(name))

    def _zoom_button(self) -> QToolButton:
        button = QToolButton()
        button.setProperty("labelled", "true")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setToolTip(self.tr("Zoom (Ctrl++, Ctrl+-)"))
        menu = Menu(button)
        for zoom, name in self._zooms():
            menu.addAction(name, partial(self.zoom_wanted.emit, zoom))
        button.setMenu(menu)
        set_font_factor(button, 0.88)
        return button

    def _zooms(self) -> tuple[tuple[Fit | float, str], ...]:
        """Return the zooms on offer with their names."""
        fits = ((Fit.WIDTH, self.tr("Fit width")), (Fit.PAGE, self.tr("Fit page")))
        return (*fits, *((factor, self._percent(factor)) for factor in _FACTORS))

    def _percent(self, factor: float) -> str:
        return self.tr("{0}%").format(texts.grouped(round(100 * factor)))


_COLUMNS: Final = 3
_MAX_ATTACHMENTS: Final = 30
_MAX_NAME_WIDTH: Final = 200


class MailStrip(QFrame):
    """A mail's subject and a button for each attachment; indexed attachments can be opened."""

    opened = Signal(object)
    """The chosen Inner."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("mailStrip")
        self._subject = Label(role="title", wraps=True)
        self._subject.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        set_font_factor(self._subject, 1.3)
        self.buttons: list[QPushButton] = []
        self._grid = QGridLayout()
        self._grid.setSpacing(6)
        self._grid.setColumnStretch(_COLUMNS, 1)
        fill(vertical(self, margins=(42, 16, 28, 4), spacing=10), self._subject, self._grid)

    def show_mail(self, subject: str, attachments: Sequence[Inner]) -> None:
        self._subject.setText(subject)
        for button in self.buttons:
            self._grid.removeWidget(button)
            button.deleteLater()
        self.buttons = [self._button(inner) for inner in islice(attachments, _MAX_ATTACHMENTS)]
        for index, button in enumerate(self.buttons):
            self._grid.addWidget(button, *divmod(index, _COLUMNS))

    def _button(self, inner: Inner) -> QPushButton:
        name = texts.name_of(inner.path)
        room = px(_MAX_NAME_WIDTH)
        cut = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, room)
        button = Button(cut.replace("&", "&&"), partial(self.opened.emit, inner))
        button.setAccessibleName(name)
        button.setEnabled(inner.is_read)
        if inner.is_read:
            button.setToolTip(texts.hint(self.tr("Show {0}").format(name)))
        elif inner.reason:
            button.setToolTip(texts.hint(f"{name}: {translated(inner.reason)}"))
        else:
            button.setToolTip(texts.hint(self.tr("{0} is not indexed yet").format(name)))
        return button
