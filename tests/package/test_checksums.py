"""Tests of a release's checksums and of the workflow that builds the packages."""

from __future__ import annotations

import hashlib
import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import core

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
try:
    appimage, frozen, package, checksums = (
        importlib.import_module(name) for name in ("appimage", "frozen", "package", "checksums")
    )
finally:
    sys.path.remove(str(ROOT / "packaging"))

VERSION = core.__version__
NAMES = (
    f"winnow-{VERSION}-windows.exe",
    f"winnow-{VERSION}-macos-arm64.dmg",
    f"winnow-{VERSION}-macos-x86_64.dmg",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write the files of a release."""
    for name in NAMES:
        (tmp_path / name).write_bytes(name.encode())
    return tmp_path


def digest_of(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def test_sha256sum_accepts_the_checksums(folder: Path) -> None:
    assert package.main(["--release", str(folder)]) == 0
    written = checksums.write(folder)
    assert written.read_text("utf-8") == "".join(
        f"{digest_of(name)}  {name}\n" for name in sorted(NAMES)
    )
    if shutil.which("sha256sum") is None:
        pytest.skip("sha256sum is not installed")
    subprocess.run(["sha256sum", "--check", written.name], cwd=folder, check=True)


def test_the_workflow_matches_the_code() -> None:
    workflow = (ROOT / ".github" / "workflows" / "packages.yml").read_text("utf-8")
    assert (
        "RUNTIME: https://github.com/AppImage/type2-runtime/releases/download/20251108" in workflow
    )
    with pytest.raises(frozen.PackageError, match="type2-runtime/releases/download/20251108/"):
        appimage.find_runtime(Path("gone"))
    for option in ("--appimage", "--rpm", "--chroot", "attest-build-provenance"):
        assert option in workflow


def test_a_release_is_uploaded_only_as_a_draft_that_a_person_approved() -> None:
    workflow = (ROOT / ".github" / "workflows" / "packages.yml").read_text("utf-8")
    jobs = dict(re.findall(r"^  (\w+):\n((?:    .*\n|\n)+)", workflow, re.MULTILINE))
    writing = {name for name, job in jobs.items() if "contents: write" in job}
    assert writing == {"publish"}
    assert "needs: release\n" in jobs["publish"]
    assert "environment: publish\n" in jobs["publish"]
    assert "--draft" in jobs["publish"]
    assert jobs["publish"].index("sha256sum --check") < jobs["publish"].index("gh release create")


def test_a_missing_folder_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert package.main(["--release", str(tmp_path / "gone")]) == 1
    assert "is not a folder" in capsys.readouterr().err
