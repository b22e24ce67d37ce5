"""What the keys do while one reads."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QKeyCombination, Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent


class Command(Enum):
    """What a person may ask of the reader by a key."""

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
    QKeyCombination(_CONTROL, Qt.Key.Key_F): Command.FIND,
    QKeyCombination(Qt.Key.Key_F3): Command.NEXT,
    QKeyCombination(Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_F3): Command.PREVIOUS,
    QKeyCombination(Qt.KeyboardModifier.AltModifier, Qt.Key.Key_Left): Command.BACK,
    QKeyCombination(_CONTROL, Qt.Key.Key_Plus): Command.LARGER,
    QKeyCombination(_CONTROL, Qt.Key.Key_Equal): Command.LARGER,
    QKeyCombination(_CONTROL, Qt.Key.Key_Minus): Command.SMALLER,
    QKeyCombination(_CONTROL, Qt.Key.Key_0): Command.USUAL_SIZE,
    QKeyCombination(Qt.Key.Key_F): Command.FIT_PAGE,
    QKeyCombination(Qt.Key.Key_W): Command.FIT_WIDTH,
    QKeyCombination(Qt.Key.Key_Escape): Command.CLOSE,
}
EVERYWHERE: Final = frozenset({Command.NEXT, Command.PREVIOUS, Command.LARGER, Command.SMALLER})
"""What the window asks of the reader also while one is elsewhere in it."""
_IGNORED: Final = Qt.KeyboardModifier.KeypadModifier
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier


def command_of(event: QKeyEvent) -> Command | None:
    """Give what a key asks for; None for one that the reader does not know."""
    modifiers = event.modifiers() & ~_IGNORED
    key = Qt.Key(event.key())
    if key == Qt.Key.Key_Plus:
        # On most keyboards it stands above another sign.
        modifiers &= ~_SHIFT
    return _KEYS.get(QKeyCombination(modifiers, key))
