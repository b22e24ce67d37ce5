"""The Flatpak: the frozen program in a sandbox that may read a person's files and write none.

What it may is in the manifest (packaging/flatpak): the screen, reading the files of the person, an
icon in the tray; not the network. It writes only below its own folder, ~/.var/app. To run in the
background, to open a document and to have a key of the desktop's it asks the portals, which no
permission is needed for. Format: docs.flatpak.org, "Manifests".
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
    """Build a bundle of a frozen program, a single file, into the folder `out`.

    Nothing is fetched; the runtime and the SDK that the manifest names are installed already.

    Raises:
        PackageError: one of them is missing, or something does not pass its check.
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
    """Put the manifest and what it takes into the folder `folder`, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    layout.lay_out(folder / "tree", program, components, layout.SANDBOX)
    share = folder / "tree" / layout.SANDBOX.share
    # Menus of file managers outside, which do not look into a sandbox.
    for name in ("kio", "nemo"):
        shutil.rmtree(share / name)
    layout.normalize(folder / "tree", frozen.source_date())
    shutil.copyfile(MANIFEST, folder / MANIFEST.name)


def manifest() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(MANIFEST.read_text("utf-8"))
    return read


def check_runtime() -> None:
    """See to it that what the program runs on, and is built with, is there.

    Raises:
        PackageError: it is not.
    """
    settings = manifest()
    wanted = [f"{settings[kind]}//{settings['runtime-version']}" for kind in ("runtime", "sdk")]
    columns = "--columns=application,branch"
    printed = run(["flatpak", "list", "--user", "--all", columns], quiet=True)
    installed = {"//".join(line.split()) for line in printed.splitlines()}
    if missing := [one for one in wanted if one not in installed]:
        raise PackageError(
            f"A Flatpak is built with {' and '.join(missing)}: install them with "
            f"flatpak install --user flathub {' '.join(missing)}."
        )
