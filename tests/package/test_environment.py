"""Tests of the virtual environment, without creating a real one."""

from __future__ import annotations

import hashlib
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.index.native.compiler import find_compiler
from tools import environment, libraries
from tools.environment import DevError, Stamp
from tools.lock_files import INCLUDED, TORCH, lock_file

PYPROJECT = """
[project]
dependencies = ["numpy>=2"]
[tool.ruff]
line-length = 100
"""
LOCKS = {"base": "numpy==2.4\n", "gpu": "numpy==2.4\n", "dev": "numpy==2.4\npytest==9\n"}


class Commands(list[list[str]]):
    """Replaces `run_logged`: records the commands, and can fail.

    Attributes:
        fail_at: a word of the command that fails.
        failure: the exception that it raises.
        printed: a line that it prints before.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fail_at: str | None = None
        self.failure: BaseException = KeyboardInterrupt()
        self.printed = ""

    def __call__(
        self,
        command: list[Any],
        log: Path,
        lock: int,
        failure: str,
        read: Callable[[str], None] | None = None,
    ) -> None:
        words = [str(part) for part in command]
        self.append(words)
        if "venv" in words:
            (Path(words[-1]) / "created").touch()
        if self.fail_at is not None and self.fail_at in words:
            if read:
                read(self.printed)
            raise self.failure


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> Commands:
    recorder = Commands()
    monkeypatch.setattr(environment, "run_logged", recorder)
    monkeypatch.setattr(environment, "missing_packages", list)
    monkeypatch.setattr(environment, "find_uv", lambda: None)
    return recorder


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    return tmp_path / ".venv"


def stamp_of(**changes: Any) -> Stamp:
    arguments = {
        "pyproject": PYPROJECT,
        "locks": LOCKS,
        "python": "3.11.7",
        "root": Path("/a"),
        "torch": "torch==1",
    }
    return environment.wanted_stamp(**(arguments | changes))


def changed_sets(stamp: Stamp) -> list[str]:
    return [name for name in LOCKS if not stamp_of().has(name, stamp)]


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("linux", "v/bin/ruff"),
        ("darwin", "v/bin/ruff"),
        ("win32", "v/Scripts/ruff.exe"),
    ],
)
def test_program_paths_depend_on_the_system(system: str, expected: str) -> None:
    assert environment.program(Path("v"), "ruff", system) == Path(expected)


def test_a_changed_dependency_or_torch_needs_an_install() -> None:
    for changed in (
        stamp_of(pyproject=PYPROJECT.replace("numpy>=2", "numpy>=3")),
        stamp_of(torch="torch==2"),
    ):
        assert changed.packages != stamp_of().packages
        assert changed.interpreter == stamp_of().interpreter
    assert changed_sets(stamp_of(torch="torch==2")) == ["gpu", "dev"]


def test_a_changed_lock_file_needs_an_install_of_its_set() -> None:
    assert changed_sets(stamp_of(locks=LOCKS | {"dev": "numpy==2.4\npytest==10\n"})) == ["dev"]
    assert changed_sets(stamp_of()) == []


def test_another_python_or_a_moved_checkout_needs_a_new_environment() -> None:
    for changed in (stamp_of(python="3.12.1"), stamp_of(root=Path("/b"))):
        assert changed.interpreter != stamp_of().interpreter
        assert changed_sets(changed) == list(LOCKS)


def test_a_changed_lint_rule_needs_no_install() -> None:
    assert stamp_of(pyproject=PYPROJECT.replace("100", "90")) == stamp_of()


def test_a_stamp_survives_a_round_trip(tmp_path: Path) -> None:
    environment.write_stamp(tmp_path, stamp_of())
    assert environment.read_stamp(tmp_path) == stamp_of()


@pytest.mark.parametrize("torn", [None, "", "3.11.7 in /a\n", "3.11.7 in /a\nbase\n"])
def test_a_missing_or_torn_stamp_means_unfinished(tmp_path: Path, torn: str | None) -> None:
    if torn is not None:
        (tmp_path / environment.STAMP_NAME).write_text(torn, encoding="utf-8")
    assert environment.read_stamp(tmp_path) is None


@pytest.mark.parametrize(
    ("files", "system", "machine", "expected"),
    [
        ([], "linux", "x86_64", False),
        (["proc/driver/nvidia/version"], "linux", "x86_64", True),
        ([], "win32", "AMD64", False),
        (["Windows/System32/nvcuda.dll"], "win32", "AMD64", True),
        ([], "darwin", "x86_64", False),
        ([], "darwin", "arm64", True),
    ],
)
def test_a_card_is_found_by_its_driver(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: list[str],
    system: str,
    machine: str,
    expected: bool,
) -> None:
    monkeypatch.setenv("SYSTEMROOT", "Windows")
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    assert environment.has_card(tmp_path, system, machine) is expected


def test_the_base_is_installed_without_torch(commands: Commands, venv: Path) -> None:
    environment.set_up("base", venv)
    make, packages, project = commands
    pip = [str(environment.program(venv, "python")), "-m", "pip", "install", "--no-compile"]
    assert make == [sys.executable, "-m", "venv", str(venv)]
    assert packages == [*pip, "--require-hashes", "-r", str(lock_file("base"))]
    assert project == [*pip, "--no-deps", "--no-build-isolation", "--editable", "."]


def test_torch_is_installed_alone_and_last(commands: Commands, venv: Path) -> None:
    environment.set_up("dev", venv)
    _, packages, _, torch = commands
    assert packages[-2:] == ["-r", str(lock_file("dev"))]
    assert torch[1:4] == ["-m", "pip", "install"]
    assert torch[-1] == TORCH


def test_uv_is_used_if_it_is_installed(
    commands: Commands, venv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "find_uv", lambda: "/usr/bin/uv")
    # Debian's Python without python3-venv: uv can do without.
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda _name: None)
    environment.set_up("gpu", venv)
    python = str(environment.program(venv, "python"))
    make, packages, project, torch = commands
    assert make[:2] == ["/usr/bin/uv", "venv"]
    install = ["/usr/bin/uv", "pip", "install", "--python", python]
    assert packages == [*install, "--require-hashes", "-r", str(lock_file("gpu"))]
    assert project[:5] == install
    # uv does not read pip's configuration, which may lead to a CPU build of torch.
    assert torch[:4] == [python, "-m", "pip", "install"]


@pytest.mark.parametrize(("system", "has_index"), [("win32", True), ("linux", False)])
def test_the_card_of_a_windows_machine_gets_a_build_with_cuda(
    commands: Commands,
    venv: Path,
    monkeypatch: pytest.MonkeyPatch,
    system: str,
    has_index: bool,
) -> None:
    monkeypatch.setattr(environment.sys, "platform", system)
    environment.install_packages(venv_in(venv), "gpu", stamp_of(), venv / "log", 0)
    assert (environment.CUDA_INDEX in commands[-1]) is has_index


def venv_in(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.mark.parametrize("name", INCLUDED)
def test_a_second_set_up_runs_nothing(commands: Commands, venv: Path, name: str) -> None:
    environment.set_up(name, venv)
    commands.clear()
    for included in (name, *INCLUDED[name]):
        environment.set_up(included, venv)
    assert commands == []


def test_another_set_is_added_to_the_existing_environment(commands: Commands, venv: Path) -> None:
    environment.set_up("base", venv)
    (venv / "unrelated").touch()
    commands.clear()
    environment.set_up("dev", venv)
    assert [words[3] for words in commands] == ["install", "install", "install"]
    assert (venv / "unrelated").exists()
    stamp = environment.read_stamp(venv)
    assert stamp
    assert sorted(stamp.packages) == ["base", "dev", "gpu"]


STEPS = ["venv", "--require-hashes", "--editable", TORCH]


@pytest.mark.parametrize("step", STEPS)
def test_an_interrupted_set_up_starts_again_from_nothing(
    commands: Commands, venv: Path, step: str
) -> None:
    commands.fail_at = step
    with pytest.raises(KeyboardInterrupt):
        environment.set_up("dev", venv)
    (venv / "half").mkdir()
    (venv / "half" / "package.py").touch()
    commands.fail_at = None
    commands.clear()
    environment.set_up("dev", venv)
    assert len(commands) == 4
    files = ["created", environment.PROCESS_LOCK_NAME, environment.STAMP_NAME]
    assert sorted(path.name for path in venv.iterdir()) == files


@pytest.mark.parametrize("failure", [KeyboardInterrupt(), DevError("There is no network.")])
@pytest.mark.parametrize("step", STEPS[1:])
def test_a_set_that_cannot_be_downloaded_leaves_the_others(
    commands: Commands, venv: Path, step: str, failure: BaseException
) -> None:
    environment.set_up("base", venv)
    before = environment.read_stamp(venv)
    commands.fail_at = step
    commands.failure = failure
    with pytest.raises(type(failure)):
        environment.set_up("dev", venv)
    assert environment.read_stamp(venv) == before


@pytest.mark.parametrize("printed", ["Installing collected packages: a", "Prepared 2 packages"])
def test_a_set_that_was_half_written_leaves_nothing(
    commands: Commands, venv: Path, printed: str
) -> None:
    environment.set_up("base", venv)
    commands.fail_at = "--require-hashes"
    commands.printed = printed
    with pytest.raises(KeyboardInterrupt):
        environment.set_up("dev", venv)
    assert environment.read_stamp(venv) is None


def test_changed_packages_are_installed_into_the_existing_environment(
    commands: Commands, venv: Path
) -> None:
    environment.set_up("base", venv)
    finished = environment.read_stamp(venv)
    assert finished
    environment.write_stamp(venv, finished._replace(packages={"base": "others"}))
    (venv / "unrelated").touch()
    commands.clear()
    environment.set_up("base", venv)
    assert [words[3] for words in commands] == ["install", "install"]
    assert (venv / "unrelated").exists()
    assert environment.read_stamp(venv) == finished


@pytest.fixture
def changed_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lock file with one package, whose wheel is not the one that was locked."""
    wheel = tmp_path / "rook-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("rook.py", "")
        inside = "rook-1.0.dist-info"
        archive.writestr(f"{inside}/METADATA", "Metadata-Version: 2.1\nName: rook\nVersion: 1.0\n")
        archive.writestr(f"{inside}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{inside}/RECORD", "")
    (tmp_path / "locked").mkdir()
    lock = tmp_path / "locked" / "base.txt"
    digest = hashlib.sha256(b"the wheel that was locked").hexdigest()
    lock.write_text(f"rook==1.0 \\\n    --hash=sha256:{digest}\n", encoding="utf-8")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("PIP_TARGET", str(tmp_path / "installed"))
    return lock


def test_a_changed_wheel_is_refused_by_pip(
    changed_wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "program", lambda _venv, _name: Path(sys.executable))
    (tmp_path / "venv").mkdir()
    with environment.locked(tmp_path / "venv") as lock:
        installer = environment.Installer(tmp_path / "venv", tmp_path / "log", lock, None)
        with pytest.raises(DevError) as caught:
            installer.install_locked(changed_wheel)
    assert str(caught.value).startswith(
        "The download of rook==1.0 does not have the hash that locked/base.txt lists, so nothing "
        "was installed: "
    )
    assert not (tmp_path / "installed").exists()
    assert "Expected sha256" in (tmp_path / "log").read_text(encoding="utf-8")


def test_a_changed_wheel_that_uv_refuses_is_named(
    changed_wheel: Path, commands: Commands, venv: Path
) -> None:
    commands.fail_at = "--require-hashes"
    printed = "error: Failed to download `rook==1.0`\n  cause: Hash mismatch for `rook==1.0`\n"
    commands.failure = environment.CommandError("It failed.", printed)
    installer = environment.Installer(venv, venv / "log", 0, "/usr/bin/uv")
    with pytest.raises(DevError, match=r"^The download of rook==1\.0 does not have the hash"):
        installer.install_locked(changed_wheel)


def test_without_a_network_the_sentence_names_it(
    changed_wheel: Path, commands: Commands, venv: Path
) -> None:
    commands.fail_at = "--require-hashes"
    commands.failure = environment.CommandError("Check the network.", "no route")
    installer = environment.Installer(venv, venv / "log", 0, None)
    with pytest.raises(DevError, match="Check the network"):
        installer.install_locked(changed_wheel)


def test_a_manually_created_environment_is_not_touched(commands: Commands, venv: Path) -> None:
    venv.mkdir()
    (venv / "precious").touch()
    with pytest.raises(DevError, match=r"was not made by dev\.py"):
        environment.set_up("base", venv)
    assert [path.name for path in venv.iterdir()] == ["precious"]


def test_set_up_is_locked(venv: Path) -> None:
    with environment.locked(venv):
        other = os.open(venv / environment.PROCESS_LOCK_NAME, os.O_RDWR)
        try:
            assert not environment.take_lock(other, wait=False)
        finally:
            os.close(other)
    with environment.locked(venv):  # free again
        pass


def test_a_failed_command_shows_the_end_of_its_output(
    tmp_path: Path, venv: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = "print(*range(100), sep=chr(10), flush=True); raise SystemExit('no route')"
    command = [sys.executable, "-c", script]
    with environment.locked(venv) as lock, pytest.raises(DevError, match="Installing failed"):
        environment.run_logged(command, tmp_path / "log", lock, "Installing failed")
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == environment.LOG_LINES_SHOWN
    assert shown[-1] == "  | no route"


def test_missing_libraries_and_fonts_become_packages() -> None:
    missing = libraries.missing_packages(
        lambda library: library != "libxcb-cursor.so.0", lambda: False, lambda: None
    )
    assert missing == ["libxcb-cursor0", libraries.FONT_PACKAGE, "gcc", "libc6-dev"]
    assert (
        libraries.missing_packages(lambda _library: True, lambda: True, lambda: "/usr/bin/cc") == []
    )


def test_any_c_compiler_is_enough() -> None:
    assert find_compiler(lambda name: "/usr/bin/clang" if name == "clang" else None)
    assert not find_compiler(lambda _name: None)


def test_a_library_that_no_system_has_cannot_be_loaded() -> None:
    assert not libraries.can_load("libno-such-library.so.99")


def test_fonts_are_found_at_any_depth(tmp_path: Path) -> None:
    (tmp_path / "truetype" / "rook").mkdir(parents=True)
    (tmp_path / "truetype" / "README").touch()
    folders = [str(tmp_path / "not-there"), str(tmp_path)]
    assert not libraries.has_font(folders)
    (tmp_path / "truetype" / "rook" / "Rook.TTF").touch()
    assert libraries.has_font(folders)


@pytest.mark.parametrize(
    ("programs", "is_root", "expected"),
    [
        (set(), True, None),
        ({"apt-get"}, True, []),
        ({"apt-get"}, False, None),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="apt-get is Debian's")
def test_apt_is_used_with_rights_only(
    monkeypatch: pytest.MonkeyPatch, programs: set[str], is_root: bool, expected: list[str] | None
) -> None:
    monkeypatch.setattr(
        environment.shutil, "which", lambda name: name if name in programs else None
    )
    monkeypatch.setattr(environment.os, "geteuid", lambda: 0 if is_root else 1000)
    assert environment.apt_prefix() == expected


def test_without_rights_the_missing_libraries_are_printed(
    monkeypatch: pytest.MonkeyPatch,
    commands: Commands,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(environment, "apt_prefix", lambda: None)
    environment.install_libraries(["libegl1", "libgl1"], tmp_path / "log", 0)
    assert "install libegl1, libgl1 with" in capsys.readouterr().out
    assert commands == []


@pytest.mark.parametrize("helps", [True, False])
def test_a_missing_venv_is_installed_by_apt(
    monkeypatch: pytest.MonkeyPatch, commands: Commands, tmp_path: Path, helps: bool
) -> None:
    def find_spec(_name: str) -> object | None:
        return object() if helps and commands else None

    monkeypatch.setattr(environment, "apt_prefix", lambda: ["sudo", "-n"])
    monkeypatch.setattr(environment.importlib.util, "find_spec", find_spec)
    if helps:
        environment.install_venv(tmp_path / "log", 0)
    else:
        with pytest.raises(DevError, match="install python3-venv"):
            environment.install_venv(tmp_path / "log", 0)
    assert [words[-1] for words in commands] == ["update", "python3-venv"]
    assert all(words[:3] == ["sudo", "-n", "apt-get"] for words in commands)


def test_without_rights_the_venv_package_is_printed(
    monkeypatch: pytest.MonkeyPatch, commands: Commands, tmp_path: Path
) -> None:
    monkeypatch.setattr(environment, "apt_prefix", lambda: None)
    monkeypatch.setattr(environment.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(DevError, match=r"install python3-venv\.$"):
        environment.install_venv(tmp_path / "log", 0)
    assert commands == []
