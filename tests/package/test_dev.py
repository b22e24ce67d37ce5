"""The door that everybody goes through first, without making a real environment."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tools import libraries

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = """
[project]
dependencies = ["numpy>=2"]
[tool.ruff]
line-length = 100
"""


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


dev: Any = load(ROOT / "dev.py")
wheels: Any = load(ROOT / "packaging" / "wheels.py")


class Commands(list[list[str]]):
    """Stands in for `run_logged`: writes down what would be run, and may break off."""

    def __init__(self) -> None:
        super().__init__()
        self.breaks_at: str | None = None

    def __call__(self, command: list[Any], log: Path, lock: int, failure: str) -> None:
        words = [str(part) for part in command]
        self.append(words)
        if "venv" in words:
            (Path(words[-1]) / "made").touch()
        if self.breaks_at is not None and self.breaks_at in words:
            raise KeyboardInterrupt


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> Commands:
    recorder = Commands()
    monkeypatch.setattr(dev, "run_logged", recorder)
    monkeypatch.setattr(dev, "missing_packages", list)
    return recorder


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    return tmp_path / ".venv"


def stamp_of(**changes: Any) -> Any:
    arguments = {
        "pyproject": PYPROJECT,
        "python": "3.11.7",
        "root": Path("/a"),
        "torch": "torch==1",
    }
    return dev.wanted_stamp(**(arguments | changes))


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("linux", "v/bin/ruff"),
        ("darwin", "v/bin/ruff"),
        ("win32", "v/Scripts/ruff.exe"),
    ],
)
def test_programs_lie_where_the_system_puts_them(system: str, expected: str) -> None:
    assert dev.program(Path("v"), "ruff", system) == Path(expected)


def test_a_changed_dependency_or_torch_asks_for_an_install() -> None:
    for changed in (
        stamp_of(pyproject=PYPROJECT.replace("numpy>=2", "numpy>=3")),
        stamp_of(torch="torch==2"),
    ):
        assert changed.packages != stamp_of().packages
        assert changed.interpreter == stamp_of().interpreter


def test_another_python_or_a_moved_checkout_asks_for_a_new_environment() -> None:
    for changed in (stamp_of(python="3.12.1"), stamp_of(root=Path("/b"))):
        assert changed.interpreter != stamp_of().interpreter


def test_a_changed_lint_rule_asks_for_nothing() -> None:
    assert stamp_of(pyproject=PYPROJECT.replace("100", "90")) == stamp_of()


def test_a_stamp_is_read_as_it_was_written(tmp_path: Path) -> None:
    dev.write_stamp(tmp_path, stamp_of())
    assert dev.read_stamp(tmp_path) == stamp_of()


@pytest.mark.parametrize("torn", [None, "", "3.11.7 in /a\n"])
def test_no_stamp_and_a_torn_one_count_as_unfinished(tmp_path: Path, torn: str | None) -> None:
    if torn is not None:
        (tmp_path / dev.STAMP_NAME).write_text(torn, encoding="utf-8")
    assert dev.read_stamp(tmp_path) is None


def test_set_up_installs_torch_alone_and_first(commands: Commands, venv: Path) -> None:
    dev.set_up(venv)
    make, torch, rest = commands
    assert make == [sys.executable, "-m", "venv", str(venv)]
    assert torch[1:] == ["-m", "pip", "install", dev.TORCH]
    assert rest[1:] == ["-m", "pip", "install", "-e", ".[dev]"]


def test_a_second_set_up_runs_nothing(commands: Commands, venv: Path) -> None:
    dev.set_up(venv)
    commands.clear()
    dev.set_up(venv)
    assert commands == []


@pytest.mark.parametrize("step", ["venv", dev.TORCH, ".[dev]"])
def test_an_interrupted_set_up_starts_again_from_nothing(
    commands: Commands, venv: Path, step: str
) -> None:
    commands.breaks_at = step
    with pytest.raises(KeyboardInterrupt):
        dev.set_up(venv)
    (venv / "half").mkdir()
    (venv / "half" / "package.py").touch()
    commands.breaks_at = None
    commands.clear()
    dev.set_up(venv)
    assert len(commands) == 3
    assert sorted(path.name for path in venv.iterdir()) == [dev.LOCK_NAME, dev.STAMP_NAME, "made"]


def test_changed_packages_are_installed_into_the_environment_there_is(
    commands: Commands, venv: Path
) -> None:
    dev.set_up(venv)
    finished = dev.read_stamp(venv)
    dev.write_stamp(venv, finished._replace(packages="others"))
    (venv / "kept").touch()
    commands.clear()
    dev.set_up(venv)
    assert [words[3] for words in commands] == ["install", "install"]
    assert (venv / "kept").exists()
    assert dev.read_stamp(venv) == finished


def test_an_environment_made_by_hand_is_left_alone(commands: Commands, venv: Path) -> None:
    venv.mkdir()
    (venv / "precious").touch()
    with pytest.raises(dev.DevError, match=r"was not made by dev\.py"):
        dev.set_up(venv)
    assert [path.name for path in venv.iterdir()] == ["precious"]


def test_one_set_up_at_a_time(venv: Path) -> None:
    with dev.locked(venv):
        other = os.open(venv / dev.LOCK_NAME, os.O_RDWR)
        try:
            assert not dev.take_lock(other, wait=False)
        finally:
            os.close(other)
    with dev.locked(venv):  # free again
        pass


def test_a_failed_command_shows_the_end_of_its_output(
    tmp_path: Path, venv: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = "print(*range(100), sep=chr(10), flush=True); raise SystemExit('no route')"
    command = [sys.executable, "-c", script]
    with dev.locked(venv) as lock, pytest.raises(dev.DevError, match="Installing failed"):
        dev.run_logged(command, tmp_path / "log", lock, "Installing failed")
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == dev.LOG_LINES_SHOWN
    assert shown[-1] == "  | no route"


def test_missing_libraries_and_fonts_become_packages() -> None:
    missing = libraries.missing_packages(
        lambda library: library != "libxcb-cursor.so.0", lambda: False
    )
    assert missing == ["libxcb-cursor0", libraries.FONT_PACKAGE]
    assert libraries.missing_packages(lambda _library: True, lambda: True) == []


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
def test_apt_is_used_where_it_may_be(
    monkeypatch: pytest.MonkeyPatch, programs: set[str], is_root: bool, expected: list[str] | None
) -> None:
    monkeypatch.setattr(dev.shutil, "which", lambda name: name if name in programs else None)
    monkeypatch.setattr(dev.os, "geteuid", lambda: 0 if is_root else 1000)
    assert dev.apt_prefix() == expected


def test_without_rights_the_missing_libraries_are_printed(
    monkeypatch: pytest.MonkeyPatch,
    commands: Commands,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(dev, "apt_prefix", lambda: None)
    dev.install_libraries(["libegl1", "libgl1"], tmp_path / "log", 0)
    assert "install libegl1, libgl1 with" in capsys.readouterr().out
    assert commands == []


@pytest.mark.parametrize("helps", [True, False])
def test_a_python_without_venv_gets_it_where_apt_may_install_it(
    monkeypatch: pytest.MonkeyPatch, commands: Commands, tmp_path: Path, helps: bool
) -> None:
    def find_spec(_name: str) -> object | None:
        return object() if helps and commands else None

    monkeypatch.setattr(dev, "apt_prefix", lambda: ["sudo", "-n"])
    monkeypatch.setattr(dev.importlib.util, "find_spec", find_spec)
    if helps:
        dev.install_venv(tmp_path / "log", 0)
    else:
        with pytest.raises(dev.DevError, match="install python3-venv"):
            dev.install_venv(tmp_path / "log", 0)
    assert [words[-1] for words in commands] == ["update", "python3-venv"]
    assert all(words[:3] == ["sudo", "-n", "apt-get"] for words in commands)


def test_without_rights_the_venv_package_is_printed(
    monkeypatch: pytest.MonkeyPatch, commands: Commands, tmp_path: Path
) -> None:
    monkeypatch.setattr(dev, "apt_prefix", lambda: None)
    monkeypatch.setattr(dev.importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(dev.DevError, match=r"install python3-venv\.$"):
        dev.install_venv(tmp_path / "log", 0)
    assert commands == []


@pytest.mark.parametrize(
    ("environment", "system", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_only_linux_can_lack_a_display(
    environment: dict[str, str], system: str, expected: bool
) -> None:
    assert dev.has_display(environment, system) is expected


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that are started in front of the person; ruff fails."""
    started: list[list[str]] = []

    def call(command: list[Any], **_variables: str) -> int:
        started.append([str(part) for part in command])
        return 1 if Path(started[-1][0]).stem == "ruff" else 0

    def check(name: str, command: list[Any]) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, call(command), f"{name} has run")

    monkeypatch.setattr(dev, "call", call)
    monkeypatch.setattr(dev, "check", check)
    monkeypatch.setattr(dev, "set_up", lambda: None)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.chdir(ROOT)
    return started


def test_everything_runs_and_the_failures_are_named(
    calls: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(["test", "tests/core", "-k", "rook or crow", "-x"]) == 1
    names = sorted(Path(words[0]).stem for words in calls)
    assert names == ["lint-imports", "mypy", "pytest", "ruff", "ruff"]
    tests = next(words for words in calls if Path(words[0]).stem == "pytest")
    assert tests[-4:] == ["tests/core", "-k", "rook or crow", "-x"]
    printed = capsys.readouterr().out
    assert "-- types\ntypes has run\n" in printed
    assert printed.splitlines()[-1] == "Failed: format, lint."


def test_a_check_keeps_its_output_and_its_status() -> None:
    finished = dev.check("words", [sys.executable, "-c", "print('eins'); raise SystemExit(3)"])
    assert (finished.returncode, finished.stdout.strip()) == (3, "eins")


def test_run_hands_the_folder_over_in_full(
    calls: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert dev.main(["run"]) == 0
    assert dev.main(["run", "."]) == 0
    assert [words[1:] for words in calls] == [[], ["--folder", str(tmp_path.resolve())]]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "no-such-folder"], "no-such-folder is not a folder"),
        (["bench", "no-such-benchmark"], "There is no benchmark 'no-such-benchmark'"),
    ],
)
def test_what_cannot_be_done_is_answered_with_a_sentence(
    calls: list[list[str]],
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    assert dev.main(arguments) == 1
    assert capsys.readouterr().err.startswith(sentence)
    assert calls == []


@pytest.mark.parametrize("arguments", [[], ["install"], ["run", ".", "--fast"], ["docs", "x"]])
def test_unknown_commands_and_arguments_are_refused(
    calls: list[list[str]], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        dev.main(arguments)
    assert caught.value.code == 2
    assert calls == []


def test_an_old_python_is_turned_away(
    calls: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(dev, "MINIMUM_PYTHON", (99, 0))
        assert dev.main(["run"]) == 2
    assert "needs Python" in capsys.readouterr().out
    assert calls == []


def test_benchmarks_are_listed_with_what_they_measure(tmp_path: Path) -> None:
    (tmp_path / "speed.py").write_text('"""How fast.\n\nMore."""\n', encoding="utf-8")
    (tmp_path / "_shared.py").write_text('"""No benchmark."""\n', encoding="utf-8")
    assert dev.benchmarks(tmp_path) == {"speed": "How fast."}


def test_a_wheel_has_the_program_and_nothing_else(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "w.whl", "w") as archive:
        for name in ("core/cli.py", "lab/commands/train.py", "winnow-1.dist-info/METADATA"):
            archive.writestr(name, "x")
    assert wheels.foreign_to_wheel(tmp_path / "w.whl") == ["lab"]
    settings = tomllib.loads((dev.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = settings["tool"]["setuptools"]["packages"]["find"]["include"]
    assert {name.rstrip("*") for name in packages} == wheels.PROGRAM


def test_resources_that_did_not_travel_are_named(tmp_path: Path) -> None:
    resources = tmp_path / "resources"
    (resources / "icons").mkdir(parents=True)
    for name in ("icons/winnow.svg", "icons/lost.svg", "icons/.hidden", "model.bin"):
        (resources / name).write_text("x", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "w.whl", "w") as archive:
        archive.writestr("resources/icons/winnow.svg", "x")
        archive.writestr("resources/model.bin", "x")
    assert wheels.missing_from_wheel(tmp_path / "w.whl", resources) == ["resources/icons/lost.svg"]
