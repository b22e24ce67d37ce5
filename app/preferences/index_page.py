"""The page of the settings on the model, what it runs on, and how its vectors are kept."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.background import Lane, Latest
from app.preferences import wording
from app.widgets.fields import Choice, form, note
from app.widgets.labels import Label
from core.progress import Stage

if TYPE_CHECKING:
    from app.engine import Engine
    from core.catalog.reports import Status
    from core.encoders.devices import Device
    from core.indexing.choosing import Choices, Way
    from core.progress import Job, Progress


class IndexPage(QWidget):
    """What would be is looked up and measured as the person chooses; nothing is done before Apply.

    What the model runs on needs no other index, and holds as soon as it is chosen.
    """

    chosen = Signal(object)
    """The person wants these settings, a dict, to hold."""
    taken_back = Signal()
    """The person wants to stay with the index that answers."""
    failed = Signal(object)

    def __init__(self, lane: Lane, parent: QWidget) -> None:
        super().__init__(parent)
        self._engine: Engine | None = None
        self._choices: Choices | None = None
        self._set: Choices | None = None
        self._measured: Way | None = None
        self._devices: tuple[Device, ...] = ()
        self._wishes: dict[str, Any] = {}
        self._source_bytes = 0
        self.model = Choice(self.tr("What makes vectors of texts"))
        self.model.activated.connect(self._wish_model)
        self.another = QPushButton(self.tr("&Another model…"))
        self.another.clicked.connect(self._ask_for_model)
        self.bits = Choice(self.tr("How finely each vector is stored"))
        self.bits.activated.connect(self._wish_bits)
        self.share = Choice(self.tr("How many vectors of each passage are stored"))
        self.share.activated.connect(self._wish_share)
        self.device = Choice(self.tr("The runtime and the device that run the model"))
        self.device.activated.connect(self._choose_device)
        self._device_note = note(self.tr("Looking what there is…"))
        self.cost = note()
        self.time = note()
        self.apply = QPushButton(self.tr("A&pply"))
        self.apply.setProperty("main", "true")
        self.apply.clicked.connect(self._apply)
        self.drop = QPushButton(self.tr("&Leave it as it is"))
        self.drop.clicked.connect(self._drop)
        self._lay_out()
        self._looking = Latest(lane, self)
        self._looking.succeeded.connect(self._show)
        self._looking.failed.connect(self._refuse)
        self._measuring = Latest(lane, self)
        self._measuring.succeeded.connect(self._show_time)
        self._measuring.failed.connect(self.failed)
        self._finding = Latest(lane, self)
        self._finding.succeeded.connect(self._show_devices)
        self._finding.failed.connect(self.failed)
        self.setEnabled(False)

    def _lay_out(self) -> None:
        lines = form(self)
        model = QHBoxLayout()
        model.setSpacing(8)
        model.addWidget(self.model, 1)
        model.addWidget(self.another)
        model_label = Label(self.tr("&Model:"))
        model_label.setBuddy(self.model)
        lines.addRow(model_label, model)
        lines.addRow(
            "",
            note(
                self.tr(
                    "A model’s folder may be one of Winnow’s own training, of ColBERT, PyLate or "
                    "XTR, or a plain BERT."
                )
            ),
        )
        lines.addRow(self.tr("&Stored in:"), self.bits)
        lines.addRow(self.tr("&Kept:"), self.share)
        lines.addRow("", self.cost)
        lines.addRow("", self.time)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.apply)
        buttons.addWidget(self.drop)
        buttons.addStretch(1)
        lines.addRow("", buttons)
        self.coming = _Coming(self)
        self.coming.back.clicked.connect(self.taken_back)
        lines.addRow("", self.coming)
        lines.addRow(self.tr("&Runs on:"), self.device)
        lines.addRow("", self._device_note)
        # As one reads: the layout's order is that of the fields, not of the buttons.
        for before, after in (
            (self.model, self.another),
            (self.another, self.bits),
            (self.bits, self.share),
            (self.share, self.apply),
            (self.apply, self.drop),
            (self.drop, self.coming.back),
            (self.coming.back, self.device),
        ):
            QWidget.setTabOrder(before, after)

    def use(self, engine: Engine) -> None:
        self._engine = engine

    def open_anew(self) -> None:
        """Show what is set at this moment, and what there is to choose from."""
        self._wishes = {}
        self._look()
        if self._engine is not None and not self._devices:
            engine = self._engine
            self._finding.start(lambda _job: engine.choosing.devices())

    def leave(self) -> None:
        """Stop measuring: nobody looks at it any more."""
        self._measured = None
        self._measuring.drop()

    def show_status(self, status: Status) -> None:
        self._source_bytes = sum(folder.size_bytes for folder in status.folders)

    def show_progress(self, progress: Progress) -> None:
        """Show how far an index in the making has come."""
        if progress.stage is Stage.ENCODING:
            self.coming.show_progress(progress)

    def refresh(self) -> None:
        """Ask again what is set, leaving what the person is choosing."""
        if self._choices is not None:
            self._look()

    # What is looked up

    def _look(self) -> None:
        if self._engine is not None:
            choosing, wishes = self._engine.choosing, dict(self._wishes)
            self._looking.start(lambda _job: choosing.choices(**wishes))

    def _show(self, choices: Choices) -> None:
        self._choices = choices
        self.setEnabled(True)
        models: list[tuple[str, object]] = [(self.tr("The library’s own"), "")]
        models += [(name, name) for name in choices.models]
        if choices.settings.model not in {data for _, data in models}:
            models.append((choices.settings.model, choices.settings.model))
        self.model.offer(models, choices.settings.model)
        asked, best = choices.asked, choices.best
        self.bits.offer(
            [
                (
                    wording.priced(wording.bits(one.bits), one, is_best=one.bits == best.bits),
                    one.bits,
                )
                for one in choices.costs
                if one.share == asked.share
            ],
            asked.bits,
        )
        self.share.offer(
            [
                (
                    wording.priced(wording.share(one.share), one, is_best=one.share == best.share),
                    one.share,
                )
                for one in choices.costs
                if one.bits == asked.bits
            ],
            asked.share,
        )
        self.cost.setText(wording.expected(choices, choices.cost(asked), self._source_bytes))
        if not self._wishes:
            self._set = choices
        is_wish = self._set is None or (
            (choices.settings.model, asked) != (self._set.settings.model, self._set.asked)
        )
        self.apply.setVisible(is_wish)
        self.drop.setVisible(is_wish)
        needs_making = choices.is_changing and choices.passages > 0
        self.time.setVisible(is_wish and needs_making)
        self.coming.show_ways(choices if needs_making and not is_wish else None)
        if is_wish and needs_making:
            self._measure(choices)
        else:
            self.leave()
        self._show_device()

    def _measure(self, choices: Choices) -> None:
        """Measure how long it takes, once for each thing that is wished for."""
        if self._measured != choices.asked and self._engine is not None:
            self._measured = choices.asked
            self.time.setText(wording.duration(None, choices.passages))
            self._measuring.start(partial(_encoding_s, self._engine, dict(self._wishes)))

    def _show_time(self, seconds: float) -> None:
        if self._choices is not None:
            self.time.setText(wording.duration(seconds, self._choices.passages))

    def _refuse(self, error: Exception) -> None:
        """Go back to what can be had, and say why."""
        self.failed.emit(error)
        if self._wishes:
            self._drop()

    def _show_devices(self, devices: tuple[Device, ...]) -> None:
        self._devices = devices
        self._show_device()
        self._device_note.setText(
            self.tr("What was found on this machine. Another one holds at once.")
        )

    def _show_device(self) -> None:
        if not self._devices or self._set is None:
            return
        items: list[tuple[str, object]] = [(self.tr("The fastest there is"), "")]
        items += [(wording.device(one), one.key) for one in self._devices]
        chosen = self._set.settings.device
        if chosen not in {data for _, data in items}:
            items.append((self.tr("{0}, which is not there").format(chosen), chosen))
        self.device.offer(items, chosen)

    # What the person does

    def _wish_model(self) -> None:
        self._wish_other(self.model.currentData())

    def _wish_other(self, model: str) -> None:
        # What was chosen for one model may be a poor choice for another.
        self._wish(model=model, bits=0, share=0.0)

    def _wish_bits(self) -> None:
        bits = self.bits.currentData()
        self._wish(bits=0 if bits == self._best().bits else bits)

    def _wish_share(self) -> None:
        share = self.share.currentData()
        self._wish(share=0.0 if share == self._best().share else share)

    def _best(self) -> Way:
        assert self._choices is not None
        return self._choices.best

    def _wish(self, **wishes: Any) -> None:
        self._wishes |= wishes
        self._look()

    def _apply(self) -> None:
        self.chosen.emit(dict(self._wishes))
        self._wishes = {}

    def _drop(self) -> None:
        self._wishes = {}
        self._look()

    def _choose_device(self) -> None:
        self.chosen.emit({"device": self.device.currentData()})

    def _ask_for_model(self) -> None:
        dialog = QFileDialog(self, self.tr("A model’s folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._wish_other)
        dialog.open()


class _Coming(QWidget):
    """Which index is being made, how far it is, and a way back while it is not done."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = note()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("How far the new index is"))
        self.back = QPushButton(self.tr("Go &back"))
        self.back.setAccessibleDescription(self.tr("Stays with the index that answers"))
        line = QHBoxLayout()
        line.addWidget(self.bar, 1)
        line.addWidget(self.back)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.text)
        layout.addLayout(line)
        self.hide()

    def show_ways(self, choices: Choices | None) -> None:
        """Show what is coming and what answers until then; nothing where nothing is coming."""
        self.setVisible(choices is not None)
        if choices is not None and choices.answering is not None:
            sentence = self.tr("In the making: {0}. Until it is done there answers: {1}.")
            coming: Way = choices.asked
            self.text.setText(sentence.format(wording.way(coming), wording.way(choices.answering)))

    def show_progress(self, progress: Progress) -> None:
        self.bar.setRange(0, progress.total)
        self.bar.setValue(progress.done)


def _encoding_s(engine: Engine, wishes: dict[str, Any], job: Job) -> float:
    return engine.choosing.encoding_s(job, **wishes)
