"""A published library on a real cluster, answered by Ray Serve."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from core.library.library import Library
from tests.conftest import write_files
from tests.core.documents.conftest import pdf_bytes
from tests.waiting import patience

from .conftest import ROOT, RunningCluster, environment

pytestmark = pytest.mark.timeout(600)
_BIRDS = ("crow", "owl", "swift", "gull")

# Publishes a library, answers requests by two replicas of it, and prints what happened.
_SCRIPT = """
    import dataclasses, json, os, shutil, signal, sys, threading, time
    from pathlib import Path

    import numpy as np

    from core.cluster.serve_answerer import Deployment, deployed
    from core.cluster.serve_deployment import read_current
    from core.errors import Cancelled, Message, WinnowError
    from core.library.library import Library, LibraryOptions
    from core.progress import Job
    from core.publishing.store import open_store
    from core.publishing.cache import SnapshotCache
    from core.publishing.publisher import newest
    from core.requests import (
        DrawPage, Explain, GetDocument, GetSalientWords, ReadPage, ReadPassage, Search,
    )
    from core.responses import Mode

    home, folder, share, address = (*map(Path, sys.argv[1:4]), sys.argv[4])
    # Replicas are started with the variables of the cluster.
    report = {}

    def plain(value):
        if isinstance(value, Message):
            return ["message", value.template, list(value.fields)]
        if dataclasses.is_dataclass(value):
            fields = dataclasses.fields(value)
            return {f.name: plain(getattr(value, f.name)) for f in fields if f.name != "took_ms"}
        if isinstance(value, np.ndarray):
            return plain(value.tolist())
        if isinstance(value, (list, tuple)):
            return [plain(one) for one in value]
        if isinstance(value, dict):
            return {str(key): plain(one) for key, one in value.items()}
        if isinstance(value, float):
            return round(value, 4)
        return value if isinstance(value, (int, str, type(None))) else repr(value)

    def answer_of(answerer, request):
        try:
            return plain(answerer.answer(request))
        except WinnowError as error:
            return [type(error).__name__, plain(error.message)]

    def until(condition):
        end_s = time.monotonic() + PATIENCE_S
        while not (given := condition()):
            assert time.monotonic() < end_s, "it did not come to be"
            time.sleep(0.05)
        return given

    def published():
        # The snapshot as one process opens it.
        store = open_store(str(share))
        _, snapshot = newest(store)
        cache = SnapshotCache(home / "own-cache", 1 << 30)
        cached = cache.folder_for(store.address, snapshot)
        cache.fetch(store, cached, Job())
        return Library.open(cached.folder, LibraryOptions(is_foreign=True))

    def publish():
        with Library.open(home) as library:
            library.sync()
            library.publish(str(share))

    def same(answerer):
        with published() as here:
            results = here.answer(Search("the crow hides food"))
            hit = results.hits[0]
            passage, document = hit.passages[0].passage.id, hit.document_id
            drawn = here.answer(Search("heron type:pdf")).hits[0].document_id
            asked = [Search("owl at night", mode=mode) for mode in Mode]
            asked += [
                Search('"hides food" gull', is_refined=False),
                Search(""),
                Explain("the crow hides food", passage),
                GetSalientWords(passage),
                ReadPassage(passage, before=1, after=1),
                ReadPassage(10**6),
                GetDocument(document),
                ReadPage(document, 7),
                DrawPage(drawn, 1, 200, ((0, 9),)),
                DrawPage(document, 1, 200),
            ]
            report["right"] = [answer_of(here, request) for request in asked]
            report["found"] = [answer_of(answerer, request) for request in asked]

    class Load:
        # Sends searches on three threads, and keeps what came of each.
        def __init__(self, answerer):
            self.answerer, self.is_over = answerer, threading.Event()
            self.answers, self.errors = [], []
            self.threads = [threading.Thread(target=self.send) for _ in range(3)]

        def send(self):
            while not self.is_over.is_set():
                try:
                    snapshot = self.answerer.snapshot
                    found = answer_of(self.answerer, QUERY)
                    self.answers.append((snapshot, self.answerer.snapshot, found))
                except BaseException as error:
                    self.errors.append(repr(error))

        def more(self, count=6):
            before = len(self.answers) + len(self.errors)
            until(lambda: len(self.answers) + len(self.errors) > before + count)

        def __enter__(self):
            for thread in self.threads:
                thread.start()
            self.more()
            return self

        def __exit__(self, *_):
            self.is_over.set()
            for thread in self.threads:
                thread.join()

    QUERY = Search("owl at night", limit=50, is_refined=False)

    def processes(answerer):
        # Both replicas, asked until each has answered.
        names = set()
        def ask():
            names.add(answerer._open_snapshot(answerer.snapshot, Job()))
            return len(names) >= 2
        until(ask)
        return sorted(int(name.rpartition(":")[2]) for name in names)

    def killed(answerer):
        with published() as here:
            right = answer_of(here, QUERY)
        before = processes(answerer)
        with Load(answerer) as load:
            os.kill(before[0], signal.SIGKILL)
            load.more()
            until(lambda: before[0] not in processes(answerer))
            load.more()
        report["killed"] = {
            "answers": len(load.answers),
            "wrong": [found for *_, found in load.answers if found != right],
            "errors": load.errors,
        }

    def republished(answerer):
        before = answerer.snapshot
        with published() as here:
            old = answer_of(here, QUERY)
        with Load(answerer) as load:
            (folder / "new.txt").write_text("An owl of the new story hunts at night.")
            publish()
            until(lambda: answerer.snapshot != before)
            load.more()
        with published() as here:
            new = answer_of(here, QUERY)
        report["republished"] = {
            "differ": old != new,
            "is_newest": answerer.snapshot == read_current(open_store(str(share))),
            "wrong": [
                found for first, last, found in load.answers
                if not (found == old and first == before or found == new and last != before)
            ],
            "new": sum(found == new for *_, found in load.answers),
            "errors": load.errors,
        }

    def cancelled(answerer):
        job = Job()
        job.cancel()
        try:
            answerer.answer(QUERY, job)
        except Cancelled:
            report["cancelled_before"] = True
        # While the replicas stand still.
        stopped = processes(answerer)
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        job = Job()
        timer = threading.Timer(0.5, job.cancel)
        timer.start()
        try:
            answerer.answer(QUERY, job)
        except Cancelled:
            report["cancelled_during"] = True
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        report["after_cancelling"] = bool(answer_of(answerer, QUERY)["hits"])

    with Library.open(home) as library:
        library.add_folder(folder)
    publish()
    deployment = Deployment(str(share), 2, deadline_s=PATIENCE_S, poll_s=0.5)
    running = []
    with deployed(address, deployment, running.append) as answerer:
        report["running"] = running
        for scenario in (same, killed, republished, cancelled):
            scenario(answerer)
    shutil.rmtree(share)
    share.mkdir()
    try:
        with deployed(address, deployment):
            pass
    except WinnowError as error:
        report["nothing"] = str(error)
    print(json.dumps(report))
"""


@pytest.fixture(scope="module")
def report(cluster: RunningCluster, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The outcome for a library of 40 notes and one page, served by two replicas."""
    place = tmp_path_factory.mktemp("served").resolve()
    folder = place / "notes"
    for number in range(40):
        bird = _BIRDS[number % len(_BIRDS)]
        text = f"The {bird} of story {number} hides food at night. " * (1 + number % 3)
        write_files(folder, {f"{number % 5}/{bird}{number}.txt": text})
    line = (72.0, 700.0, 24.0, "The heron waits in shallow water.")
    (folder / "heron.pdf").write_bytes(pdf_bytes([[line]]))
    script = f"PATIENCE_S = {2 * patience()}\n{textwrap.dedent(_SCRIPT)}"
    arguments = [str(place / "home"), str(folder), str(place / "share"), cluster.address]
    done = subprocess.run(
        [*cluster.command_prefix, sys.executable, "-c", script, *arguments],
        env=environment() | {"WINNOW_HOME": str(place / "server")},
        capture_output=True,
        text=True,
        timeout=8 * patience(),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    happened: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return happened


def test_replicas_answer_as_the_snapshot_in_one_process(report: dict[str, Any]) -> None:
    assert report["running"] == [2]
    for found, right in zip(report["found"], report["right"], strict=True):
        assert found == right


def test_errors_arrive_with_their_templates_and_fields(report: dict[str, Any]) -> None:
    errors = [one for one in report["found"] if isinstance(one, list) and one[0].endswith("Error")]
    kinds = [kind for kind, _ in errors]
    assert kinds == ["UsageError", "GoneError", "GoneError", "DocumentError"]
    assert all(message[0] == "message" for _, message in errors)


def test_a_replica_that_is_killed_under_load_fails_no_request(report: dict[str, Any]) -> None:
    happened = report["killed"]
    assert happened["answers"] > 10
    assert happened["wrong"] == []
    assert happened["errors"] == []


def test_a_new_snapshot_is_loaded_under_load_without_a_failed_request(
    report: dict[str, Any],
) -> None:
    happened = report["republished"]
    assert happened["differ"]
    assert happened["is_newest"]
    assert happened["new"] > 0
    assert happened["wrong"] == []
    assert happened["errors"] == []


def test_a_request_is_cancelled_before_and_while_replicas_work(report: dict[str, Any]) -> None:
    assert report["cancelled_before"]
    assert report["cancelled_during"]
    assert report["after_cancelling"]


def test_a_place_without_a_library_is_refused(report: dict[str, Any]) -> None:
    assert report["nothing"].startswith("No library is published at ")


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_server_with_replicas_of_this_machine_is_reached_and_its_cluster_is_not(
    isolated: list[str], home: Path, tmp_path: Path
) -> None:
    """`--ray local` binds the port, and then continues in a network with loopback only."""
    assert isolated
    notes = tmp_path.resolve() / "notes"
    write_files(notes, {"owl.txt": "The owl hunts at night.", "crow.txt": "The crow hides food."})
    with Library.open(home) as library:
        library.add_folder(notes)
        library.sync()
        library.publish(str(tmp_path / "share"))
    program = "from core.cli import main; raise SystemExit(main())"
    command = ["serve", "--port", "0", "--ray", "local", "--library", str(tmp_path / "share")]
    with subprocess.Popen(
        [sys.executable, "-c", program, *command],
        env=environment() | {"WINNOW_HOME": str(home), "WINNOW_CACHE": str(tmp_path / "cache")},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        try:
            line = server.stdout.readline()
            assert line.startswith("Serving 2 documents at http://127.0.0.1:"), server.stderr.read()
            split = urlsplit(line.split()[-1])
            assert split.hostname is not None
            connection = http.client.HTTPConnection(split.hostname, split.port, timeout=patience())
            with contextlib.closing(connection):
                connection.request("POST", "/v1/search", json.dumps({"query": "the owl at night"}))
                answer = connection.getresponse()
                found = json.loads(answer.read())
            assert answer.status == 200
            assert "owl" in found["hits"][0]["path"]
            assert found["notice"] == ""
            # It has no network in which its cluster could be reached.
            networks = [Path(f"/proc/{pid}/ns/net") for pid in (os.getpid(), server.pid)]
            namespaces = {network.stat().st_ino for network in networks}
            assert len(namespaces) == 2
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(patience())
