"""The RPM package, with the same files as the Debian package."""

from __future__ import annotations

import platform
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import contents
import frozen
import layout
from frozen import run

if TYPE_CHECKING:
    import licences

_RELEASE: Final = "1"
# Disable rpmbuild's post-processing, which breaks the libraries inside wheels, and make builds
# reproducible.
_SETTINGS: Final = {
    "__os_install_post": "%{nil}",
    "debug_package": "%{nil}",
    "_build_id_links": "none",
    "_buildhost": "localhost",
    "_binary_payload": "w15T2.zstdio",
    "source_date_epoch_from_changelog": "0",
    "use_source_date_epoch_as_buildtime": "1",
    "clamp_mtime_to_source_date_epoch": "1",
    "__provides_exclude_from": f"^/{layout.SYSTEM.home}/.*$",
}


def build(
    program: frozen.FrozenProgram, components: Sequence[licences.Component], out: Path
) -> Path:
    """Build the package of a frozen program in the folder `out`.

    Raises:
        PackageError: a tool or a file is missing, or a check failed.
    """
    tree = frozen.BUILD / "rpm-tree"
    lay_out(tree, program, components)
    return pack(tree, components, out, contents.version())


def lay_out(
    tree: Path, program: frozen.FrozenProgram, components: Sequence[licences.Component]
) -> None:
    """Create the package's file tree in `tree`."""
    layout.lay_out(tree, program, components, layout.SYSTEM)
    layout.normalize(tree, frozen.source_date())
    # Except on Debian, rpm looks for dependencies of executable files only.
    for path in frozen.find_elf_files(tree):
        path.chmod(0o755)


def pack(tree: Path, components: Sequence[licences.Component], out: Path, version: str) -> Path:
    """Build a package from the file tree `tree`."""
    top = frozen.BUILD / "rpm"
    shutil.rmtree(top, ignore_errors=True)
    top.mkdir(parents=True)
    spec_file = top / f"{contents.NAME}.spec"
    spec_file.write_text(spec(tree, [one.licence for one in components], version), encoding="utf-8")
    machine = platform.machine()
    name = f"{contents.NAME}-{version}-{_RELEASE}.{machine}.rpm"
    settings = {"_topdir": str(top), "_rpmdir": str(top), "_build_name_fmt": name}
    defined = [
        word for key, value in settings.items() for word in ("--define", f"{key} {escape(value)}")
    ]
    date = {"SOURCE_DATE_EPOCH": str(frozen.source_date())}
    run(["rpmbuild", "-bb", "--target", machine, *defined, spec_file], date, quiet=True)
    return Path(shutil.move(top / name, out / name))


def escape(text: str) -> str:
    """Escape a text for RPM macros.

    >>> escape("/home/50%")
    '/home/50%%'
    """
    return text.replace("%", "%%")


def spec(tree: Path, licences_of_components: Iterable[str], version: str) -> str:
    """Return the spec file of the file tree `tree`."""
    libraries = sorted({path.name for path in tree.rglob("*.so*") if path.is_file()})
    settings = {**_SETTINGS, "__requires_exclude": bundled_pattern(libraries)}
    lines = [f"%global {name} {value}" for name, value in settings.items()]
    lines += [
        f"Name: {contents.NAME}",
        f"Version: {version}",
        f"Release: {_RELEASE}",
        f"Summary: {contents.SUMMARY}",
        f"License: {combined_licence(licences_of_components)}",
        f"URL: {contents.HOMEPAGE}",
        f"Packager: {contents.MAINTAINER}",
        "Group: Applications/Productivity",
        # For RAR archives.
        "Recommends: libarchive.so.13()(64bit)",
        "Recommends: (dejavu-sans-fonts or dejavu-fonts)",
        "",
        "%description",
        contents.DESCRIPTION,
        "",
        "%install",
        f'cp --archive "{escape(str(tree))}/." "%{{buildroot}}/"',
        "",
        "%files",
        "%defattr(-,root,root,-)",
        *file_list(tree),
        "",
    ]
    return "\n".join(lines)


def combined_licence(licences_of_components: Iterable[str]) -> str:
    """Return the SPDX expression of the whole package, with Winnow's own licence.

    >>> combined_licence(["MIT", "GPL-2.0-only OR MIT", "MIT"])
    'Apache-2.0 AND (GPL-2.0-only OR MIT) AND MIT'
    """
    licences = sorted({"Apache-2.0", *licences_of_components})
    return " AND ".join(f"({one})" if " OR " in one else one for one in licences)


def bundled_pattern(names: Iterable[str]) -> str:
    """Return the pattern of the bundled libraries, which are excluded from Requires.

    Avoids backslashes, which RPM macros interpret.

    >>> bundled_pattern(["libtbb.so.12", "libz-1a.so"])
    '^(libtbb[.]so[.]12|libz-1a[.]so)([(].*)?$'
    """
    plain = (re.sub(r"[^\w-]", r"[\g<0>]", name) for name in names)
    return f"^({'|'.join(plain)})([(].*)?$"


def file_list(tree: Path) -> list[str]:
    """Return the %files entries: the package's own folders, and files in shared folders."""
    share = layout.SYSTEM.share
    whole = [layout.SYSTEM.home, share / "doc" / contents.NAME]
    own = [
        path.relative_to(tree)
        for path in sorted(tree.rglob("*"))
        if path.is_symlink() or path.is_file()
    ]
    single = [path for path in own if not any(path.is_relative_to(folder) for folder in whole)]
    # Folders of desktops that may not be installed.
    shared = sorted(
        {path.parent for path in single if path.is_relative_to(share)} - _system_folders(share)
    )
    return (
        [f"/{path}" for path in whole]
        + [f"%dir /{path}" for path in shared]
        + [f"/{path}" for path in single]
    )


def _system_folders(share: Path) -> set[Path]:
    """Return the folders that exist on every RPM system."""
    return {share / "applications", share / "man" / "man1", share / "metainfo"}
