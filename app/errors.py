"""Conversion of errors to notices: a sentence, or a report of an unexpected error."""

import logging
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, qVersion

from app.translation import translated
from app.widgets.notices import Notice
from core import __version__
from core.errors import WinnowError

_log = logging.getLogger(__name__)


def notice_of(error: BaseException) -> Notice:
    """Return the notice for an error."""
    if isinstance(error, WinnowError):
        return Notice(translated(error.message))
    sentence = QCoreApplication.translate(
        "errors", "An unexpected error occurred in Winnow. Your files were not changed."
    )
    return Notice(sentence, report_of(error))


def report_of(error: BaseException) -> str:
    """Return a report of `error` that contains no private data.

    It lists types of errors and places in our code and in packages. It omits messages and notes,
    which may quote a document, a query or a path, values of variables, the names of parent folders,
    and places in other code.
    """
    import platform

    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    lines = [f"Winnow {__version__}, Python {platform.python_version()}, Qt {qVersion()}, {system}"]
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        lines.append(f"{type(link).__module__}.{type(link).__qualname__}")
        lines.extend(
            f"  {_path_of_code(frame.filename)}:{frame.lineno} in {frame.name}"
            for frame in traceback.extract_tb(link.__traceback__)
        )
        link = link.__cause__ or link.__context__
    return "\n".join(lines)


def _path_of_code(filename: str) -> str:
    """Return the relative path of a file of ours, a package or Python; else "elsewhere"."""
    # Imported here, because unexpected errors are rare.
    import sysconfig

    file = Path(filename)
    installed = [Path(folder) for folder in sysconfig.get_paths().values()]
    # The longest first: packages are installed inside the folder of the standard library.
    installed.sort(key=lambda folder: -len(folder.parts))
    for folder in (Path(__file__).resolve().parents[1], *installed):
        if file.is_relative_to(folder):
            return file.relative_to(folder).as_posix()
    # In a packaged program paths are relative.
    is_packaged = not file.is_absolute() and file.parts[0] in {"app", "core"}
    return file.as_posix() if is_packaged else "elsewhere"


def take_unexpected(
    show: Callable[[Notice], None],
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType | None,
) -> None:
    """Log and show an uncaught error; the last three arguments are those of `sys.excepthook`."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        _log.critical("Unexpected error", exc_info=(kind, error, trace))
        show(notice_of(error))
