"""A Ray cluster of two nodes in a private network, and programs that index with it."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from core.cluster import loopback
from core.errors import ClusterError
from tests.waiting import patience

# Its import changes sys.path and the environment, and so belongs before the tests.
if importlib.util.find_spec("ray"):
    importlib.import_module("ray")

ROOT = Path(__file__).resolve().parents[3]

# Holds the cluster until its input ends; a line has another machine join it.
_HOLDER = """
    import sys, time
    import psutil
    import ray._private.node
    from ray.cluster_utils import Cluster

    class Patient:
        # The clock by which Ray gives a node 30 s to start: it stands still while the node lives.
        def __getattr__(self, name):
            return getattr(time, name)

        def monotonic(self):
            children = psutil.Process().children(recursive=True)
            states = [child.status() for child in children if "raylet" in child.name()]
            return 0.0 if any(state != psutil.STATUS_ZOMBIE for state in states) else time.time()

    node = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80 << 20}
    limit_s = float(sys.argv[1])
    Cluster._wait_for_node.__defaults__ = (limit_s,)
    ray._private.node.time = Patient()

    def started(start):
        # A raylet gives its agent 15 s to start, which nothing changes, and ends; then another one.
        end_s = time.monotonic() + limit_s
        while True:
            try:
                return start()
            except Exception:
                if time.monotonic() > end_s:
                    raise

    cluster = started(lambda: Cluster(initialize_head=True, head_node_args=node))
    started(lambda: cluster.add_node(**node))
    cluster.wait_for_nodes(limit_s)
    print(cluster.address, flush=True)
    for _ in sys.stdin:
        # Another machine, which may be killed.
        started(lambda: cluster.add_node(**node))
        print("joined", flush=True)
    ray._private.node.time = time
    cluster.shutdown()
"""

# Index a folder, with a cluster or locally, in small batches, and report the result. The third
# argument names the fault to cause.
_INDEXER = """
    import json, os, random, signal, sys, threading
    from pathlib import Path

    import psutil

    from core.cluster import executor, worker
    from core.errors import WinnowError
    from core.index import index_writer
    from core.index.index_writer import IndexWriter
    from core.indexing import rebuild
    from core.library.library import Library

    home, folder, fault, address = sys.argv[1:]
    rebuild.PASSAGES_PER_SEGMENT = 5
    # Each batch is published separately, however soon it arrives.
    index_writer._PATIENCE_S = 0.0
    published = []
    add = IndexWriter.add

    def namespace(process):
        return os.stat(f"/proc/{process}/ns/net").st_ino

    def kill(is_meant):
        # One of the cluster's processes, by its command line; gives whether there was one.
        found = []
        for process in psutil.process_iter():
            try:
                command = " ".join(process.cmdline())
                if is_meant(command) and namespace(process.pid) == namespace("self"):
                    found.append(process.pid)
            except (psutil.Error, OSError):
                continue
        if found:
            os.kill(random.choice(found), signal.SIGKILL)
        return bool(found)

    def is_at_work(command):
        own = "ray::EncoderWorker", "ray::read_share", "ray::read_container", "ray::IDLE"
        return command.startswith(own)

    def is_encoder(command):
        return command.startswith("ray::EncoderWorker")

    def is_another_machine(command):
        import ray

        own = ray.get_runtime_context().get_node_id()
        return "/raylet/raylet " in command and "--head" not in command and own not in command

    def counted(self, batch, **options):
        add(self, batch, **options)
        published.append(len(batch.encoded))
        if len(published) == 2 and fault == "encoder":
            assert kill(is_encoder)
        if len(published) == 2 and fault == "machine":
            assert kill(is_another_machine)
        if len(published) == 2 and fault == "driver":
            os.kill(os.getpid(), signal.SIGKILL)

    IndexWriter.add = counted

    def poisoned(files, task):
        if any("poison" in str(shared.file) for shared in files):
            os.kill(os.getpid(), signal.SIGKILL)
        return worker.read_share(files, task)

    def unseeing(files, task):
        elsewhere = [worker.SharedFile(each.known, Path("/nowhere")) for each in files]
        return worker.read_share(elsewhere, task)

    def is_walking(command):
        return command.startswith("ray::read_container")

    def lost(self):
        # The machine ends when the first part is there; others wait ahead.
        parts = all_parts(self)
        yield next(parts)
        assert kill(is_walking)
        yield from parts

    all_parts = executor.RemoteWalk._all_parts
    if fault == "walk":
        executor.RemoteWalk._all_parts = lost

    def at_some_moment():
        # This program, or something that works for it.
        if random.random() < 0.5 or not kill(is_at_work):
            os.kill(os.getpid(), signal.SIGKILL)

    def run(using):
        if fault.startswith("after "):
            timer = threading.Timer(float(fault.removeprefix("after ")), at_some_moment)
            timer.daemon = True
            timer.start()
        if using is not None:
            # Where it is not found, Ray would end this program without a sentence of ours.
            assert using._node.is_running()
        if fault == "poison":
            using._read_share = using._ray.remote(poisoned)
        if fault == "unseen":
            using._read_share = using._ray.remote(unseeing)
        with Library.open(Path(home)) as library:
            library.add_folder(Path(folder))
            report = library.sync(executor=using)
        failed = {failure.path.name: failure.reason for failure in report.failed}
        return {"read": report.read, "failed": failed, "passages": report.passages}

    try:
        if address:
            with executor.connected(address) as using:
                told = run(using)
        else:
            told = run(None)
    except WinnowError as error:
        told = {"error": str(error)}
    print(json.dumps(told | {"batches": len(published)}))
"""


@dataclass(frozen=True)
class RunningCluster:
    """A cluster, and a way to start programs in its network."""

    address: str
    command_prefix: tuple[str, ...]
    holder: subprocess.Popen[str]

    def join(self) -> None:
        """Add another machine, so that one may be killed."""
        assert self.holder.stdin is not None
        assert self.holder.stdout is not None
        self.holder.stdin.write("join\n")
        self.holder.stdin.flush()
        _await(self.holder.stdout, "joined")

    def index(
        self, home: Path, folder: Path, fault: str = "", *, is_here: bool = False
    ) -> dict[str, Any]:
        """Index a folder; return the indexer's report, or nothing if it was killed."""
        place = "" if is_here else self.address
        arguments = [str(home), str(folder), fault, place]
        done = subprocess.run(
            [*self.command_prefix, sys.executable, "-c", textwrap.dedent(_INDEXER), *arguments],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=4 * patience() + 10,
            check=False,
        )
        if done.returncode == -9 and fault.startswith(("driver", "after")):
            return {}
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return answer


def environment() -> dict[str, str]:
    """The command prefix and environment of programs in the cluster's network."""
    return os.environ | {
        "PYTHONPATH": str(ROOT),
        "WINNOW_RUNTIME": "openvino",
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_gcs_server_request_timeout_seconds": str(round(4 * patience())),
        "RAY_agent_register_timeout_ms": str(round(4000 * patience())),
        "RAY_worker_register_timeout_seconds": str(round(4 * patience())),
        "RAY_AUTH_MODE": "disabled",
        "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
        "OMP_NUM_THREADS": "1",
    }


@pytest.fixture(scope="session")
def isolated() -> list[str]:
    """The command prefix that leaves only the loopback network."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux has networks of one's own")
    try:
        return loopback.isolated([])
    except ClusterError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def cluster(isolated: list[str]) -> Iterator[RunningCluster]:
    """A cluster of two nodes, of one processor each."""
    if shutil.which("nsenter") is None:
        pytest.skip("there is no nsenter")
    # Short: Ray has sockets in it, whose paths are bounded.
    folder = tempfile.mkdtemp(prefix="winnow-ray-")
    # Shorter than the test's time limit, so that the fixture reports the error.
    limit = "240"
    command = [*isolated, sys.executable, "-c", textwrap.dedent(_HOLDER), limit]
    with subprocess.Popen(
        command,
        env=environment() | {"WINNOW_HOME": f"{folder}/home", "RAY_TMPDIR": folder},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        address = _await(holder.stdout, "127.")
        user = ["-U", "--preserve-credentials"] if "-rn" in isolated else []
        command_prefix = ("nsenter", "-t", str(holder.pid), *user, "-n")
        yield RunningCluster(address, command_prefix, holder)
        holder.stdin.close()
        holder.wait(patience())
    shutil.rmtree(folder, ignore_errors=True)


def _await(out: IO[str], beginning: str) -> str:
    """Return the line that begins so, behind what Ray says of itself."""
    for line in out:
        if line.startswith(beginning):
            return line.strip()
    raise AssertionError("the cluster has ended")
