"""The reading process is confined by the system: what native code tries in it fails."""

from __future__ import annotations

import contextlib
import json
import os
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.documents import formats
from core.documents.formats import Format
from core.documents.limits import ContainerLimits, Limits
from core.documents.reader import Reader
from core.documents.sandbox.scratch import Scratch
from core.documents.sandbox.worker_handle import WorkerHandle, bare
from core.errors import DocumentError

if sys.platform != "linux":
    pytest.skip("probes of Linux's walls", allow_module_level=True)

from core.documents.sandbox import confinement, linux, seccomp
from core.documents.sandbox.confinement import readable_folders
from tests.core.documents.sandbox.native_probes import PRIVILEGED, PROBES, make_outside
from tests.waiting import patience

_REFUSED = {"EPERM", "EACCES", "ENOSYS", "EFBIG"}
_MODULE = "tests.core.documents.sandbox.native_probes"
# By files alone Landlock keeps a process, by calls seccomp does.
_BY_LANDLOCK = {
    *("open to read", "open by the root", "open is a link out of", "list a folder", "accounts"),
    *("parent's environment", "parent's memory", "own connections", "own mounts"),
}
_SECRET = "WINNOW_PROBE_SECRET"


def _probe(warm: WorkerHandle, function: str, details: dict[str, Any], folder: Path) -> Any:
    path = folder / "told.json"
    path.write_text(json.dumps(details))
    request = {"do": "read", "function": f"{_MODULE}:{function}", "path": str(path)}

    return warm.ask(request, lambda fields: str(fields["pages"][0][1]))


def _has_own_root() -> bool:
    """Return whether a process can have a private root folder, in a single-threaded child."""
    code = "import sys; from pathlib import Path; from core.documents.sandbox import linux;"
    code += "sys.exit(not linux.can_enter_root([Path(sys.prefix), Path(sys.base_prefix)], []))"
    return subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Runs a program as on a kernel without Landlock: its first call is missing.
_WITHOUT_LANDLOCK = """
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
code = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x50026), (0x06, 0, 0, 0x7FFF0000)]
data = b"".join(struct.pack("=HBBI", *one) for one in code)
program = ctypes.create_string_buffer(struct.pack("@HP", len(code), 0), 16)
place = ctypes.create_string_buffer(data, len(data))
struct.pack_into("@HP", program, 0, len(code), ctypes.addressof(place))
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, program, 0, 0) == 0, ctypes.get_errno()
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@pytest.mark.skipif(not seccomp.is_available(), reason="this kernel has no seccomp filters")
@pytest.mark.skipif(not linux.landlock_version(), reason="this kernel has no Landlock to take away")
def test_without_landlock_a_process_has_a_root_folder_of_its_own(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    if not _has_own_root():
        pytest.skip("this system lets nobody have user namespaces")
    tests = "native_code or only_its_scratch or nothing_open or absence_is_reported"
    command = ["-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-k", tests, __file__]
    own = ["--basetemp", str(tmp_path / "own"), "--rootdir", str(pytestconfig.rootpath)]
    done = subprocess.run(
        [sys.executable, "-c", _WITHOUT_LANDLOCK, *command, *own],
        capture_output=True,
        text=True,
        check=False,
        cwd=pytestconfig.rootpath,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_file_access_wall_or_its_absence_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "note.txt").write_text("Crows")
    with Reader() as reader:
        assert reader.read(tmp_path / "note.txt").pages[0].text == "Crows"
    is_walled = linux.landlock_version() or _has_own_root()
    assert ("read without a sandbox" in caplog.text) is not bool(is_walled)
    assert confinement.keep_from_files(["Landlock 7", "seccomp"])
    assert confinement.keep_from_files([linux.OWN_ROOT])
    assert not confinement.keep_from_files(["seccomp"])


@pytest.fixture(scope="module")
def probing() -> Iterator[None]:
    """Let the reading process open the module of the probes."""
    format_ = Format("probe", "Probe", (".probe",), f"{_MODULE}:run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formats, "FORMATS", (*formats.FORMATS, format_))
        patch.setenv(_SECRET, "of the person's")
        yield


@pytest.fixture(scope="module", params=["reads", "unpacks"])
def outcomes(
    request: pytest.FixtureRequest, probing: None, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """The outcome of each probe, in a process that only reads and in one that writes, too."""
    folder = tmp_path_factory.mktemp("probes")
    scratch = Scratch(folder / ".scratch") if request.param == "unpacks" else None
    warm = WorkerHandle(Limits(), 100, scratch, unpacks=scratch is not None)
    outside = make_outside(folder / "outside")
    if scratch is not None:
        outside["scratch"] = str(scratch.folder() / "1.large")
    details = {"outside": outside, "parent": os.getpid()}
    try:
        found: dict[str, str] = json.loads(_probe(warm, "run", details, folder))
        assert (folder / "outside/file").read_text() == "secret"
        assert not (folder / "outside/new").exists()
        return found
    finally:
        warm.close()
        if scratch is not None:
            scratch.close()


@pytest.mark.parametrize("probe", PROBES)
def test_native_code_cannot_leave_a_reading_process(outcomes: dict[str, str], probe: str) -> None:
    if not linux.landlock_version():
        if not _has_own_root():
            pytest.skip("this kernel has neither Landlock nor namespaces for everybody")
        if outcomes[probe] in {"ENOENT", "EROFS"}:
            return
    if not seccomp.is_available() and probe not in _BY_LANDLOCK:
        pytest.skip("this kernel has no seccomp filters")
    assert outcomes[probe] in _REFUSED


def test_without_walls_it_succeeds(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", _MODULE, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {_SECRET: "of the person's", "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.DEVNULL,
        timeout=2 * patience(),
    )
    found = json.loads(done.stdout)
    assert found.keys() == PROBES.keys() - PRIVILEGED
    failed = {name: outcome for name, outcome in found.items() if outcome in _REFUSED}
    # Calls that no system permits would prove nothing about the sandbox.
    assert not failed


_AS_OTHER_USER = """
import os, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
sys.path[:] = {path!r}
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", {rootdir!r}, "--basetemp",
    {own!r}, "-k", "native_code or only_its_scratch or is_put_up or nothing_open", {file!r}]))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser can become somebody else")
def test_an_ordinary_user_s_reading_process_is_confined_too(pytestconfig: pytest.Config) -> None:
    needed = {Path(sys.prefix), Path(sys.base_prefix), Path(__file__).resolve()}
    for path in needed.union(*(path.parents for path in needed)):
        if path.stat().st_mode & 0o005 != 0o005:
            pytest.skip(f"nobody else may look into {path}")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        code = _AS_OTHER_USER.format(
            path=sys.path, rootdir=str(pytestconfig.rootpath), own=f"{folder}/own", file=__file__
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=False,
            cwd=pytestconfig.rootpath,
            env=os.environ | {"HOME": folder},
        )
    assert done.returncode == 0, done.stdout + done.stderr


def test_one_that_unpacks_writes_only_its_scratch_folder(probing: None, tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / ".scratch")
    warm = WorkerHandle(Limits(), 100, scratch, unpacks=True)
    details = {"outside": {"scratch": str(scratch.folder() / "1.txt")}}
    assert _probe(warm, "keep", details, tmp_path) == "kept"
    warm.close()
    scratch.close()


def test_one_that_unpacks_may_not_fill_its_scratch_folder(probing: None, tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / ".scratch")
    warm = WorkerHandle(Limits(), 100, scratch, unpacks=True)
    details = {"outside": {"scratch": str(scratch.folder() / "1.txt")}}
    with contextlib.suppress(DocumentError):  # it may be ended before it has answered
        _probe(warm, "flood", details, tmp_path)
    assert warm.process is None
    assert not [path for path in scratch.folder().iterdir() if path.is_file()]
    assert _probe(warm, "keep", details, tmp_path) == "kept"
    warm.close()
    scratch.close()


def test_one_that_floods_its_scratch_folder_in_silence_is_ended(
    probing: None, tmp_path: Path
) -> None:
    scratch = Scratch(tmp_path / ".scratch")
    limits = Limits(containers=ContainerLimits(scratch_files=3))
    warm = WorkerHandle(limits, 100, scratch, unpacks=True)
    details = {"outside": {"scratch": str(scratch.folder() / "1.txt")}, "is_endless": True}
    with pytest.raises(DocumentError, match="Unpacks to far more"):
        _probe(warm, "flood", details, tmp_path)
    assert not [path for path in scratch.folder().iterdir() if path.is_file()]
    warm.close()
    scratch.close()


def test_all_that_the_system_has_is_put_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "note.txt").write_text("Crows")
    with Reader() as reader:
        assert reader.read(tmp_path / "note.txt").pages[0].text == "Crows"
        assert reader._reading.process is not None
        status = Path(f"/proc/{reader._reading.process._process.pid}/status").read_text()
    assert "The sandbox for reading lacks" not in caplog.text
    if seccomp.is_available():
        assert "NoNewPrivs:\t1" in status
        assert "Seccomp:\t2" in status
        assert "CapEff:\t0000000000000000" in status or "CapEff:\t0000000000000004" in status


def test_a_process_has_nothing_open_but_what_it_speaks_by(probing: None, tmp_path: Path) -> None:
    warm = WorkerHandle(Limits(), 100, None, unpacks=False)
    kinds = json.loads(_probe(warm, "held", {}, tmp_path))
    warm.close()
    # Requests, answers, and the pipe whose end is the program's; documents; the one being read.
    assert Counter(kinds) == {"/dev/null": 3, "pipe": 3, "socket": 1, "file": 1}


def test_what_a_process_may_read_contains_no_personal_document(tmp_path: Path) -> None:
    home = Path.home().resolve()
    for folder in readable_folders():
        assert not home.is_relative_to(folder)
        assert not tmp_path.is_relative_to(folder)
        assert not Path("/etc/ssh").is_relative_to(folder)


def test_a_frozen_program_may_read_itself_and_its_libraries_but_not_their_siblings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "library").mkdir()
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "_internal"), raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "winnow"))
    found = readable_folders()
    assert {tmp_path / "_internal", tmp_path / "winnow"} <= set(found)
    assert not any((tmp_path / "library").is_relative_to(folder) for folder in found)


def test_the_environment_of_a_process_is_bare() -> None:
    variables = {"HOME": "/home/a", "TZ": "Asia/Tokyo", "SSH_AUTH_SOCK": "x", "GITHUB_TOKEN": "x"}
    assert bare(variables) == {"HOME": "/home/a", "TZ": "Asia/Tokyo"}


def _judge(program: list[tuple[int, int, int, int]], data: bytes) -> int:
    """Return the result of a filter for a call, as in the kernel."""
    accumulator = at = 0
    while True:
        code, if_true, if_false, value = program[at]
        at += 1
        if code == 0x20:
            accumulator = struct.unpack_from("=I", data, value)[0]
        elif code == 0x06:
            return value
        else:
            holds = {
                0x15: accumulator == value,
                0x25: accumulator > value,
                0x45: bool(accumulator & value),
            }[code]
            at += if_true if holds else if_false


_ALLOWED, _KILLED, _NOT_PERMITTED, _MISSING = 0x7FFF0000, 0x80000000, 0x50001, 0x50026
_X86, _ARM = ("x86_64", 0xC000003E), ("aarch64", 0xC00000B7)


@pytest.mark.parametrize(
    ("machine", "number", "arguments", "answer"),
    [
        (_X86, 0, (), _ALLOWED),  # read
        (_ARM, 63, (), _ALLOWED),
        (_X86, 41, (), _NOT_PERMITTED),  # socket
        (_ARM, 198, (), _NOT_PERMITTED),
        (_X86, 59, (), _NOT_PERMITTED),  # execve
        (_ARM, 221, (), _NOT_PERMITTED),
        (_X86, 57, (), _NOT_PERMITTED),  # fork
        (_X86, 58, (), _NOT_PERMITTED),  # vfork
        (_X86, 56, (17,), _NOT_PERMITTED),  # clone, as a process
        (_X86, 56, (0x3D0F00,), _ALLOWED),  # as a thread
        (_ARM, 220, (0x3D0F00,), _ALLOWED),
        (_X86, 56, (0x3D0F00 | 0x10000000,), _NOT_PERMITTED),  # in a new namespace
        (_X86, 435, (), _MISSING),  # clone3
        (_X86, 437, (), _MISSING),  # openat2
        (_X86, 425, (), _NOT_PERMITTED),  # io_uring_setup
        (_X86, 9999, (), _MISSING),  # one that was not yet thought of
        (_X86, 257, (0, 0, os.O_RDONLY | os.O_CLOEXEC), _ALLOWED),  # openat
        (_X86, 257, (0, 0, os.O_WRONLY), _NOT_PERMITTED),
        (_ARM, 56, (0, 0, os.O_RDWR), _NOT_PERMITTED),
        (_X86, 2, (0, os.O_RDWR), _NOT_PERMITTED),  # open
        (_X86, 234, (77, 77, 6), _ALLOWED),  # tgkill, of itself
        (_X86, 234, (78, 78, 6), _NOT_PERMITTED),
        (_X86, 302, (0, 7, 0, 1), _ALLOWED),  # prlimit64, asked
        (_X86, 302, (0, 7, 1 << 40, 0), _NOT_PERMITTED),  # reported
        (_X86, 47, (5,), _ALLOWED),  # recvmsg, from the program
        (_X86, 47, (6,), _NOT_PERMITTED),
        (_X86, 0x40000000, (), _NOT_PERMITTED),  # read, as x32 has it
        (("x86_64", 0x40000003), 1, (), _KILLED),  # as a program of 32 bits
    ],
)
def test_the_filter_on_both_processors(
    machine: tuple[str, int], number: int, arguments: tuple[int, ...], answer: int
) -> None:
    program = seccomp.assemble(machine[0], 77, 5, writes=False)
    data = struct.pack("=IIQ6Q", number, machine[1], 0, *(*arguments, *[0] * 6)[:6])
    assert _judge(program, data) == answer


def test_no_number_is_allowed_twice() -> None:
    for which in (0, 1):
        numbers = [both[which] for both in seccomp.HARMLESS.values() if both[which] is not None]
        assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize(
    ("version", "filters", "details"),
    [
        (7, True, "in sandboxed processes: Landlock 7, seccomp."),
        (0, True, "in sandboxed processes, with partial protection: seccomp."),
        (1, False, "in sandboxed processes, with partial protection: Landlock 1."),
        (0, False, "without a sandbox: this system does not support one."),
    ],
)
def test_the_active_restrictions_are_summarised_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, version: int, filters: bool, details: str
) -> None:
    monkeypatch.setattr(linux, "landlock_version", lambda: version)
    monkeypatch.setattr(seccomp, "is_available", lambda: filters)
    assert confinement.in_words() == f"Documents are read {details}"


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_do_not_confine_and_say_so(
    monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert (
        confinement.in_words()
        == "Documents are read without a sandbox: this system does not support one."
    )
    assert not confinement.keep_from_files(confinement.restrict([], [], None))
