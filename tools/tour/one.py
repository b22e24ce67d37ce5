"""One walk in one look, in a process of its own."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from PySide6.QtCore import QLoggingCategory, Qt
from PySide6.QtWidgets import QApplication

from app.session import open_library
from app.theme import ThemeSwitch
from app.translation import speak
from tools.tour.looks import LOOKS
from tools.tour.person import TourError
from tools.tour.team import team
from tools.tour.walk import Walk


def main() -> int:
    """Walk; gives 1 where a screen could not be reached."""
    parser = argparse.ArgumentParser()
    parser.add_argument("look")
    parser.add_argument("folder", type=Path)
    parser.add_argument("place", type=Path)
    parser.add_argument("indexed", type=Path)
    parser.add_argument("query")
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--own", action="store_true")
    chosen = parser.parse_args()
    look = next(look for look in LOOKS if look.name == chosen.look)
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    application = QApplication(["winnow"])
    application.setQuitOnLastWindowClosed(False)
    speak(application, look.language)
    if look.is_mirrored:
        application.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    theme = ThemeSwitch(application, look.theme, has_contrast=look.has_contrast)
    walk = Walk(open_library, theme, chosen.pictures, look.size, look.text_percent)
    home = chosen.place / look.name
    damaged = chosen.place / f"{look.name}, damaged"
    damaged.mkdir()
    (damaged / "catalog.sqlite").write_bytes(b"This is no catalog. " * 500)
    try:
        walk.begin(home, chosen.folder, to_the_end=not chosen.indexed.exists())
        if chosen.indexed.exists():
            shutil.rmtree(home)
            shutil.copytree(chosen.indexed, home)
        else:
            shutil.copytree(home, chosen.indexed)
        walk.go_on(home, chosen.query, is_own=chosen.own)
        if chosen.own:
            with team(chosen.place / "team") as others:
                walk.meet_others(home, chosen.query, others)
        walk.fail_to_open(damaged)
    except TourError as error:
        print(f"after {', '.join(walk.taken) or 'nothing'}: {error}", file=sys.stderr)
        return 1
    print(f"{len(walk.taken)} pictures in {chosen.pictures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
