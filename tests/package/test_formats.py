"""The forms of package besides Debian's: what is laid out and told, without their own tools."""

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
    appimage, flatpaks, frozen, layout, package, rpm = (
        importlib.import_module(name)
        for name in ("appimage", "flatpaks", "frozen", "layout", "package", "rpm")
    )
finally:
    sys.path.remove(str(ROOT / "packaging"))

RUNTIME = b"\x7fELF\x02\x01\x01\x00AI\x02" + bytes(60)


@pytest.fixture
def program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Any:  # frozen.Frozen, of a module that is found by its bare name
    """A program that was frozen, as far as what packs it sees."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setattr(frozen, "BUILD", tmp_path / "build")
    # Their verdict is of what `desktop` writes; they need not be here.
    monkeypatch.setattr(layout, "check_desktop", lambda _share: None)
    folder = tmp_path / "frozen" / "winnow"
    (folder / "_internal").mkdir(parents=True)
    (folder / "winnow").write_text("#!/bin/sh\necho packed\n")
    (folder / "winnow").chmod(0o700)
    (folder / "_internal" / "libown.so.1").write_bytes(b"library")
    (folder / "_internal" / "libown.so").symlink_to("libown.so.1")
    return frozen.FrozenProgram(folder, (), tmp_path)


def entries_of(tree: Path) -> dict[str, str]:
    """What each desktop entry and service below `tree` says is started, by its file's name."""
    said = {}
    for path in tree.rglob("*"):
        if path.is_file() and path.suffix in {".desktop", ".service"}:
            match = re.search(r"^Exec=(\S+)", path.read_text("utf-8"), re.MULTILINE)
            if match is not None:
                said[path.name] = match[1]
    return said


# Where the parts lie


@pytest.mark.parametrize("name", ["SYSTEM", "ONE_FILE", "SANDBOX"])
def test_the_command_leads_to_the_program(name: str, tmp_path: Path, program: Any) -> None:
    where = getattr(layout, name)
    tree = tmp_path / "tree"
    layout.lay_out(tree, program, [], where)
    layout.normalize(tree, 1_700_000_000)
    led = (tree / where.command).readlink()
    at = tree / led.relative_to("/") if led.is_absolute() else (tree / where.command).parent / led
    assert at.samefile(tree / where.program)
    assert {path.lstat().st_mtime for path in tree.rglob("*")} == {1_700_000_000}
    assert at.stat().st_mode & 0o777 == 0o755


def test_all_that_names_the_program_is_called_by_its_one_name(tmp_path: Path, program: Any) -> None:
    layout.lay_out(tmp_path / "tree", program, [], layout.SANDBOX)
    share = tmp_path / "tree" / layout.SANDBOX.share
    shown = [
        path.relative_to(share)
        for folder in ("applications", "metainfo", "icons", "dbus-1", "gnome-shell", "krunner")
        for path in (share / folder).rglob("*")
        if path.is_file()
    ]
    # What is not called so a sandbox does not show outside.
    assert shown
    assert not [path for path in shown if not path.name.startswith(core.APP_ID)]
    said = entries_of(share)
    assert said[f"{core.APP_ID}.SearchProvider.service"] == "/app/bin/winnow"
    entry = (share / "applications" / f"{core.APP_ID}.desktop").read_text("utf-8")
    icons = re.findall(r"^Icon=(.*)$", entry, re.MULTILINE)
    assert icons == [core.APP_ID]


def test_pictures_that_a_shop_shows_are_there(tmp_path: Path, program: Any) -> None:
    layout.lay_out(tmp_path / "tree", program, [], layout.SYSTEM)
    page = tmp_path / "tree" / layout.SYSTEM.share / "metainfo" / f"{core.APP_ID}.metainfo.xml"
    named = re.findall(r"<image>.*/(docs/pictures/[^<]+)</image>", page.read_text("utf-8"))
    assert len(named) >= 3
    assert not [name for name in named if not (ROOT / name).is_file()]
    assert '<content_rating type="oars-1.1"/>' in page.read_text("utf-8")
    if shutil.which("appstreamcli") is None:
        pytest.skip("appstreamcli is not installed: the page was looked over by itself alone")
    judged = subprocess.run(
        ["appstreamcli", "validate", "--no-net", page], capture_output=True, text=True, check=False
    )
    assert judged.returncode == 0, judged.stdout


# The AppImage


def test_an_appimage_has_no_way_out_of_itself(tmp_path: Path, program: Any) -> None:
    tree = tmp_path / "tree"
    appimage.lay_out(tree, program, [])
    moved = tmp_path / "shown elsewhere"
    tree.rename(moved)
    assert subprocess.check_output([moved / "AppRun"], text=True) == "packed\n"
    for name in (f"{core.APP_ID}.desktop", f"{core.APP_ID}.svg", ".DirIcon"):
        assert (moved / name).is_file()
    (moved / "lost").symlink_to("usr/nowhere")
    (moved / "out").symlink_to("/etc/passwd")
    assert appimage.dead_links(moved) == ["lost", "out"]


@pytest.mark.skipif(shutil.which("mksquashfs") is None, reason="mksquashfs is not installed")
def test_an_appimage_begins_with_its_runtime_and_has_the_same_bytes_twice(
    tmp_path: Path, program: Any
) -> None:
    runtime = tmp_path / "runtime"
    runtime.write_bytes(RUNTIME)
    made = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        made.append(appimage.build(program, [], tmp_path / name, runtime, is_official=False))
    data = made[0].read_bytes()
    assert data == made[1].read_bytes()
    assert data.startswith(RUNTIME)
    assert data[len(RUNTIME) :][:4] == b"hsqs"
    assert os.access(made[0], os.X_OK)


def test_only_the_known_runtime_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_without_a_runtime_it_is_said_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(appimage.VARIABLE, raising=False)
    monkeypatch.setattr(appimage.platform, "machine", lambda: "aarch64")
    with pytest.raises(frozen.PackageError) as caught:
        appimage.find_runtime(None)
    said = str(caught.value)
    assert "releases/download/20251108/runtime-aarch64 (SHA-256 00cbdfcf" in said
    assert "--runtime" in said
    named = tmp_path / "runtime"
    named.touch()
    monkeypatch.setenv(appimage.VARIABLE, str(named))
    assert appimage.find_runtime(None) == named
    with pytest.raises(frozen.PackageError):
        appimage.find_runtime(tmp_path / "gone")


# RPM


def test_rpm_is_told_of_each_file_once_and_of_no_library_inside(
    tmp_path: Path, program: Any
) -> None:
    tree = tmp_path / "tree"
    library = program.folder / "_internal" / "libown.so.1"
    library.write_bytes(b"\x7fELF, a library")
    library.chmod(0o600)
    rpm.lay_out(tree, program, [])
    # Or rpm does not look which libraries it needs.
    assert (tree / "opt/winnow/_internal/libown.so.1").stat().st_mode & 0o777 == 0o755
    lines = rpm.spec(tree, ["MIT", "Apache-2.0"], "1.2.3").splitlines()
    assert {"Name: winnow", "Version: 1.2.3", "License: Apache-2.0 AND MIT"} <= {*lines}
    listed = lines[lines.index("%files") + 2 :]
    assert len(listed) == len({*listed})
    named = {line for line in listed if not line.startswith("%dir")}
    assert {"/opt/winnow", "/usr/bin/winnow", "/usr/share/man/man1/winnow.1.gz"} <= named
    # A folder that is named whole would take what others have in it.
    assert not named & {"/usr", "/usr/bin", "/usr/share", "/usr/share/applications"}
    there = {f"/{path.relative_to(tree)}" for path in tree.rglob("*") if not path.is_dir()}
    left = [
        one for one in there if not any(one == name or one.startswith(f"{name}/") for name in named)
    ]
    assert left == []
    [left_out] = [line for line in lines if "__requires_exclude " in line]
    pattern = left_out.split(maxsplit=2)[2]
    assert re.search(pattern, "libown.so.1()(64bit)")
    assert not re.search(pattern, "libown.so.10()(64bit)")
    assert not re.search(pattern, "libX11.so.6()(64bit)")


@pytest.mark.skipif(shutil.which("rpmbuild") is None, reason="rpmbuild is not installed")
def test_an_rpm_package_has_the_same_bytes_twice(tmp_path: Path, program: Any) -> None:
    made = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        made.append(rpm.build(program, [], tmp_path / name))
    assert made[0].read_bytes() == made[1].read_bytes()
    listed = subprocess.check_output(["rpm", "-qp", "--list", made[0]], text=True).splitlines()
    assert "/opt/winnow/winnow" in listed
    needed = subprocess.check_output(["rpm", "-qp", "--requires", made[0]], text=True)
    assert "libown" not in needed


# The Flatpak


def test_the_sandbox_reads_files_and_has_no_network() -> None:
    said = flatpaks.manifest()
    assert said["id"] == core.APP_ID == flatpaks.MANIFEST.stem
    assert said["command"] == layout.SANDBOX.command.name
    assert said["runtime"] == "org.freedesktop.Platform"
    asked = said["finish-args"]
    assert [one for one in asked if one.startswith("--filesystem=")] == ["--filesystem=host:ro"]
    assert not [one for one in asked if "network" in one or "session-bus" in one]


def test_what_the_manifest_takes_is_laid_out_beside_it(tmp_path: Path, program: Any) -> None:
    place = tmp_path / "flatpak"
    flatpaks.lay_out(place, program, [])
    [module] = flatpaks.manifest()["modules"]
    [source] = module["sources"]
    assert (place / source["path"] / layout.SANDBOX.program).is_file()
    assert (place / flatpaks.MANIFEST.name).is_file()


def test_a_runtime_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    there = "org.freedesktop.Sdk\t25.08\norg.freedesktop.Platform\t24.08\n"
    monkeypatch.setattr(flatpaks, "run", lambda *_args, **_named: there)
    with pytest.raises(frozen.PackageError) as caught:
        flatpaks.check_runtime()
    assert "flatpak install --user flathub org.freedesktop.Platform//25.08" in str(caught.value)


# All by their options


@pytest.mark.skipif(sys.platform != "linux", reason="what Linux's packages are made with")
def test_each_form_asks_for_its_own_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = {"mksquashfs", "rpmbuild", "flatpak-builder"}
    monkeypatch.setattr(shutil, "which", lambda tool: None if tool in missing else f"/bin/{tool}")
    for form, tool in (("appimage", "mksquashfs"), ("rpm", "rpmbuild"), ("flatpak", "flatpak-b")):
        asked = dict.fromkeys(("wheels", "frozen", "appimage", "rpm", "flatpak"), False)
        options = argparse.Namespace(**{**asked, form: True}, chroot=None)
        with pytest.raises(frozen.PackageError, match=f"^Missing programs: {tool}"):
            package.check_tools(options)
