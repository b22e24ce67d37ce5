"""Replicas on a real cluster: the answers of one process, whatever is killed, stopped or added."""

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
from tests.conftest import Run, write_files
from tests.waiting import patience

from .conftest import ROOT, RunningCluster, environment

pytestmark = pytest.mark.timeout(300)
_BIRDS = ("crow", "owl", "swift", "gull")

# Searches a library by two replicas and in this process, does to them what the third argument says,
# and tells what was answered.
_SEARCHER = """
    import json, os, signal, sys, threading, time
    from pathlib import Path

    from core.catalog.scope import Scope
    from core.cluster.replica_searcher import Deadlines, replicated
    from core.encoders.encoder import Encoder
    from core.index import index_writer, merging
    from core.indexing import rebuild
    from core.library.library import Library, LibraryOptions
    from core.responses import Mode

    home, folder, scenario, address = sys.argv[1:]
    home, folder = Path(home), Path(folder)
    rebuild.PASSAGES_PER_SEGMENT = 5
    # Each batch is published by itself, however soon it comes.
    index_writer._PATIENCE_S = 0.0
    merging.plan = lambda *_sizes, **_options: []
    QUERIES = ["the crow hides food", "owl at night", '"hides food" gull', "story type:txt 7"]
    told = {}

    def answer(library, query, **options):
        results = library.search(query, limit=50, is_refined=False, **options)
        scores = {str(hit.path): round(hit.score, 4) for hit in results.hits}
        lit = [len(hit.passages[0].alignments) for hit in results.hits]
        return scores, str(results.notice), lit

    def all_of(library):
        some = Scope(places=(folder / "1",))
        found = [answer(library, query, mode=mode) for query in QUERIES for mode in Mode]
        found += [answer(library, query, scope=some) for query in QUERIES]
        results = library.search(QUERIES[0], limit=5)
        found.append([(str(hit.path), round(hit.score, 4)) for hit in results.hits])
        found.append(library.facets(QUERIES[0]).found)
        return found

    def until(condition, limit_s=PATIENCE_S):
        end_s = time.monotonic() + limit_s
        while not (given := condition()):
            assert time.monotonic() < end_s, "it did not come to be"
        return given

    def pids(searcher):
        pool = searcher.replicas
        return [pool.ray.get(process.loaded) for process in pool.processes()]

    def same(by_replicas, here, searcher):
        told["right"] = all_of(here)
        encode, counts = Encoder.encode_passages, []

        def counted(self, passages, *arguments):
            counts.append(len(passages))
            return encode(self, passages, *arguments)

        Encoder.encode_passages = counted
        told["found"] = all_of(by_replicas)
        told["encoded_here"] = sum(counts)
        told["segments"] = len(searcher._store.published().rows)

    def killed(by_replicas, here, searcher):
        right = {query: answer(here, query) for query in QUERIES[:2]}
        before = pids(searcher)
        assert len(before) == 2
        is_over = threading.Event()
        answers = []

        def ask():
            while not is_over.is_set():
                for query in right:
                    answers.append((right[query][0], *answer(by_replicas, query)[:2]))

        asking = [threading.Thread(target=ask) for _ in range(3)]
        for thread in asking:
            thread.start()
        for pid in before:
            count = len(answers)
            until(lambda: len(answers) > count + 4)
            os.kill(pid, signal.SIGKILL)
            # Those that ask have another started in its place.
            until(lambda: len(now := pids(searcher)) == 2 and pid not in now)
        is_over.set()
        for thread in asking:
            thread.join()
        told["wrong"] = [
            (scores, notice) for right, scores, notice in answers
            if scores != right and "Search again in a moment." not in notice
        ]
        told["answers"] = len(answers)
        told["partial"] = sum(bool(notice) for _, _, notice in answers)
        told["after"] = all(answer(by_replicas, query) == answer(here, query) for query in QUERIES)

    def stopped(by_replicas, here, searcher):
        right = answer(here, QUERIES[0], mode="meaning")
        one, other = pids(searcher)
        os.kill(one, signal.SIGSTOP)
        told["one"] = answer(by_replicas, QUERIES[0], mode="meaning") == right
        os.kill(other, signal.SIGSTOP)
        began_s = time.monotonic()
        told["both"] = answer(by_replicas, QUERIES[0])
        told["took_s"] = time.monotonic() - began_s
        for pid in (one, other):
            os.kill(pid, signal.SIGCONT)
        until(lambda: answer(by_replicas, QUERIES[0], mode="meaning") == right)
        told["after"] = True

    def added(by_replicas, here, searcher):
        before = answer(here, QUERIES[1], mode="meaning")[0]
        is_over = threading.Event()
        answers = []

        def ask():
            while not is_over.is_set():
                answers.append(answer(by_replicas, QUERIES[1], mode="meaning")[:2])

        asking = threading.Thread(target=ask)
        asking.start()
        until(lambda: answers)
        (folder / "new.txt").write_text("An owl of the new story hunts at night.")
        (folder / "1" / "owl1.txt").unlink()
        with Library.open(home) as writer:
            writer.sync()
        until(lambda: str(folder / "new.txt") in answers[-1][0])
        is_over.set()
        asking.join()
        after = answer(here, QUERIES[1], mode="meaning")[0]
        old, new = str(folder / "1" / "owl1.txt"), str(folder / "new.txt")
        assert old in before and new in after
        told["notices"] = [notice for _, notice in answers if notice]
        told["last"] = answers[-1][0] == after
        kept = {path: score for path, score in before.items() if path != old}
        told["wrong"] = [
            scores for scores, _ in answers
            if {path: score for path, score in scores.items() if path not in (old, new)} != kept
        ]

    with Library.open(home) as library:
        library.add_folder(folder)
        library.sync()
    options = LibraryOptions(is_read_only=True)
    with Library.open(home, options) as here:
        here.warm_up()
        with replicated(address, 2, 4, Deadlines(late_s=1.0, whole_s=8.0)) as replication:
            searchers = []

            def noted(generation):
                searchers.append(replication.searcher(generation))
                return searchers[-1]

            options = LibraryOptions(is_read_only=True, searching=noted)
            with Library.open(home, options) as by_replicas:
                by_replicas.warm_up()
                {"same": same, "killed": killed, "stopped": stopped, "added": added}[scenario](
                    by_replicas, here, searchers[0]
                )
    print(json.dumps(told))
"""


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path.resolve() / "notes"
    for number in range(40):
        bird = _BIRDS[number % len(_BIRDS)]
        text = f"The {bird} of story {number} hides food at night. " * (1 + number % 3)
        write_files(folder, {f"{number % 5}/{bird}{number}.txt": text})
    return folder


def searched(cluster: RunningCluster, home: Path, folder: Path, scenario: str) -> dict[str, Any]:
    arguments = [str(home), str(folder), scenario, cluster.address]
    script = f"PATIENCE_S = {patience()}\n{textwrap.dedent(_SEARCHER)}"
    done = subprocess.run(
        [*cluster.beside, sys.executable, "-c", script, *arguments],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=4 * patience(),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def test_replicas_answer_as_one_process_does(
    cluster: RunningCluster, notes: Path, home: Path
) -> None:
    """By each mode, with filters, phrases and scopes, refined, and counted."""
    told = searched(cluster, home, notes, "same")
    assert told["segments"] == 8
    assert told["found"] == told["right"]
    assert told["encoded_here"] == 0
    assert any(scores for scores, _, _ in told["right"][:5])


def test_a_replica_that_is_killed_under_load_makes_no_answer_wrong(
    cluster: RunningCluster, notes: Path, home: Path
) -> None:
    """One after the other, until each has a successor."""
    told = searched(cluster, home, notes, "killed")
    assert told["answers"] > 10
    assert told["wrong"] == []
    assert told["after"]


def test_replicas_that_hang_cost_time_and_no_answer_is_silently_short(
    cluster: RunningCluster, notes: Path, home: Path
) -> None:
    told = searched(cluster, home, notes, "stopped")
    # The other one was asked as well.
    assert told["one"]
    scores, notice, _ = told["both"]
    # Found is by words, and said what is missing.
    assert scores
    assert "did not answer in time: about 40 of 40 passages were not compared" in notice
    assert told["took_s"] < 60
    assert told["after"]


def test_new_segments_are_taken_up_while_searches_go_on(
    cluster: RunningCluster, notes: Path, home: Path
) -> None:
    told = searched(cluster, home, notes, "added")
    assert told["notices"] == []
    assert told["wrong"] == []
    assert told["last"]


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_server_by_replicas_of_this_machine_is_reached_and_its_cluster_is_not(
    apart: list[str], notes: Path, home: Path
) -> None:
    """`--ray local`: the port is bound before the network is left for one with loopback alone."""
    assert apart
    with Library.open(home) as library:
        library.add_folder(notes)
        library.sync()
    program = "from core.cli import main; raise SystemExit(main())"
    command = ["serve", "--port", "0", "--ray", "local", "--replicas", "2"]
    with subprocess.Popen(
        [sys.executable, "-c", program, *command],
        env=environment() | {"WINNOW_HOME": str(home)},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        try:
            line = server.stdout.readline()
            assert line.startswith("Serving 40 documents at http://127.0.0.1:"), (
                server.stderr.read()
            )
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


def test_replicas_without_a_cluster_are_refused(run: Run) -> None:
    status, _, error = run("serve", "--replicas", "2")
    assert status == 2
    assert "say which by --ray ADDRESS" in error
