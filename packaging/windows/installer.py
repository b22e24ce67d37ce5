"""Build the Windows installer of a frozen program: `python installer.py FOLDER TARGET`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import contents
import desktop
from frozen import run


def build(folder: Path, target: Path) -> None:
    """Pack `folder`, which contains winnow.exe, into the installer `target` with NSIS.

    Raises:
        PackageError: NSIS failed or warned.
    """
    with tempfile.TemporaryDirectory(prefix="winnow-installer-") as place:
        icon = Path(place) / "winnow.ico"
        desktop.draw_for_system(icon)
        defined = {
            "VERSION": contents.version(),
            "SOURCE": folder.resolve(),
            "ICON": icon,
            "LICENCE": contents.ROOT / "LICENSE",
            "TARGET": target.resolve(),
        }
        definitions = [f"-D{name}={value}" for name, value in defined.items()]
        script = Path(__file__).with_name("winnow.nsi")
        # -WX turns warnings into errors. The script is UTF-8 without a BOM.
        run(["makensis", "-V2", "-WX", "-INPUTCHARSET", "UTF8", *definitions, script])


if __name__ == "__main__":
    build(Path(sys.argv[1]), Path(sys.argv[2]))
