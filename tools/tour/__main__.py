"""Take screenshots of every screen in each variant, in build/tour/; run by `dev.py tour [FOLDER]`.

Each variant runs in a separate process, because Qt's scale factor applies to the whole process. The
first one indexes the folder; the others use copies of its library.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from core.files.paths import cache
from tools.tour.folder import QUERY, make_folder
from tools.tour.gallery import write_gallery
from tools.tour.pictures import refresh, required_variants
from tools.tour.variants import SCREEN, VARIANTS, Variant

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "build" / "tour"


def main() -> int:
    """Run all variants; return 0 if every screen was reached."""
    parser = argparse.ArgumentParser(prog="dev.py tour", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "folder", nargs="?", type=Path, help="folder to index (default: an example)"
    )
    parser.add_argument("--query", default=QUERY, help="query to search for")
    parser.add_argument(
        "--pictures", action="store_true", help="update docs/pictures from the screenshots"
    )
    parser.add_argument(
        "--variant", choices=[variant.name for variant in VARIANTS], action="append"
    )
    options = parser.parse_args()
    if options.folder is not None and not options.folder.is_dir():
        parser.error(f"{options.folder} is not a folder")
    if options.pictures and (options.folder is not None or options.variant is not None):
        parser.error("--pictures cannot be combined with FOLDER or --variant")
    wanted = required_variants() if options.pictures else options.variant
    variants = [variant for variant in VARIANTS if wanted is None or variant.name in wanted]
    failed = []
    with tempfile.TemporaryDirectory(prefix="winnow-tour-") as temporary, _screen() as screen:
        temporary_folder = Path(temporary)
        folder = options.folder.resolve() if options.folder else temporary_folder / "Documents"
        if options.folder is None:
            make_folder(folder)
        indexed = temporary_folder / "indexed"
        for variant in variants:
            print(f"{variant.name}: ", end="", flush=True)
            shutil.rmtree(PICTURES / variant.name, ignore_errors=True)
            command = [
                sys.executable,
                "-m",
                "tools.tour.run_variant",
                variant.name,
                folder,
                temporary_folder,
                indexed,
            ]
            command += [options.query, PICTURES / variant.name, *(["--own"] * (not options.folder))]
            if subprocess.run(
                list(map(str, command)),
                env=_environment(variant, screen, temporary_folder),
                check=False,
            ).returncode:
                failed.append(variant.name)
    gallery = write_gallery(PICTURES)
    print(f"{gallery.as_uri()}")
    if failed:
        print(f"Failed: {', '.join(failed)}.", file=sys.stderr)
    elif options.pictures:
        print(f"docs/pictures: {refresh(PICTURES) / 1000:.0f} kB")
    return 1 if failed else 0


def _environment(variant: Variant, screen: dict[str, str], home: Path) -> dict[str, str]:
    """Return the environment variables of a variant's process."""
    return {
        **os.environ,
        **screen,
        "PYTHONPATH": str(ROOT),
        # Show paths as ~/Documents; use the cached model.
        "HOME": str(home),
        "USERPROFILE": str(home),
        "WINNOW_CACHE": str(cache()),
        "QT_SCALE_FACTOR": str(variant.scale),
        # Do not store the token of the tour's server in the developer's keyring.
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        # Ignore the desktop's scale, theme and dialogs.
        "QT_ENABLE_HIGHDPI_SCALING": "1",
        "QT_QPA_PLATFORMTHEME": "",
    }


@contextlib.contextmanager
def _screen() -> Iterator[dict[str, str]]:
    """Start a virtual screen, and yield its variables: Xvfb if installed, else Qt's offscreen."""
    xvfb = shutil.which("Xvfb") if sys.platform.startswith("linux") else None
    if xvfb is None:
        yield {"QT_QPA_PLATFORM": "offscreen"}
        return
    reader, writer = os.pipe()
    command = [
        xvfb,
        "-displayfd",
        str(writer),
        "-screen",
        "0",
        "{}x{}x24".format(*SCREEN),
        "-nolisten",
        "tcp",
    ]
    with subprocess.Popen(
        command, pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        os.close(writer)
        with os.fdopen(reader) as numbers:
            number = numbers.readline().strip()
        try:
            yield {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
        finally:
            server.terminate()


if __name__ == "__main__":
    sys.exit(main())
