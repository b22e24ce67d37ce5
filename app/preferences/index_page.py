"""The settings page on the model, its device, and the size of the index."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QLocale, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.background import Lane, Latest
from app.widgets.controls import Button, ChoiceBox, Label, ask_for_folder, form, note
from core.progress import Stage
from core.settings import IndexSize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.catalog.reports import Status
    from core.encoders.runtimes import Device
    from core.indexing.estimates import Cost
    from core.indexing.index_settings import Choices, Way
    from core.library.library import Library
    from core.progress import Job, Progress


class IndexPage(QWidget):
    """Shows and measures the effect of a choice; nothing changes before Apply.

    The device needs no other index, and applies immediately.
    """

    # The person applies these settings; carries a dict.
    chosen = Signal(object)
    # The person keeps the current index.
    current_kept = Signal()
    failed = Signal(object)

    def __init__(self, lane: Lane, parent: QWidget) -> None:
        super().__init__(parent)
        self._library: Library | None = None
        self._choices: Choices | None = None
        self._set: Choices | None = None
        self._measured: Way | None = None
        self._devices: tuple[Device, ...] = ()
        self._pending: dict[str, Any] = {}
        self._source_bytes = 0
        self.model = ChoiceBox(self.tr("Search model"))
        self.model.activated.connect(self._choose_model)
        self.another = Button(self.tr("&Another model…"), self._ask_for_model)
        self.size_box = ChoiceBox(self.tr("Index size"))
        self.size_box.activated.connect(self._choose_size)
        self.device = ChoiceBox(self.tr("Device for the model"))
        self.device.activated.connect(self._choose_device)
        self._device_note = note(self.tr("Detecting devices…"))
        self.cost = note()
        self.time = note()
        self.apply = Button(self.tr("A&pply"), self._apply, "main")
        self.drop = Button(self.tr("Re&vert"), self._discard)
        self._lay_out()
        self._loading = Latest(lane, self, self._show, self._refuse)
        self._measuring = Latest(lane, self, self._show_duration, self.failed)
        self._finding_devices = Latest(lane, self, self._show_devices, self.failed)
        self.setEnabled(False)

    def _lay_out(self) -> None:
        lines = form(self)
        _add_row(lines, self.tr("&Model:"), self.model, self.another)
        lines.addRow(
            "",
            note(
                self.tr(
                    "winnow-mini is for English. winnow-mini-multi supports about a hundred "
                    "languages and takes about twice as long. You can also choose the folder of a "
                    "model trained with Winnow, ColBERT, PyLate, XTR or mXTR, or of a plain BERT "
                    "model."
                )
            ),
        )
        lines.addRow(self.tr("Index &size:"), self.size_box)
        lines.addRow("", self.cost)
        lines.addRow("", self.time)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.apply)
        buttons.addWidget(self.drop)
        buttons.addStretch(1)
        lines.addRow("", buttons)
        self.coming = _RebuildStatus(self)
        self.coming.back.clicked.connect(self.current_kept)
        lines.addRow("", self.coming)
        lines.addRow(self.tr("De&vice:"), self.device)
        lines.addRow("", self._device_note)
        # As one reads: the layout's order is that of the fields, not of the buttons.
        for before, after in (
            (self.model, self.another),
            (self.another, self.size_box),
            (self.size_box, self.apply),
            (self.apply, self.drop),
            (self.drop, self.coming.back),
            (self.coming.back, self.device),
        ):
            QWidget.setTabOrder(before, after)

    def use(self, library: Library) -> None:
        self._library = library

    def reload(self) -> None:
        """Show the current settings and the choices."""
        self._pending = {}
        self._load()
        if self._library is not None and not self._devices:
            library = self._library
            self._finding_devices.start(lambda _job: library.choosing.devices())

    def leave(self) -> None:
        """Stop measuring, because the page is closed."""
        self._measured = None
        self._measuring.drop()

    def show_status(self, status: Status) -> None:
        self._source_bytes = sum(folder.size_bytes for folder in status.folders)

    def show_progress(self, progress: Progress) -> None:
        """Show the progress of a new index."""
        if progress.stage is Stage.ENCODING:
            self.coming.show_progress(progress)

    def refresh(self) -> None:
        """Show the current settings, but keep the choices that are not applied yet."""
        if self._choices is not None:
            self._load()

    # Loading

    def _load(self) -> None:
        if self._library is not None:
            choosing, pending = self._library.choosing, dict(self._pending)
            self._loading.start(lambda _job: choosing.choices(**pending))

    def _show(self, choices: Choices) -> None:
        self._choices = choices
        self.setEnabled(True)
        chosen_way = choices.asked
        models = choices.models
        _offer_models(self.model, self.tr("Model of this library"), models, choices.settings.model)
        self.size_box.offer(
            [(_priced_text(cost), cost.size) for cost in choices.costs], chosen_way.size
        )
        self.cost.setText(_cost_text(choices, choices.cost(chosen_way), self._source_bytes))
        if not self._pending:
            self._set = choices
        is_pending = self._set is None or (
            (choices.settings.model, chosen_way) != (self._set.settings.model, self._set.asked)
        )
        self.apply.setVisible(is_pending)
        self.drop.setVisible(is_pending)
        needs_rebuild = choices.is_changing and choices.passages > 0
        self.time.setVisible(is_pending and needs_rebuild)
        self.coming.show_ways(choices if needs_rebuild and not is_pending else None)
        if is_pending and needs_rebuild:
            self._measure(choices)
        else:
            self.leave()
        self._show_device()

    def _measure(self, choices: Choices) -> None:
        """Measure how long building the index takes, once per choice."""
        if self._measured != choices.asked and self._library is not None:
            self._measured = choices.asked
            self.time.setText(_duration_text(None, choices.passages))
            self._measuring.start(partial(_encoding_s, self._library, dict(self._pending)))

    def _show_duration(self, seconds: float) -> None:
        if self._choices is not None:
            self.time.setText(_duration_text(seconds, self._choices.passages))

    def _refuse(self, error: Exception) -> None:
        """Return to a valid choice, and report the error."""
        self.failed.emit(error)
        if self._pending:
            self._discard()

    def _show_devices(self, devices: tuple[Device, ...]) -> None:
        self._devices = devices
        self._show_device()
        self._device_note.setText(self.tr("Takes effect immediately."))

    def _show_device(self) -> None:
        if not self._devices or self._set is None:
            return
        items: list[tuple[str, object]] = [(self.tr("Automatic (fastest)"), "")]
        items += [(_device_text(device), device.key) for device in self._devices]
        chosen = self._set.settings.device
        if chosen not in {data for _, data in items}:
            items.append((self.tr("{0} (not found)").format(chosen), chosen))
        self.device.offer(items, chosen)

    # Choices of the person

    def _choose_model(self) -> None:
        self._set_model(self.model.value)

    def _set_model(self, model: str) -> None:
        self._change(model=model)

    def _choose_size(self) -> None:
        self._change(index_size=self.size_box.value)

    def _change(self, **pending: Any) -> None:
        self._pending |= pending
        self._load()

    def _apply(self) -> None:
        self.chosen.emit(dict(self._pending))
        self._pending = {}

    def _discard(self) -> None:
        self._pending = {}
        self._load()

    def _choose_device(self) -> None:
        self.chosen.emit({"device": self.device.value})

    def _ask_for_model(self) -> None:
        dialog = ask_for_folder(self, self.tr("Choose model folder"))
        dialog.fileSelected.connect(self._set_model)


class _RebuildStatus(QWidget):
    """Shows which index is being built and its progress, with a button to cancel it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = note()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the new index"))
        self.back = QPushButton(self.tr("Cancel re&build"))
        self.back.setAccessibleDescription(self.tr("Keeps the current index"))
        line = QHBoxLayout()
        line.addWidget(self.bar, 1)
        line.addWidget(self.back)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.text)
        layout.addLayout(line)
        self.hide()

    def show_ways(self, choices: Choices | None) -> None:
        """Show the new and the current index; hide if no index is being built."""
        self.setVisible(choices is not None)
        if choices is not None and choices.answering is not None:
            sentence = self.tr(
                "Building a new index: {0}. Searches use the current one until it is complete: {1}."
            )
            coming: Way = choices.asked
            self.text.setText(sentence.format(_way_text(coming), _way_text(choices.answering)))

    def show_progress(self, progress: Progress) -> None:
        self.bar.setRange(0, progress.total)
        self.bar.setValue(progress.done)


def _add_row(lines: QFormLayout, text: str, box: ChoiceBox, button: Button) -> None:
    """Add a row of a box and a button for other choices."""
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addWidget(box, 1)
    row.addWidget(button)
    label = Label(text)
    label.setBuddy(box)
    lines.addRow(label, row)


def _offer_models(box: ChoiceBox, without: str, names: Iterable[str], chosen: str) -> None:
    """Offer the library's own model (`without`), models by name, and the chosen folder."""
    items: list[tuple[str, object]] = [(without, ""), *((name, name) for name in names)]
    if chosen not in {data for _, data in items}:
        items.append((chosen, chosen))
    box.offer(items, chosen)


def _encoding_s(library: Library, pending: dict[str, Any], job: Job) -> float:
    return library.choosing.encoding_s(job, **pending)


# Points: smaller losses are noise (docs/measurements/codec.md).
_NOISE = 0.5


def _size_text(size: IndexSize) -> str:
    if size is IndexSize.SMALL:
        return _tr("Compact")
    return _tr("Balanced") if size is IndexSize.BALANCED else _tr("Exact (for measurements)")


def _way_text(way: Way) -> str:
    if way.size is None:
        return way.model
    return _tr("{0}, {1}").format(way.model, _size_text(way.size))


def _priced_text(cost: Cost) -> str:
    name = _size_text(cost.size)
    if cost.size is IndexSize.SMALL:
        name = _tr("{0} (recommended)").format(name)
    return f"{name} · {texts.size(cost.index_bytes)}" if cost.index_bytes else name


def _cost_text(choices: Choices, cost: Cost | None, source_bytes: int) -> str:
    if cost is None:
        return ""
    lines = []
    if cost.index_bytes:
        each = QLocale().toString(cost.bytes_per_token, "f", 1)
        size = texts.size(cost.index_bytes)
        if source_bytes:
            sentence = _tr("The index takes up about {0} ({1} bytes per token) for {2} of files.")
            lines.append(sentence.format(size, each, texts.size(source_bytes)))
        else:
            lines.append(
                _tr("The index takes up about {0} ({1} bytes per token).").format(size, each)
            )
    if cost.points_lost is None:
        lines.append(_tr("Search quality at this size has not been measured."))
    elif cost.points_lost < _NOISE:
        lines.append(_tr("No measurable loss of search quality."))
    if choices.asked.model != "winnow-mini":
        lines.append(_tr("Measured with winnow-mini; the loss may be greater with other models."))
    return " ".join(lines)


def _duration_text(seconds: float | None, passages: int) -> str:
    """Say how long rebuilding the index takes; `seconds` is None during the measurement."""
    if seconds is None:
        return _tr("Estimating the time…")
    sentence = _tr(
        "Re-encoding {0} in the background takes {1}. Searches use the current index until the "
        "new one is complete."
    )
    return sentence.format(texts.passages(passages), texts.duration(seconds))


def _device_text(one: Device) -> str:
    place = one.place.partition(".")[0].partition(":")[0].upper()
    kind = {
        "CPU": _tr("CPU"),
        "GPU": _tr("GPU"),
        "NPU": _tr("NPU"),
        "CUDA": _tr("GPU (CUDA)"),
        "MPS": _tr("GPU (Metal)"),
    }.get(place, one.place)
    runtime = "OpenVINO" if one.runtime == "openvino" else "Torch"
    name = f"{runtime}, {kind}"
    return f"{name} · {one.name}" if one.name else name


def _tr(text: str) -> str:
    return QCoreApplication.translate("settings", text)
