"""Builds the guide for a browser: `python docs/build.py [FOLDER]`, by default in build/guide."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from sphinx.cmd.build import build_main

ROOT = Path(__file__).resolve().parents[1]


def build(folder: Path) -> int:
    """Build the guide in `folder`, in place of what is there; a warning fails it.

    Gives 0 where all is well. Links that lead nowhere are warnings.
    """
    with tempfile.TemporaryDirectory() as scratch:
        built = Path(scratch) / "html"
        options = ["--quiet", "--fail-on-warning", "--keep-going", "--fresh-env"]
        trees = ["--doctree-dir", f"{scratch}/trees"]
        status = build_main([*options, *trees, str(ROOT / "docs" / "guide"), str(built)])
        if not status:
            # Sphinx's own notes and what other projects would link by: nothing for a reader.
            for rest in (".buildinfo", "objects.inv"):
                (built / rest).unlink(missing_ok=True)
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(built, folder)
    return status


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "guide"
    sys.exit(build(target))
