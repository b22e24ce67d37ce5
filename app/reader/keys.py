"""What the keys do while one reads."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QKeyCombination, Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent


class ReaderCommand(Enum):
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
EVERYWHERE: Final = frozenset(
    {ReaderCommand.NEXT, ReaderCommand.PREVIOUS, ReaderCommand.LARGER, ReaderCommand.SMALLER}
)
"""What the window asks of the reader also while one is elsewhere in it."""
_IGNORED: Final = Qt.KeyboardModifier.KeypadModifier
_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier


def command_of(event: QKeyEvent) -> ReaderCommand | None:
    """Return what a key asks for; None for one that the reader does not know."""
    modifiers = event.modifiers() & ~_IGNORED
    key = Qt.Key(event.key())
    if key == Qt.Key.Key_Plus:
        # On most keyboards it stands above another sign.
        modifiers &= ~_SHIFT
    return _KEYS.get(QKeyCombination(modifiers, key))
