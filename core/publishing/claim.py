"""An exclusive claim on a publishing destination, across machines."""

import contextlib
import getpass
import json
import logging
import os
import secrets
import socket
import time
from collections.abc import Iterator
from typing import Final

from core import json_input
from core.errors import LibraryBusyError
from core.printable import label
from core.publishing.store import NotStoredError, Store, StoreError, UnexpectedPieceError

_log = logging.getLogger(__name__)
_NAME: Final = "publishing.lock"
# Age, by the store's clock, after which a claim is considered abandoned.
_STALE_S: Final = 900.0
_MOST_BYTES: Final = 1 << 16
_RENEWED_S: Final = 60.0


class PublishClaim:
    """A lock file in the store that names the publisher; renewed during publishing."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._owner = {
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "user": _user(),
            "mark": secrets.token_hex(8),
        }
        self._renewed_s = 0.0

    def take(self) -> None:
        """Claim the destination, or take it over from a program that has ended.

        Raises:
            LibraryBusyError: another program publishes there.
        """
        if not self._store.claim(_NAME, self._data()):
            owner = self._standing()
            if owner is not None and not self._is_abandoned(owner):
                raise LibraryBusyError(
                    "{1} on {2} is publishing to {0}. Try again when it has finished, or in 15 "
                    "minutes if it was interrupted.",
                    self._store.address,
                    label(str(owner.get("user", "?"))),
                    label(str(owner.get("host", "?"))),
                )
            self._store.remove(_NAME)
            if not self._store.claim(_NAME, self._data()):
                raise self._lost_claim()
        self._renewed_s = time.monotonic()

    def renew(self) -> None:
        """Renew the claim at intervals, and verify that it is still ours.

        Raises:
            LibraryBusyError: another program took it over, because this one seemed to have ended.
        """
        # By this machine's clock, because reading the store's requires writing a file.
        if time.monotonic() - self._renewed_s >= _RENEWED_S:
            self.check()
            self._store.write(_NAME, self._data())
            self._renewed_s = time.monotonic()

    def check(self) -> None:
        """Verify that the claim is still ours; raises the errors of `renew`."""
        standing = self._standing()
        if standing is None or standing.get("mark") != self._owner["mark"]:
            raise self._lost_claim()

    def give_back(self) -> None:
        """Release the claim."""
        standing = self._standing()
        if standing is not None and standing.get("mark") == self._owner["mark"]:
            self._store.remove(_NAME)

    def _data(self) -> bytes:
        return json.dumps(self._owner).encode()

    def _standing(self) -> dict[str, object] | None:
        try:
            data = self._store.read(_NAME, _MOST_BYTES)
            claim = json_input.loads(data, most_bytes=_MOST_BYTES)
        except (NotStoredError, UnexpectedPieceError, ValueError):
            return None
        return claim if isinstance(claim, dict) else None

    def _is_abandoned(self, owner: dict[str, object]) -> bool:
        """Return whether the program of a claim has ended, or has stopped renewing it."""
        import psutil

        process_id = owner.get("pid")
        if owner.get("host") == self._owner["host"] and isinstance(process_id, int):
            return not psutil.pid_exists(process_id)
        file = self._store.files("").get(_NAME)
        # It was renewed by a clock that was ahead; a running publisher renews it again.
        return file is None or abs(self._store.now_s() - file.changed_s) > _STALE_S

    def _lost_claim(self) -> LibraryBusyError:
        return LibraryBusyError(
            "Another Winnow process has started publishing to {0}; this one stopped.",
            self._store.address,
        )


@contextlib.contextmanager
def claimed(store: Store) -> Iterator[PublishClaim]:
    """Hold the claim on a destination during the block.

    Raises:
        LibraryBusyError: another program has it.
    """
    claim = PublishClaim(store)
    claim.take()
    try:
        yield claim
    finally:
        try:
            claim.give_back()
        except StoreError as error:
            # Others can take it over after a quarter of an hour.
            _log.warning("Cannot release the claim on %s: %s", store.address, error)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # unknown to the system
        return "?"
