"""The Debian package: the frozen program in /opt, plus desktop integration."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import archives
import contents
import frozen
import layout
from frozen import PackageError, run

if TYPE_CHECKING:
    import licences

_RECOMMENDED: Final = "libarchive13t64 | libarchive13"
"""For RAR archives; the first name is the one since Debian 13."""
_COMMON_LICENCES: Final = """On Debian systems the complete texts of the GNU Lesser General Public
License, versions 2.1 and 3, of the Apache License, version 2.0, and of the Mozilla Public License,
version 2.0, are in /usr/share/common-licenses: LGPL-2.1, LGPL-3, Apache-2.0 and MPL-2.0.
"""
# Accepted lintian tags, each with the reason.
OVERRIDES: Final = {
    "dir-or-file-in-opt": "the program is not part of Debian",
    "embedded-javascript-library": "the guide is used offline, as Sphinx built it",
    "embedded-library": "wheels contain their own libraries, and the program is tested with those",
    "hardening-no-pie": "PyInstaller's bootloader is built without PIE",
    "library-not-linked-against-libc": "contains data only, or calls no libc function",
    "shared-library-lacks-prerequisites": "contains data only, or needs only the interpreter",
    "unstripped-binary-or-object": "stripping breaks the patched libraries inside wheels",
}


def build(
    program: frozen.FrozenProgram, components: Sequence[licences.Component], out: Path
) -> Path:
    """Build the package of a frozen program in the folder `out`.

    Raises:
        PackageError: a tool or a file is missing, or a check failed.
    """
    tree = frozen.BUILD / "debian"
    lay_out(tree, program, components)
    return pack(tree, out)


def lay_out(
    tree: Path, program: frozen.FrozenProgram, components: Sequence[licences.Component]
) -> None:
    """Create the package's file tree in `tree`."""
    layout.lay_out(tree, program, components, layout.SYSTEM)
    date = frozen.source_date()
    share = tree / layout.SYSTEM.share
    documents = share / "doc" / contents.NAME
    with (documents / "copyright").open("a", encoding="utf-8") as rights:
        rights.write(f"\n{_COMMON_LICENCES}")
    changes = archives.gzipped(changelog(contents.version(), date))
    (documents / "changelog.gz").write_bytes(changes)
    overrides = share / "lintian" / "overrides"
    overrides.mkdir(parents=True)
    lines = [f"# {why}\n{contents.NAME}: {tag}\n" for tag, why in OVERRIDES.items()]
    (overrides / contents.NAME).write_text("".join(lines), encoding="utf-8")
    control = tree / "DEBIAN"
    control.mkdir()
    depends = dependencies(tree)
    size_kb = sum(path.lstat().st_size for path in tree.rglob("*") if path.is_file()) // 1024
    text = control_file(contents.version(), architecture(), depends, size_kb)
    (control / "control").write_text(text, encoding="utf-8")
    (control / "md5sums").write_text(checksums(tree), encoding="utf-8")
    layout.normalize(tree, date)


def control_file(version: str, machine: str, depends: Sequence[str], size_kb: int) -> str:
    """Return the text of DEBIAN/control."""
    return (
        f"Package: {contents.NAME}\n"
        f"Version: {version}\n"
        f"Architecture: {machine}\n"
        f"Maintainer: {contents.MAINTAINER}\n"
        f"Installed-Size: {size_kb}\n"
        f"Depends: {', '.join(depends)}\n"
        f"Recommends: {_RECOMMENDED}\n"
        "Section: utils\n"
        "Priority: optional\n"
        f"Description: {description_field()}\n"
    )


def description_field() -> str:
    """Return the Description field: the synopsis, then the indented long description."""
    lines = [f" {line or '.'}" for line in contents.DESCRIPTION.splitlines()]
    return "\n".join(["desktop search that shows why", *lines])


def changelog(version: str, date: int) -> str:
    """Return a Debian changelog that refers to CHANGELOG.md."""
    from email.utils import formatdate

    return (
        f"{contents.NAME} ({version}) stable; urgency=low\n\n"
        f"  * {contents.TITLE} {version}; see CHANGELOG.md in the source.\n\n"
        f" -- {contents.MAINTAINER}  {formatdate(date)}\n"
    )


def architecture() -> str:
    return run(["dpkg", "--print-architecture"], quiet=True).strip()


def dependencies(tree: Path) -> list[str]:
    """Return the Debian packages that the binaries below `tree` depend on.

    Raises:
        PackageError: dpkg-shlibdeps cannot find the package of a library.
    """
    files = frozen.find_elf_files(tree)
    inside = sorted({path.parent for path in files})
    with tempfile.TemporaryDirectory(prefix="winnow-depends-") as folder:
        # dpkg-shlibdeps runs only inside a source package.
        (Path(folder) / "debian").mkdir()
        (Path(folder) / "debian" / "control").write_text(
            f"Source: {contents.NAME}\n\nPackage: {contents.NAME}\nArchitecture: any\n"
        )
        command = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", "--warnings=0"]
        command += [f"-l{path}" for path in inside]
        printed = run([*command, *map(str, files)], quiet=True, folder=Path(folder))
    return sorted({*parse_dependencies(printed), "fonts-dejavu-core | fonts-freefont-ttf"})


def parse_dependencies(printed: str) -> list[str]:
    r"""Return the packages in the output of dpkg-shlibdeps.

    >>> parse_dependencies("shlibs:Depends=libc6 (>= 2.34), libx11-6\n")
    ['libc6 (>= 2.34)', 'libx11-6']

    Raises:
        PackageError: there are none.
    """
    match = re.search(r"^shlibs:Depends=(.+)$", printed, re.MULTILINE)
    if match is None:
        raise PackageError(f"dpkg-shlibdeps found no dependencies:\n{printed}")
    return [one.strip() for one in match[1].split(",")]


def checksums(tree: Path) -> str:
    """Return the MD5 sums of all files in dpkg's format."""
    import hashlib

    lines = []
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink() and "DEBIAN" not in path.parts:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False))
            lines.append(f"{digest.hexdigest()}  {path.relative_to(tree)}\n")
    return "".join(lines)


def pack(tree: Path, out: Path, compression: str = "xz", level: int = 9) -> Path:
    """Build a package from the file tree `tree`."""
    version = re.search(r"^Version: (.+)$", (tree / "DEBIAN" / "control").read_text(), re.MULTILINE)
    assert version is not None
    package = out / f"{contents.NAME}_{version[1]}_{architecture()}.deb"
    command: list[str | Path] = [
        "dpkg-deb",
        "--root-owner-group",
        f"-Z{compression}",
        f"-z{level}",
        "--build",
        tree,
        package,
    ]
    run(command, {"SOURCE_DATE_EPOCH": str(frozen.source_date())}, quiet=True)
    return package
