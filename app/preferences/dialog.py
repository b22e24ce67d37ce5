"""The settings: manners in the background, text recognition, the model, looks and tray."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.background import Lane, Latest
from app.errors import NoticeBar, notice_of
from app.preferences.desktop import DesktopSettings
from core.manners import Manners
from core.settings import Settings, change_settings, load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from app.looks import Looks
    from core.progress import Job

_NOTE_WIDTH: Final = 460


@dataclass(frozen=True, slots=True)
class Choices:
    """What is set, and what there is to choose from."""

    settings: Settings
    models: tuple[str, ...]
    recognises: bool


class SettingsDialog(QDialog):
    """Each choice is written as it is made."""

    changed = Signal()
    """Something was written."""

    def __init__(self, lane: Lane, path: Path, looks: Looks, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings"))
        self._lane = lane
        self._path = path
        self.desktop = DesktopSettings(looks)
        self.desktop.tray_chosen.connect(lambda is_on: self._keep(tray=is_on))
        self.desktop.staying_chosen.connect(lambda is_on: self._keep(close_to_tray=is_on))
        self.notice = NoticeBar()
        self._manners = _box()
        for manners, name in (
            (Manners.GENTLE, self.tr("Slower on battery and while other programs are busy")),
            (Manners.SAVING, self.tr("Not at all on battery")),
            (Manners.FULL, self.tr("As fast as it can")),
        ):
            self._manners.addItem(name, manners)
        self._manners.activated.connect(self._keep_manners)
        self._ocr = QCheckBox(self.tr("Read the text of pictures and of scanned pages"))
        self._ocr.clicked.connect(lambda is_on: self._keep(ocr=is_on))
        self._ocr_note = _note()
        self._model = _box()
        self._model.activated.connect(self._keep_model)
        choose = QPushButton(self.tr("Another model…"))
        choose.clicked.connect(self._ask_for_model)
        note = _note(
            self.tr(
                "Another model holds from the next start: it prepares all documents anew, and the "
                "present one answers until then. A model’s folder may be one of Winnow’s own "
                "training, of ColBERT, PyLate or XTR, or a plain BERT."
            )
        )
        close = QDialogButtonBox()
        close.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        close.rejected.connect(self.reject)
        form = QFormLayout()
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.tr("In the &background:"), self._manners)
        form.addRow(self.tr("Text recognition:"), self._ocr)
        form.addRow("", self._ocr_note)
        form.addRow(self.tr("&Model:"), self._model)
        form.addRow("", choose)
        form.addRow("", note)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 18)
        layout.setSpacing(14)
        layout.addWidget(self.notice)
        layout.addLayout(form)
        layout.addWidget(self.desktop)
        layout.addStretch(1)
        layout.addWidget(close)
        self._looking = Latest(lane, self)
        self._looking.succeeded.connect(self._show)
        self._looking.failed.connect(self._show_error)

    def open_anew(self) -> None:
        """Show what is set at this moment, which the command line may have changed."""
        self._looking.start(partial(_choices, self._path))
        self.show()
        self.raise_()
        self.activateWindow()

    def _show(self, choices: Choices) -> None:
        settings = choices.settings
        self.desktop.show_settings(settings)
        self._manners.setCurrentIndex(self._manners.findData(settings.manners))
        self._ocr.setChecked(settings.ocr and choices.recognises)
        self._ocr.setEnabled(choices.recognises)
        self._ocr_note.setText(
            self.tr("It holds from the next start. What was recognised is kept.")
            if choices.recognises
            else self.tr("It is not installed; install it with: pip install 'winnow[ocr]'")
        )
        self._model.clear()
        self._model.addItem(self.tr("The library’s own"), "")
        for name in choices.models:
            self._model.addItem(name, name)
        if self._model.findData(settings.model) < 0:
            self._model.addItem(settings.model, settings.model)
        self._model.setCurrentIndex(self._model.findData(settings.model))

    def _keep_manners(self) -> None:
        self._keep(manners=self._manners.currentData())

    def _keep_model(self) -> None:
        self._keep(model=self._model.currentData())

    def _ask_for_model(self) -> None:
        dialog = QFileDialog(self, self.tr("A model’s folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._take_model)
        dialog.open()

    def _take_model(self, folder: str) -> None:
        """Use the model in a folder, if there is one."""
        task = self._lane.start(partial(_check_model, folder))
        task.succeeded.connect(lambda _: self._keep(model=folder))
        task.failed.connect(self._show_error)

    def _keep(self, **changes: object) -> None:
        self.notice.clear()
        task = self._lane.start(lambda _job: change_settings(self._path, **changes))
        task.failed.connect(self._show_error)
        task.succeeded.connect(lambda _: self.changed.emit())
        task.succeeded.connect(lambda _: self._looking.start(partial(_choices, self._path)))

    def _show_error(self, error: Exception) -> None:
        self.notice.show_notice(notice_of(error))


def _box() -> QComboBox:
    box = QComboBox()
    box.setMinimumHeight(2 * box.fontMetrics().height())
    return box


def _note(text: str = "") -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    label.setProperty("role", "muted")
    label.setMinimumWidth(_NOTE_WIDTH)
    return label


def _choices(path: Path, _job: Job) -> Choices:
    # Not before the window shows: these load numpy.
    from core.documents.pages.recognition import is_installed
    from core.encoders.checkpoint import built_in_models

    return Choices(load_settings(path).settings, tuple(built_in_models()), is_installed())


def _check_model(folder: str, _job: Job) -> None:
    """Load what tells of a model, so that a folder without one is refused.

    Raises:
        ModelError: there is none that Winnow knows.
    """
    from core.encoders.checkpoint import load_checkpoint

    load_checkpoint(folder)
