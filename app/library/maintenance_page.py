"""The library page for maintenance: check, repair, rebuild."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QProgressBar, QWidget

from app import texts
from app.translation import translated
from app.widgets.controls import Button, ElidedLabel, Label
from app.widgets.layouts import SPACE, fill, horizontal, vertical
from app.widgets.notices import announce
from core.progress import Progress, Stage

if TYPE_CHECKING:
    from app.background import Task
    from app.session import Session
    from core.catalog.reports import CheckReport, Status


class MaintenancePage(QWidget):
    """Starts maintenance. It never blocks searches, and closing the window loses no work."""

    failed = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._task: Task | None = None
        self._is_rebuilding = False
        self._stopping = False
        self.check = Button(self.tr("&Check index"), lambda: self._check(repairs=False))
        self.repair = Button(self.tr("Re&pair index"), lambda: self._check(repairs=True))
        self.rebuild = Button("", self._rebuild)
        self._pressed = self.check
        self._bar = QProgressBar(textVisible=False)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._what = ElidedLabel(Qt.TextElideMode.ElideMiddle, role="muted")
        self.stop = Button(self.tr("&Stop"), self._stop)
        self.report = Label(wraps=True)
        self.report.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._rebuild_note = _note("")
        self._rebuild_note.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self._lay_out()
        self._show_idle()
        self._show_rebuild()
        session.state_changed.connect(self.show_status)
        session.sync_progressed.connect(self._show_sync)
        session.synced.connect(lambda _: self._end_rebuild())

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setVerticalSpacing(14)
        grid.setHorizontalSpacing(16)
        grid.setColumnStretch(1, 1)
        for row, (button, note) in enumerate(
            (
                (
                    self.check,
                    _note(self.tr("Verifies that all stored data is intact.")),
                ),
                (
                    self.repair,
                    _note(
                        self.tr("Checks the index and restores damaged parts from the stored text.")
                    ),
                ),
                (self.rebuild, self._rebuild_note),
            )
        ):
            button.setAccessibleDescription(note.text())
            grid.addWidget(button, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(note, row, 1, Qt.AlignmentFlag.AlignVCenter)
        line = fill(horizontal(spacing=12), (self._bar, 1), (self._what, 1), self.stop)
        fill(vertical(self, margins=(4, 18, 4, 8), spacing=16), grid, line, self.report, SPACE)

    def show_status(self, status: Status) -> None:
        # Only `_end_rebuild` and `_set_rebuilding` reset it: the status may be older than the end.
        self._is_rebuilding = self._is_rebuilding or status.is_rebuilding
        self._show_rebuild()

    # Check and repair

    def _check(self, *, repairs: bool) -> None:
        task = self._session.change(
            lambda library, job: library.check(repairs=repairs, job=job), ends_pause=False
        )
        if task is None:
            return
        self._task = task
        self._set_report("")
        self._pressed = self.repair if repairs else self.check
        self._show_busy(0, 0, self.tr("Waiting for other tasks to finish…"))
        # Otherwise the next button gets the focus, and the next key would start something else.
        self.stop.setFocus()
        task.progressed.connect(self._show_check)
        task.succeeded.connect(self._show_report)
        task.failed.connect(self.failed)
        task.cancelled.connect(lambda: self._set_report(self.tr("Stopped. No changes were made.")))
        for end in (task.succeeded, task.failed, task.cancelled):
            end.connect(lambda *_: self._end_task())

    def _show_check(self, progress: Progress) -> None:
        repairs = progress.stage is not Stage.CHECKING
        what = self.tr("Repairing damaged parts") if repairs else progress.what
        self._show_busy(progress.done, progress.total, what)

    def _show_report(self, report: CheckReport) -> None:
        compared = self.tr("Checked the catalog and {0} of the index ({1}).").format(
            texts.files(report.files), texts.size(report.size_bytes)
        )
        if not report.problems:
            self._set_report(f"{self.tr('No problems found.')} {compared}")
            return
        if report.is_repaired:
            end = self.tr("The damaged parts were repaired.")
        else:
            end = self.tr(
                "Choose Repair index to fix these problems. If some remain, rebuild the index."
            )
        self._set_report("\n".join([*map(translated, report.problems), "", end]))

    def _end_task(self) -> None:
        had_focus = self.stop.hasFocus() or self._stopping
        self._task = None
        self._stopping = False
        self._show_idle()
        if had_focus:
            self._pressed.setFocus()

    def _stop(self) -> None:
        if self._task is not None:
            self._stopping = self.stop.hasFocus()
            self.stop.setEnabled(False)
            self._task.cancel()

    # Rebuild

    def _rebuild(self) -> None:
        cancels = self._is_rebuilding
        task = self._session.change(
            lambda library, _job: library.keep_as_built() if cancels else library.rebuild()
        )
        if task is None:
            return
        self.rebuild.setEnabled(False)
        self._set_report("")
        task.failed.connect(self.failed)
        task.succeeded.connect(lambda _: self._set_rebuilding(is_rebuilding=not cancels))
        task.failed.connect(lambda _: self._set_rebuilding(is_rebuilding=cancels))
        task.cancelled.connect(lambda: self._set_rebuilding(is_rebuilding=cancels))

    def _set_rebuilding(self, *, is_rebuilding: bool) -> None:
        was, self._is_rebuilding = self._is_rebuilding, is_rebuilding
        if was and not is_rebuilding:
            self._set_report(self.tr("Rebuild cancelled. The current index stays in use."))
        self.rebuild.setEnabled(True)
        self._show_rebuild()
        self._show_idle()

    def _show_rebuild(self) -> None:
        if self._is_rebuilding:
            self.rebuild.setText(self.tr("Cance&l rebuild"))
            self._rebuild_note.setText(
                self.tr(
                    "The index is being rebuilt from your files. Searches use the current index "
                    "until the new one is complete."
                )
            )
        else:
            self.rebuild.setText(self.tr("Rebuil&d index"))
            self._rebuild_note.setText(
                self.tr(
                    "Reads all files again and builds a new index. You can search in the "
                    "meantime. If you quit Winnow, the rebuild continues at the next start."
                )
            )
        self.rebuild.setAccessibleDescription(self._rebuild_note.text())

    def _show_sync(self, progress: Progress) -> None:
        if self._is_rebuilding and self._task is None:
            self._show_busy(progress.done, progress.total, progress.what, can_stop=False)

    def _end_rebuild(self) -> None:
        if self._is_rebuilding and self._task is None:
            self._is_rebuilding = False
            self._set_report(self.tr("The index has been rebuilt."))
            self._show_rebuild()
            self._show_idle()

    # Display

    def _show_busy(self, done: int, total: int, what: str, *, can_stop: bool = True) -> None:
        self._bar.setRange(0, total)
        self._bar.setValue(done)
        self._what.set_text(what)
        self._bar.show()
        self._what.show()
        self.stop.setVisible(can_stop)
        self.stop.setEnabled(can_stop and self._task is not None)
        for button in (self.check, self.repair):
            button.setEnabled(self._task is None)

    def _show_idle(self) -> None:
        for button in (self.check, self.repair):
            button.setEnabled(True)
        for widget in (self._bar, self._what, self.stop):
            widget.hide()

    def _set_report(self, text: str) -> None:
        self.report.setText(text)
        self.report.setAccessibleName(text)
        if text:
            announce(self.report, text)


def _note(text: str) -> Label:
    return Label(text, role="muted", wraps=True)
