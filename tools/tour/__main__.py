"""Takes pictures of every screen into build/tour/, in each look; started by `dev.py tour [FOLDER]`.

Each look is walked through by a process of its own, as the scale holds for all of a program. The
first one indexes the folder; the others look at copies of its library.
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

from core.paths import cache
from tools.tour.folder import QUERY, make_folder
from tools.tour.gallery import write_gallery
from tools.tour.pictures import refresh, required_variants
from tools.tour.variants import SCREEN, VARIANTS, Variant

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "build" / "tour"


def main() -> int:
    """Walk through all looks; the status says whether each screen was reached."""
    parser = argparse.ArgumentParser(prog="dev.py tour", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="what is indexed; else a made-up one")
    parser.add_argument("--query", default=QUERY, help="what is looked for in it")
    parser.add_argument(
        "--pictures", action="store_true", help="make the pictures in docs/pictures anew, of these"
    )
    parser.add_argument(
        "--variant", choices=[variant.name for variant in VARIANTS], action="append"
    )
    options = parser.parse_args()
    if options.folder is not None and not options.folder.is_dir():
        parser.error(f"{options.folder} is not a folder")
    if options.pictures and (options.folder is not None or options.variant is not None):
        parser.error("--pictures shows the made-up folder, in the looks that it needs")
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
        print(f"Not all was reached: {', '.join(failed)}.", file=sys.stderr)
    elif options.pictures:
        print(f"docs/pictures: {refresh(PICTURES) / 1000:.0f} kB")
    return 1 if failed else 0


def _environment(variant: Variant, screen: dict[str, str], home: Path) -> dict[str, str]:
    """Give the environment for a walk in this look, by somebody whose home is `home`."""
    return {
        **os.environ,
        **screen,
        "PYTHONPATH": str(ROOT),
        # Paths are shown as people see theirs, ~/Documents; the prepared model is where it was.
        "HOME": str(home),
        "USERPROFILE": str(home),
        "WINNOW_CACHE": str(cache()),
        "QT_SCALE_FACTOR": str(variant.scale),
        # The token of the tour's server is nothing for the keyring of whoever starts it.
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        # The desktop's own scale, theme and dialogs are not part of the program.
        "QT_ENABLE_HIGHDPI_SCALING": "1",
        "QT_QPA_PLATFORMTHEME": "",
    }


@contextlib.contextmanager
def _screen() -> Iterator[dict[str, str]]:
    """Have a screen that nobody sees: Xvfb where there is one, else Qt's own without one."""
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
