"""The strips at the bottom of the window: progress of a sync, and counts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QProgressBar, QSizePolicy, QWidget

from app import texts
from app.text_size import set_font_factor
from app.widgets.controls import Button, ElidedLabel, Label
from app.widgets.layouts import fill, horizontal
from core.progress import Progress, Stage
from core.throttle import Reason

if TYPE_CHECKING:
    from app.search.rows import Answer
    from core.catalog.reports import Status


class ProgressStrip(QFrame):
    """One line at the bottom of the window while a sync is running or paused."""

    cancelled = Signal()
    resumed = Signal()
    shown = Signal(bool)
    """The strip has been shown (True) or hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("progressStrip")
        self._files = ""
        self.is_running = False
        self._had_focus = False
        self._stage = Label()
        self._figures = ElidedLabel(Qt.TextElideMode.ElideRight, role="muted")
        self._figures.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._what = ElidedLabel(Qt.TextElideMode.ElideMiddle, role="faint")
        self._bar = QProgressBar(textVisible=False)
        self._bar.setFixedSize(150, 4)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._button = Button("", self._press, "quiet")
        self._line = horizontal(self, spacing=14)
        fill(self._line, self._stage, self._bar, self._figures, (self._what, 1), self._button)
        self.set_margins(20, 12)
        self.hide()

    def set_margins(self, left: int, right: int) -> None:
        """Set the space at both ends of the line, in pixels."""
        self._line.setContentsMargins(left, 5 if left else 0, right, 5 if left else 0)

    @property
    def text(self) -> str:
        """The text of the strip in one line."""
        return f"{self._stage.text()} {self._figures.whole}".strip()

    def copy(self, other: ProgressStrip) -> None:
        """Show the same as another strip."""
        self.is_running = other.is_running
        self._files = other._files
        self._set_texts(other._stage.text(), other._figures.whole)
        self._what.set_text(other._what.whole)
        self._bar.setRange(other._bar.minimum(), other._bar.maximum())
        self._bar.setValue(other._bar.value())
        self._bar.setVisible(not other._bar.isHidden())
        self._button.setText(other._button.text())
        self._button.setEnabled(other._button.isEnabled())
        self.setVisible(not other.isHidden())

    def start(self) -> None:
        """Prepare for a sync. The strip appears with the first progress: most syncs do nothing."""
        self.is_running = True
        self._files = ""
        self._set_texts(self._stage_text(Stage.SCANNING), "")
        self._button.setText(self.tr("Pause"))
        self._enable()

    def show_progress(self, progress: Progress) -> None:
        if not self.is_running or not self._button.isEnabled():
            return
        self._stage.setText(self._stage_text(progress.stage))
        self._figures.set_text(self._figures_text(progress))
        self._what.set_text(texts.shown_path(Path(progress.what)) if progress.what else "")
        self._bar.setRange(0, progress.total)
        self._bar.setValue(progress.done)
        self._bar.show()
        self.show()

    def show_stopped(self) -> None:
        """Show that the sync was paused, with a button to continue."""
        self.is_running = False
        self._set_texts(self.tr("Paused"), self.tr("You can search what has been read so far."))
        self._bar.hide()
        self._button.setText(self.tr("Resume"))
        self.show()
        self._enable()

    def end(self) -> None:
        self.is_running = False
        self.hide()

    def _enable(self) -> None:
        """Enable the button, and return the focus to it if it had it."""
        self._button.setEnabled(True)
        if self._had_focus:
            self._had_focus = False
            self._button.setFocus()

    def _press(self) -> None:
        if self.is_running:
            self._had_focus = self._button.hasFocus()
            self._button.setEnabled(False)
            self._set_texts(self.tr("Pausing…"), "")
            self.cancelled.emit()
        else:
            # The strip stays visible, so its button keeps the focus.
            self.start()
            self.resumed.emit()

    def _set_texts(self, stage: str, about: str) -> None:
        self._stage.setText(stage)
        self._figures.set_text(about)
        self._what.set_text("")

    def _stage_text(self, stage: Stage) -> str:
        return {
            Stage.UPDATING: self.tr(
                "Building the word index of this version; searches use the old one meanwhile"
            ),
            Stage.SCANNING: self.tr("Scanning folders"),
            Stage.READING: self.tr("Reading documents"),
            Stage.PREPARING: self.tr("Preparing"),
            Stage.ENCODING: self.tr("Learning the meaning of your documents"),
            Stage.REPLACING: self.tr(
                "Building a new index; searches use the old one until it is complete"
            ),
        }[stage]

    def _slow_text(self, reason: Reason) -> str:
        return {
            Reason.BATTERY: self.tr("running slowly on battery"),
            Reason.BUSY: self.tr("running slowly while your computer is busy"),
            Reason.NO_POWER: self.tr("paused until plugged in"),
        }[reason]

    def _figures_text(self, progress: Progress) -> str:
        parts: list[str] = []
        if progress.stage is Stage.SCANNING:
            parts.append(texts.files(progress.done))
        elif progress.stage is Stage.READING:
            self._files = self.tr("{0} of {1}").format(
                texts.grouped(progress.done), texts.files(progress.total)
            )
            parts.append(self._files)
            parts.append(texts.passages(progress.passages))
        else:
            if self._files:
                parts.append(self._files)
            if progress.total:
                parts.append(
                    self.tr("{0} of {1}").format(
                        texts.grouped(progress.done), texts.passages(progress.total)
                    )
                )
        if progress.left_s is not None and progress.slow is not Reason.NO_POWER:
            parts.append(texts.time_left(progress.left_s))
        if progress.slow is not None:
            parts.append(self._slow_text(progress.slow))
        return " · ".join(parts)

    # Qt's names

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.shown.emit(not self.isHidden())


class StatusLine(QFrame):
    """Figures of the results and of the library in small type.

    After a sync also how many files are without text or unreadable, until the person has seen them.
    """

    # The person wants to see the files without text, or those that are unreadable.
    news_wanted = Signal()
    # The person wants to see which folders are missing.
    folders_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("statusLine")
        self.answer = Label()
        self.library = ElidedLabel(Qt.TextElideMode.ElideRight, is_trailing=True)
        self._news = Button("", self.news_wanted, "quiet")
        self._missing = Button("", self.folders_wanted, "quiet")
        for widget in (self.answer, self.library, self._missing, self._news):
            set_font_factor(widget, 0.88)
        self._is_syncing = False
        self._is_warm = False
        self._is_loading = True
        self._status: Status | None = None
        self._layout = layout = horizontal(self, margins=(20, 5, 20, 6))
        fill(layout, self.answer, (self.library, 1))
        for button in (self._missing, self._news):
            layout.addWidget(button)
            button.hide()

    def add_progress(self, progress: ProgressStrip) -> None:
        """Add the progress of syncs, which takes the place of the library's figures."""
        progress.setProperty("inner", "true")
        for widget in progress.findChildren(QWidget):
            # In the text size of the line.
            set_font_factor(widget, 0.88)
        progress.set_margins(0, 0)
        self._layout.addWidget(progress, 2)
        progress.shown.connect(self._make_room)

    def _make_room(self, is_syncing: bool) -> None:
        self._is_syncing = is_syncing
        self.library.setVisible(not is_syncing)
        self._show_news()

    @property
    def news_text(self) -> str:
        """What the button says; "" if it is hidden."""
        return "" if self._news.isHidden() else self._news.text()

    def show_answer(self, answer: Answer) -> None:
        """Show the number of results, or of close matches if there are others."""
        count = texts.documents(len(answer.documents))
        if answer.likely < len(answer.documents):
            count = texts.close_matches(answer.likely)
        self.answer.setText(f"{count} · {self._took_text(answer.results.took_ms)}")

    def _took_text(self, took_ms: float) -> str:
        if took_ms < 1000:
            return self.tr("{0} ms").format(texts.grouped(max(1, round(took_ms))))
        return self.tr("{0} s").format(texts.figure(took_ms / 1000, 1))

    def clear_answer(self) -> None:
        self.answer.setText("")

    def show_status(self, status: Status) -> None:
        self._status = status
        self._show_library()
        self._show_missing([folder.path for folder in status.folders if not folder.is_there])
        self._show_news()

    @property
    def missing_text(self) -> str:
        """What is said about missing folders; "" if none is missing."""
        return "" if self._missing.isHidden() else self._missing.text()

    def _show_missing(self, folders: list[Path]) -> None:
        if len(folders) == 1:
            self._missing.setText(self.tr("Folder missing: {0}").format(texts.name_of(folders[0])))
        else:
            self._missing.setText(
                self.tr("{0} folders missing").format(texts.grouped(len(folders)))
            )
        paths = "\n".join(map(texts.shown_path, folders))
        self._missing.setToolTip(texts.hint(paths))
        self._missing.setVisible(bool(folders))

    def _show_news(self) -> None:
        status = self._status
        has_news = status is not None and status.has_news and not self._is_syncing
        self._news.setVisible(has_news)
        if status is not None and has_news:
            parts = []
            if count := status.files.without_text:
                parts.append(self.tr("{0} without text").format(texts.files(count)))
            if count := status.files.unreadable:
                parts.append(self.tr("{0} unreadable").format(texts.files(count)))
            self._news.setText(" · ".join(parts) + "…")

    def show_model(self, *, is_warm: bool, is_coming: bool) -> None:
        """Show whether the model for search by meaning is loaded."""
        self._is_warm = is_warm
        self._is_loading = is_coming
        self._show_library()

    def _show_library(self) -> None:
        parts: list[str] = []
        if not self._is_warm:
            parts.append(
                self.tr("Loading search by meaning…")
                if self._is_loading
                else self.tr("Searching by words only")
            )
        if self._status is not None and self._status.folders:
            parts.append(texts.documents(self._status.documents))
            parts.append(texts.passages(self._status.passages))
            if self._status.waiting:
                waiting = texts.grouped(self._status.waiting)
                parts.append(self.tr("{0} not yet searchable by meaning").format(waiting))
        self.library.set_text(" · ".join(parts))
