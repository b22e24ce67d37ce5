"""A cluster that cannot be joined, or not be private, is said in one sentence."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import core
from core.cluster import connection, loopback, worker
from core.errors import ClusterError
from tests.conftest import Run, write_files

# As Ray 2.60 says it.
MISMATCH = """Version mismatch: The cluster was started with:
    Ray: 2.50.0
    Python: 3.12.1
This process on Ray Client was started with:
    Ray: 2.60.0
    Python: 3.11.7
"""
CLIENT_MISMATCH = "Python minor versions differ between client and server: client is 3.11"


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray is installed."""
    monkeypatch.setattr(connection, "require_ray", lambda: None)
    monkeypatch.delenv("WINNOW_RAY", raising=False)


def test_a_missing_extra_names_the_install_command(
    run: Run, folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name, *rest: None if name == "ray" else find(name, *rest)
    )
    for arguments in (["--ray", "local"], ["--ray", "leader:6379"]):
        status, _, errors = run("index", folder, *arguments)
        assert status == 2
        assert errors.strip() == (
            "winnow: Cluster support is not installed. Run: pip install 'winnow-search[cluster]'."
        )
    # Nothing was begun.
    assert not home.exists()


def test_an_address_that_is_none_or_does_not_answer(
    run: Run, there: None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(folder, {"crow.txt": "The crow."})
    status, _, errors = run("index", folder, "--ray", "leader")
    assert status == 2
    assert "'leader' is not a cluster address. Use HOST:PORT" in errors

    def refuse(place: tuple[str, int], timeout: float) -> socket.socket:
        assert place == ("leader", 6379)
        assert 0 < timeout < 10
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setenv("WINNOW_RAY", "leader:6379")
    status, _, errors = run("index", folder)
    assert status == 1
    assert errors.startswith("winnow: The cluster at leader:6379 does not respond")
    # The pending files are indexed by the next one.
    monkeypatch.delenv("WINNOW_RAY")
    assert "1 documents" in run("index")[1]


def test_an_address_with_another_service_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_command: Any, timeout: float, **_options: Any) -> None:
        raise subprocess.TimeoutExpired("ray", timeout)

    monkeypatch.setattr(subprocess, "run", hang)
    with pytest.raises(ClusterError, match="The service at printer:80 is not a Ray cluster"):
        connection._ask_health("printer:80")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            MISMATCH,
            (
                "runs Ray 2.50.0 on Python 3.12.1, but this machine runs Ray 2.60.0 on Python "
                "3.11.7. The versions must match."
            ),
        ),
        (
            CLIENT_MISMATCH,
            f"runs a different version of Ray or Python than this machine ({CLIENT_MISMATCH}).",
        ),
        (
            "Token refused.",
            "(Token refused). Check that Ray is running there.",
        ),
    ],
)
def test_a_cluster_that_refuses(text: str, sentence: str) -> None:
    def refuse(**_options: Any) -> None:
        raise RuntimeError(text)

    with pytest.raises(ClusterError) as refused:
        connection._connect(SimpleNamespace(init=refuse), "leader:6379")
    assert str(refused.value).endswith(sentence)
    assert "leader:6379" in str(refused.value)


def test_version_mismatches_reported_by_the_installed_ray_are_recognised() -> None:
    utils = pytest.importorskip("ray._private.utils", reason="Ray is not installed")
    theirs = {"ray_version": "1.13.0", "python_version": "3.10.4"}

    def refuse(**_options: Any) -> None:
        utils.check_version_info(theirs, "node")

    with pytest.raises(
        ClusterError, match=r"runs Ray 1\.13\.0 on Python 3\.10\.4, but this machine"
    ):
        connection._connect(SimpleNamespace(init=refuse), "leader:6379")


def test_a_machine_that_dies_is_skipped_and_the_remaining_ones_must_match() -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    versions = iter(["dead", core.__version__, "0.0.1"])

    class DeadError(Exception):
        pass

    def get(reference: str, timeout: float) -> worker.Introduction:
        if reference == "dead":
            raise DeadError("The node is no more.\nIts id was 7.")
        return worker.Introduction("raven", reference)

    remote_versions = SimpleNamespace(remote=lambda: next(versions))
    nodes = [{"Alive": True, "Resources": {"CPU": 1.0}, "NodeID": "0" * 56}]
    ray = SimpleNamespace(
        remote=lambda _work: SimpleNamespace(options=lambda **_options: remote_versions),
        nodes=lambda: nodes,
        get=get,
        exceptions=SimpleNamespace(RayTaskError=ZeroDivisionError, RayError=DeadError),
    )
    with pytest.raises(
        ClusterError, match=r"No machine of the cluster responds \(The node is no m"
    ):
        connection._introduce(ray)
    nodes *= 2
    versions = iter(["dead", core.__version__])
    connection._introduce(ray)
    versions = iter([core.__version__, "0.0.1"])
    with pytest.raises(ClusterError, match=r"The machine raven has Winnow 0\.0\.1, but this one"):
        connection._introduce(ray)
    nodes.clear()
    with pytest.raises(ClusterError, match="No machine of the cluster has CPUs"):
        connection._introduce(ray)


def _answer(status: int, errors: str) -> Callable[..., Any]:
    return lambda *_command, **_options: SimpleNamespace(returncode=status, stderr=errors)


def test_a_missing_private_network_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None if name == "ip" else f"/bin/{name}")
    with pytest.raises(
        ClusterError, match=r"cannot be isolated from the network \(there is no ip\)"
    ):
        loopback.isolated(["winnow"])
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    error_text = "unshare: unshare failed: Operation not permitted"
    monkeypatch.setattr(subprocess, "run", _answer(1, f"{error_text}\n"))
    with pytest.raises(ClusterError, match=rf"{error_text}\)?.*Start Ray yourself") as refused:
        loopback.isolated(["winnow"])
    assert "\n" not in str(refused.value)
    monkeypatch.setattr(subprocess, "run", _answer(0, ""))
    assert loopback.isolated(["winnow", "a b"])[-2:] == ["winnow", "a b"]


def test_root_without_that_right_has_a_network_as_other_users_have_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(command: list[str], **_options: Any) -> SimpleNamespace:
        return SimpleNamespace(returncode=int(command[1] == "-n"), stderr="not permitted")

    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    monkeypatch.setattr("os.geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(subprocess, "run", refuse)
    assert loopback.isolated(["winnow"])[:2] == ["unshare", "-rn"]


def test_a_cluster_that_listens_publicly_is_stopped(tmp_path: Path) -> None:
    ray = SimpleNamespace(
        init=lambda **_options: None, nodes=lambda: [{"NodeManagerAddress": "192.168.0.4"}]
    )
    with pytest.raises(ClusterError, match=r"it listens on 192\.168\.0\.4 instead of loopback"):
        connection._start(ray, tmp_path)


@pytest.mark.parametrize(
    ("errors", "started"),
    [
        (["The current node timed out during startup."], 2),
        (["The current node timed out during startup."] * 2, 2),
        (["No such file."], 1),
    ],
)
def test_a_start_that_was_too_slow_is_tried_again(
    errors: list[str], started: int, tmp_path: Path
) -> None:
    starts = []

    def init(**_options: object) -> None:
        starts.append(1)
        if errors:
            raise Exception(errors.pop(0))  # noqa: TRY002 - as Ray does

    here = [{"NodeManagerAddress": "127.0.0.1"}]
    ray = SimpleNamespace(init=init, shutdown=lambda: None, nodes=lambda: here)
    is_started = len(errors) < started and "timed out" in errors[0]
    with contextlib.nullcontext() if is_started else pytest.raises(ClusterError):
        connection._start(ray, tmp_path)
    assert len(starts) == started


def test_rays_files_are_private_and_removed_even_when_their_program_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    running, other = tmp_path / f"winnow-ray-{os.getppid()}-a", tmp_path / "winnow-ray-b"
    for folder in (tmp_path / f"winnow-ray-{ended.pid}-a", running, other):
        (folder / "r" / "sockets").mkdir(parents=True)
    with connection._own_folder() as folder:
        assert set(tmp_path.iterdir()) == {folder.parent, running, other}
        if os.name != "nt":
            # Ray makes its files writable for every user.
            assert folder.parent.stat().st_mode & 0o077 == 0
        (folder / "sockets").mkdir(parents=True)
    assert set(tmp_path.iterdir()) == {running, other}
