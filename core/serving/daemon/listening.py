"""Takes the connections that come to a socket, also where this process has no more room for one."""

from __future__ import annotations

import errno
import logging
import selectors
import socket
from typing import Final

_log = logging.getLogger(__name__)

_RESTS_S: Final = 1.0
# Nobody is there any more, or another thread took it: there is nothing to wait for.
_PASSING: Final = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED, errno.EINTR})


def accepted(listening: socket.socket, selector: selectors.BaseSelector) -> socket.socket | None:
    """Return the connection that waits at a socket; None where there is none to be had now.

    A process that has used up its numbers for files cannot take it, and the socket stays ready all
    the while. So it is not looked at for a second, or until something else of the selector is
    ready, by when some other connection may have ended.

    Args:
        listening: does not block, and is registered for reading.
        selector: what the caller waits with.
    """
    try:
        connection, _ = listening.accept()
    except OSError as error:
        if error.errno not in _PASSING:
            _log.warning("Whoever asked was not heard: %s", error)
            selector.unregister(listening)
            selector.select(_RESTS_S)
            selector.register(listening, selectors.EVENT_READ)
        return None
    return connection
