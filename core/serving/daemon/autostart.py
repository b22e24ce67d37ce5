"""The service in the list of what starts when a person logs in, and out of it again. On Linux only.

By systemd where that looks after the person's session: it also starts the service when somebody
asks (systemd.socket(5)). Else by the desktop's folder of programs to start (the desktop
application autostart specification); in a Flatpak by the desktop's portal
(`core/serving/daemon/portal.py`).

Each library has files of its own, so that several can be on: the usual one those of the plain name,
any other those with a short hash of its folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core import own_files, paths
from core.daemon_client import client
from core.daemon_client.address import addresses, key_of, require_sockets
from core.errors import UsageError, WinnowError
from core.launching import LaunchCommand, own_command
from core.serving.daemon import portal

_DESCRIPTION: Final = "Winnow: search of your folders, ready in the background"
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
        notes: the folder of our own note on what the portal of a Flatpak's desktop was told.
        key: tells the library's files from those of others; "" for the usual library.
    """

    units: Path
    programs: Path
    notes: Path
    key: str = ""

    @property
    def unit(self) -> Path:
        """Systemd's unit of the service."""
        return self.units / f"winnow{self._suffix}.service"

    @property
    def socket(self) -> Path:
        """Systemd's unit of its socket."""
        return self.units / f"winnow{self._suffix}.socket"

    @property
    def entry(self) -> Path:
        """The desktop's entry of it."""
        return self.programs / f"winnow-service{self._suffix}.desktop"

    @property
    def note(self) -> Path:
        """Our own note on the library that a Flatpak's desktop starts the service of."""
        return self.notes / "winnow-service.library"

    @property
    def _suffix(self) -> str:
        return f"-{self.key}" if self.key else ""

    def of_library(self, home: Path) -> Place:
        """Return where the files of the library in `home` are."""
        is_usual = os.path.realpath(home) == os.path.realpath(paths.usual_home())
        return replace(self, key="" if is_usual else key_of(home))

    @classmethod
    def here(cls) -> Place:
        """Return where they are for whoever runs this, of the usual library."""
        return cls.of(Path.home(), os.environ)

    @classmethod
    def of(cls, home: Path, environ: Mapping[str, str]) -> Place:
        """Return where these are for a person with that home folder."""
        named = environ.get("XDG_CONFIG_HOME", "")
        config = Path(named) if named.startswith("/") else home / ".config"
        return cls(
            config / "systemd" / "user",
            config / "autostart",
            config,
        )


def switch_on(home: Path) -> Path:
    """Have a library's service run, now and from each login on; gives the file that says so.

    Returns when it answers.

    Raises:
        AutostartError: the system does not take it, or it does not start.
        PortalError: a Flatpak's desktop does not.
        UsageError: this system is not Linux.
    """
    require_sockets()
    if not sys.platform.startswith("linux"):
        raise UsageError(
            "Winnow can be started at login on Linux only; here start winnow service run yourself."
        )
    if not (places := addresses(home)):
        reason = "its path is too long"
        raise AutostartError("The service finds no place for its socket: {0}.", reason)
    launch = own_command("service", "run")
    if paths.is_flatpak():
        file = _turn_on_in_flatpak(Place.here(), home, launch)
    else:
        file = turn_on(Place.here().of_library(home), launch, places[0])
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
        PortalError: a Flatpak's desktop does not.
    """
    if paths.is_flatpak():
        was_on = _turn_off_in_flatpak(Place.here(), home)
    else:
        was_on = turn_off(Place.here().of_library(home))
    return client.ask(home, "end") is not None or was_on


def turn_on(place: Place, launch: LaunchCommand, address: str) -> Path:
    """Have the service run now, and whenever the person logs in; gives the file that says so.

    Args:
        place: where the system looks.
        launch: how the service is started.
        address: the file of its socket.

    Raises:
        AutostartError: the system does not take it.
    """
    words = (launch.command, *launch.arguments, *launch.environment.values())
    if any(ord(letter) < 32 for word in words for letter in word):
        raise AutostartError("{0} has a control character in it.", repr(launch.command))
    if has_systemd():
        _write(place.unit, unit(launch))
        _write(place.socket, socket_unit(address))
        _enable(place)
        return place.unit
    _write(place.entry, entry(launch))
    _start(launch)
    return place.entry


def turn_off(place: Place) -> bool:
    """Have the system start it no more; gives whether it did so before. What runs is not ended.

    Raises:
        AutostartError: the files cannot be removed.
    """
    files = (place.socket, place.unit, place.entry)
    there = [file for file in files if file.exists()]
    if {place.socket, place.unit} & {*there} and has_systemd():
        _tell("systemctl", "--user", "disable", "--now", place.socket.name, place.unit.name)
    try:
        for file in there:
            file.unlink()
    except OSError as error:
        raise AutostartError("{0} cannot be removed: {1}.", file, error.strerror) from error
    return bool(there)


def is_on(home: Path) -> bool:
    """Return whether the system starts the service of the library in `home`."""
    usual = Place.here()
    if paths.is_flatpak():
        return _noted(usual) == os.path.realpath(home)
    place = usual.of_library(home)
    return any(file.exists() for file in (place.unit, place.entry))


def _turn_on_in_flatpak(place: Place, home: Path, launch: LaunchCommand) -> Path:
    """Have the desktop start it at login, and start it now; gives our note on that."""
    named = os.path.realpath(home)
    if (other := _noted(place)) not in {None, named}:
        raise AutostartError(
            "In a Flatpak one library has a service, and that is the one in {0}: turn it off first "
            "(WINNOW_HOME={1} winnow service off).",
            other,
            other,
        )
    portal.ask(portal.background_command(launch), is_on=True)
    _write(place.note, named)
    command, *arguments = portal.start_command(launch)
    _start(LaunchCommand(command, tuple(arguments)))
    return place.note


def _turn_off_in_flatpak(place: Place, home: Path) -> bool:
    """Have the desktop start it no more; gives whether it did so before."""
    if _noted(place) != os.path.realpath(home):
        return False
    portal.ask((), is_on=False)
    place.note.unlink(missing_ok=True)
    return True


def _noted(place: Place) -> str | None:
    """Return the library that a Flatpak's desktop starts the service of; None for none."""
    try:
        return place.note.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return None


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
        "Icon=winnow",
        "NoDisplay=true",
    ]
    return _file(**{"Desktop Entry": lines})


def _file(**sections: list[str]) -> str:
    """Return a file of sections, each with its lines, as systemd and desktops write them."""
    return "\n".join("\n".join([f"[{name}]", *lines, ""]) for name, lines in sections.items())


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


def _enable(place: Place) -> None:
    _tell("systemctl", "--user", "daemon-reload")
    _tell("systemctl", "--user", "enable", "--now", place.socket.name, place.unit.name)


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
