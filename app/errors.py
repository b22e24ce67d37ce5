"""How errors are shown: a sentence near where it happened, or a report of what was unexpected."""

from __future__ import annotations

import logging
import platform
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.announcing import announce
from app.icons import Drawing, IconButton
from app.label import Label
from app.sentences import said
from core import __version__
from core.errors import WinnowError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the person; `report` is what they may send us ("" where nothing is amiss).

    `is_plain` marks what is only worth knowing, with nothing gone wrong.
    """

    text: str
    report: str = ""
    is_plain: bool = False


def notice_of(error: BaseException) -> Notice:
    """Give what the person is told about `error`."""
    if isinstance(error, WinnowError):
        return Notice(said(str(error)))
    sentence = QCoreApplication.translate(
        "errors", "Something unexpected went wrong in Winnow. Your files are untouched."
    )
    return Notice(sentence, report_of(error))


def report_of(error: BaseException) -> str:
    """Give a report of `error` that a person can send as it is.

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
    """Give the file of ours, of a package's or of Python's own; else nothing that tells a name."""
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


class NoticeBar(QFrame):
    """One notice at a time, above what it is about, until the person closes it."""

    dismissed = Signal(object)
    """The person has closed this Notice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("noticeBar")
        self._notice: Notice | None = None
        self._drawing = Drawing("warning", 18)
        self._text = Label()
        self._text.setWordWrap(True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._text.setMinimumWidth(80)
        self._copy = QPushButton(self.tr("Copy report"))
        self._copy.setProperty("quiet", "true")
        self._copy.clicked.connect(self._copy_report)
        close = IconButton("close", self.tr("Dismiss"))
        close.setIconSize(QSize(14, 14))
        close.clicked.connect(self._dismiss)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 6, 6, 6)
        layout.setSpacing(10)
        layout.addWidget(self._drawing)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._copy)
        layout.addWidget(close)
        self.hide()

    @property
    def notice(self) -> Notice | None:
        """What is shown at the moment."""
        return self._notice

    def show_notice(self, notice: Notice) -> None:
        # Said once: each key that is typed may have the same notice shown again.
        is_news = notice != self._notice
        self._notice = notice
        self._text.setText(notice.text)
        self._copy.setText(self.tr("Copy report"))
        self._copy.setVisible(bool(notice.report))
        self._drawing.set_drawing("info" if notice.is_plain else "warning")
        self.setProperty("plain", "true" if notice.is_plain else "false")
        self.style().unpolish(self)
        self.style().polish(self)
        self.setAccessibleName(notice.text)
        self.show()
        if is_news:
            announce(self, notice.text, is_urgent=not notice.is_plain)

    def clear(self) -> None:
        """Take the notice away, if there is one."""
        self._notice = None
        self.hide()

    def _dismiss(self) -> None:
        notice = self._notice
        self.clear()
        self.dismissed.emit(notice)

    def _copy_report(self) -> None:
        if self._notice is not None:
            QGuiApplication.clipboard().setText(self._notice.report)
            self._copy.setText(self.tr("Copied"))
