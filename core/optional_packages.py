"""Torch for a Winnow that was installed without it: a folder of packages beside the library."""

from __future__ import annotations

import importlib
import importlib.util
import sys

from core import paths
from core.errors import ModelError


def require_torch(what: str) -> None:
    """Have torch and transformers found: here, or in the folder of add-ons.

    The installed program brings neither, since the built-in model needs neither; only what is
    `what` does, as the beginning of a sentence.

    Raises:
        ModelError: they are in neither place; the message says how they get there.
    """
    if _is_there():
        return
    folder = paths.add_ons()
    if folder.is_dir() and str(folder) not in sys.path:
        # Last: what Winnow brings itself stays Winnow's.
        sys.path.append(str(folder))
        importlib.invalidate_caches()
    if not _is_there():
        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        # For the Python that came with Winnow, by whichever Python the person has.
        raise ModelError(
            f"{what} needs torch, which does not come with this Winnow; install it with "
            f"python3 -m pip install --python-version {python} --only-binary :all: "
            f'--target "{folder}" torch transformers.'
        )


def _is_there() -> bool:
    # find_spec locates a package without running any code of it.
    return all(importlib.util.find_spec(name) for name in ("torch", "transformers"))
