"""The generations of a library's index: the live one, and the one for the current settings."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from core.alignment.reduction import TokenReduction
from core.catalog import manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.manifest import GenerationRow, IndexSpec
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.folders.layouts import built_in_models, load_checkpoint
from core.encoders.tokens import Tokenizer
from core.errors import ModelError, UsageError
from core.files.own_files import discard, free_bytes, sweep
from core.index.codebook import check_bits
from core.index.codec import UNCOMPRESSED
from core.index.generation import IndexGeneration, codebook_folder
from core.index.index_writer import IndexWriter
from core.indexing.build.index_sizes import bytes_per_token, has_room, storage_of, token_count
from core.model_names import BUILT_IN
from core.printable import label
from core.settings import IndexSize, Settings

_log = logging.getLogger(__name__)

# Least number of passages for which a library gets its own inverted lists.
_ENOUGH_PASSAGES: Final = 2048


@dataclass(frozen=True, slots=True)
class IndexOverrides:
    """The options of a program that opens a library; settings define the rest.

    Attributes:
        model: a built-in model's name or a model's folder, which the library remembers.
        bits: per dimension.
        keeping: which of a passage's vectors are kept.
    """

    model: str = ""
    bits: int | None = None
    keeping: TokenReduction | None = None


@dataclass(frozen=True, slots=True)
class IndexTarget:
    """The specification of an index to build.

    Attributes:
        checkpoint: the model.
        tokenizer: the model's.
        row: the generation as the catalog stores it, without a codebook of its own.
        device: the model's device, as `core.encoders.runtimes` names it.
        problem: why the chosen model is missing, "" if it is not. The built-in model replaces it
            for reading documents, but does not encode them.
    """

    checkpoint: Checkpoint
    tokenizer: Tokenizer
    row: GenerationRow
    device: str = ""
    problem: str = ""

    @property
    def reduction(self) -> TokenReduction:
        return TokenReduction.parse(self.row.spec.reduction)


def target_of(
    known: GenerationRow | None, overrides: IndexOverrides, settings: Settings
) -> IndexTarget:
    """Return the target index.

    The model is the first specified of: the program's request, the person's settings, the library's
    stored choice, the built-in model. Settings that the model cannot satisfy are ignored: they may
    have been made for another one.

    Args:
        known: the generation being built, or else the live one.
        overrides: by the program.
        settings: the person's.

    Raises:
        ModelError: the requested model, or the built-in one, is missing.
        UsageError: its vectors cannot be stored in that way, or with that number of bits.
    """
    remembered = known.source if known is not None and known.is_chosen else ""
    problem = ""
    try:
        checkpoint = load_checkpoint(overrides.model or settings.model or remembered or BUILT_IN)
    except ModelError as error:
        if overrides.model or not (settings.model or remembered):
            raise
        # Its drive may be unplugged. Documents are still read, and found by words.
        problem = error.message
        checkpoint = load_checkpoint(BUILT_IN)
    keeping, stored_bits = storage_of(checkpoint, settings.index_size)
    bits = overrides.bits or stored_bits
    check_bits(checkpoint, bits)
    if bits == UNCOMPRESSED:
        keeping = replace(keeping, stored=0.0)
    reduction = overrides.keeping or keeping
    if checkpoint.saliences is None and reduction.policy.needs_salience:
        raise UsageError(
            "The model {0} has no salience scores, which {1} requires. Use all, or pooling with "
            "a share.",
            checkpoint.name,
            reduction,
        )
    if reduction.stored and bits == UNCOMPRESSED:
        raise UsageError("{0} requires compressed vectors. Use 1, 2 or 4 bits.", reduction)
    is_chosen = bool(overrides.model or (remembered and not settings.model))
    spec = IndexSpec(checkpoint.name, checkpoint.fingerprint, bits, str(reduction))
    row = GenerationRow(spec, checkpoint.source, is_chosen=is_chosen)
    return IndexTarget(checkpoint, Tokenizer.of(checkpoint), row, settings.device, problem)


def is_large(count: int) -> bool:
    """Return whether this many passages are enough to learn from."""
    return count >= _ENOUGH_PASSAGES


class Generations:
    """The open generations of a library's index, and its target index."""

    def __init__(
        self,
        catalog: Catalog,
        overrides: IndexOverrides,
        settings: Settings,
        model_source: Generations | None = None,
    ) -> None:
        """Find the model to use.

        Args:
            catalog: the library's.
            overrides: the program's.
            settings: the person's.
            model_source: another library, whose loaded models are shared if they are the same.

        Raises:
            ModelError: the requested model, or the built-in one, is missing.
            UsageError: its vectors cannot be stored in that way, or with that number of bits.
        """
        self.home = catalog.path.parent
        self._catalog = catalog
        self._overrides = overrides
        self._model_source = model_source
        self._guard = threading.Lock()
        self._open: dict[tuple[IndexSpec, int], IndexGeneration] = {}
        self._settings = settings
        self.target = self.target_by(settings)

    def target_by(self, settings: Settings) -> IndexTarget:
        """Return the target index for these settings; raises the errors of `__init__`.

        The small index replaces the fast one where that would take up too much of the free space.
        """
        if self._catalog.is_foreign:
            # The models named by a foreign catalog are ignored.
            lent = self._model_source.target if self._model_source is not None else None
            return lent or target_of(None, self._overrides, settings)
        with self._catalog.reading() as db:
            live, building = manifest.live(db), manifest.building(db)
            tokens = token_count(passages.counts(db))
            there_bytes = sum(row.size_bytes for row in manifest.segments(db))
        known = building or live
        target = target_of(known, self._overrides, settings)
        if not target.reduction.stored or self._overrides.keeping is not None:
            return target
        needed_bytes = tokens * bytes_per_token(
            target.checkpoint, target.reduction, target.row.spec.bits
        )
        has_store = known is None or bool(TokenReduction.parse(known.spec.reduction).stored)
        room_bytes = free_bytes(self.home) + there_bytes
        if has_room(needed_bytes, room_bytes, has_store=has_store):
            return target
        return target_of(known, self._overrides, replace(settings, index_size=IndexSize.SMALL))

    def reconsider(self) -> None:
        """Choose the target index again, because documents and free space have changed."""
        self.take(self._settings)

    def take(self, settings: Settings) -> None:
        """Apply settings: to queries at once, to the index with the next sync.

        Raises:
            ModelError: the model cannot be run on the device of the settings; nothing has changed.
        """
        target = self.target_by(settings)
        while True:
            with self._guard:
                opened = self._open.values()
                elsewhere = [each for each in opened if each.device != target.device]
                if not elsewhere:
                    # Under the guard, so that the next generation is opened with these settings.
                    self.target = target
                    self._settings = settings
                    return
            for generation in elsewhere:
                generation.run_on(target.device)

    # The live generation

    def answering(self) -> IndexGeneration:
        """Return the live generation.

        Raises:
            ModelError: its model is missing or has changed.
        """
        with self._catalog.reading() as db:
            row = manifest.live(db)
        if row is None:
            target = self.target
            if target.problem:
                raise ModelError(target.problem)
            row = target.row
        return self.open(row)

    def name(self) -> str:
        """Return the name of the live model, or of the target model if the library is empty."""
        with self._catalog.reading() as db:
            row = manifest.live(db)
        return (row or self.target.row).spec.name

    def building_name(self) -> str:
        """Return the name of the model of the index being built; "" if there is none."""
        with self._catalog.reading() as db:
            row = manifest.building(db)
        return row.spec.name if row else ""

    def open(self, row: GenerationRow) -> IndexGeneration:
        """Open a generation; the same object is returned while the catalog has it.

        Raises:
            ModelError: its model is missing or has changed.
        """
        with self._guard:
            target = self.target
            generation = self._open.get(row.key)
            if generation is None:
                checkpoint = target.checkpoint
                # Found by its files: a library from another machine names another folder.
                if row.spec.fingerprint != target.row.spec.fingerprint:
                    checkpoint = self._known(row) if self._catalog.is_foreign else _remembered(row)
                alike = (each for each in self._open.values() if each.checkpoint == checkpoint)
                generation = IndexGeneration(
                    self.home,
                    self._catalog,
                    checkpoint,
                    row,
                    next(alike, None),
                    target.device,
                )
                self._drop_replaced()
                self._open = self._open | {row.key: generation}
        # On each call: the other library may have loaded its model in the meantime.
        for lent in self._lent():
            if lent.checkpoint == generation.checkpoint:
                generation.borrow_encoder(lent)
        return generation

    def drop_replaced(self) -> bool:
        """Release the models of indexes that the catalog no longer has; return if there were any.

        Searches that use one keep it until they end.
        """
        with self._guard:
            return self._drop_replaced()

    def _drop_replaced(self) -> bool:
        with self._catalog.reading() as db:
            there = {each.key for each in manifest.generations(db)}
        remaining = {key: each for key, each in self._open.items() if key in there}
        has_dropped = len(remaining) < len(self._open)
        self._open = remaining
        return has_dropped

    def opened(self) -> tuple[IndexGeneration, ...]:
        with self._guard:
            return tuple(self._open.values())

    def _known(self, row: GenerationRow) -> Checkpoint:
        """Return the model of a foreign catalog's index, found by its fingerprint.

        Only the models of the lending library and the built-in ones are used.

        Raises:
            ModelError: none of them has this fingerprint.
        """
        for checkpoint in chain((lent.checkpoint for lent in self._lent()), _built_in()):
            if checkpoint.fingerprint == row.spec.fingerprint:
                return checkpoint
        raise ModelError(
            "The model {0}, which this library was indexed with, is not available; its documents "
            "can be searched by words only. To search by meaning, set the model's folder in your "
            "settings.",
            label(str(row.spec.name)),
        )

    def _lent(self) -> tuple[IndexGeneration, ...]:
        return self._model_source.opened() if self._model_source is not None else ()

    def close(self) -> None:
        """Close the mapped files."""
        with self._guard:
            for generation in self._open.values():
                generation.segments.close()
            self._open = {}

    # Cleaning

    def clean(self) -> None:
        """Drop segments that are damaged, empty or unreferenced, and unreferenced files.

        Call it under the library's lock.
        """
        with self._catalog.transaction() as db:
            manifest.drop_unnamed_segments(db)
            rows = manifest.generations(db)
        for row in rows or [self.target.row]:
            other_codec = next((other.codec for other in rows if other.key != row.key), "")
            try:
                IndexWriter(self.open(row).segments).clean(other_codec)
            except ModelError as error:
                _log.info("Skipped checking %s: %s", row.codec, error)
        named = {row.spec.codebook for row in rows}
        folder = codebook_folder(self.home)
        for parent in (self.home, folder):
            sweep(parent)
        for path in folder.iterdir() if folder.is_dir() else ():
            if path.name not in named and path.is_file():
                discard(path)

    def purge(self) -> bool:
        """After `clean`, rewrite all segments with vectors of removed passages.

        Return False if a model is missing that its segments need. Call it under the library's lock.
        """
        with self._catalog.reading() as db:
            rows = manifest.generations(db)
        try:
            for row in rows:
                IndexWriter(self.open(row).segments).purge()
        except ModelError as error:
            _log.info("Could not purge everything that was removed: %s", error)
            return False
        return True


def _built_in() -> Iterator[Checkpoint]:
    """Yield the built-in models whose packages are installed."""
    for name in built_in_models():
        try:
            yield load_checkpoint(name)
        except ModelError as error:
            _log.info("%s", error)


def _remembered(row: GenerationRow) -> Checkpoint:
    """Load the model that a library was indexed with."""
    spec = row.spec
    try:
        checkpoint = load_checkpoint(row.source)
    except ModelError as error:
        raise ModelError(
            "The model {0}, which this library was indexed with, is missing from {1}. Until the "
            "next indexing run finishes, documents can be searched by words only.",
            spec.name,
            row.source,
        ) from error
    if checkpoint.fingerprint != spec.fingerprint:
        raise ModelError(
            "The model {0} has changed since this library was indexed. Until the next indexing "
            "run finishes, documents can be searched by words only.",
            spec.name,
        )
    return checkpoint
