"""Goes before all else in the packaged program: what a running service answers needs no more.

PyInstaller has it run as the first of its hooks, which otherwise make ready for Qt, processes and
plug-ins, and before `program.py` and all that it imports. It starts no program and leaves the
environment as it is: `app.__main__` gives the person's own folders for libraries back.
"""

from __future__ import annotations

import sys

from app.__main__ import answered_by_service

if (status := answered_by_service(sys.argv[1:])) is not None:
    sys.exit(status)
