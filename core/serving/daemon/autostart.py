"""Starts the service at login, by systemd or the desktop. Linux only.

systemd starts it if it manages the user's session, and also starts it for a request
(systemd.socket(5)); otherwise the desktop does (the desktop application autostart specification).

Each library has its own files: those of the default library have the plain name; for others, it
contains a short hash of the library's folder.
"""

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

from core.daemon_client import client
from core.daemon_client.protocol import END, STATUS, addresses, key_of, require_sockets
from core.errors import UsageError, WinnowError
from core.files import own_files, paths
from core.files.paths import LaunchCommand, launch_command

_DESCRIPTION: Final = "Winnow background service"
# The longest wait for a program of the system, and for the service to respond.
_TIMEOUT_S: Final = 30
_POLL_S: Final = 0.1


class AutostartError(WinnowError):
    """The service cannot be started at login; the message says why."""


@dataclass(frozen=True, slots=True)
class AutostartFiles:
    """The files by which the system starts the service.

    Attributes:
        units: the folder of systemd's units.
        programs: the desktop's autostart folder.
        key: part of the files' names; "" for the usual library.
    """

    units: Path
    programs: Path
    key: str = ""

    @property
    def unit(self) -> Path:
        """The systemd unit of the service."""
        return self.units / f"winnow{self._suffix}.service"

    @property
    def socket(self) -> Path:
        """The systemd unit of its socket."""
        return self.units / f"winnow{self._suffix}.socket"

    @property
    def entry(self) -> Path:
        """The desktop entry in the autostart folder."""
        return self.programs / f"winnow-service{self._suffix}.desktop"

    @property
    def _suffix(self) -> str:
        return f"-{self.key}" if self.key else ""

    def of_library(self, home: Path) -> Self:
        """Return the files of the library in `home`."""
        is_usual = os.path.realpath(home) == os.path.realpath(paths.usual_home())
        return replace(self, key="" if is_usual else key_of(home))

    @classmethod
    def here(cls) -> Self:
        """Return the files of the usual library for the current user."""
        return cls.of(Path.home(), os.environ)

    @classmethod
    def of(cls, home: Path, environ: Mapping[str, str]) -> Self:
        """Return the files of the usual library for a user with that home folder."""
        named = environ.get("XDG_CONFIG_HOME", "")
        config = Path(named) if named.startswith("/") else home / ".config"
        return cls(config / "systemd" / "user", config / "autostart")


def switch_on(home: Path) -> Path:
    """Start a library's service now and at each login; return the file that was written.

    Returns when the service responds.

    Raises:
        AutostartError: the system refused, or the service does not start.
        UsageError: this system is not Linux.
    """
    require_sockets()
    if not sys.platform.startswith("linux"):
        raise UsageError(
            "Starting Winnow at login is supported on Linux only. On this system, run winnow "
            "service run yourself."
        )
    if not (socket_paths := addresses(home)):
        reason = "its path is too long"
        raise AutostartError("The service cannot create its socket: {0}.", reason)
    launch = launch_command("service", "run")
    file = turn_on(AutostartFiles.here().of_library(home), launch, socket_paths[0])
    ends_s = time.monotonic() + _TIMEOUT_S
    while client.send_request(home, STATUS) is None:
        if time.monotonic() > ends_s:
            raise AutostartError("The service did not start. Run winnow service run to see why.")
        time.sleep(_POLL_S)
    return file


def switch_off(home: Path) -> bool:
    """Stop a library's service, and disable it; return whether it was enabled.

    Raises:
        AutostartError: the system refused.
    """
    was_on = turn_off(AutostartFiles.here().of_library(home))
    return client.send_request(home, END) is not None or was_on


def turn_on(files: AutostartFiles, launch: LaunchCommand, address: str) -> Path:
    """Start the service now and at each login; return the file that was written.

    Args:
        files: the files to write.
        launch: the command that starts the service.
        address: the file of its socket.

    Raises:
        AutostartError: the system refused.
    """
    words = (launch.command, *launch.arguments, *launch.environment.values())
    if any(ord(letter) < 32 for word in words for letter in word):
        raise AutostartError("{0} contains a control character.", repr(launch.command))
    if has_systemd():
        _write(files.unit, unit(launch))
        _write(files.socket, socket_unit(address))
        _enable(files)
        return files.unit
    _write(files.entry, entry(launch))
    _start(launch)
    return files.entry


def turn_off(autostart_files: AutostartFiles) -> bool:
    """Disable starting the service at login; return whether it was enabled.

    A running service is not stopped.

    Raises:
        AutostartError: the files cannot be removed.
    """
    files = (autostart_files.socket, autostart_files.unit, autostart_files.entry)
    there = [file for file in files if file.exists()]
    if {autostart_files.socket, autostart_files.unit} & {*there} and has_systemd():
        _run(
            "systemctl",
            "--user",
            "disable",
            "--now",
            autostart_files.socket.name,
            autostart_files.unit.name,
        )
    for file in there:
        with AutostartError.on_os_error("{0} cannot be removed: {1}.", file):
            file.unlink()
    return bool(there)


def is_on(home: Path) -> bool:
    """Return whether the service of the library in `home` is started at login."""
    files = AutostartFiles.here().of_library(home)
    return any(file.exists() for file in (files.unit, files.entry))


def has_systemd() -> bool:
    """Return whether systemd manages the user's session."""
    try:
        state = _finish("systemctl", "--user", "is-system-running")
    except AutostartError:
        return False
    # "degraded": another unit has failed.
    return state.stdout.strip() in {b"running", b"degraded", b"starting"}


def unit(launch: LaunchCommand) -> str:
    """Return the systemd unit of the service."""
    words = map(_quoted, (launch.command, *launch.arguments))
    environment = (_quoted(f"{name}={value}") for name, value in launch.environment.items())
    return _file(
        Unit=[f"Description={_DESCRIPTION}"],
        Service=[
            f"ExecStart={' '.join(words)}",
            *(f"Environment={setting}" for setting in environment),
            "Restart=on-failure",
            "RestartSec=10",
        ],
        Install=["WantedBy=default.target"],
    )


def socket_unit(address: str) -> str:
    """Return the systemd unit of the service's socket."""
    return _file(
        Unit=[f"Description={_DESCRIPTION}"],
        Socket=[f"ListenStream={_specifiers_escaped(address)}", "SocketMode=0600"],
        Install=["WantedBy=sockets.target"],
    )


def entry(launch: LaunchCommand) -> str:
    """Return the desktop entry of the service."""
    environment = [f"{name}={value}" for name, value in launch.environment.items()]
    command = [launch.command, *launch.arguments]
    if environment:
        command = ["env", *environment, *command]
    lines = [
        "Type=Application",
        "Name=Winnow",
        f"Comment={_DESCRIPTION}",
        f"Exec={' '.join(map(_exec_quoted, command))}",
        "Icon=winnow",
        "NoDisplay=true",
    ]
    return _file(**{"Desktop Entry": lines})


def _file(**sections: list[str]) -> str:
    """Return the text of a file of sections, as in systemd units and desktop entries."""
    return "\n".join("\n".join([f"[{name}]", *lines, ""]) for name, lines in sections.items())


def _specifiers_escaped(text: str) -> str:
    return text.replace("%", "%%")


def _quoted(word: str) -> str:
    r"""Quote a word as in systemd.syntax(7) and systemd.service(5).

    >>> print(_quoted('/opt/50 % "off"/$x'))
    "/opt/50 %% \"off\"/$$x"
    """
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{_specifiers_escaped(escaped)}"'


def _exec_quoted(word: str) -> str:
    r"""Quote a word as in the `Exec` key of a desktop entry.

    >>> print(_exec_quoted("/opt/50 %/$x"))
    "/opt/50 %%/\\$x"
    """
    escaped = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in word)
    # Escaped twice: as a word, and as a string of the file.
    return '"' + escaped.replace("\\", "\\\\").replace("%", "%%") + '"'


def _write(file: Path, text: str) -> None:
    with AutostartError.on_os_error("{0} cannot be written to: {1}.", file):
        file.parent.mkdir(parents=True, exist_ok=True)
        own_files.atomic_write(file, text.encode(errors="surrogateescape"))


def _finish(*command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a program of the system until it ends.

    Raises:
        AutostartError: it is missing, or does not end in time.
    """
    try:
        return subprocess.run(command, capture_output=True, timeout=_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AutostartError("{0} does not respond: {1}.", command[0], error) from error


def _run(*command: str) -> None:
    finished = _finish(*command)
    if finished.returncode:
        lines = finished.stderr.decode(errors="replace").strip().splitlines()
        reason = lines[-1].rstrip(".") if lines else finished.returncode
        raise AutostartError("{0} refused the request: {1}.", command[0], reason)


def _enable(files: AutostartFiles) -> None:
    _run("systemctl", "--user", "daemon-reload")
    _run("systemctl", "--user", "enable", "--now", files.socket.name, files.unit.name)


def _start(launch: LaunchCommand) -> None:
    """Start the service as a process that outlives this one."""
    actions = [
        (os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_RDWR, 0) for descriptor in (0, 1, 2)
    ]
    command = [launch.command, *launch.arguments]
    try:
        os.posix_spawn(
            launch.command,
            command,
            {**os.environ, **launch.environment},
            file_actions=actions,
            setsid=True,
        )
    except OSError as error:
        reason = error.strerror
        raise AutostartError("{0} cannot be started: {1}.", launch.command, reason) from error
