"""Tests of the lock files, and of what writes them."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import lock_files
from tools.lock_files import INCLUDED, TORCH, WITH_TORCH, entries, lock_file

PROJECT = tomllib.loads((lock_files.ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def locked(name: str) -> dict[str, list[str]]:
    return entries(lock_file(name).read_text(encoding="utf-8"))


def required(name: str) -> list[Requirement]:
    """The direct requirements of a set, and those of the build."""
    project = PROJECT["project"]
    extra = [] if name == "base" else project["optional-dependencies"][name]
    texts = [*PROJECT["build-system"]["requires"], *project["dependencies"], *extra]
    return [Requirement(text) for text in texts]


def test_entries_are_found_with_their_conditions() -> None:
    text = "# Comment\na==1 ; os_name == 'nt' \\\n    --hash=sha256:0f\na==2\nB.c==3\n"
    assert entries(text) == {
        "a": ["a==1 ; os_name == 'nt' --hash=sha256:0f", "a==2"],
        "b.c": ["B.c==3"],
    }


@pytest.mark.parametrize("name", INCLUDED)
def test_a_lock_file_has_all_requirements_in_their_ranges(name: str) -> None:
    found = locked(name)
    for requirement in required(name):
        if requirement.name == "torch":
            assert requirement.specifier.contains(TORCH.partition("==")[2])
            continue
        versions = found[canonicalize_name(requirement.name)]
        for version in versions:
            pinned = Requirement(version.partition(" --hash")[0])
            (pin,) = pinned.specifier
            assert pin.operator == "=="
            assert requirement.specifier.contains(pin.version), version


@pytest.mark.parametrize("name", INCLUDED)
def test_each_package_has_hashes_and_no_address(name: str) -> None:
    text = lock_file(name).read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)
    for versions in entries(text).values():
        for version in versions:
            assert re.search(r"( --hash=sha256:[0-9a-f]{64})+$", version), version


@pytest.mark.parametrize("name", INCLUDED)
def test_torch_and_its_cuda_packages_are_not_locked(name: str) -> None:
    names = locked(name).keys()
    assert not {"torch", "triton"} & names
    assert not [one for one in names if one.startswith(("nvidia-", "cuda-"))]


@pytest.mark.parametrize("name", INCLUDED)
def test_a_set_has_the_versions_of_those_that_it_includes(name: str) -> None:
    found = locked(name)
    for included in INCLUDED[name]:
        for package, versions in locked(included).items():
            pins = {version.partition(" ")[0] for version in versions}
            assert pins <= {version.partition(" ")[0] for version in found[package]}


def test_the_base_has_no_tools_of_development() -> None:
    assert not {"pytest", "ruff", "sphinx", "ray", "transformers", "mypy"} & locked("base").keys()
    assert "base" not in WITH_TORCH


class Uv(list[list[str]]):
    """Replaces `uv pip compile`: writes a lock file with torch."""

    def __call__(self, command: list[Any], **_options: Any) -> None:
        words = [str(part) for part in command]
        self.append(words)
        constraints = Path(words[words.index("--constraints") + 1])
        assert constraints.exists()
        out = Path(words[words.index("--output-file") + 1])
        out.write_text("numpy==2 \\\n    --hash=sha256:0f\ntorch==2\nnvidia-nvtx==1\n", "utf-8")


def test_refreshing_writes_all_files_with_the_versions_of_the_largest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uv = Uv()
    monkeypatch.setattr(subprocess, "run", uv)
    monkeypatch.setattr(lock_files, "FOLDER", tmp_path)
    lock_files.refresh("/usr/bin/uv")
    outs = [Path(words[words.index("--output-file") + 1]).name for words in uv]
    constraints = [Path(words[words.index("--constraints") + 1]).name for words in uv]
    assert outs == ["dev.txt", "gpu.txt", "base.txt"]
    assert constraints == ["constraints.txt", "dev.txt", "dev.txt"]
    for name in INCLUDED:
        text = (tmp_path / f"{name}.txt").read_text(encoding="utf-8")
        assert text == f"{lock_files.HEADER}numpy==2 \\\n    --hash=sha256:0f\n"


def test_a_failed_refresh_changes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uv = Uv()

    def run(command: list[Any], **options: Any) -> None:
        uv(command, **options)
        if len(uv) == 2:
            raise subprocess.CalledProcessError(1, "uv")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(lock_files, "FOLDER", tmp_path)
    with pytest.raises(subprocess.CalledProcessError):
        lock_files.refresh("/usr/bin/uv")
    assert list(tmp_path.iterdir()) == []
