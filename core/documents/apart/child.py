"""Where a reading process begins: confined first, and only then at work.

What reads documents is imported behind the walls: a library that starts threads when it is loaded
must not have one outside.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

from core.documents.apart import confinement
from core.documents.limits import Limits

GIVEN: Final = "given"
"""The folder in the scratch folder for copies of documents that are read by other packages."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a reading process is for.

    Attributes:
        limits: What one document may take.
        scratch: The only folder in which it may write files; None for none.
        modules: That read formats of other packages, and may so be opened themselves.
    """

    limits: Limits
    scratch: Path | None = None
    modules: Sequence[str] = ()


def serve(requests: Connection, answers: Connection, files: Connection | None, task: Task) -> None:
    """Answer requests until there are no more; the target of the process.

    Args:
        requests: come from there.
        answers: go there.
        files: hands over the descriptors of documents; None where the system cannot.
        task: what the process is for.
    """
    handing = None if files is None else _socket_of(files)
    ends = {end.fileno() for end in (requests, answers, files) if end is not None}
    walls = confinement.confine(task, ends, None if files is None else files.fileno())
    from core.documents.apart import worker

    worker.serve(requests, answers, handing, task, walls)


def _socket_of(files: Connection) -> socket.socket:
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, files.fileno())
