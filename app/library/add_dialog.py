"""The page on which a person sees what adding a folder does, before anything is done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.background import Lane, Latest
from app.errors import notice_of
from app.library.figures import Figures
from app.library.rules import RulesForm, rule_text
from app.translation import said
from app.widgets.labels import ElidedLabel, Label
from app.widgets.notices import NoticeBar
from app.widgets.window_geometry import open_within_screen
from core.printable import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from app.engine import Engine
    from core.catalog.folders import FolderRules
    from core.catalog.reports import Preview
    from core.progress import Progress

_PAUSE_MS: Final = 250


class AddDialog(QDialog):
    """Tells files, bytes and time of a folder, and what is left out by which rule.

    The same page changes what is left out of a folder that was added before.
    """

    chosen = Signal(object, object)
    """The person wants this folder (a Path) by these rules (FolderRules)."""

    def __init__(
        self,
        engine: Engine,
        lane: Lane,
        folder: Path,
        rules: FolderRules | None,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        is_new = rules is None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Add a folder") if is_new else self.tr("What is left out"))
        open_within_screen(self, 760, 580)
        self._engine = engine
        self.folder = folder
        name = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        name.setProperty("role", "title")
        name.set_text(texts.shown_path(folder))
        name.setToolTip(texts.hint(quoted(folder)))
        self._summary = Label()
        self._summary.setWordWrap(True)
        self._summary.setProperty("role", "muted")
        self._summary.setMinimumHeight(2 * self._summary.fontMetrics().lineSpacing())
        self._summary.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 0)
        self._bar.setFixedHeight(4)
        self._bar.setAccessibleName(self.tr("Looking through the folder"))
        self.notice = NoticeBar()
        self._kinds = Figures(self.tr("Is read"), self.tr("Files"), self.tr("Size"))
        self._left_out = Figures(self.tr("Is left out"), self.tr("Number"))
        self._form = RulesForm()
        if rules is not None:
            self._form.set_rules(rules)
        buttons = QDialogButtonBox()
        self._go = buttons.addButton(
            self.tr("Add") if is_new else self.tr("Apply"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self._go.setProperty("main", "true")
        self._go.setDefault(True)
        buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        tables = QHBoxLayout()
        tables.setSpacing(12)
        tables.addWidget(self._kinds, 1)
        tables.addWidget(self._left_out, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 18)
        layout.setSpacing(12)
        layout.addWidget(name)
        layout.addWidget(self._summary)
        layout.addWidget(self._bar)
        layout.addWidget(self.notice)
        layout.addLayout(tables, 1)
        layout.addWidget(self._form)
        layout.addWidget(buttons)
        self._looking = Latest(lane, self)
        self._looking.progressed.connect(self._show_progress)
        self._looking.succeeded.connect(self._show)
        self._looking.failed.connect(self._show_error)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._look)
        self._form.changed.connect(self._wait)
        self._look()

    @property
    def is_looking(self) -> bool:
        """What it shows is not yet what the fields say."""
        return self._pause.isActive() or self._looking.is_running

    @property
    def summary(self) -> str:
        return self._summary.text()

    def lines(self) -> list[tuple[str, ...]]:
        """What the two tables show, row by row."""
        return [*self._kinds.lines, *self._left_out.lines]

    def accept(self) -> None:
        self.chosen.emit(self.folder, self._form.rules())
        super().accept()

    def done(self, result: int) -> None:
        self._pause.stop()
        self._looking.drop()
        super().done(result)

    def _wait(self) -> None:
        """Look again, a moment after the last key."""
        self._looking.drop()
        self._pause.start()

    def _look(self) -> None:
        self._bar.show()
        rules = self._form.rules()
        self._looking.start(partial(self._engine.preview, self.folder, rules))

    def _show_progress(self, progress: Progress) -> None:
        self._summary.setText(self.tr("{0} so far…").format(texts.files(progress.done)))

    def _show(self, preview: Preview) -> None:
        self._bar.hide()
        self.notice.clear()
        self._go.setEnabled(True)
        self._summary.setText(self._summary_of(preview))
        self._kinds.show_lines(
            (said(kind.name), texts.number(kind.files), texts.size(kind.size_bytes))
            for kind in preview.kinds
        )
        counts = sorted(preview.left_out.items(), key=lambda one: -one[1])
        self._left_out.show_lines(
            (
                *((rule_text(rule), texts.number(count)) for rule, count in counts),
                *(
                    (said(failure.reason), texts.name_of(failure.path))
                    for failure in preview.closed
                ),
            )
        )

    def _summary_of(self, preview: Preview) -> str:
        whole = [texts.files(preview.files), texts.size(preview.size_bytes)]
        if not preview.files:
            return self.tr("There is nothing in it that Winnow would read.")
        if not preview.waiting:
            return " · ".join([*whole, self.tr("all of it is in the library")])
        if preview.waiting < preview.files:
            whole.append(self.tr("{0} to be read").format(texts.files(preview.waiting)))
        times = self.tr("Found by words in {0}, by meaning in {1} more.").format(
            texts.duration(preview.reading_s), texts.duration(preview.encoding_s)
        )
        return f"{' · '.join(whole)}\n{times}"

    def _show_error(self, error: Exception) -> None:
        self._bar.hide()
        self._summary.setText("")
        self._go.setEnabled(False)
        for table in (self._kinds, self._left_out):
            table.show_lines(())
        self.notice.show_notice(notice_of(error))
