"""Who is at the other end of a connection within this machine, as far as the system tells."""

from __future__ import annotations

import os
import socket
import struct
import sys
from pathlib import Path
from typing import Final

# Of connections by IPv4, and of those that a program made of a socket that knows both.
_TABLES: Final = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_MAPPED: Final = "0000000000000000FFFF0000"
_LOCAL, _REMOTE, _OWNER = 1, 2, 7


def is_of_another(connection: socket.socket) -> bool:
    """Return whether another user's program has the other end of a connection by IPv4.

    Linux tells (proc_net_tcp of its documentation): there whoever is not known to be the same user
    is another. Other systems tell nobody but their administrator, and it is False.
    """
    if sys.platform != "linux":
        return False
    try:
        theirs, ours = connection.getpeername(), connection.getsockname()
        tables = [table.read_text(encoding="ascii") for table in _TABLES if table.exists()]
    except OSError:
        # It has gone already.
        return True
    owners = {owner_in(table, theirs, ours) for table in tables}
    # Where the system shows no tables it does not tell.
    return bool(tables) and os.getuid() not in owners


def owner_in(table: str, local: tuple[str, int], remote: tuple[str, int]) -> int | None:
    """Return who has the end `local` of a connection to `remote`; None where no such is listed.

    Args:
        table: as Linux writes it, a connection a line.
        local: an address by IPv4 and a port.
        remote: likewise.
    """
    wanted = (_written(local), _written(remote))
    for line in table.splitlines()[1:]:
        fields = line.split()
        ends = tuple(fields[place].removeprefix(_MAPPED) for place in (_LOCAL, _REMOTE))
        if ends == wanted:
            return int(fields[_OWNER])
    return None


def _written(end: tuple[str, int]) -> str:
    """Return an address as Linux writes it: its bytes as a number of this machine, and the port.

    >>> import sys
    >>> _written(("127.0.0.1", 80)) in ("0100007F:0050", "7F000001:0050")
    True
    """
    (number,) = struct.unpack("=I", socket.inet_aton(end[0]))
    return f"{number:08X}:{end[1]:04X}"
