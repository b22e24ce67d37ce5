"""Build all packages in `dist/`, and test them.

Run by `dev.py package` with the interpreter of the project's virtual environment.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import acceptance
import appimage
import archives
import checksums
import contents
import debian
import desktop
import frozen
import licences
import package_options
import rpm
import sbom
import wheels
from frozen import PackageError, log

DIST: Final = contents.ROOT / "dist"
TOOLS: Final = {
    "ldd": "libc-bin",
    "patchelf": "patchelf",
    "strip": "binutils",
}
"""Programs needed to freeze on Linux, with their Debian packages."""
DESKTOP_TOOLS: Final = {
    "appstreamcli": "appstream",
    "desktop-file-validate": "desktop-file-utils",
}
"""Programs that validate the desktop integration, in all Linux packages."""
DEBIAN_TOOLS: Final = {
    "dpkg-shlibdeps": "dpkg-dev",
    "lintian": "lintian",
    "xauth": "xauth",
    "xvfb-run": "xvfb",
}
"""Additional programs needed to build and test the Debian package."""
CHROOT_TOOLS: Final = {"debootstrap": "debootstrap"}
FORMAT_TOOLS: Final = {
    "appimage": {"mksquashfs": "squashfs-tools"},
    "rpm": {"rpmbuild": "rpm"},
}
"""Programs needed for other package formats, by option."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the packages that the options select, and return the exit status."""
    options = package_options.parser().parse_args(arguments)
    try:
        if options.release is not None:
            return checksums.main([str(options.release)])
        check_tools(options)
        if not options.frozen and wheels.main():
            return 1
        if options.wheels:
            return 0
        # Qt renders the icons.
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        program, components = freeze()
        if options.frozen:
            return 0
        if sys.platform == "linux":
            _linux(program, components, options)
    except PackageError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def check_tools(options: argparse.Namespace) -> None:
    """Check that all programs for the selected packages are installed.

    Raises:
        PackageError: a program is missing.
    """
    if options.wheels or sys.platform != "linux":
        return
    wanted = dict(TOOLS)
    if not options.frozen:
        wanted |= DESKTOP_TOOLS
        for format_ in _formats(options):
            wanted |= FORMAT_TOOLS[format_]
        if shutil.which("dpkg-deb") is not None:
            wanted |= DEBIAN_TOOLS
            if options.chroot is not None:
                wanted |= CHROOT_TOOLS
    missing = {tool: package for tool, package in wanted.items() if shutil.which(tool) is None}
    if missing:
        packages = " ".join(dict.fromkeys(missing.values()))
        raise PackageError(
            f"Missing programs: {', '.join(missing)}. Install with: apt-get install {packages}, "
            "or the equivalent for your system."
        )
    if not options.frozen and "appimage" in _formats(options):
        runtime = appimage.find_runtime(options.runtime)
        appimage.read_runtime(runtime, is_official=not options.own_runtime)


def _formats(options: argparse.Namespace) -> list[str]:
    """Return the selected package formats, without Debian's."""
    return [format_ for format_ in FORMAT_TOOLS if getattr(options, format_)]


def freeze() -> tuple[frozen.FrozenProgram, list[licences.Component]]:
    """Freeze the program, and write its licences and SBOM."""
    if sys.platform != "linux":
        icons = frozen.BUILD / "icons"
        icons.mkdir(parents=True, exist_ok=True)
        desktop.draw_for_system(icons / frozen.icon_name())
    program = frozen.freeze()
    components = licences.components(program.entries, program.packages)
    licences.write(components, program.licences)
    sbom.write(components, program.licences / sbom.NAME)
    log(f"{len(components)} components, all licences allow redistribution.")
    return program, components


def _linux(
    program: frozen.FrozenProgram,
    components: Sequence[licences.Component],
    options: argparse.Namespace,
) -> None:
    DIST.mkdir(exist_ok=True)
    log("Packing.")
    packages = [pack_portable(program, DIST)]
    # Also next to the packages, for reading without installing one.
    shutil.copyfile(
        program.licences / sbom.NAME,
        DIST / f"{contents.NAME}-{contents.version()}-linux-{platform.machine()}.cdx.json",
    )
    packages += build_formats(program, components, options, DIST)
    if shutil.which("dpkg-deb") is None:
        log("Skipping the Debian package: dpkg-deb is not installed.")
        print_sizes(program, packages)
        return
    package = debian.build(program, components, DIST)
    packages.append(package)
    if options.twice:
        compare(packages, options)
    acceptance.lint(package)
    print_sizes(program, packages)
    if options.no_install or not acceptance.can_install():
        log("The Debian package was not installed and not tested.")
    else:
        acceptance.check_here(package)
    for suite in () if options.chroot is None else options.chroot or (None,):
        acceptance.check_in_chroot(package, suite)


def build_formats(
    program: frozen.FrozenProgram,
    components: Sequence[licences.Component],
    options: argparse.Namespace,
    out: Path,
) -> list[Path]:
    """Build the selected package formats in the folder `out`."""
    packages = []
    for format_ in _formats(options):
        log(f"Packing: {format_}.")
        if format_ == "appimage":
            runtime = appimage.find_runtime(options.runtime)
            is_official = not options.own_runtime
            packages.append(
                appimage.build(program, components, out, runtime, is_official=is_official)
            )
        else:
            packages.append(rpm.build(program, components, out))
    return packages


def pack_portable(program: frozen.FrozenProgram, out: Path) -> Path:
    """Pack the program as a portable archive."""
    name = f"{contents.NAME}-{contents.version()}"
    archive = out / f"{name}-linux-{platform.machine()}.tar.xz"
    archives.write_tar_xz(archive, program.folder, name, frozen.source_date())
    return archive


def compare(packages: Sequence[Path], options: argparse.Namespace) -> None:
    """Build again from scratch, and compare the packages byte by byte.

    Raises:
        PackageError: a package differs.
    """
    log("Building a second time.")
    shutil.rmtree(frozen.BUILD / "work")
    shutil.rmtree(frozen.BUILD / "frozen")
    program, components = freeze()
    with tempfile.TemporaryDirectory(prefix="winnow-twice-") as folder:
        out = Path(folder)
        rebuilt = [
            pack_portable(program, out),
            *build_formats(program, components, options, out),
            debian.build(program, components, out),
        ]
        for one, other in zip(packages, rebuilt, strict=True):
            if not filecmp.cmp(one, other, shallow=False):
                raise PackageError(f"{one.name} is not reproducible.")
    log("Both builds are identical.")


def print_sizes(program: frozen.FrozenProgram, packages: Sequence[Path]) -> None:
    installed = frozen.size_mb(path for path in program.folder.rglob("*") if path.is_file())
    log(f"installed: {installed:.0f} MB")
    for path in packages:
        log(f"dist/{path.name}: {frozen.size_mb([path]):.1f} MB")


if __name__ == "__main__":
    sys.exit(main())
