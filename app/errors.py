"""How errors become notices: a sentence, or a report of what was unexpected."""

from __future__ import annotations

import logging
import platform
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, qVersion

from app.translation import said
from app.widgets.notices import Notice
from core import __version__
from core.errors import WinnowError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

_log = logging.getLogger(__name__)


def notice_of(error: BaseException) -> Notice:
    """Return what the person is told about `error`."""
    if isinstance(error, WinnowError):
        return Notice(said(error.message))
    sentence = QCoreApplication.translate(
        "errors", "Something unexpected went wrong in Winnow. Your files are untouched."
    )
    return Notice(sentence, report_of(error))


def report_of(error: BaseException) -> str:
    """Return a report of `error` that a person can send as it is.

    It names our code, that of the packages beneath it, and the kinds of the errors. Messages and
    notes are left out, because they may quote a document, a query or a path, and so are the values
    of variables, the names of folders above ours, and code that lies elsewhere.
    """
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    lines = [f"Winnow {__version__}, Python {platform.python_version()}, Qt {qVersion()}, {system}"]
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        lines.append(f"{type(link).__module__}.{type(link).__qualname__}")
        lines.extend(
            f"  {_place_of_code(frame.filename)}:{frame.lineno} in {frame.name}"
            for frame in traceback.extract_tb(link.__traceback__)
        )
        link = link.__cause__ or link.__context__
    return "\n".join(lines)


def _place_of_code(filename: str) -> str:
    """Return the file of ours, a package's or Python's own; else nothing that tells a name."""
    # Not while the window is made: what goes wrong seldom need not be loaded each time.
    import sysconfig

    file = Path(filename)
    installed = [Path(folder) for folder in sysconfig.get_paths().values()]
    # A longer one lies inside a shorter one: packages in the folder of Python's own library.
    installed.sort(key=lambda folder: -len(folder.parts))
    for folder in (Path(__file__).resolve().parents[1], *installed):
        if file.is_relative_to(folder):
            return file.relative_to(folder).as_posix()
    # In a packaged program code has no folder.
    is_packaged = not file.is_absolute() and file.parts[0] in {"app", "core"}
    return file.as_posix() if is_packaged else "elsewhere"


def take_unexpected(
    show: Callable[[Notice], None],
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType | None,
) -> None:
    """Log and show what reached the top of the program; its last three are `sys.excepthook`'s."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        _log.critical("Unexpected error", exc_info=(kind, error, trace))
        show(notice_of(error))
