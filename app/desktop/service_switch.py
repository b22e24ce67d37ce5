"""The service in the background, turned on and off in the settings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from pathlib import Path

    from app.background import Lane
    from core.progress import Job


class ServiceSwitch(QObject):
    """Has the system start the service, or start it no more, as the person chooses."""

    refused = Signal(object)
    """Why the system does not start it: an error with a sentence."""
    failed = Signal(object)
    """Why it could not be turned off."""

    def __init__(self, home: Path, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._home = home
        self._lane = lane

    def choose(self, is_wanted: bool) -> None:
        """Turn it on or off; returns at once."""
        task = self._lane.start(partial(_switch, self._home, is_wanted))
        task.failed.connect(self.refused if is_wanted else self.failed)


def _switch(home: Path, is_wanted: bool, _job: Job) -> None:
    # Only for those who choose.
    from core.serving.daemon.autostart import switch_off, switch_on

    if is_wanted:
        switch_on(home)
    else:
        switch_off(home)
