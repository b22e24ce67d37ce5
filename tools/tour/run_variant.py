"""Takes the screenshots of one variant; run in a separate process."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from PySide6.QtCore import QLoggingCategory, Qt
from PySide6.QtWidgets import QApplication

from app.session import open_library
from app.theme import ThemeSwitch
from app.translation import install_language
from tools.tour.other_libraries import other_libraries
from tools.tour.person import TourError
from tools.tour.variants import VARIANTS
from tools.tour.walk import Walk


def main() -> int:
    """Take the screenshots; return 1 if a screen cannot be reached."""
    parser = argparse.ArgumentParser()
    parser.add_argument("variant")
    parser.add_argument("folder", type=Path)
    parser.add_argument("place", type=Path)
    parser.add_argument("indexed", type=Path)
    parser.add_argument("query")
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--own", action="store_true")
    options = parser.parse_args()
    variant = next(variant for variant in VARIANTS if variant.name == options.variant)
    QLoggingCategory.setFilterRules("qt.text.font.db=false")
    application = QApplication(["winnow"])
    application.setQuitOnLastWindowClosed(False)
    install_language(application, variant.language)
    if variant.is_mirrored:
        application.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    theme = ThemeSwitch(application, variant.theme, has_contrast=variant.has_contrast)
    walk = Walk(open_library, theme, options.pictures, variant.size, variant.text_percent)
    home = options.place / variant.name
    damaged = options.place / f"{variant.name}, damaged"
    damaged.mkdir()
    (damaged / "catalog.sqlite").write_bytes(b"Not a catalog. " * 500)
    try:
        walk.index_folder(home, options.folder, is_complete=not options.indexed.exists())
        if options.indexed.exists():
            shutil.rmtree(home)
            shutil.copytree(options.indexed, home)
        else:
            shutil.copytree(home, options.indexed)
        walk.visit_screens(home, options.query, is_own=options.own)
        if options.own:
            with other_libraries(options.place / "team") as libraries:
                walk.visit_other_libraries(home, options.query, libraries)
        walk.show_open_error(damaged)
    except TourError as error:
        print(f"after {', '.join(walk.screens) or 'nothing'}: {error}", file=sys.stderr)
        return 1
    print(f"{len(walk.screens)} pictures in {options.pictures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
