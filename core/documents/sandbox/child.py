"""Entry point of a reading process: confine the process first, then import what reads documents.

A library that starts threads when it is loaded must not have a thread outside the sandbox.
"""

import socket
from multiprocessing.connection import Connection

from core.documents.sandbox import confinement
from core.documents.sandbox.confinement import WorkerTask


def serve(
    requests: Connection, answers: Connection, files: Connection | None, task: WorkerTask
) -> None:
    """Answer requests until there are no more; the target of the process.

    Args:
        requests: Requests come from there.
        answers: Answers go there.
        files: Hands over the descriptors of documents; None if the system cannot.
        task: Limits and folders of the process.
    """
    handing = None if files is None else _socket_of(files)
    ends = {end.fileno() for end in (requests, answers, files) if end is not None}
    walls = confinement.confine(task, ends, None if files is None else files.fileno())
    from core.documents.sandbox import worker

    worker.serve(requests, answers, handing, task, walls)


def _socket_of(files: Connection) -> socket.socket:
    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, files.fileno())
