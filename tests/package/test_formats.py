"""Tests of the AppImage and RPM packages, mostly without their tools."""

from __future__ import annotations

import argparse
import hashlib
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import core

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))
try:
    appimage, frozen, layout, package, rpm = (
        importlib.import_module(name) for name in ("appimage", "frozen", "layout", "package", "rpm")
    )
finally:
    sys.path.remove(str(ROOT / "packaging"))

RUNTIME = b"\x7fELF\x02\x01\x01\x00AI\x02" + bytes(60)


@pytest.fixture
def program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Any:  # frozen.FrozenProgram, from a module outside of a package
    """Return a minimal frozen program."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr(frozen, "BUILD", tmp_path / "build")
    # The validators may not be installed.
    monkeypatch.setattr(layout, "check_desktop", lambda _share: None)
    folder = tmp_path / "frozen" / "winnow"
    (folder / "_internal").mkdir(parents=True)
    (folder / "winnow").write_text("#!/bin/sh\necho packed\n")
    (folder / "winnow").chmod(0o700)
    (folder / "_internal" / "libown.so.1").write_bytes(b"library")
    (folder / "_internal" / "libown.so").symlink_to("libown.so.1")
    return frozen.FrozenProgram(folder, (), tmp_path)


def exec_lines_of(tree: Path) -> dict[str, str]:
    """Return the command of each desktop entry and service below `tree`, by file name."""
    commands = {}
    for path in tree.rglob("*"):
        if path.is_file() and path.suffix in {".desktop", ".service"}:
            match = re.search(r"^Exec=(\S+)", path.read_text("utf-8"), re.MULTILINE)
            if match is not None:
                commands[path.name] = match[1]
    return commands


# Layout


@pytest.mark.parametrize("name", ["SYSTEM", "ONE_FILE"])
def test_the_command_is_a_link_to_the_program(name: str, tmp_path: Path, program: Any) -> None:
    paths = getattr(layout, name)
    tree = tmp_path / "tree"
    layout.lay_out(tree, program, [], paths)
    layout.normalize(tree, 1_700_000_000)
    target = (tree / paths.command).readlink()
    program_path = (
        tree / target.relative_to("/")
        if target.is_absolute()
        else (tree / paths.command).parent / target
    )
    assert program_path.samefile(tree / paths.program)
    assert {path.lstat().st_mtime for path in tree.rglob("*")} == {1_700_000_000}
    assert program_path.stat().st_mode & 0o777 == 0o755


def test_desktop_files_are_named_by_the_application_id(tmp_path: Path, program: Any) -> None:
    layout.lay_out(tmp_path / "tree", program, [], layout.SYSTEM)
    share = tmp_path / "tree" / layout.SYSTEM.share
    files = [
        path.relative_to(share)
        for folder in ("applications", "metainfo", "icons", "dbus-1", "gnome-shell", "krunner")
        for path in (share / folder).rglob("*")
        if path.is_file()
    ]
    assert files
    assert not [path for path in files if not path.name.startswith(core.APP_ID)]
    commands = exec_lines_of(share)
    assert commands[f"{core.APP_ID}.SearchProvider.service"] == "/usr/bin/winnow"
    entry = (share / "applications" / f"{core.APP_ID}.desktop").read_text("utf-8")
    icons = re.findall(r"^Icon=(.*)$", entry, re.MULTILINE)
    assert icons == [core.APP_ID]


def test_screenshots_in_the_appstream_metadata_exist(tmp_path: Path, program: Any) -> None:
    layout.lay_out(tmp_path / "tree", program, [], layout.SYSTEM)
    page = tmp_path / "tree" / layout.SYSTEM.share / "metainfo" / f"{core.APP_ID}.metainfo.xml"
    named = re.findall(r"<image>.*/(docs/pictures/[^<]+)</image>", page.read_text("utf-8"))
    assert len(named) >= 3
    assert not [name for name in named if not (ROOT / name).is_file()]
    assert '<content_rating type="oars-1.1"/>' in page.read_text("utf-8")
    if shutil.which("appstreamcli") is None:
        pytest.skip("appstreamcli is not installed: only the links were checked")
    judged = subprocess.run(
        ["appstreamcli", "validate", "--no-net", page], capture_output=True, text=True, check=False
    )
    assert judged.returncode == 0, judged.stdout


# The AppImage


def test_links_in_an_appimage_stay_inside(tmp_path: Path, program: Any) -> None:
    tree = tmp_path / "tree"
    appimage.lay_out(tree, program, [])
    moved = tmp_path / "mounted elsewhere"
    tree.rename(moved)
    assert subprocess.check_output([moved / "AppRun"], text=True) == "packed\n"
    for name in (f"{core.APP_ID}.desktop", f"{core.APP_ID}.svg", ".DirIcon"):
        assert (moved / name).is_file()
    (moved / "lost").symlink_to("usr/nowhere")
    (moved / "out").symlink_to("/etc/passwd")
    assert appimage.dead_links(moved) == ["lost", "out"]


@pytest.mark.skipif(shutil.which("mksquashfs") is None, reason="mksquashfs is not installed")
def test_an_appimage_starts_with_its_runtime_and_is_reproducible(
    tmp_path: Path, program: Any
) -> None:
    runtime = tmp_path / "runtime"
    runtime.write_bytes(RUNTIME)
    packages = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        packages.append(appimage.build(program, [], tmp_path / name, runtime, is_official=False))
    data = packages[0].read_bytes()
    assert data == packages[1].read_bytes()
    assert data.startswith(RUNTIME)
    assert data[len(RUNTIME) :][:4] == b"hsqs"
    assert os.access(packages[0], os.X_OK)


def test_only_the_official_runtime_is_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = tmp_path / "runtime"
    runtime.write_bytes(RUNTIME)
    with pytest.raises(frozen.PackageError, match="add --own-runtime"):
        appimage.read_runtime(runtime)
    digest = hashlib.sha256(RUNTIME).hexdigest()
    monkeypatch.setattr(appimage, "OFFICIAL", {appimage.platform.machine(): digest})
    assert appimage.read_runtime(runtime) == RUNTIME
    runtime.write_bytes(b"\x7fELF" + bytes(80))
    with pytest.raises(frozen.PackageError, match="not an AppImage type 2 runtime"):
        appimage.read_runtime(runtime, is_official=False)


def test_the_error_for_a_missing_runtime_includes_its_url(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WINNOW_APPIMAGE_RUNTIME", raising=False)
    monkeypatch.setattr(appimage.platform, "machine", lambda: "aarch64")
    with pytest.raises(frozen.PackageError) as caught:
        appimage.find_runtime(None)
    message = str(caught.value)
    assert "releases/download/20251108/runtime-aarch64 (SHA-256 00cbdfcf" in message
    assert "--runtime" in message
    runtime = tmp_path / "runtime"
    runtime.touch()
    monkeypatch.setenv("WINNOW_APPIMAGE_RUNTIME", str(runtime))
    assert appimage.find_runtime(None) == runtime
    with pytest.raises(frozen.PackageError):
        appimage.find_runtime(tmp_path / "gone")


# RPM


def test_the_rpm_lists_each_file_once_and_requires_no_bundled_library(
    tmp_path: Path, program: Any
) -> None:
    tree = tmp_path / "tree"
    library = program.folder / "_internal" / "libown.so.1"
    library.write_bytes(b"\x7fELF, a library")
    library.chmod(0o600)
    rpm.lay_out(tree, program, [])
    # rpm looks for dependencies of executable files only.
    assert (tree / "opt/winnow/_internal/libown.so.1").stat().st_mode & 0o777 == 0o755
    lines = rpm.spec(tree, ["MIT", "Apache-2.0"], "1.2.3").splitlines()
    assert {"Name: winnow", "Version: 1.2.3", "License: Apache-2.0 AND MIT"} <= {*lines}
    listed = lines[lines.index("%files") + 2 :]
    assert len(listed) == len({*listed})
    entries = {line for line in listed if not line.startswith("%dir")}
    assert {"/opt/winnow", "/usr/bin/winnow", "/usr/share/man/man1/winnow.1.gz"} <= entries
    # Listing a shared folder would claim the files of other packages.
    assert not entries & {"/usr", "/usr/bin", "/usr/share", "/usr/share/applications"}
    files = {f"/{path.relative_to(tree)}" for path in tree.rglob("*") if not path.is_dir()}
    unlisted = [
        one
        for one in files
        if not any(one == name or one.startswith(f"{name}/") for name in entries)
    ]
    assert unlisted == []
    [excluded] = [line for line in lines if "__requires_exclude " in line]
    pattern = excluded.split(maxsplit=2)[2]
    assert re.search(pattern, "libown.so.1()(64bit)")
    assert not re.search(pattern, "libown.so.10()(64bit)")
    assert not re.search(pattern, "libX11.so.6()(64bit)")


@pytest.mark.skipif(shutil.which("rpmbuild") is None, reason="rpmbuild is not installed")
def test_an_rpm_package_is_reproducible(tmp_path: Path, program: Any) -> None:
    packages = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        packages.append(rpm.build(program, [], tmp_path / name))
    assert packages[0].read_bytes() == packages[1].read_bytes()
    listed = subprocess.check_output(["rpm", "-qp", "--list", packages[0]], text=True).splitlines()
    assert "/opt/winnow/winnow" in listed
    needed = subprocess.check_output(["rpm", "-qp", "--requires", packages[0]], text=True)
    assert "libown" not in needed


# Options


@pytest.mark.skipif(sys.platform != "linux", reason="the tools are for Linux packages")
def test_each_format_needs_its_own_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = {"mksquashfs", "rpmbuild"}
    monkeypatch.setattr(shutil, "which", lambda tool: None if tool in missing else f"/bin/{tool}")
    for format_, tool in (
        ("appimage", "mksquashfs"),
        ("rpm", "rpmbuild"),
    ):
        flags = dict.fromkeys(("wheels", "frozen", "appimage", "rpm"), False)
        options = argparse.Namespace(**{**flags, format_: True}, chroot=None)
        with pytest.raises(frozen.PackageError, match=f"^Missing programs: {tool}"):
            package.check_tools(options)
