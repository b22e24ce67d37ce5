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


def build(program: frozen.Frozen, found: Sequence[licences.Component], out: Path) -> Path:
    """Build a bundle of a frozen program, a single file, into the folder `out`.

    Nothing is fetched; the runtime and the SDK that the manifest names are installed already.

    Raises:
        PackageError: one of them is missing, or something does not pass its check.
    """
    place = frozen.BUILD / "flatpak"
    check_runtime()
    lay_out(place, program, found)
    repository = place / "repository"
    date = {"SOURCE_DATE_EPOCH": str(frozen.source_date())}
    build_it = ["flatpak-builder", "--user", "--force-clean", "--disable-download"]
    places = [f"--repo={repository}", f"--state-dir={place / 'state'}"]
    run(
        [
            *(*build_it, "--disable-rofiles-fuse", *places, f"--default-branch={_BRANCH}"),
            *(place / "built", place / MANIFEST.name),
        ],
        date,
        quiet=True,
    )
    made = out / f"{contents.TITLE}-{contents.version()}-{platform.machine()}.flatpak"
    run(["flatpak", "build-bundle", repository, made, APP_ID, _BRANCH], date, quiet=True)
    return made


def lay_out(place: Path, program: frozen.Frozen, found: Sequence[licences.Component]) -> None:
    """Put the manifest and what it takes into the folder `place`, which is made anew."""
    shutil.rmtree(place, ignore_errors=True)
    layout.lay_out(place / "tree", program, found, layout.SANDBOX)
    share = place / "tree" / layout.SANDBOX.share
    # Menus of file managers outside, which do not look into a sandbox.
    for name in ("kio", "nemo"):
        shutil.rmtree(share / name)
    layout.settle(place / "tree", frozen.source_date())
    shutil.copyfile(MANIFEST, place / MANIFEST.name)


def manifest() -> dict[str, Any]:
    read: dict[str, Any] = json.loads(MANIFEST.read_text("utf-8"))
    return read


def check_runtime() -> None:
    """See to it that what the program runs on, and is built with, is there.

    Raises:
        PackageError: it is not.
    """
    said = manifest()
    wanted = [f"{said[kind]}//{said['runtime-version']}" for kind in ("runtime", "sdk")]
    columns = "--columns=application,branch"
    printed = run(["flatpak", "list", "--user", "--all", columns], quiet=True)
    there = {"//".join(line.split()) for line in printed.splitlines()}
    if missing := [one for one in wanted if one not in there]:
        raise PackageError(
            f"A Flatpak is built with {' and '.join(missing)}: install them with "
            f"flatpak install --user flathub {' '.join(missing)}."
        )
