"""The service in the system's own list: as its manuals write such files, and out of it again."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.daemon_client import client
from core.daemon_client.protocol import STATUS, key_of
from core.files import paths
from core.files.paths import LaunchCommand
from core.serving.daemon import autostart
from core.serving.daemon.autostart import AutostartError, AutostartFiles
from core.settings import chosen
from tests.conftest import Run
from tests.core.serving.daemon.conftest import Start
from tests.waiting import wait_until

ODD = LaunchCommand(
    '/opt/win now/50 %/"winnow"', ("service", "run"), {"WINNOW_HOME": "/home/a b/$x\\y%h"}
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AutostartFiles:
    """Where the system would look, if it looked here."""
    place = AutostartFiles.of(tmp_path, {})
    monkeypatch.setattr(AutostartFiles, "here", classmethod(lambda _cls: place))
    # Where nothing is said of it a test's library is the usual one.
    monkeypatch.setattr(paths, "usual_home", paths.home)
    return place


def program(folder: Path, name: str, script: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a program of this name first on the path; return the file with its arguments."""
    notes = folder / f"{name}.notes"
    path = folder / "bin" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/sh\necho "$@" >> {shlex.quote(str(notes))}\n{script}\n')
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")
    return notes


def is_on() -> bool:
    return autostart.is_on(paths.usual_home())


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The calls to systemd, which manages the session here."""
    monkeypatch.setattr(sys, "platform", "linux")
    return program(tmp_path, "systemctl", "echo running", monkeypatch)


@pytest.fixture
def no_systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    program(tmp_path, "systemctl", "echo offline; exit 1", monkeypatch)


def test_systemd_gets_service_and_socket(place: AutostartFiles, systemd: Path) -> None:
    file = autostart.turn_on(place, ODD, "/run/user/1/winnow.service")
    assert file == place.units / "winnow.service"
    assert is_on()
    commands = systemd.read_text().splitlines()
    assert commands[-2:] == [
        "--user daemon-reload",
        "--user enable --now winnow.socket winnow.service",
    ]
    assert (
        "ListenStream=/run/user/1/winnow.service\nSocketMode=0600\n"
        in (place.units / "winnow.socket").read_text()
    )
    assert autostart.turn_off(place)
    assert systemd.read_text().splitlines()[-1] == (
        "--user disable --now winnow.socket winnow.service"
    )
    assert not is_on()
    assert not autostart.turn_off(place)


@dataclass
class Two:
    """A usual library and another one, and the files of either's service."""

    usual: Path
    other: Path
    place: AutostartFiles

    def of_other(self) -> AutostartFiles:
        return self.place.of_library(self.other)

    def files(self) -> set[str]:
        """The names of all that is in the system's lists."""
        folders = (self.place.units, self.place.programs)
        return {file.name for folder in folders for file in folder.glob("*")}

    def launch(self, home: Path) -> LaunchCommand:
        environment = {} if home == self.usual else {"WINNOW_HOME": str(home)}
        return LaunchCommand("/bin/true", ("service", "run"), environment)

    def turn_on(self, home: Path) -> Path:
        return autostart.turn_on(self.place.of_library(home), self.launch(home), f"{home}/socket")


@pytest.fixture
def two(place: AutostartFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Two:
    autostarts = Two(tmp_path / "usual", tmp_path / 'other 50 % "x" $y', place)
    monkeypatch.setattr(paths, "usual_home", lambda: autostarts.usual)
    return autostarts


def test_each_library_has_a_service_of_its_own(two: Two, systemd: Path) -> None:
    key = key_of(two.other)
    assert two.turn_on(two.usual).name == "winnow.service"
    assert two.turn_on(two.other).name == f"winnow-{key}.service"
    assert f"enable --now winnow-{key}.socket winnow-{key}.service" in systemd.read_text()
    assert two.files() == {
        "winnow.service", "winnow.socket", f"winnow-{key}.service", f"winnow-{key}.socket"
    }  # fmt: skip
    assert autostart.is_on(two.usual)
    assert autostart.is_on(two.other)
    # Off goes that one alone.
    assert autostart.switch_off(two.usual)
    assert systemd.read_text().splitlines()[-1].endswith("winnow.socket winnow.service")
    assert not autostart.is_on(two.usual)
    assert autostart.is_on(two.other)
    assert autostart.switch_off(two.other)
    assert two.files() == set()
    assert not autostart.switch_off(two.other)


def test_a_library_is_known_by_whatever_path_leads_to_it(two: Two, tmp_path: Path) -> None:
    two.other.mkdir()
    link = tmp_path / "link"
    link.symlink_to(two.other)
    assert two.place.of_library(link) == two.of_other() != two.place


def test_the_usual_library_keeps_the_plain_name(two: Two, systemd: Path) -> None:
    two.turn_on(two.usual)
    two.turn_on(two.other)
    assert autostart.switch_off(two.other)
    assert two.files() == {"winnow.service", "winnow.socket"}
    assert autostart.is_on(two.usual)


def test_desktop_entries_are_distinguished_as_well(two: Two, no_systemd: None) -> None:
    two.turn_on(two.other)
    two.turn_on(two.usual)
    assert two.files() == {
        "winnow-service.desktop", f"winnow-service-{key_of(two.other)}.desktop"
    }  # fmt: skip
    assert autostart.switch_off(two.usual)
    assert two.files() == {two.of_other().entry.name}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_systemd_understands_both(tmp_path: Path) -> None:
    command = tmp_path / "a b 50 %" / "winnow"
    command.parent.mkdir()
    command.symlink_to("/bin/true")
    launch = LaunchCommand(str(command), ("service", "run"), ODD.environment)
    (tmp_path / "winnow.service").write_text(autostart.unit(launch))
    (tmp_path / "winnow.socket").write_text(autostart.socket_unit(str(tmp_path / "a%b")))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "winnow.service", "winnow.socket"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    complaints = [line for line in verified.stderr.splitlines() if "winnow" in line]
    assert complaints == []


def test_without_systemd_the_desktop_starts_it(
    place: AutostartFiles, no_systemd: None, tmp_path: Path
) -> None:
    notes = tmp_path / "started"
    launch = LaunchCommand("/bin/sh", ("-c", f"echo $A > {shlex.quote(str(notes))}"), {"A": "b"})
    file = autostart.turn_on(place, launch, "/run/x")
    assert file == place.programs / "winnow-service.desktop"
    text = file.read_text()
    assert text.startswith("[Desktop Entry]\nType=Application\n")
    assert '\nExec="env" "A=b" "/bin/sh" "-c" "echo \\\\$A > ' in text
    assert stat.S_IMODE(file.stat().st_mode) & 0o111 == 0
    assert autostart.turn_off(place)
    assert not file.exists()


def test_another_system_than_linux_is_refused_with_a_sentence(
    place: AutostartFiles, run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    status, _, errors = run("service", "on")
    assert status == 2
    assert "on Linux only" in errors
    assert not is_on()
    assert not chosen(home / "settings.json").service


def test_a_refusal_by_the_system_is_reported(
    place: AutostartFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    script = '[ "$2" = is-system-running ] && { echo running; exit 0; }; echo "No bus." >&2; exit 1'
    program(tmp_path, "systemctl", script, monkeypatch)
    with pytest.raises(AutostartError, match=r"^systemctl refused the request: No bus\.$"):
        autostart.turn_on(place, ODD, "/run/x")


def test_an_unwritable_folder_is_reported(
    place: AutostartFiles, no_systemd: None, tmp_path: Path
) -> None:
    (tmp_path / ".config").write_text("a file")
    with pytest.raises(AutostartError, match="cannot be written"):
        autostart.turn_on(place, ODD, "/run/x")


def test_a_path_of_two_lines_is_refused(place: AutostartFiles, no_systemd: None) -> None:
    with pytest.raises(AutostartError, match="control character"):
        autostart.turn_on(place, LaunchCommand("/a\nExec=b", ()), "/run/x")


@pytest.fixture
def started(start: Start, place: AutostartFiles, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Make enabling start a service in this process; return what was enabled, and by what."""
    calls: list[Any] = []

    def turn_on(*arguments: object) -> Path:
        calls.append(arguments)
        start()
        place.units.mkdir(parents=True)
        (place.units / "winnow.service").touch()
        return place.units / "winnow.service"

    monkeypatch.setattr(autostart, "turn_on", turn_on)
    monkeypatch.setattr(autostart, "has_systemd", lambda: False)
    return calls


def test_autostart_is_enabled_reported_and_disabled(
    run: Run, home: Path, started: list[Any], read: Callable[..., Any]
) -> None:
    status, out, _ = run("service")
    assert (status, out) == (0, "The service is not running. Start it with winnow service on.\n")
    assert read("service") == {"starts_at_login": False, "running": None}
    status, out, _ = run("service", "on")
    assert status == 0
    assert out.startswith("The service is running and starts at login (")
    assert chosen(home / "settings.json").service
    ((_, launch, _),) = started
    assert launch.arguments[-2:] == ("service", "run")
    assert launch.environment == {"WINNOW_HOME": str(home)}
    _, out, _ = run("service")
    assert out.startswith("The service has been running since 2")
    assert f"(process {os.getpid()}, " in out
    assert "log out" not in out
    assert read("service")["running"]["process"] == os.getpid()
    assert run("service", "off") == (0, "The service is off.\n", "")
    wait_until(lambda: client.send_request(home, STATUS) is None)
    assert not chosen(home / "settings.json").service
    assert run("service", "off") == (0, "The service was not on.\n", "")


@pytest.fixture
def read(run: Run) -> Callable[..., Any]:
    import json

    return lambda *arguments: json.loads(run(*arguments, "--json")[1])


def test_without_room_for_a_socket_nothing_is_turned_on(
    run: Run, place: AutostartFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autostart, "addresses", lambda _home: [])
    status, _, errors = run("service", "on")
    assert (status, errors) == (
        1,
        "winnow: The service cannot create its socket: its path is too long.\n",
    )
    assert not is_on()


def test_a_service_that_does_not_start_is_reported(
    run: Run, place: AutostartFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autostart, "turn_on", lambda *_: place.units)
    monkeypatch.setattr(autostart, "_TIMEOUT_S", 0.2)
    status, _, errors = run("service", "on")
    assert (status, errors) == (
        1,
        "winnow: The service did not start. Run winnow service run to see why.\n",
    )
