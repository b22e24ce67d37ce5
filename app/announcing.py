"""What is told to people who hear the window, wherever their focus is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


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
