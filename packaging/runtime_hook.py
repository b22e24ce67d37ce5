"""PyInstaller runtime hook: lets a running service answer a command before anything else loads.

It runs before PyInstaller's own hooks, which prepare Qt, multiprocessing and plug-ins, and before
`program.py` and its imports. It starts no process and does not change the environment;
`app.__main__` later restores the user's library path.
"""

from __future__ import annotations

import sys

from app.__main__ import answered_by_service

if (status := answered_by_service(sys.argv[1:])) is not None:
    sys.exit(status)
