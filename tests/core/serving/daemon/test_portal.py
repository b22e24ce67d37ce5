"""The service of a Flatpak, which the desktop's portal starts or stops starting."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import APP_ID, paths
from core.paths import LaunchCommand
from core.serving.daemon import autostart, portal
from core.serving.daemon.autostart import AutostartError, AutostartFiles
from core.serving.daemon.portal import PortalError
from tests.conftest import Run
from tests.core.serving.daemon.background_portal_double import Decision, PortalDouble
from tests.core.serving.daemon.conftest import Running, Start
from tests.private_bus import private_bus

COMMAND = ("/app/bin/winnow", "service", "run")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Flatpaks are for Linux")


@pytest.fixture
def bus(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A private bus; return its address."""
    folder = tmp_path_factory.mktemp("bus")
    with private_bus(folder, folder, monkeypatch) as address:
        yield address


@pytest.fixture
def desktop(bus: str) -> Iterator[PortalDouble]:
    """The desktop, which agrees by default."""
    double = PortalDouble(bus)
    yield double
    double.stop()


@pytest.mark.parametrize("is_early", [False, True])
def test_the_desktop_receives_the_command_to_start(desktop: PortalDouble, is_early: bool) -> None:
    desktop.decision = Decision(is_early=is_early)
    portal.ask(COMMAND, is_on=True)
    portal.ask((), is_on=False)
    on, off = desktop.requests
    assert on["autostart"] == ("b", True)
    assert on["commandline"] == ("as", [*COMMAND])
    assert on["dbus-activatable"] == ("b", False)
    assert on["reason"][1].startswith("Winnow keeps your index up to date")
    assert off["autostart"] == ("b", False)
    assert on["handle_token"] != off["handle_token"]


@pytest.mark.parametrize(
    ("decision", "sentence"),
    [
        (Decision(code=1), "does not allow Winnow to run in the background"),
        (Decision(code=2), "does not allow Winnow to run in the background"),
        (Decision(grants=False), "does not allow Winnow to run in the background"),
        (Decision(has_background=False), r"does not respond: No such interface\."),
    ],
)
def test_a_refusal_by_the_desktop_is_reported(
    desktop: PortalDouble, decision: Decision, sentence: str
) -> None:
    desktop.decision = decision
    with pytest.raises(PortalError, match=sentence):
        portal.ask(COMMAND, is_on=True)


def test_a_missing_portal_is_reported(bus: str) -> None:
    with pytest.raises(PortalError, match="background portal does not respond: "):
        portal.ask(COMMAND, is_on=True)


@pytest.mark.parametrize("address", ["", "unix:path=/nowhere/at/all"])
def test_a_missing_bus_is_reported(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    with pytest.raises(PortalError, match="background portal does not respond: "):
        portal.ask(COMMAND, is_on=True)


def test_a_silent_desktop_times_out(desktop: PortalDouble, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portal, "_DECISION_TIMEOUT_S", 0.1)
    desktop.decision = Decision(is_silent=True)
    with pytest.raises(PortalError, match="does not respond"):
        portal.ask(COMMAND, is_on=True)
    assert len(desktop.requests) == 1


def test_the_library_goes_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    launch = LaunchCommand(COMMAND[0], COMMAND[1:], {"WINNOW_HOME": "/a b"})
    assert portal.background_command(launch) == ("env", "WINNOW_HOME=/a b", *COMMAND)
    monkeypatch.setattr(shutil, "which", lambda _name: "/usr/bin/flatpak-spawn")
    assert portal.start_command(LaunchCommand(COMMAND[0], COMMAND[1:])) == (
        "/usr/bin/flatpak-spawn", *COMMAND
    )  # fmt: skip


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AutostartFiles:
    """A Flatpak, whose files are in a folder of the test's."""
    place = AutostartFiles.of(tmp_path, {})
    monkeypatch.setattr(AutostartFiles, "here", classmethod(lambda _cls: place))
    monkeypatch.setenv("FLATPAK_ID", APP_ID)
    return place


@pytest.fixture
def running() -> list[Running]:
    """The services that were started in this process."""
    return []


@pytest.fixture
def started(
    start: Start, running: list[Running], monkeypatch: pytest.MonkeyPatch
) -> list[LaunchCommand]:
    """Make a service start in this process; return the command that would be started."""
    calls: list[LaunchCommand] = []

    def note(launch: LaunchCommand) -> None:
        calls.append(launch)
        running.append(start())

    monkeypatch.setattr(autostart, "_start", note)
    return calls


def test_it_is_turned_on_and_off(
    run: Run,
    home: Path,
    place: AutostartFiles,
    desktop: PortalDouble,
    started: list[LaunchCommand],
    running: list[Running],
) -> None:
    status, out, _ = run("service", "on")
    assert status == 0
    assert out.startswith("The service is running and starts at login (")
    (launch,) = started
    (request,) = desktop.requests
    assert request["commandline"][1][:2] == ["env", f"WINNOW_HOME={home}"]
    assert [*launch.arguments][-2:] == request["commandline"][1][-2:] == ["service", "run"]
    # Neither systemd's folder nor the desktop's is the Flatpak's to write in.
    assert not place.units.exists()
    assert not place.programs.exists()
    assert autostart.is_on(home)
    assert run("service", "off") == (0, "The service is off.\n", "")
    assert desktop.requests[1]["autostart"] == ("b", False)
    assert not autostart.is_on(home)
    running[0].join()
    assert run("service", "off") == (0, "The service was not on.\n", "")
    assert len(desktop.requests) == 2


def test_one_library_at_a_time(
    place: AutostartFiles,
    desktop: PortalDouble,
    started: list[LaunchCommand],
    tmp_path: Path,
    home: Path,
) -> None:
    autostart.switch_on(home)
    with pytest.raises(AutostartError, match="Turn that one off first"):
        autostart.switch_on(tmp_path / "other")
    assert not autostart.switch_off(tmp_path / "other")
    assert autostart.is_on(home)
    assert len(desktop.requests) == 1


def test_a_refused_choice_is_not_stored(
    run: Run, place: AutostartFiles, desktop: PortalDouble, started: list[LaunchCommand]
) -> None:
    desktop.decision = Decision(code=1)
    status, _, errors = run("service", "on")
    assert status == 1
    assert "application settings" in errors
    assert started == []
    assert not autostart.is_on(paths.home())
