"""A network namespace with loopback only, for a cluster on this machine.

Ray on Linux replaces a loopback address by the machine's external one, even if configured
otherwise, and listens there to everyone. In a namespace without any other device it cannot.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from core.errors import ClusterError

_LOOPBACK_UP: Final = 'ip link set lo up && exec "$@"'
_TRIAL_S: Final = 20.0


def is_isolated() -> bool:
    """Return whether this process has no network but loopback."""
    import psutil

    return all(name == "lo" or not device.isup for name, device in psutil.net_if_stats().items())


def needs_namespace() -> bool:
    """Return whether Ray would listen on an external address if it were started in this process.

    On Windows and macOS it uses loopback by default.
    """
    return sys.platform.startswith("linux") and not is_isolated()


def isolated(command: Sequence[str]) -> list[str]:
    """Return a command that runs another one in a namespace with loopback only.

    Raises:
        ClusterError: the system does not permit this user a network namespace.
    """
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    missing = [name for name in ("unshare", "ip", "sh") if shutil.which(name) is None]
    if missing:
        raise _refused(f"there is no {missing[0]}")
    refused = ""
    # In a container, root may lack this privilege.
    for flags in ("-n", "-rn") if root else ("-rn",):
        prefix = ["unshare", flags, "sh", "-c", _LOOPBACK_UP, "sh"]
        try:
            trial = subprocess.run(
                [*prefix, "true"], capture_output=True, text=True, timeout=_TRIAL_S, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise _refused("unshare does not answer") from error
        if not trial.returncode:
            return [*prefix, *command]
        refused = trial.stderr.strip().partition("\n")[0] or f"status {trial.returncode}"
    raise _refused(refused)


def enter() -> None:
    """Restart this program in a namespace with loopback only; does not return.

    Raises:
        ClusterError: the system does not permit this user a network namespace.
    """
    command = isolated([sys.executable, *sys.orig_argv[1:]])
    sys.stdout.flush()
    sys.stderr.flush()
    os.execvp(command[0], command)  # noqa: S606 - a list of our own


def _refused(why: str) -> ClusterError:
    return ClusterError(
        "Ray cannot be isolated from the network ({0}), so it would listen on a public address "
        "of this machine. Start Ray yourself and pass its address, or index without --ray.",
        why,
    )
