"""The controls for the model, its device and the index size, and the cost of changing them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QLocale, QObject, Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from app import texts
from app.background import Lane, Latest
from app.widgets.controls import Button, ChoiceBox, ask_for_folder, note
from app.widgets.layouts import SLACK, fill, horizontal, vertical
from core.model_names import BUILT_IN, MULTILINGUAL
from core.progress import Job, Progress, Stage
from core.settings import IndexSize

if TYPE_CHECKING:
    from core.catalog.reports import Status
    from core.encoders.runtimes import Device
    from core.indexing.build.estimates import Cost
    from core.indexing.build.index_settings import Choices, Way
    from core.library.library import Library


class IndexControls(QObject):
    """Shows and measures the effect of a choice; nothing changes before Apply.

    The pages of the settings lay out the boxes, and the dialog the bar, so that a choice on one
    page is applied from any. The device needs no other index, and applies immediately.
    """

    # The person applies these settings; carries a dict.
    chosen = Signal(object)
    # The person keeps the current index.
    current_kept = Signal()
    failed = Signal(object)

    def __init__(self, lane: Lane, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
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
        self.model_note = note()
        self.size_box = ChoiceBox(self.tr("Index size"))
        self.size_box.activated.connect(self._choose_size)
        self.cost = note()
        self.device = ChoiceBox(self.tr("Device for the model"))
        self.device.activated.connect(self._choose_device)
        self.device_note = note(self.tr("Detecting devices…"))
        self.bar = RebuildBar()
        self.bar.apply.clicked.connect(self._apply)
        self.bar.drop.clicked.connect(self._discard)
        self.bar.cancel.clicked.connect(self.current_kept)
        self._loading = Latest(lane, self, self._show, self._refuse)
        self._measuring = Latest(lane, self, self.bar.show_duration, self.failed)
        self._finding_devices = Latest(lane, self, self._show_devices, self.failed)
        self._enable(is_on=False)

    @property
    def is_enabled(self) -> bool:
        """Whether the library is open, and its settings can be chosen."""
        return self.model.isEnabled()

    def _enable(self, *, is_on: bool) -> None:
        for field in (self.model, self.another, self.size_box, self.device):
            field.setEnabled(is_on)

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
        if progress.stage in {Stage.ENCODING, Stage.REPLACING}:
            self.bar.show_progress(progress)

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
        self._enable(is_on=True)
        self._show_model(choices)
        way = choices.configured
        self.size_box.offer([(_priced_text(cost), cost.size) for cost in choices.costs], way.size)
        self.cost.setText(_cost_text(choices, choices.cost(way), self._source_bytes))
        if not self._pending:
            self._set = choices
        is_pending = self._set is None or (
            (choices.settings.model, way) != (self._set.settings.model, self._set.configured)
        )
        self.bar.show_choices(choices, is_pending=is_pending)
        if is_pending and needs_rebuild(choices):
            self._measure(choices)
        else:
            self.leave()
        self._show_device()

    def _show_model(self, choices: Choices) -> None:
        """Offer the built-in models, and the chosen one or that of the library if it is another."""
        items: list[tuple[str, object]] = [(_model_text(name), name) for name in choices.models]
        chosen = _shown_model(choices)
        if chosen not in choices.models:
            items.append((chosen or choices.configured.model, chosen))
        self.model.offer(items, chosen)
        self.model_note.setText(_about_model(chosen))

    def _measure(self, choices: Choices) -> None:
        """Measure how long building the index takes, once per choice."""
        if self._measured != choices.configured and self._library is not None:
            self._measured = choices.configured
            self.bar.show_duration(None)
            self._measuring.start(partial(_encoding_s, self._library, dict(self._pending)))

    def _refuse(self, error: Exception) -> None:
        """Return to a valid choice, and report the error."""
        self.failed.emit(error)
        if self._pending:
            self._discard()

    def _show_devices(self, devices: tuple[Device, ...]) -> None:
        self._devices = devices
        self._show_device()
        self.device_note.setText(self.tr("Takes effect immediately."))

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
        if self._set is not None and self.model.value == _shown_model(self._set):
            # The model in use, which may be the library's without having been chosen.
            self._pending.pop("model", None)
            self._load()
        else:
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
        dialog = ask_for_folder(self._window, self.tr("Choose model folder"))
        dialog.fileSelected.connect(self._set_model)


class RebuildBar(QWidget):
    """What a pending choice takes, with buttons to apply it; then the progress of the new index."""

    def __init__(self) -> None:
        super().__init__()
        self._passages = 0
        self.text = note()
        self.progress = QProgressBar(textVisible=False)
        self.progress.setAccessibleName(self.tr("Progress of the new index"))
        self.apply = QPushButton(self.tr("A&pply"))
        self.apply.setProperty("main", "true")
        self.drop = QPushButton(self.tr("Re&vert"))
        self.cancel = QPushButton(self.tr("Cancel rebuild"))
        self.cancel.setAccessibleDescription(self.tr("Keeps the current index"))
        line = horizontal(spacing=8)
        fill(line, (self.progress, 1), self.apply, self.drop, self.cancel, SLACK)
        fill(vertical(self, margins=(0, 0, 0, 0)), self.text, line)
        self.hide()

    def show_choices(self, choices: Choices, *, is_pending: bool) -> None:
        """Offer to apply a pending choice, or show which index is being built; hide for neither."""
        self._passages = choices.passages
        answering = choices.answering
        is_building = not is_pending and needs_rebuild(choices) and answering is not None
        self.setVisible(is_pending or is_building)
        self.text.setVisible(needs_rebuild(choices))
        self.apply.setVisible(is_pending)
        self.drop.setVisible(is_pending)
        self.progress.setVisible(is_building)
        self.cancel.setVisible(is_building)
        if is_building and answering is not None:
            sentence = self.tr(
                "Building a new index: {0}. Searches use the current one until it is complete: {1}."
            )
            self.text.setText(sentence.format(_way_text(choices.configured), _way_text(answering)))

    def show_duration(self, seconds: float | None) -> None:
        """Show how long a rebuild takes; None while that is measured."""
        self.text.setText(_duration_text(seconds, self._passages))

    def show_progress(self, progress: Progress) -> None:
        self.progress.setRange(0, progress.total)
        self.progress.setValue(progress.done)


def needs_rebuild(choices: Choices) -> bool:
    """Return whether the settings require another index."""
    return choices.is_changing and choices.passages > 0


def _shown_model(choices: Choices) -> str:
    """Return the chosen model, or the library's built-in one; "" for another of the library."""
    chosen, own = choices.settings.model, choices.configured.model
    return own if not chosen and own in choices.models else chosen


def _model_text(name: str) -> str:
    return {BUILT_IN: _tr("English, fast"), MULTILINGUAL: _tr("100 languages")}.get(name, name)


def _about_model(name: str) -> str:
    if name == BUILT_IN:
        return _tr("winnow-mini. Text in other languages is found mainly by its words.")
    if name == MULTILINGUAL:
        return _tr(
            "winnow-mini-multi. Also finds text in another language than the query. Indexing "
            "takes about twice as long."
        )
    return ""


def _encoding_s(library: Library, pending: dict[str, Any], job: Job) -> float:
    return library.choosing.encoding_s(job, **pending)


# Points: smaller losses are noise (docs/measurements/codec.md).
_NOISE = 0.5


def _size_text(size: IndexSize) -> str:
    if size is IndexSize.SMALL:
        return _tr("Little disk space")
    return _tr("Fast searches") if size is IndexSize.FAST else _tr("Exact (for measurements)")


def _way_text(way: Way) -> str:
    if way.size is None:
        return _model_text(way.model)
    return _tr("{0} · {1}").format(_model_text(way.model), _size_text(way.size))


def _priced_text(cost: Cost) -> str:
    name = _size_text(cost.size)
    if cost.size is IndexSize.FAST:
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
    if cost.size is IndexSize.FAST:
        lines.append(_tr("Searches take less time and power than with the small index."))
    elif choices.lacks_room:
        lines.append(_tr("The fast index would take up too much of the free disk space."))
    if cost.points_lost is None:
        lines.append(_tr("Search quality at this size has not been measured."))
    elif cost.points_lost < _NOISE:
        lines.append(_tr("No measurable loss of search quality."))
    else:
        lines.append(_tr("Searches by meaning alone are slightly less accurate."))
    if cost.points_lost is not None and choices.configured.model != "winnow-mini":
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


def _device_text(device: Device) -> str:
    kind_name = device.place.partition(".")[0].partition(":")[0].upper()
    kind = {
        "CPU": _tr("CPU"),
        "GPU": _tr("GPU"),
        "NPU": _tr("NPU"),
        "CUDA": _tr("GPU (CUDA)"),
        "MPS": _tr("GPU (Metal)"),
    }.get(kind_name, device.place)
    runtime = "OpenVINO" if device.runtime == "openvino" else "Torch"
    name = f"{runtime}, {kind}"
    return f"{name} · {device.name}" if device.name else name


def _tr(text: str) -> str:
    return QCoreApplication.translate("settings", text)
