"""A walk through a container, as the program sees it: one member after another, and no way back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.documents.containers.members import Closed, Member
from core.documents.sandbox import protocol
from core.documents.sandbox.process import ReadingProcess
from core.documents.sandbox.worker_handle import Exchange

_log = logging.getLogger(__name__)


class Walk:
    """Gives a container's members in order; those of a container among them follow it at once.

    The end of a container among the members is told by `Closed`.
    """

    def __init__(
        self,
        exchange: Exchange,
        request: dict[str, Any],
        descriptors: Sequence[int],
        on_step: Callable[[], None],
    ) -> None:
        self._exchange = exchange
        self._descriptors = descriptors
        self._request = request
        self._scratch = Path(request["scratch"])
        self._on_step = on_step
        self._path = request["path"]
        self._enters = True

    def file(self) -> Path:
        """Return a file with the content of the member that was just given.

        It is there until the next one is asked for.
        """
        name = self._exchange.ask(
            {"do": "write"}, lambda fields, _process: protocol.scratch_name(fields)
        )
        return self._scratch / name

    def pass_over(self) -> None:
        """Leave out what lies in the member that was just given."""
        self._enters = False

    def __iter__(self) -> Iterator[Member | Closed]:
        """Walk.

        Raises:
            DocumentError: The container is damaged or needs a password, or holds more than it may;
                what was given before is good.
            OSError: It cannot be read, or there is no room to unpack it.
        """
        is_over, found = self._next(self._request, self._descriptors)
        while not is_over:
            self._on_step()
            self._enters = True
            if found is not None:
                yield found
            is_over, found = self._next({"do": "go on", "enters": self._enters})

    def _next(
        self, request: dict[str, Any], descriptors: Sequence[int] = ()
    ) -> tuple[bool, Member | Closed | None]:
        def finish(
            fields: dict[str, Any], _process: ReadingProcess
        ) -> tuple[bool, Member | Closed | None]:
            if trace := fields.get("trace"):
                _log.error("Opening a member of %s failed:\n%s", self._path, trace)
            return "end" in fields, protocol.step_from(fields)

        return self._exchange.ask(request, finish, descriptors)
