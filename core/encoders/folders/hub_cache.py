"""Finds models in Hugging Face's cache folder, without its library and without network.

The cache has a folder for each repository: `models--ORG--NAME/snapshots/COMMIT` contains the files
of a commit as links to `blobs`, and `refs/main` names the commit that was downloaded last.

Source: "Understand caching" in the documentation of huggingface_hub 2.
"""

import os
import re
from pathlib import Path
from typing import Final

_HUB_NAME: Final = re.compile(r"\w[\w.-]*/\w[\w.-]*", re.ASCII)
_COMMIT: Final = re.compile(r"[0-9a-f]{7,64}")
_MODEL, _DATA_SET = "models--", "datasets--"
_SNAPSHOTS: Final = "snapshots"


def is_hub_name(name: str) -> bool:
    """Return whether a name has the form of a repository's: ORG/NAME.

    >>> is_hub_name("lightonai/LateOn"), is_hub_name("winnow-mini"), is_hub_name("../models/a")
    (True, False, False)
    """
    return _HUB_NAME.fullmatch(name) is not None and "--" not in name and ".." not in name


def cache_folder() -> Path:
    """Return the folder of downloaded repositories.

    `HF_HUB_CACHE` names it; otherwise it is `hub` in `HF_HOME`, or in the user's cache.
    """
    if hub := os.environ.get("HF_HUB_CACHE"):
        return _expanded(hub)
    if home := os.environ.get("HF_HOME"):
        return _expanded(home) / "hub"
    return _expanded(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "huggingface" / "hub"


def downloaded(name: str) -> Path | None:
    """Return the folder of the downloaded model, or None.

    Args:
        name: of the repository, ORG/NAME.
    """
    repository = cache_folder() / (_MODEL + name.replace("/", "--"))
    try:
        commit = (repository / "refs" / "main").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None
    # The file is untrusted: it must not lead out of the cache.
    folder = repository / _SNAPSHOTS / commit
    return folder if _COMMIT.fullmatch(commit) and folder.is_dir() else None


def repository_of(path: Path) -> Path | None:
    """Return the repository's folder in the cache that a path belongs to; None if it is elsewhere.

    >>> str(repository_of(Path("hub/models--lightonai--LateOn/snapshots/0123abc/1_Dense")))
    'hub/models--lightonai--LateOn'
    """
    for parent in path.parents:
        if parent.name == _SNAPSHOTS and parent.parent.name.startswith((_MODEL, _DATA_SET)):
            return parent.parent
    return None


def hub_name(path: Path) -> str:
    """Return the name of the repository that a path in the cache belongs to; "" for other paths.

    >>> hub_name(Path("hub/models--lightonai--LateOn/snapshots/0123abc")), hub_name(Path("model"))
    ('lightonai/LateOn', '')
    """
    repository = repository_of(path)
    return "" if repository is None else "/".join(repository.name.split("--")[1:])


def _expanded(path: str) -> Path:
    # As in huggingface_hub; `Path.expanduser` raises for unknown users.
    return Path(os.path.expandvars(os.path.expanduser(path))).absolute()  # noqa: PTH111
