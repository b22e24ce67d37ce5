"""A bus of a test's own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def private_bus(folder: Path, services: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A private bus in a folder; yields its address.

    Skips the test where there is no program for one. Those that it starts are in `services`.
    """
    if shutil.which("dbus-daemon") is None:
        pytest.skip("no dbus-daemon is installed")
    rules = folder / "bus.conf"
    rules.write_text(
        "<busconfig><type>session</type>"
        f"<listen>unix:dir={folder}</listen><auth>EXTERNAL</auth>"
        f"<servicedir>{services}</servicedir>"
        '<policy context="default"><allow send_destination="*" eavesdrop="true"/>'
        '<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>'
    )
    daemon = subprocess.Popen(
        ["dbus-daemon", f"--config-file={rules}", "--nofork", "--print-address=1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert daemon.stdout is not None
    address = daemon.stdout.readline().strip()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    yield address
    daemon.terminate()
    daemon.communicate()
