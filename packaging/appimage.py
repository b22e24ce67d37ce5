"""The AppImage: a single executable file, made of a runtime followed by a squashfs image.

The type 2 runtime is published by the AppImage project. It is not part of this repository; an
option names its file. Format: docs.appimage.org, "AppImage specification", type 2.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import contents
import frozen
import layout
from frozen import PackageError, run
from package_options import RUNTIME_VARIABLE

from core import APP_ID

if TYPE_CHECKING:
    import licences

_RELEASE: Final = "https://github.com/AppImage/type2-runtime/releases/download/20251108"
OFFICIAL: Final = {
    "x86_64": "2fca8b443c92510f1483a883f60061ad09b46b978b2631c807cd873a47ec260d",
    "aarch64": "00cbdfcf917cc6c0ff6d3347d59e0ca1f7f45a6df1a428a0d6d8a78664d87444",
}
"""SHA-256 of the runtime of that release, by architecture."""
_MAGIC: Final = slice(8, 11)
_TYPE_2: Final = b"AI\x02"


def build(
    program: frozen.FrozenProgram,
    components: Sequence[licences.Component],
    out: Path,
    runtime: Path,
    *,
    is_official: bool = True,
) -> Path:
    """Build the AppImage of a frozen program in the folder `out`.

    Args:
        program: the frozen program.
        components: its third-party components.
        out: the output folder.
        runtime: file of the AppImage runtime.
        is_official: whether the runtime must match `OFFICIAL`.

    Raises:
        PackageError: the runtime is invalid, or a tool or a file is missing.
    """
    runtime_bytes = read_runtime(runtime, is_official=is_official)
    tree = frozen.BUILD / "AppDir"
    lay_out(tree, program, components)
    packed = frozen.BUILD / "AppDir.squashfs"
    pack(tree, packed)
    package = out / file_name(contents.version(), platform.machine())
    with package.open("wb") as file:
        file.write(runtime_bytes)
        with packed.open("rb") as file_system:
            shutil.copyfileobj(file_system, file)
    package.chmod(0o755)
    packed.unlink()
    return package


def file_name(version: str, machine: str) -> str:
    return f"{contents.TITLE}-{version}-{machine}.AppImage"


def find_runtime(option: Path | None) -> Path:
    """Return the runtime given by the option or by the environment variable.

    Raises:
        PackageError: neither names an existing file.
    """
    runtime = option or Path(os.environ.get(RUNTIME_VARIABLE, ""))
    if runtime.is_file():
        return runtime
    machine = platform.machine()
    raise PackageError(
        f"An AppImage needs a runtime: download {_RELEASE}/runtime-{machine} (SHA-256 "
        f"{OFFICIAL.get(machine, 'as published there')}) and pass the file with --runtime or "
        f"{RUNTIME_VARIABLE}."
    )


def read_runtime(runtime: Path, *, is_official: bool = True) -> bytes:
    """Return the bytes of a runtime.

    Raises:
        PackageError: it is not a type 2 runtime, or not the official one.
    """
    data = runtime.read_bytes()
    if data[:4] != b"\x7fELF" or data[_MAGIC] != _TYPE_2:
        raise PackageError(f"{runtime} is not an AppImage type 2 runtime.")
    digest = hashlib.sha256(data).hexdigest()
    expected = OFFICIAL.get(platform.machine())
    if is_official and digest != expected:
        raise PackageError(
            f"{runtime} has the SHA-256 {digest}; the runtime at {_RELEASE} has {expected}. "
            "To use a different runtime, add --own-runtime."
        )
    return data


def lay_out(
    tree: Path, program: frozen.FrozenProgram, components: Sequence[licences.Component]
) -> None:
    """Create the file tree of the AppImage.

    All links are relative, because each start mounts the image in a different folder.

    Raises:
        PackageError: a link is broken.
    """
    layout.lay_out(tree, program, components, layout.ONE_FILE)
    link_entry_points(tree)
    if dead := dead_links(tree):
        raise PackageError("Broken links in the AppImage:\n" + "\n".join(dead))
    layout.normalize(tree, frozen.source_date())


def link_entry_points(tree: Path) -> None:
    """Link the entry point, the desktop file and the icons in the root of the image."""
    share = layout.ONE_FILE.share
    icons = share / "icons" / "hicolor"
    links = {
        "AppRun": layout.ONE_FILE.program,
        f"{APP_ID}.desktop": share / "applications" / f"{APP_ID}.desktop",
        f"{APP_ID}.svg": icons / "scalable" / "apps" / f"{APP_ID}.svg",
        ".DirIcon": icons / "256x256" / "apps" / f"{APP_ID}.png",
    }
    for name, place in links.items():
        (tree / name).symlink_to(place)
    # D-Bus services and menu entries work for installed programs only.
    for name in ("dbus-1", "gnome-shell", "krunner", "kio", "nemo"):
        shutil.rmtree(tree / share / name)


def dead_links(tree: Path) -> list[str]:
    """Return the links below `tree` that are broken or lead out of it."""
    root = tree.resolve()
    return [
        str(path.relative_to(tree))
        for path in sorted(tree.rglob("*"))
        if path.is_symlink()
        and (path.readlink().is_absolute() or not _is_inside(path.resolve(), root))
    ]


def _is_inside(path: Path, root: Path) -> bool:
    return path.is_relative_to(root) and path.exists()


def pack(tree: Path, packed: Path) -> None:
    """Pack `tree` into a reproducible squashfs image."""
    packed.unlink(missing_ok=True)
    compression = ["-comp", "zstd", "-Xcompression-level", "15", "-b", "256K"]
    reproducible = [
        "-root-owned",
        "-no-xattrs",
        "-no-exports",
        "-noappend",
        "-no-progress",
        "-quiet",
    ]
    run(
        ["mksquashfs", tree, packed, *compression, *reproducible],
        {"SOURCE_DATE_EPOCH": str(frozen.source_date())},
        quiet=True,
    )
