"""Connects to a cluster, or starts a private one on this machine.

Ray is imported only here, and only on request.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import core
from core.addresses import is_loopback
from core.cluster import worker
from core.errors import ClusterError, UsageError, WinnowError
from core.files import own_files

if TYPE_CHECKING:
    import psutil

# The address that starts a cluster on this machine, which ends with the connection.
LOCAL: Final = "local"
_CLIENT: Final = "ray://"
_AUTO: Final = "auto"
_ANSWER_S: Final = 5.0
_HEALTH_S: Final = 30.0
# Time for the machines to introduce themselves: a busy one needs over a minute to start a process.
_INTRODUCTION_S: Final = 180.0
_FOLDER: Final = "winnow-ray-"
_OBJECT_STORE_BYTES: Final = 512 << 20
_MISMATCH = re.compile(r"Ray: (\S+)\s+Python: (\S+)")
_log = logging.getLogger(__name__)


def require_ray() -> None:
    """Check that Ray is installed, without importing it.

    Raises:
        UsageError: it is not installed.
    """
    if importlib.util.find_spec("ray") is None:
        raise UsageError(
            "Cluster support is not installed. Run: pip install 'winnow-search[cluster]'."
        )


def _import_ray(address: str) -> Any:
    """Import Ray with quiet logging and without telemetry."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # It warns of a future default for machines without graphics cards.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if address == LOCAL and not {"RAY_AUTH_MODE", "RAY_AUTH_TOKEN"} & os.environ.keys():
        # Otherwise Ray would write one into the home folder, and print a message at each start.
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))
    import ray

    return ray


@contextlib.contextmanager
def connection(address: str) -> Iterator[Any]:
    """Connect this process to the cluster at an address, and return Ray's module.

    Args:
        address: of the cluster's head, HOST:PORT or ray://HOST:PORT; "auto" for the cluster of
            this machine; "local" starts one on this machine.

    Raises:
        UsageError: Ray is not installed, or the address is invalid.
        ClusterError: the cluster does not answer, or has another version of Ray, Python or Winnow.
    """
    require_ray()
    if address != LOCAL:
        _look(address)
    ray = _import_ray(address)
    with contextlib.ExitStack() as stack:
        if address == LOCAL:
            folder = stack.enter_context(_own_folder())
            stack.callback(ray.shutdown)
            _start(ray, folder)
        else:
            if address != _AUTO and not address.startswith(_CLIENT):
                _ask_health(address)
            stack.callback(ray.shutdown)
            _connect(ray, address)
        _introduce(ray)
        yield ray


def node_process(ray: Any) -> psutil.Process | None:
    """Return the process of Ray's node on this machine, which connects this one to the cluster.

    Ray kills a process 15 seconds after its node has ended; until then an error can be reported.
    None if there is no node here, as with ray://, or it is not found.
    """
    import psutil

    if ray.util.client.ray.is_connected():
        return None
    own = ray.get_runtime_context().get_node_id()
    sockets = [node["RayletSocketName"] for node in ray.nodes() if node["NodeID"] == own]
    wanted = {f"--raylet_socket_name={name}" for name in sockets}
    for process in psutil.process_iter(["cmdline"]):
        if wanted & {*(process.info["cmdline"] or ())}:
            return process
    return None


def has_ended(process: psutil.Process) -> bool:
    """Return whether a process has ended; a zombie has."""
    import psutil

    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def sentence_of(error: Any) -> WinnowError:
    """Return the reason for a machine's failure, from Ray's error."""
    cause = error.cause
    if isinstance(cause, WinnowError):
        return cause
    if isinstance(cause, ModuleNotFoundError):
        return ClusterError(_LACKS, cause)
    return ClusterError(
        "An error in Winnow occurred on a machine of the cluster ({0}).",
        f"{type(cause).__name__}: {cause}",
    )


_LACKS: Final = (
    "A machine of the cluster lacks Winnow or a part of it ({0}). Install the same version on all "
    "machines: pip install 'winnow-search[cluster]'."
)


def _quiet() -> dict[str, Any]:
    return {
        "include_dashboard": False,
        "log_to_driver": bool(os.environ.get("WINNOW_DEBUG")),
        "logging_level": logging.ERROR,
        "configure_logging": False,
    }


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """Redirect the standard error of Ray's native code to the log while it starts."""
    sys.stderr.flush()
    before = os.dup(2)
    with tempfile.TemporaryFile() as captured:
        os.dup2(captured.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(before, 2)
            os.close(before)
            captured.seek(0)
            _log.info("Ray: %s", captured.read().decode(errors="replace"))


@contextlib.contextmanager
def _own_folder() -> Iterator[Path]:
    """Create a folder for the sockets and logs of a cluster on this machine.

    Ray makes its folder world-writable, so it is inside a private one. Folders left by killed
    programs are removed.
    """
    folder = Path(tempfile.gettempdir())
    own_files.sweep_folders(folder, _FOLDER)
    # Ray's last processes may still write to it: the next start removes the rest.
    with tempfile.TemporaryDirectory(
        prefix=f"{_FOLDER}{os.getpid()}-", dir=folder, ignore_cleanup_errors=True
    ) as name:
        # Short: sockets are in it, whose paths are bounded.
        yield Path(name) / "r"


# Of Ray's error when its processes have not started after half a minute.
_TOO_SLOW: Final = "timed out"


def _start(ray: Any, folder: Path) -> None:
    """Start a cluster on this machine that listens on loopback only; a second time if too slow."""
    may_use = getattr(os, "sched_getaffinity", None)
    processors = len(may_use(0)) if may_use is not None else os.cpu_count() or 1
    for is_last in (False, True):
        try:
            with _hushed():
                ray.init(
                    address=LOCAL,
                    num_cpus=processors,
                    object_store_memory=_OBJECT_STORE_BYTES,
                    _temp_dir=str(folder),
                    _node_ip_address="127.0.0.1",
                    **_quiet(),
                )
            break
        except Exception as error:  # a bare one if Ray starts too slowly, on a busy machine
            ray.shutdown()
            if is_last or _TOO_SLOW not in str(error):
                raise ClusterError(
                    "Ray cannot be started on this machine: {0}", _line(error)
                ) from error
    outer = [node["NodeManagerAddress"] for node in ray.nodes()]
    if not all(is_loopback(address) for address in outer):
        raise ClusterError(
            "Ray was stopped because it listens on {0} instead of loopback only. Index without "
            "--ray, or start Ray yourself and pass its address.",
            ", ".join(outer),
        )


def _look(address: str) -> None:
    """Check that a server listens at an address; Ray itself would try for a minute.

    Raises:
        UsageError: the address is invalid.
        ClusterError: no server listens.
    """
    if address == _AUTO:
        return
    host, _, port = address.removeprefix(_CLIENT).rpartition(":")
    if not host or not port.isdecimal():
        raise UsageError(
            "{0} is not a cluster address. Use HOST:PORT, ray://HOST:PORT, auto or local.",
            repr(address),
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER_S).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(
            "The cluster at {0} does not respond ({1}). Start it with ray start --head, or check "
            "the address.",
            address,
            _line(error),
        ) from error


def _ask_health(address: str) -> None:
    """Check in a separate process whether the server at an address is a cluster's head.

    Ray's own connection attempt to another server never ends, and cannot be interrupted.

    Raises:
        ClusterError: it is not.
    """
    command = [sys.executable, "-m", "ray.scripts.scripts", "health-check", "--address", address]
    try:
        subprocess.run(
            [*command, "--skip-version-check"],
            capture_output=True,
            timeout=_HEALTH_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ClusterError(
            "The service at {0} is not a Ray cluster. Use the address printed by ray start "
            "--head, or prefix the address of the Ray client server with ray://.",
            address,
        ) from error


def _connect(ray: Any, address: str) -> None:
    quiet = _quiet()
    if address.startswith(_CLIENT):
        quiet = {name: quiet[name] for name in ("log_to_driver", "logging_level")}
    try:
        with _hushed():
            ray.init(address=address, **quiet)
    except Exception as error:
        text = str(error)
        versions = _MISMATCH.findall(text)
        if len(versions) == 2:
            (theirs, their_python), (ours, our_python) = versions
            raise ClusterError(
                "The cluster at {0} runs Ray {1} on Python {2}, but this machine runs Ray {3} on "
                "Python {4}. The versions must match.",
                address,
                theirs,
                their_python,
                ours,
                our_python,
            ) from error
        if "version" in text.lower():
            raise ClusterError(
                "The cluster at {0} runs a different version of Ray or Python than this machine "
                "({1}).",
                address,
                _line(error),
            ) from error
        raise ClusterError(
            "Cannot join the cluster at {0} ({1}). Check that Ray is running there.",
            address,
            _line(error),
        ) from error


def _introduce(ray: Any) -> None:
    """Check the version of Winnow on each machine with processors.

    Raises:
        ClusterError: a machine lacks Winnow, or has another version.
    """
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    ask = ray.remote(worker.introduce)
    references = [
        ask.options(
            num_cpus=0,
            scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False),
        ).remote()
        for node in ray.nodes()
        if node["Alive"] and node["Resources"].get("CPU")
    ]
    if not references:
        raise ClusterError("No machine of the cluster has CPUs available.")
    machines = []
    refused: Any = None
    until_s = time.monotonic() + _INTRODUCTION_S
    for reference in references:
        try:
            machines.append(ray.get(reference, timeout=max(until_s - time.monotonic(), 0.1)))
        except ray.exceptions.RayTaskError as error:
            raise sentence_of(error) from error
        except ray.exceptions.RayError as error:
            # It may have just died: continue with the others.
            _log.warning("A machine of the cluster does not respond: %s", error)
            refused = error
    if not machines:
        raise ClusterError(
            "No machine of the cluster responds ({0}). See Ray's logs.", _line(refused)
        ) from refused
    for machine in machines:
        if machine.version != core.__version__:
            raise ClusterError(
                "The machine {0} has Winnow {1}, but this one has {2}. Install the same version "
                "on all machines of the cluster.",
                machine.host,
                machine.version,
                core.__version__,
            )


def _line(error: BaseException) -> str:
    """Return the first line of an error's message, without the final full stop."""
    return (str(error).strip().partition("\n")[0] or type(error).__name__).rstrip(".")
