"""The Flatpak: the frozen program in a sandbox with read-only access to the user's files.

The manifest (packaging/flatpak) grants the display, read access to files and a tray icon, but no
network. The program writes only below ~/.var/app. It runs in the background, opens documents and
registers a global shortcut through portals, which need no permission. Format: docs.flatpak.org,
"Manifests".
"""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import contents
import frozen
import layout
from frozen import PackageError, run

from core import APP_ID

if TYPE_CHECKING:
    import licences

MANIFEST: Final = contents.ROOT / "packaging" / "flatpak" / f"{APP_ID}.json"
_BRANCH: Final = "stable"


def build(
    program: frozen.FrozenProgram, components: Sequence[licences.Component], out: Path
) -> Path:
    """Build a single-file bundle of a frozen program in the folder `out`.

    The build works offline; the manifest's runtime and SDK must be installed.

    Raises:
        PackageError: the runtime or the SDK is missing, or a check failed.
    """
    folder = frozen.BUILD / "flatpak"
    check_runtime()
    lay_out(folder, program, components)
    repository = folder / "repository"
    date = {"SOURCE_DATE_EPOCH": str(frozen.source_date())}
    builder = ["flatpak-builder", "--user", "--force-clean", "--disable-download"]
    folders = [f"--repo={repository}", f"--state-dir={folder / 'state'}"]
    run(
        [
            *(*builder, "--disable-rofiles-fuse", *folders, f"--default-branch={_BRANCH}"),
            *(folder / "built", folder / MANIFEST.name),
        ],
        date,
        quiet=True,
    )
    bundle = out / f"{contents.TITLE}-{contents.version()}-{platform.machine()}.flatpak"
    run(["flatpak", "build-bundle", repository, bundle, APP_ID, _BRANCH], date, quiet=True)
    return bundle


def lay_out(
    folder: Path, program: frozen.FrozenProgram, components: Sequence[licences.Component]
) -> None:
    """Recreate `folder` with the manifest and its sources."""
    shutil.rmtree(folder, ignore_errors=True)
    layout.lay_out(folder / "tree", program, components, layout.SANDBOX)
    share = folder / "tree" / layout.SANDBOX.share
    # File managers outside the sandbox do not see these menus.
    for name in ("kio", "nemo"):
        shutil.rmtree(share / name)
    layout.normalize(folder / "tree", frozen.source_date())
    shutil.copyfile(MANIFEST, folder / MANIFEST.name)


def manifest() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(MANIFEST.read_text("utf-8"))
    return read


def check_runtime() -> None:
    """Check that the runtime and the SDK are installed.

    Raises:
        PackageError: one of them is missing.
    """
    settings = manifest()
    wanted = [f"{settings[kind]}//{settings['runtime-version']}" for kind in ("runtime", "sdk")]
    columns = "--columns=application,branch"
    printed = run(["flatpak", "list", "--user", "--all", columns], quiet=True)
    installed = {"//".join(line.split()) for line in printed.splitlines()}
    if missing := [one for one in wanted if one not in installed]:
        raise PackageError(
            f"The Flatpak build needs {' and '.join(missing)}. Install with: "
            f"flatpak install --user flathub {' '.join(missing)}"
        )
