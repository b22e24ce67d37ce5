"""The service in the system's own list of what starts when a person logs in, and out of it again.

By systemd where that looks after the person's session: it also starts the service when somebody
asks (systemd.socket(5)). Else by the desktop's folder of programs to start (the desktop
application autostart specification); on macOS by a launch agent (launchd.plist(5)); as a Flatpak by
the desktop, which is asked by its portal (org.freedesktop.portal.Background).
"""

from __future__ import annotations

import os
import plistlib
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core import APP_ID, own_files, paths
from core.errors import WinnowError
from core.launching import LaunchCommand, is_flatpak, launch_command
from core.service import client
from core.service.address import addresses, require_sockets

_LABEL: Final = f"{APP_ID}.service"
_DESCRIPTION: Final = "Winnow: search of your folders, ready in the background"
_UNITS: Final = ("winnow.socket", "winnow.service")
_SERVICE: Final = ("service", "run")
_PATIENCE_S: Final = 30
_PAUSE_S: Final = 0.1


class AutostartError(WinnowError):
    """The system does not take the service into its list; the message says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the system looks for what it starts.

    Attributes:
        units: the folder of systemd's units.
        programs: the desktop's folder of programs to start.
        agents: the folder of macOS's launch agents.
    """

    units: Path
    programs: Path
    agents: Path

    @property
    def unit(self) -> Path:
        """Systemd's unit of the service."""
        return self.units / "winnow.service"

    @property
    def socket(self) -> Path:
        """Systemd's unit of its socket."""
        return self.units / "winnow.socket"

    @property
    def entry(self) -> Path:
        """The desktop's entry of it."""
        return self.programs / "winnow-service.desktop"

    @property
    def agent(self) -> Path:
        """MacOS's launch agent of it."""
        return self.agents / f"{_LABEL}.plist"

    @classmethod
    def here(cls) -> Place:
        """Return where they are for whoever runs this."""
        return cls.of(Path.home(), os.environ)

    @classmethod
    def of(cls, home: Path, environ: Mapping[str, str]) -> Place:
        """Return where these are for a person with that home folder."""
        named = environ.get("XDG_CONFIG_HOME", "")
        config = Path(named) if named.startswith("/") else home / ".config"
        return cls(
            config / "systemd" / "user", config / "autostart", home / "Library" / "LaunchAgents"
        )


def switch_on(home: Path) -> Path:
    """Have a library's service run, now and from each login on; gives the file that says so.

    Returns when it answers.

    Raises:
        AutostartError: the system does not take it, or it does not start.
        UsageError: this system has no list that Winnow knows.
    """
    if not (places := addresses(home)):
        reason = "its path is too long"
        raise AutostartError("The service finds no place for its socket: {0}.", reason)
    file = turn_on(Place.here(), launch_command(*_SERVICE), places[0])
    ends_s = time.monotonic() + _PATIENCE_S
    while client.ask(home, "status") is None:
        if time.monotonic() > ends_s:
            raise AutostartError("The service does not start; winnow service run tells why.")
        time.sleep(_PAUSE_S)
    return file


def switch_off(home: Path) -> bool:
    """End a library's service, and have it start no more; gives whether there was one.

    Raises:
        AutostartError: the system does not let go of it.
    """
    was_on = turn_off(Place.here())
    return client.ask(home, "end") is not None or was_on


def turn_on(place: Place, launch: LaunchCommand, address: str) -> Path:
    """Have the service run now, and whenever the person logs in; gives the file that says so.

    Args:
        place: where the system looks.
        launch: how the service is started.
        address: the file of its socket.

    Raises:
        AutostartError: the system does not take it.
        UsageError: this system has no list that Winnow knows.
    """
    require_sockets()
    words = (launch.command, *launch.arguments, *launch.environment.values())
    if any(ord(letter) < 32 for word in words for letter in word):
        raise AutostartError("{0} has a control character in it.", repr(launch.command))
    if sys.platform == "darwin":
        _write(place.agent, launch_agent(launch))
        _tell("launchctl", "bootstrap", f"gui/{os.getuid()}", str(place.agent))
        return place.agent
    if is_flatpak():
        _ask_portal(is_wanted=True)
        # The desktop has its own; this one says here that it has been asked.
        _write(place.entry, entry(launch))
        _start(LaunchCommand(str(paths.program_file()), _SERVICE, {}))
        return place.entry
    if has_systemd():
        _write(place.unit, unit(launch))
        _write(place.socket, socket_unit(address))
        _tell("systemctl", "--user", "daemon-reload")
        _tell("systemctl", "--user", "enable", "--now", *_UNITS)
        return place.unit
    _write(place.entry, entry(launch))
    _start(launch)
    return place.entry


def turn_off(place: Place) -> bool:
    """Have the system start it no more; gives whether it did so before. What runs is not ended.

    Raises:
        AutostartError: the files cannot be removed.
    """
    files = (place.socket, place.unit, place.entry, place.agent)
    there = [file for file in files if file.exists()]
    if there and is_flatpak():
        _ask_portal(is_wanted=False)
    if {place.socket, place.unit} & {*there} and has_systemd():
        _tell("systemctl", "--user", "disable", "--now", *_UNITS)
    if place.agent in there and sys.platform == "darwin":
        _tell("launchctl", "bootout", f"gui/{os.getuid()}/{_LABEL}")
    try:
        for file in there:
            file.unlink()
    except OSError as error:
        raise AutostartError("{0} cannot be removed: {1}.", file, error.strerror) from error
    return bool(there)


def is_on(place: Place) -> bool:
    """Return whether the system starts it."""
    return any(file.exists() for file in (place.unit, place.entry, place.agent))


def has_systemd() -> bool:
    """Return whether systemd looks after this person's session."""
    try:
        told = _ended("systemctl", "--user", "is-system-running")
    except AutostartError:
        return False
    # "degraded": something else of the person's has failed.
    return told.stdout.strip() in {b"running", b"degraded", b"starting"}


def unit(launch: LaunchCommand) -> str:
    """Return systemd's unit of the service."""
    words = map(_quoted, (launch.command, *launch.arguments))
    environment = (_quoted(f"{name}={value}") for name, value in launch.environment.items())
    return _file(
        Unit=[f"Description={_DESCRIPTION}"],
        Service=[
            f"ExecStart={' '.join(words)}",
            *(f"Environment={one}" for one in environment),
            "Restart=on-failure",
            "RestartSec=10",
        ],
        Install=["WantedBy=default.target"],
    )


def socket_unit(address: str) -> str:
    """Return systemd's unit of the socket on which the service is asked."""
    return _file(
        Unit=[f"Description={_DESCRIPTION}"],
        Socket=[f"ListenStream={_specifiers_escaped(address)}", "SocketMode=0600"],
        Install=["WantedBy=sockets.target"],
    )


def entry(launch: LaunchCommand) -> str:
    """Return the desktop's entry of a program that it starts."""
    environment = [f"{name}={value}" for name, value in launch.environment.items()]
    command = [launch.command, *launch.arguments]
    if environment:
        command = ["env", *environment, *command]
    lines = [
        "Type=Application",
        "Name=Winnow",
        f"Comment={_DESCRIPTION}",
        f"Exec={' '.join(map(_exec_quoted, command))}",
        f"Icon={APP_ID}",
        "NoDisplay=true",
    ]
    return _file(**{"Desktop Entry": lines})


def _file(**sections: list[str]) -> str:
    """Return a file of sections, each with its lines, as systemd and desktops write them."""
    return "\n".join("\n".join([f"[{name}]", *lines, ""]) for name, lines in sections.items())


def launch_agent(launch: LaunchCommand) -> str:
    """Return macOS's description of the service."""
    described = {
        "Label": _LABEL,
        "ProgramArguments": [launch.command, *launch.arguments],
        "EnvironmentVariables": dict(launch.environment),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ProcessType": "Background",
    }
    return plistlib.dumps(described).decode()


def _specifiers_escaped(text: str) -> str:
    return text.replace("%", "%%")


def _quoted(word: str) -> str:
    r"""Return a word as systemd.syntax(7) and systemd.service(5) have it.

    >>> print(_quoted('/opt/50 % "off"/$x'))
    "/opt/50 %% \"off\"/$$x"
    """
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{_specifiers_escaped(escaped)}"'


def _exec_quoted(word: str) -> str:
    r"""Return a word as the desktop entry specification has it in an `Exec` key.

    >>> print(_exec_quoted("/opt/50 %/$x"))
    "/opt/50 %%/\\$x"
    """
    escaped = "".join(f"\\{letter}" if letter in '"`$\\' else letter for letter in word)
    # The string itself is escaped once more, as all strings of such a file are.
    return '"' + escaped.replace("\\", "\\\\").replace("%", "%%") + '"'


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        own_files.atomic_write(file, text.encode(errors="surrogateescape"))
    except OSError as error:
        raise AutostartError("{0} cannot be written: {1}.", file, error.strerror) from error


def _ended(*command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a program of the system; give how it ended and what it said.

    Raises:
        AutostartError: it is not there, or does not end.
    """
    try:
        return subprocess.run(command, capture_output=True, timeout=_PATIENCE_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AutostartError("{0} does not answer: {1}.", command[0], error) from error


def _tell(*command: str) -> None:
    told = _ended(*command)
    if told.returncode:
        said = told.stderr.decode(errors="replace").strip().splitlines()
        raise AutostartError(
            "{0} refused: {1}.", command[0], said[-1].rstrip(".") if said else told.returncode
        )


def _ask_portal(*, is_wanted: bool) -> None:
    """Have the desktop start the service of a Flatpak at each login, or no more."""
    command = "['winnow', 'service', 'run']"
    options = f"{{'autostart': <{str(is_wanted).lower()}>, 'commandline': <{command}>}}"
    portal = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
    method = "org.freedesktop.portal.Background.RequestBackground"
    _tell(
        *("gdbus", "call", "--session", "--dest", portal[0], "--object-path", portal[1]),
        *("--method", method, "", options),
    )


def _start(launch: LaunchCommand) -> None:
    """Start it now, beside this program and beyond its end."""
    actions = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
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
