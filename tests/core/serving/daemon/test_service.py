"""The service: the same answers as without it, for its owner alone, never blocking."""

from __future__ import annotations

import itertools
import json
import os
import socket
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import core
from app.__main__ import main
from app.desktop.desktop_search import DesktopSearch
from core import cli
from core.commands import terminal
from core.daemon_client import client
from core.daemon_client.protocol import (
    ACCEPTED,
    DECLINED,
    END,
    ERROR,
    OUT,
    RUN_COMMAND,
    STATUS,
    addresses,
    frame,
)
from core.errors import LibraryBusyError, UsageError
from core.files.own_files import NO_ROOM
from core.library.library import Library
from core.serving.daemon.invocation import Invocation
from core.serving.daemon.process import alone, listen
from core.serving.daemon.sockets import output_stream
from core.writer_lock import writing
from tests.conftest import BIRDS, write_files
from tests.core.serving.daemon.conftest import (
    ROOT,
    Running,
    Start,
    as_process,
    find,
    killed_at_last,
    status,
    wait_until,
)
from tests.waiting import patience


def service_state(running: Running) -> Any:
    return client.send_request(running.home, STATUS)


def answered(running: Running) -> int:
    return int(service_state(running)["answered"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("search", "where do birds sleep"),
        ("search", "owls", "--format", "json"),
        ("search", "mice at nigth", "--mode", "words"),
        ("search", "nothing of the kind", "--in", "."),
        ("search", "owls", "--fast", "--format", "md"),
        ("search", "résumé", "--format", "csv"),
        ("search", "owls after:never"),
        ("search", "owls", "--wrong"),
        ("explain", "where do birds sleep"),
        ("status",),
        ("copies", "--json"),
    ],
)
def test_it_answers_what_the_program_itself_would(
    served: Running, capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    capfd.readouterr()
    before = answered(served)
    status = main([*arguments])
    by_service = capfd.readouterr()
    assert answered(served) == before + 1
    assert status == cli.main([*arguments])
    by_itself = capfd.readouterr()
    assert without_time(by_service.out) == without_time(by_itself.out)
    assert by_service.err == by_itself.err
    assert by_service.out or by_service.err


def without_time(out: str) -> object:
    """The output, without the elapsed time."""
    try:
        output = json.loads(out)
    except ValueError:
        return out
    output.pop("took_ms", None)
    return output


def test_paths_are_those_of_the_caller(
    served: Running,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    write_files(folder, {"sub/owl.txt": "Owls of the wood."})
    wait_until(lambda: cli_names(capfd, "wood") == {"owl.txt"})
    monkeypatch.chdir(folder / "sub")
    assert cli_names(capfd, "owls", "--in", ".") == {"owl.txt"}
    monkeypatch.chdir(tmp_path)
    assert cli_names(capfd, "owls", "--in", "documents/sub") == {"owl.txt"}
    monkeypatch.chdir(served.home.parent)
    before = answered(served)
    assert "owl.txt" in cli_names(capfd, "owls", "--library", served.home.name)
    assert answered(served) == before + 1


def cli_names(capfd: pytest.CaptureFixture[str], *arguments: str) -> set[str]:
    capfd.readouterr()
    assert main(["search", *arguments, "--mode", "words", "--format", "json"]) == 0
    hits = json.loads(capfd.readouterr().out)["results"]
    return {Path(hit["path"]).name for hit in hits}


def test_colours_are_those_of_the_calling_terminal(
    served: Running, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    screen = client._screen()
    seen = {**screen, "is_terminal": True, "columns": 100, "environ": {"TERM": "xterm-256color"}}
    monkeypatch.setattr(client, "_screen", lambda: seen)
    capfd.readouterr()
    assert main(["search", "owls"]) == 0
    assert "\x1b[" in capfd.readouterr().out
    monkeypatch.setattr(
        client, "_screen", lambda: {**seen, "environ": {"TERM": "xterm", "NO_COLOR": "1"}}
    )
    assert main(["search", "owls"]) == 0
    assert "\x1b[33m" not in capfd.readouterr().out


def test_only_its_owner_may_ask(served: Running, runtime: Path) -> None:
    (place,) = runtime.iterdir()
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_ISSOCK(place.stat().st_mode)


def test_changes_are_followed(served: Running, folder: Path) -> None:
    (folder / "new.txt").write_text("A hoopoe wears a crown.", encoding="utf-8")

    def found() -> object:
        return find(served.home, "hoopoe")

    wait_until(found)


def test_a_desktop_finds_by_meaning_once_the_model_is_there(
    served: Running, library: Library
) -> None:
    desktop = DesktopSearch(served.home, ("winnow",))
    query = "Where do birds spend the night?"
    assert desktop.find("Swifts sleep", 5) != []
    # With the first question it is loaded.
    wait_until(lambda: desktop.find(query, 5))
    results = library.search(query, limit=5, is_refined=False)
    likely = [str(hit.document_id) for hit in results.hits[: results.likely]]
    assert desktop.find(query, 5) == likely
    assert len(desktop.show(likely)) == len(likely) > 0
    by_both = desktop.find("sleep in the air", 5)
    assert len(by_both) == len({*by_both})
    desktop.close()


def test_the_service_yields_to_writers(served: Running, folder: Path) -> None:
    with client.hold(served.home) as is_held:
        # Sent by the service itself, the only process here.
        assert not is_held
    code = (
        "import sys; from pathlib import Path; from core.daemon_client import client\n"
        "with client.hold(Path(sys.argv[1])) as is_held:\n"
        "    print(is_held, flush=True)\n"
        "    sys.stdin.readline()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(served.home)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        (folder / "held.txt").write_text("A hoopoe waits.", encoding="utf-8")
        with writing(served.home):
            assert not service_state(served)["is_working"]
        assert not find(served.home, "hoopoe")
        # As hard as a process can end.
        holder.kill()
    wait_until(lambda: find(served.home, "hoopoe"))


def test_another_that_writes_is_let_be(served: Running, folder: Path) -> None:
    with writing(served.home):
        (folder / "later.txt").write_text("A hoopoe waits.", encoding="utf-8")
        with pytest.raises(LibraryBusyError), writing(served.home):
            pass
    assert main(["status"]) == 0


def test_a_newer_program_is_declined_and_has_it_restart(
    served: Running, capfd: pytest.CaptureFixture[str]
) -> None:
    assert post(served.home, version="99") == frame(DECLINED)
    assert served.join() is True
    # Other requests are not blocked meanwhile.
    assert main(["search", "owls", "--mode", "words"]) == 0
    assert "Owls hunt mice" in capfd.readouterr().out


def test_a_recreated_library_is_reopened(
    served: Running, capfd: pytest.CaptureFixture[str]
) -> None:
    Library.recreate(served.home)
    assert main(["status"]) == 0
    assert "0 documents" in capfd.readouterr().out
    assert served.join() is True


def post(path: Path, **other: object) -> bytes:
    """Send a status request with some fields replaced."""
    output = {
        "version": core.__version__,
        "home": str(path.resolve()),
        "process": 1,
        "request": STATUS,
    }
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(addresses(path)[0])
        connection.sendall(json.dumps({**output, **other}).encode() + b"\n")
        return connection.makefile("rb").read()


def test_a_foreign_request_is_declined(served: Running, tmp_path: Path) -> None:
    assert post(served.home, home=str(tmp_path / "other")) == frame(DECLINED)
    assert post(served.home, request="riddle") == frame(DECLINED)
    assert post(served.home, request=RUN_COMMAND, value={"arguments": ["index", "/"]}) == frame(
        ACCEPTED
    ) + frame(DECLINED)


@pytest.mark.parametrize(
    "output", [b"", b"\n", b"{", b"[]\n", b'{"request": 1}\n', b"\xff\xfe\n", b"x" * 3_000_000]
)
def test_an_invalid_request_ends_nothing(served: Running, output: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(addresses(served.home)[0])
        try:
            connection.sendall(output)
            connection.shutdown(socket.SHUT_WR)
            assert connection.makefile("rb").read() == b""
        except (BrokenPipeError, ConnectionResetError):
            pass  # it had heard enough
    assert service_state(served) is not None


def test_a_disconnected_client_leaves_nothing_behind(served: Running) -> None:
    before = threading.active_count()
    for _ in range(20):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(addresses(served.home)[0])
        output = {
            "version": core.__version__,
            "home": str(served.home.resolve()),
            "process": 1,
            "request": RUN_COMMAND,
            "value": {
                "arguments": ["search", "where do birds sleep"],
                "folder": "/",
                "screen": {
                    "columns": 80,
                    "is_terminal": False,
                    "is_error_terminal": False,
                    "encoding": "no such",
                    "environ": {},
                },
            },
        }
        connection.sendall(json.dumps(output).encode() + b"\n")
        connection.close()
    wait_until(lambda: threading.active_count() <= before)
    assert main(["status"]) == 0


@pytest.mark.parametrize("kind", [OUT, ERROR])
def test_what_a_caller_that_has_gone_did_not_read_fails_once(kind: bytes) -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    with ours:
        stream = output_stream(ours, kind, "utf-8")
        stream.write("owls")
        with pytest.raises(BrokenPipeError):
            stream.flush()
        stream.close()


def test_a_client_that_stops_reading_is_no_error(served: Running) -> None:
    command = f"{sys.executable} -m app search owls --format json | head -c 1"
    shown = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=ROOT, capture_output=True, check=False
    )
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, b"{", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_an_output_that_finds_no_room_is_a_sentence(served: Running, unbuffered: str) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "app", "search", "owls"]
        shown = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (shown.returncode, shown.stderr) == (1, f"winnow: {NO_ROOM}\n")


def test_an_answer_may_be_read_slowly(
    start: Start, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("core.serving.daemon.service._TIMEOUT_S", 0.2)
    text = "A line that nobody has read yet.\n" * 100_000

    def print_much(invocation: Invocation) -> int:
        invocation.screen.out.write(text)
        return 7

    running = start(run=print_much)
    relay = client._relay

    def after_a_while(frames: Any) -> int:
        first = next(frames)
        time.sleep(1)
        return relay(itertools.chain([first], frames))

    monkeypatch.setattr(client, "_relay", after_a_while)
    assert client.run_command(running.home, ["search", "x"]) == 7
    assert capfd.readouterr().out == text


def test_the_library_is_not_closed_under_a_search(start: Start) -> None:
    is_requested, may_end = threading.Event(), threading.Event()

    def take_long(invocation: Invocation) -> int:
        is_requested.set()
        assert may_end.wait(patience())
        terminal.say("Found.", screen=invocation.screen)
        return 0

    running = start(run=take_long)
    returned: list[int | None] = []
    connection = threading.Thread(
        target=lambda: returned.append(client.run_command(running.home, ["search", "x"]))
    )
    connection.start()
    assert is_requested.wait(patience())
    running.service.end()
    running.thread.join(0.3)
    assert running.thread.is_alive()
    may_end.set()
    assert running.join() is False
    connection.join()
    assert returned == [0]


def test_after_a_while_without_work_it_restarts(start: Start) -> None:
    running = start(idle_s=0.2)
    assert find(running.home, "owls") == []
    assert running.join() is True


def test_nothing_wakes_it_that_has_not_been_used(start: Start) -> None:
    running = start(idle_s=0.05)
    wait_until(lambda: service_state(running)["is_in_step"])
    assert running.service.activity.until_idle_s is None
    time.sleep(0.3)
    assert running.thread.is_alive()


def test_the_service_stops_on_request(served: Running) -> None:
    assert client.send_request(served.home, END) is True
    assert served.join() is False
    assert client.send_request(served.home, STATUS) is None
    # Other requests are not blocked then.
    assert main(["search", "owls", "--mode", "words"]) == 0


def test_each_library_has_one_service(home: Path) -> None:
    with alone(home), pytest.raises(UsageError, match="already"), alone(home):
        pass


def test_the_socket_of_a_killed_service_is_reused(home: Path, runtime: Path) -> None:
    before, _ = listen(home)
    before.close()
    assert [*runtime.iterdir()]
    assert client.send_request(home, STATUS) is None
    listening, is_ours = listen(home)
    listening.close()
    assert is_ours


def test_without_a_runtime_folder_it_listens_next_to_the_library(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/nowhere")
    assert addresses(home) == [str(home.resolve() / "service.socket")]


def test_a_path_that_is_too_long_is_left_out(home: Path) -> None:
    assert len(addresses(home / ("deep" * 40))) == 1


def test_as_a_process_it_ends_at_a_signal_and_removes_its_socket(
    filled: Path, runtime: Path
) -> None:
    with as_process(filled) as process:
        assert status(filled)["process"] == process.pid
        process.terminate()
        assert process.wait(patience()) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert not [*runtime.iterdir()]


def test_as_a_process_it_restarts_with_its_socket(filled: Path, runtime: Path) -> None:
    home = filled
    with as_process(home, idle_s=0.5) as process:
        started_s = status(home)["since"]
        for _ in range(2):
            # The model is loaded, and let go.
            find(home, "owls")
            # Requests wait meanwhile.
            wait_until(lambda: status(home)["since"] > started_s)  # noqa: B023 - at once
            service_state = status(home)
            assert service_state["process"] == process.pid
            started_s = service_state["since"]
            wait_until(lambda: status(home)["is_in_step"])
        assert client.send_request(home, END) is True
        assert process.wait(patience()) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert not [*runtime.iterdir()]


def test_a_holder_keeps_its_hold_over_a_restart(filled: Path, folder: Path) -> None:
    with as_process(filled, idle_s=0.5) as process:
        wait_until(lambda: status(filled)["is_in_step"])
        started_s = status(filled)["since"]
        with client.hold(filled) as is_held:
            assert is_held
            for _ in range(2):
                # The model is loaded and released, though another holder exists, such as a window.
                find(filled, "owls")
                wait_until(lambda: status(filled)["since"] > started_s)  # noqa: B023 - at once
                started_s = status(filled)["since"]
            (folder / "new.txt").write_text("A hoopoe wears a crown.", encoding="utf-8")
            with Library.open(filled) as library:
                assert not status(filled)["is_in_step"]
                assert not status(filled)["is_working"]
                assert library.status().documents == len(BIRDS)
        with Library.open(filled) as library:
            wait_until(lambda: library.status().documents == len(BIRDS) + 1)
        assert client.send_request(filled, END) is True
        assert process.wait(patience()) == 0


def test_a_socket_that_was_handed_over_is_used_and_stays(
    home: Path, runtime: Path, library: Library
) -> None:
    place = runtime / "handed"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(addresses(home)[0])
        listening.listen()
        Path(addresses(home)[0]).rename(place)
        code = (
            "import os, sys\n"
            "os.dup2(int(sys.argv[1]), 3)\n"
            "os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1')\n"
            "os.execv(sys.executable, [sys.executable, '-m', 'app', 'service', 'run'])\n"
        )
        with (
            subprocess.Popen(
                [sys.executable, "-c", code, str(listening.fileno())],
                cwd=ROOT,
                env={**os.environ, "WINNOW_HOME": str(home)},
                pass_fds=[listening.fileno()],
            ) as process,
            killed_at_last(process),
        ):
            place.rename(addresses(home)[0])
            # Earlier requests wait.
            assert status(home)["process"] == process.pid
            assert client.send_request(home, END) is True
            assert process.wait(patience()) == 0
    assert Path(addresses(home)[0]).exists()
