"""The settings that determine a library's index: options, costs, and applying them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.catalog import manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.manifest import GenerationRow
from core.documents.pages import recognition
from core.encoders import runtimes
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.folders.layouts import built_in_models, load_checkpoint
from core.encoders.runtimes import Device, open_runtime
from core.errors import ModelError, UsageError
from core.indexing.build.estimates import Cost, costs, encoding_s
from core.indexing.build.generations import Generations, IndexTarget
from core.indexing.build.index_sizes import sizes_of
from core.indexing.build.speed import tokens_per_s
from core.model_names import BUILT_IN
from core.progress import Job
from core.settings import IndexSize, Settings, change_settings, chosen


@dataclass(frozen=True, slots=True)
class Way:
    """The model's name and the size of an index.

    The size is None if a program set the bits or the reduction itself.
    """

    model: str
    size: IndexSize | None


@dataclass(frozen=True, slots=True)
class Choices:
    """The current settings, the options, and their costs.

    Attributes:
        settings: the settings in question.
        models: the built-in models' names.
        recognises: whether text recognition is installed.
        configured: the model and size for `settings`.
        costs: of the sizes that the model distinguishes.
        answering: the model and size of the live index; None if there is none.
        is_changing: whether the live index differs from the one that `settings` require.
        passages: number of passages to encode.
    """

    settings: Settings
    models: tuple[str, ...]
    recognises: bool
    configured: Way
    costs: tuple[Cost, ...]
    answering: Way | None
    is_changing: bool
    passages: int

    def cost(self, way: Way) -> Cost | None:
        """Return the cost of a size; None if it is not offered."""
        return next((cost for cost in self.costs if cost.size == way.size), None)

    @property
    def lacks_room(self) -> bool:
        """Whether the small index replaces the chosen one, for want of free space."""
        wants_fast = self.settings.index_size is IndexSize.FAST
        is_offered = any(cost.size is IndexSize.FAST for cost in self.costs)
        return wants_fast and is_offered and self.configured.size is IndexSize.SMALL

    @property
    def usual_encoding_s(self) -> float:
        """Seconds that encoding takes at the speed that was last measured here."""
        cost = self.cost(self.configured)
        if cost is None or not cost.bytes_per_token:
            return 0.0
        tokens = cost.index_bytes / cost.bytes_per_token
        return tokens / tokens_per_s(self.configured.model)


def index_part(settings: Settings) -> tuple[str, IndexSize, str]:
    """Return the settings that affect the index."""
    return settings.model, settings.index_size, settings.device


class Choosing:
    """Reads and changes the settings of one library.

    Args:
        path: of the settings.
        catalog: the library's.
        generations: its current and target index.
        take: applies the settings in the file.
    """

    def __init__(
        self, path: Path, catalog: Catalog, generations: Generations, take: Callable[[], None]
    ) -> None:
        self._path = path
        self._catalog = catalog
        self._generations = generations
        self._take = take

    def choices(self, **changes: Any) -> Choices:
        """Return the state after changes to settings; without changes, the current state.

        Raises:
            ModelError: the model of the changes is missing or unsupported.
        """
        settings = replace(chosen(self._path), **changes)
        target = self._target(settings, is_strict="model" in changes)
        with self._catalog.reading() as db:
            live = manifest.live(db)
            count = passages.count(db)
        answering = None
        if live is not None:
            is_same_model = live.source == target.row.source
            answering = _way(live, target.checkpoint) if is_same_model else _known_way(live)
        return Choices(
            settings=settings,
            models=tuple(built_in_models()),
            recognises=recognition.is_installed(),
            configured=_way(target.row, target.checkpoint),
            costs=costs(self._catalog, live, target.checkpoint),
            answering=answering,
            is_changing=live is not None and live.with_codebook("").spec != target.row.spec,
            passages=count,
        )

    def devices(self) -> tuple[Device, ...]:
        """Return the available devices for the model; takes seconds if torch is installed."""
        return runtimes.devices()

    def encoding_s(self, job: Job | None = None, **changes: Any) -> float:
        """Return the seconds that encoding everything takes under these settings, measured now.

        Raises:
            ModelError: the model cannot be loaded.
            Cancelled: the job was cancelled.
        """
        target = self._target(replace(chosen(self._path), **changes), is_strict=True)
        return encoding_s(self._catalog, target, job or Job())

    def choose(self, **changes: Any) -> None:
        """Write and apply settings.

        After a change of the model or size, the next sync builds a new index while the current one
        stays in use; until it is complete, the change can be undone.

        Raises:
            ModelError: a model is missing, or cannot be run on the device; nothing was written.
            UsageError: the device does not exist; nothing was written.
            SettingsError: the settings cannot be written.
        """
        settings = replace(chosen(self._path), **changes)
        if {"model", "index_size", "device"} & changes.keys():
            target = self._target(settings, is_strict="model" in changes)
            if changes.get("device"):
                # Report an error now, rather than during a sync at night.
                open_runtime(target.checkpoint, threads=1, device=settings.device)
        change_settings(self._path, **changes)
        self._take()

    def take_back(self) -> None:
        """Reset the settings to those of the live index, while another is being built.

        Raises:
            ModelError: the model of the live index is missing.
            UsageError: the live index has none of the available sizes.
            SettingsError: the settings cannot be written.
        """
        with self._catalog.reading() as db:
            live, building = manifest.live(db), manifest.building(db)
        if live is None:
            return
        # Without a name, the library would keep the model that a command had requested.
        is_named = live.source != BUILT_IN or (building is not None and building.is_chosen)
        try:
            checkpoint = load_checkpoint(live.source)
        except ModelError as error:
            raise ModelError("This cannot be undone. {0}", error) from error
        size = _size_of(live, checkpoint)
        if size is None:
            raise UsageError(
                "This cannot be undone: the size of the current index is not one of the choices "
                "in the settings."
            )
        self.choose(model=live.source if is_named else "", index_size=size)

    def _target(self, settings: Settings, *, is_strict: bool = False) -> IndexTarget:
        target = self._generations.target_by(settings)
        if is_strict and target.problem:
            raise ModelError(target.problem)
        return target


def _way(row: GenerationRow, checkpoint: Checkpoint) -> Way:
    return Way(row.spec.name, _size_of(row, checkpoint))


def _known_way(row: GenerationRow) -> Way:
    """Return the model and size of an index; without the size if the model is missing."""
    try:
        return _way(row, load_checkpoint(row.source))
    except ModelError:
        return Way(row.spec.name, None)


def _size_of(row: GenerationRow, checkpoint: Checkpoint) -> IndexSize | None:
    """Return the size setting that an index matches, or None."""
    for size, (keeping, bits) in sizes_of(checkpoint).items():
        if (str(keeping), bits) == (row.spec.reduction, row.spec.bits):
            return size
    return None
