"""Tests of `dev.py`, without creating a real environment."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tools import lock_files
from tools.environment import DevError

ROOT = Path(__file__).resolve().parents[2]


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


dev: Any = load(ROOT / "dev.py")
wheels: Any = load(ROOT / "packaging" / "wheels.py")


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
    """Record the commands that print to the terminal; ruff fails."""
    started: list[list[str]] = []

    def call(command: list[Any], **_variables: str) -> int:
        started.append([str(part) for part in command])
        return 1 if Path(started[-1][0]).stem == "ruff" else 0

    def check(name: str, command: list[Any]) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, call(command), f"{name} has run")

    monkeypatch.setattr(dev, "call", call)
    monkeypatch.setattr(dev, "check", check)
    monkeypatch.setattr(dev, "set_up", lambda name: None)
    monkeypatch.setattr(dev, "has_card", lambda: False)
    monkeypatch.setattr(dev, "can_build_guide", lambda: False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.chdir(ROOT)
    return started


@pytest.fixture
def sets(calls: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the sets of packages that are installed."""
    installed: list[str] = []
    monkeypatch.setattr(dev, "set_up", installed.append)
    return installed


def test_all_checks_run_and_failures_are_listed(
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


@pytest.mark.parametrize(("arguments", "options"), [(["-x"], ""), ([], "-q --randomly-seed=7")])
def test_the_seed_of_a_failed_order_is_printed_first_and_last(
    arguments: list[str],
    options: str,
    calls: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", options)
    call = dev.call
    monkeypatch.setattr(dev, "call", lambda command, **_: call(command) or 1)
    assert dev.main(["test", *arguments]) == 1
    tests = next(words for words in calls if Path(words[0]).stem == "pytest")
    (chosen,) = (word for word in tests if word.startswith("--randomly-seed="))
    seed = chosen.partition("=")[2]
    assert not options or seed == "7"
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == f"The order of the tests has the seed {seed}."
    assert last.endswith(" ".join(["run: python3 dev.py test", *arguments, chosen]))


def test_orders_differ_and_a_chosen_one_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)  # CI chooses an order there
    assert len({dev.seed_of([]) for _ in range(4)}) > 1
    assert dev.seed_of(["--randomly-seed", "3"]) == "3"


def test_a_check_returns_output_and_status() -> None:
    finished = dev.check("words", [sys.executable, "-c", "print('eins'); raise SystemExit(3)"])
    assert (finished.returncode, finished.stdout.strip()) == (3, "eins")


@pytest.mark.parametrize(
    ("arguments", "has_card", "expected"),
    [
        (["run"], False, ["base"]),
        (["run"], True, ["base", "gpu"]),
        (["run", "--no-gpu"], True, ["base"]),
        (["test"], True, ["dev"]),
        (["bench", "start"], True, ["dev"]),
        (["docs"], True, ["dev"]),
        (["bench"], True, []),
    ],
)
def test_a_command_installs_what_it_needs(
    sets: list[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    has_card: bool,
    expected: list[str],
) -> None:
    monkeypatch.setattr(dev, "has_card", lambda: has_card)
    dev.main(arguments)
    assert sets == expected


def test_the_window_opens_if_torch_cannot_be_installed(
    calls: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def set_up(name: str) -> None:
        if name == "gpu":
            raise DevError("There is no network.")

    monkeypatch.setattr(dev, "set_up", set_up)
    monkeypatch.setattr(dev, "has_card", lambda: True)
    assert dev.main(["run"]) == 0
    assert [Path(words[0]).stem for words in calls] == ["winnow"]
    assert capsys.readouterr().out == (
        "Winnow will not use the graphics card: There is no network.\n"
    )


def test_lock_writes_the_lock_files(
    sets: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    used = []
    monkeypatch.setattr(lock_files, "refresh", used.append)
    monkeypatch.setattr(dev, "find_uv", lambda: "/usr/bin/uv")
    assert dev.main(["lock"]) == 0
    assert (used, sets) == (["/usr/bin/uv"], [])
    assert capsys.readouterr().out == "Wrote base.txt, gpu.txt, dev.txt.\n"


def test_lock_needs_uv(
    calls: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev, "find_uv", lambda: None)
    assert dev.main(["lock"]) == 1
    assert "uv, which was not found" in capsys.readouterr().err


def test_run_passes_an_absolute_folder(
    calls: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert dev.main(["run"]) == 0
    assert dev.main(["run", "."]) == 0
    assert [words[1:] for words in calls] == [[], ["--folder", str(tmp_path.resolve())]]


def test_run_builds_a_missing_guide(
    calls: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "can_build_guide", lambda: True)
    assert dev.main(["run"]) == 0
    build, window = calls
    assert Path(build[-1]).parts[-2:] == ("docs", "build.py")
    assert Path(window[0]).stem == "winnow"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "no-such-folder"], "no-such-folder is not a folder"),
        (["bench", "no-such-benchmark"], "There is no benchmark 'no-such-benchmark'"),
    ],
)
def test_errors_are_printed_as_a_sentence(
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


def test_an_old_python_is_refused(
    calls: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(dev, "MINIMUM_PYTHON", (99, 0))
        assert dev.main(["run"]) == 2
    assert "needs Python" in capsys.readouterr().out
    assert calls == []


def test_benchmarks_are_listed_with_their_descriptions(tmp_path: Path) -> None:
    (tmp_path / "speed.py").write_text('"""How fast.\n\nMore."""\n', encoding="utf-8")
    (tmp_path / "_shared.py").write_text('"""No benchmark."""\n', encoding="utf-8")
    for name, module in (("ranks", "__main__"), ("library", "__init__")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{module}.py").write_text('"""How good."""\n', encoding="utf-8")
    assert dev.benchmarks(tmp_path) == {"ranks": "How good.", "speed": "How fast."}


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
