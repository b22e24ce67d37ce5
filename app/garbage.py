"""When Python looks for garbage: the window stands still meanwhile, so not while it is used."""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

_NEVER: Final = 1_000_000
_LONGEST_MS: Final = 10 * 60 * 1000


class Sweeper(QObject):
    """Has Python look through all objects when nobody waits for the window.

    What is made and dropped at once Python sweeps up all the time, in less than a millisecond. To
    look through everything took it 95 ms in the midst of a search while 48,000 files were looked
    through: it does so whenever there are a quarter more objects than before. That waits until the
    person turns to another program, and for ten minutes at most.

    Loading makes hundreds of thousands of objects and next to no garbage: until `settle` nothing is
    swept at all (see `app.__main__`).
    """

    def __init__(self, application: QGuiApplication) -> None:
        super().__init__(application)
        self._latest = QTimer(self, interval=_LONGEST_MS, singleShot=True)
        self._latest.timeout.connect(self._sweep)
        application.applicationStateChanged.connect(self._sweep_if_left)

    def settle(self) -> None:
        """Let what has been loaded be: it stays, and is not looked through any more."""
        gc.freeze()
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, _NEVER)
        gc.enable()
        self._latest.start()

    def _sweep_if_left(self, state: Qt.ApplicationState) -> None:
        if state != Qt.ApplicationState.ApplicationActive and gc.isenabled():
            self._sweep()

    def _sweep(self) -> None:
        gc.collect()
        self._latest.start()
