"""Measure the time of the first and of further responses to the desktop's search.

Starts a separate message bus, on which the first query starts Winnow as on a desktop, in a new
process each time, with the calls of GNOME Shell and of KRunner. Reports the time until the
response, and the processor time of the process until then. WINNOW_HOME names the library. Compiled
modules are cached, as in an installed Winnow.

    WINNOW_HOME=FOLDER python3 dev.py bench desktop_search [--runs 10] QUERY
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from jeepney import DBusAddress, Message, MessageType, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, Proxy, open_dbus_connection

from app.desktop.search_service import GNOME, GNOME_PATH, KRUNNER, KRUNNER_PATH, NAME

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("query")
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    calls = {
        "GNOME Shell": new_method_call(
            DBusAddress(GNOME_PATH, NAME, GNOME),
            "GetInitialResultSet",
            "as",
            (options.query.split(),),
        ),
        "KRunner": new_method_call(
            DBusAddress(KRUNNER_PATH, NAME, KRUNNER), "Match", "s", (options.query,)
        ),
    }
    with tempfile.TemporaryDirectory(prefix="winnow-bus-") as folder, bus(Path(folder)) as client:
        for desktop, question in calls.items():
            first, processor, further = [], [], []
            for run in range(options.runs + 1):
                found, took_ms = answered(client, question)
                own = Proxy(message_bus, client)
                process = psutil.Process(own.GetConnectionUnixProcessID(NAME)[0])
                spent = process.cpu_times()
                _, again_ms = answered(client, question)
                process.terminate()
                process.wait()
                if run:  # the first compiles the modules
                    first.append(took_ms)
                    processor.append(1000 * (spent.user + spent.system))
                    further.append(again_ms)
            print(f"{desktop}: {found} found")
            for what, values in (
                ("until the first answer", first),
                ("  of these on the processor", processor),
                ("until a further answer", further),
            ):
                print(
                    f"  {what:<28} median {statistics.median(values):6.1f} ms,"
                    f" {min(values):.1f} to {max(values):.1f}"
                )


def answered(client: DBusConnection, question: Message) -> tuple[int, float]:
    began_s = time.perf_counter()
    reply = client.send_and_get_reply(question, timeout=60)
    took_ms = 1000 * (time.perf_counter() - began_s)
    if reply.header.message_type is MessageType.error:
        raise RuntimeError(reply.body)
    return len(reply.body[0]), took_ms


@contextmanager
def bus(folder: Path) -> Iterator[DBusConnection]:
    (folder / f"{NAME}.service").write_text(
        f"[D-BUS Service]\nName={NAME}\nExec={sys.executable} -m app desktop-search\n"
    )
    rules = folder / "bus.conf"
    rules.write_text(
        f"<busconfig><type>session</type><listen>unix:dir={folder}</listen><auth>EXTERNAL</auth>"
        f'<servicedir>{folder}</servicedir><policy context="default">'
        '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>'
        '<allow own="*"/></policy></busconfig>'
    )
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
    }
    daemon = subprocess.Popen(
        ["dbus-daemon", f"--config-file={rules}", "--nofork", "--print-address=1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    assert daemon.stdout is not None
    try:
        with open_dbus_connection(daemon.stdout.readline().strip()) as client:
            yield client
    finally:
        daemon.terminate()
        daemon.wait()


if __name__ == "__main__":
    main()
