"""The making of packages, without making one: what goes in, whose it is, how it is written."""

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

ROOT = Path(__file__).resolve().parents[2]
NAMES = (
    *("archives", "contents", "frozen", "licences", "manual", "desktop", "debian", "proof"),
    *("wheels", "package", "bill", "layout", "appimage", "rpm", "flatpaks", "sums"),
)


def load() -> dict[str, Any]:
    """The modules of packaging/, which stand on each other by their bare names."""
    sys.path.insert(0, str(ROOT / "packaging"))
    try:
        return {name: importlib.import_module(name) for name in NAMES}
    finally:
        sys.path.remove(str(ROOT / "packaging"))


modules = load()
archives, contents, debian = modules["archives"], modules["contents"], modules["debian"]
desktop, frozen, licences = modules["desktop"], modules["frozen"], modules["licences"]
manual, package, proof = modules["manual"], modules["package"], modules["proof"]
wheels, bill = modules["wheels"], modules["bill"]


@pytest.mark.parametrize("module", modules.values(), ids=list(modules))
def test_the_examples_in_it_hold(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


# Before anything is made


@pytest.mark.skipif(sys.platform != "linux", reason="what Linux's packages are made with")
@pytest.mark.parametrize(
    ("frozen_only", "names_it"), [(False, True), (True, False)], ids=["all", "the folder alone"]
)
def test_a_tool_that_is_missing_is_named_before_anything_is_built(
    frozen_only: bool, names_it: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def which(tool: str) -> str | None:
        return None if tool in {"lintian", "patchelf"} else f"/usr/bin/{tool}"

    monkeypatch.setattr(shutil, "which", which)
    options = argparse.Namespace(
        wheels=False, frozen=frozen_only, chroot=None, appimage=False, rpm=False, flatpak=False
    )
    with pytest.raises(frozen.PackageError, match="apt-get install patchelf") as caught:
        package.check_tools(options)
    assert ("lintian" in str(caught.value)) is names_it


@pytest.mark.slow
def test_a_wheel_is_installed_though_the_checkout_is_on_the_path(
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


# What goes in


def test_the_environment_has_what_the_program_imports_and_no_torch() -> None:
    names = {
        frozen.name_of(one)
        for one in frozen.requirements((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    }
    assert {"numpy", "openvino", "pyside6-essentials", "pillow"} <= names
    assert not names & {"torch", "transformers", "rapidocr", "pytest", "matplotlib"}
    assert not names & {"ray", "keyring", "fsspec", "s3fs"}


def test_of_the_models_only_the_converted_one_travels(tmp_path: Path) -> None:
    model = tmp_path / "0123456789abcdef"
    model.mkdir()
    (model / "model.xml").touch()
    guide = tmp_path / "guide"
    (guide / "_static").mkdir(parents=True)
    (guide / "_static" / "look.css").touch()
    pairs = contents.data(tmp_path, model, guide)
    places = {f"{place}/{Path(path).name}" for path, place in pairs}
    at = "resources/models/winnow-mini"
    assert f"{at}/openvino/0123456789abcdef/model.xml" in places
    assert f"{at}/tokenizer.json" in places
    # What Winnow adds to the weights of a package, which are no part of it.
    assert f"{at}-multi/heads.safetensors" in places
    assert "resources/icons/winnow.svg" in places
    assert "resources/guide/_static/look.css" in places
    assert not [place for place in places if "minilm" in place or "transformer" in place]


@pytest.mark.parametrize("processor", ["intel", "arm"])
def test_what_runs_the_model_travels_on_each_processor(processor: str, tmp_path: Path) -> None:
    libraries = tmp_path / "openvino" / "libs"
    libraries.mkdir(parents=True)
    for name in (f"openvino_{processor}_cpu_plugin", "openvino_intel_gpu_plugin"):
        (libraries / f"lib{name}.so").touch()
    [(path, place)] = contents.openvino_libraries(tmp_path)
    assert (Path(path).name, place) == (f"libopenvino_{processor}_cpu_plugin.so", "openvino/libs")


def test_pythons_own_modules_are_all_there_but_tests_and_what_is_for_others() -> None:
    names = contents.standard_library()
    assert {"email.mime.text", "unittest.mock", "sqlite3.dbapi2"} <= set(names)
    assert not [one for one in names if {"test", "tests", "idlelib"} & set(one.split("."))]


def test_openvinos_converter_travels_and_no_module_of_it_is_left_out() -> None:
    found = importlib.util.find_spec("openvino")
    assert found is not None
    assert found.origin is not None
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
def test_what_pyinstaller_finds_is_sifted(place: str, source: str, expected: bool) -> None:
    assert contents.is_wanted(place, source) is expected


def test_only_warnings_that_are_known_are_no_news() -> None:
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
def test_a_library_that_is_not_there_is_found_out(tmp_path: Path) -> None:
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


# Whose it is


def distribution(packages: Path, name: str, licence: str, *files: str) -> None:
    """An installed package with this licence and these files."""
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


def test_files_are_traced_to_packages_and_to_libraries_inside_them(packages: Path) -> None:
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


def test_a_bill_of_materials_names_each_part(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    listed = entries(packages, "kind/__init__.py", "kind.libs/libwebp-1a2b.so.7")
    listed.append(("resources/icons/a.svg", str(ROOT / "resources" / "icons" / "a.svg"), "DATA"))
    found = licences.components(listed, packages, TABLE)
    debians = licences.Component(
        "libxcb1 1.15-1 (Debian)", "MIT", "https://packages.debian.org/source/libxcb1"
    )
    bill.write([*found, debians], tmp_path / bill.NAME)
    text = (tmp_path / bill.NAME).read_text(encoding="utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    said = json.loads(text)
    assert said["metadata"]["component"]["version"] == contents.version()
    assert said["metadata"]["timestamp"].startswith("2023-11-14")
    assert {
        (part["name"], part.get("version"), part.get("purl"), part["licenses"][0]["expression"])
        for part in said["components"]
    } == {
        ("kind", "1.0", "pkg:pypi/kind@1.0", "MIT"),
        (
            *("pyinstaller", "1.0", "pkg:pypi/pyinstaller@1.0"),
            "GPL-2.0-or-later WITH Bootloader-exception",
        ),
        ("WebP", None, None, "BSD-3-Clause"),
        ("libxcb1", "1.15-1", "pkg:deb/debian/libxcb1@1.15-1", "MIT"),
    }
    assert text == bill.bill([*found, debians]) + "\n", "the same each time"


def test_licences_are_copied_beside(packages: Path, tmp_path: Path) -> None:
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


def test_the_build_fails_on_gpl_on_no_licence_and_on_what_is_nobodys(packages: Path) -> None:
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
    assert "stray.py: nobody knows whose it is" in message
    assert "libnew-3c4d.so: nobody knows whose it is" in message


# How it is written


def test_the_control_file_says_what_dpkg_asks_for() -> None:
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


def test_no_dependencies_are_no_answer() -> None:
    with pytest.raises(frozen.PackageError, match="no dependencies"):
        debian.parse_dependencies("dpkg-shlibdeps: warning: something\n")


@pytest.mark.skipif(shutil.which("xz") is None, reason="xz is not installed")
def test_an_archive_has_the_same_bytes_whenever_it_is_made(tmp_path: Path) -> None:
    made = []
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
        made.append(archive)
    assert made[0].read_bytes() == made[1].read_bytes()
    with tarfile.open(made[0]) as tar:
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

    page = manual.man_page(commands, "1.2.3", 0)
    assert page.startswith('.TH WINNOW 1 "1970-01-01" "winnow 1.2.3"')
    for name in commands.commands:
        assert f".SS {name.replace('-', chr(92) + '-')}" in page
    assert "\\-\\-repair" in page
    assert "WINNOW_HOME" in page


def test_the_shops_page_lists_the_formats() -> None:
    from core.documents.formats import FORMATS

    page = desktop.metainfo(0)
    for format_ in FORMATS:
        assert f"<li>{format_.name}</li>" in page
    assert f'<release version="{contents.version()}" date="1970-01-01"/>' in page


@pytest.mark.parametrize("kind", [".ico", ".icns"])
def test_icons_are_drawn_for_other_systems(tmp_path: Path, kind: str, qapp: object) -> None:
    path = tmp_path / f"winnow{kind}"
    desktop.draw_for_system(path)
    assert path.read_bytes()[:4] == (b"\0\0\1\0" if kind == ".ico" else b"icns")


def test_a_smoke_test_may_say_nothing_new_and_must_say_all() -> None:
    printed = (
        "window: 0.61 s after the start\ndocuments: 27, with 122 vectors\n"
        "search: lighthouse.pdf first of 20\npage: 400 x 518\n"
        "picture: 1240 x 800, 1701 colours\nformats: 29\ncompiled loops: loaded\n"
    )
    assert proof.unexpected_lines(printed) == []
    assert proof.unexpected_lines(printed + "QObject: something\n") == ["QObject: something"]
    missing = proof.unexpected_lines(printed.replace("formats: 29\n", ""))
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


def test_folders_menus_search_in_the_folder(tmp_path: Path) -> None:
    desktop.write_menus(tmp_path)
    said = {}
    for path in filter(Path.is_file, tmp_path.rglob("winnow*")):
        parser = configparser.RawConfigParser()
        parser.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way
        parser.read(path, encoding="utf-8")
        said[path.name] = parser
    dolphin = said.pop("winnow-search.desktop")
    (action,) = filter(None, dolphin["Desktop Entry"]["Actions"].split(";"))
    assert dolphin["Desktop Entry"]["MimeType"] == "inode/directory;"
    assert dolphin[f"Desktop Action {action}"]["Exec"] == "winnow --in %f"
    chosen = {one["Nemo Action"]["Selection"]: one["Nemo Action"]["Exec"] for one in said.values()}
    assert chosen == {"s": "winnow --in %F", "none": "winnow --in %P"}


def test_the_desktops_search_is_told_of_the_program(tmp_path: Path) -> None:
    desktop.write_search(tmp_path, Path("/app/bin/winnow"))
    said = {}
    for path in sorted(tmp_path.rglob("*")):
        if path.is_file():
            parser = configparser.RawConfigParser()
            parser.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way
            parser.read(path, encoding="utf-8")
            [section] = parser.sections()
            said[path.relative_to(tmp_path).as_posix()] = section, dict(parser[section])
    name = "io.github.winnow_search.Winnow.SearchProvider"
    section, service = said.pop(f"dbus-1/services/{name}.service")
    assert section == "D-BUS Service"
    assert service == {"Name": name, "Exec": "/app/bin/winnow desktop-search"}
    section, provider = said.pop(f"gnome-shell/search-providers/{name}.ini")
    assert section == "Shell Search Provider"
    assert provider["BusName"] == name
    assert (provider["Version"], provider["DesktopId"]) == (
        "2",
        "io.github.winnow_search.Winnow.desktop",
    )
    [(place, (_, runner))] = said.items()
    assert place == "krunner/dbusplugins/io.github.winnow_search.Winnow.desktop"
    assert runner["X-Plasma-DBusRunner-Service"] == name
    # Two objects of one program.
    assert runner["X-Plasma-DBusRunner-Path"] != provider["ObjectPath"]


def test_the_desktop_hands_links_over_and_nothing_else() -> None:
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
