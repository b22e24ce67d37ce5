"""Which model answers in a library, and how another takes its place.

The vectors of the other are made beside those that answer, and staged in the catalog; one
transaction has them answer. Killed before it, the old model answers still, and the next sync goes
on with what is staged.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from core.alignment.keeping import Keeping
from core.catalog import indexes, passages
from core.catalog.catalog import Catalog
from core.catalog.indexes import IndexRow
from core.encoders.checkpoint import BUILT_IN, Checkpoint, load_checkpoint
from core.encoders.tokens import Tokenizer
from core.errors import LibraryError, ModelError, UsageError
from core.index.codebook import check_bits, learn_own
from core.index.codec import UNCOMPRESSED, ResidualCodec
from core.index.edition import (
    Edition,
    codebook_folder,
    codebook_name,
    is_intact,
    lacks_codebook,
    learned_at,
)
from core.index.keeping import keep
from core.indexing.encoding import encode_waiting
from core.indexing.recoding import Arrays, own_cells, recode_answering
from core.progress import Job, Progress, Stage

_log = logging.getLogger(__name__)

ENOUGH_PASSAGES: Final = 2048
"""From so many on a library has lists of its own, and at 1 bit its own codebook is better than the
model's."""
SAMPLE_PASSAGES: Final = 4096
"""From about so many a codebook is learned at most."""
_BITS_OF_OWN: Final = 1
_GROWTH: Final = 4
"""A library's own codebook is learned anew when it has grown so many times over: each passage is
encoded again a third of a time on average, however large the library becomes."""


class Editions:
    """The edition that answers in a library, and the one that its settings ask for."""

    def __init__(
        self,
        home: Path,
        catalog: Catalog,
        bits: int,
        keeping: Keeping | None = None,
        asked: str = "",
        settings: str = "",
    ) -> None:
        """Find the model to work with.

        Args:
            home: the library's folder.
            catalog: its catalog.
            bits: of the codec.
            keeping: what is kept of a passage's vectors; None for what the model is made for.
            asked: a model that is asked for now, and that the library is to remember.
            settings: the model that the person's settings name; it comes second, before the one
                that was asked for earlier, and that before the built-in one.

        Raises:
            ModelError: the model that is asked for, or the built-in one, is missing.
            UsageError: its vectors cannot be kept in so many bits, or in that way.
        """
        self._home = home
        self._catalog = catalog
        self._bits = bits
        self._guard = threading.Lock()
        self._open: dict[str, Edition] = {}
        with catalog.reading() as db:
            known = indexes.making(db) or indexes.live(db)
        remembered = known.source if known is not None and known.is_chosen else ""
        self.is_chosen = bool(asked or (remembered and not settings))
        self.problem = ""
        try:
            self.checkpoint = load_checkpoint(asked or settings or remembered or BUILT_IN)
        except ModelError as error:
            if asked or not (settings or remembered):
                raise
            # Its drive may be unplugged. Documents are still read, and found by words.
            self.problem = str(error)
            self.checkpoint = load_checkpoint(BUILT_IN)
        check_bits(self.checkpoint, bits)
        keeping = keeping or self.checkpoint.keeping
        if self.checkpoint.saliences is None and keeping.way.needs_salience:
            raise UsageError(
                f"The model {self.checkpoint.name} has no saliences, by which {keeping} chooses; "
                "write all, or pooling with a share."
            )
        self.tokenizer = Tokenizer.of(self.checkpoint)
        self._wanted = IndexRow(
            source=self.checkpoint.source,
            name=self.checkpoint.name,
            fingerprint=self.checkpoint.fingerprint,
            bits=bits,
            keeping=str(keeping),
            is_chosen=self.is_chosen,
        )

    # What answers

    def answering(self) -> Edition:
        """The edition whose vectors answer at this moment.

        Raises:
            ModelError: its model is not there any more, or has changed.
        """
        with self._catalog.reading() as db:
            row = indexes.live(db)
        if row is None:
            if self.problem:
                raise ModelError(self.problem)
            row = self._wanted
        return self._edition(row)

    def name(self) -> str:
        """The name of the model that answers, or will once there is something to find."""
        with self._catalog.reading() as db:
            row = indexes.live(db)
        return (row or self._wanted).name

    def coming(self) -> str:
        """The name of the model whose vectors are in the making; "" for none."""
        with self._catalog.reading() as db:
            row = indexes.making(db)
        return row.name if row else ""

    def _edition(self, row: IndexRow) -> Edition:
        """The edition of an index; the same one as long as that index is in the catalog."""
        with self._guard:
            edition = self._open.get(row.codec)
            if edition is None:
                checkpoint = self.checkpoint
                if (row.source, row.fingerprint) != (self._wanted.source, self._wanted.fingerprint):
                    checkpoint = self._remembered(row)
                alike = (one for one in self._open.values() if one.checkpoint == checkpoint)
                edition = Edition(self._home, self._catalog, checkpoint, row, next(alike, None))
                # Those that are not there any more are let go; whoever still searches in one
                # holds it.
                with self._catalog.reading() as db:
                    kept = {one.codec for one in (indexes.live(db), indexes.making(db)) if one}
                others = {codec: one for codec, one in self._open.items() if codec in kept}
                self._open = others | {row.codec: edition}
            return edition

    def _remembered(self, row: IndexRow) -> Checkpoint:
        try:
            checkpoint = load_checkpoint(row.source)
        except ModelError as error:
            raise ModelError(
                f"The model {row.name}, with which this library was indexed, is missing from "
                f"{row.source}; {_UNTIL}."
            ) from error
        if checkpoint.fingerprint != row.fingerprint:
            raise ModelError(
                f"The model {row.name} has changed since this library was indexed with it; "
                f"{_UNTIL}."
            )
        return checkpoint

    @property
    def is_warm(self) -> bool:
        """Whether a model is loaded."""
        return any(edition.loaded_encoder is not None for edition in self._open.values())

    def close(self) -> None:
        """Let go of the mapped files."""
        with self._guard:
            for edition in self._open.values():
                edition.index.close()
            self._open = {}

    # What is to answer

    def clean(self) -> None:
        """Drop segments that are damaged, empty or nobody's, and files that nobody names.

        Call it under the library's lock.
        """
        with self._catalog.transaction() as db:
            indexes.drop_strangers(db)
            rows = [row for row in (indexes.live(db), indexes.making(db)) if row is not None]
        for row in rows or [self._wanted]:
            kept = next((other.codec for other in rows if other.codec != row.codec), "")
            try:
                self._edition(row).index.clean(kept)
            except ModelError as error:
                _log.info("%s is not checked: %s", row.codec, error)
        named = {row.codebook for row in rows}
        folder = codebook_folder(self._home)
        for path in folder.iterdir() if folder.is_dir() else ():
            if path.name not in named:
                path.unlink(missing_ok=True)

    def purge(self) -> bool:
        """Write anew, after `clean`, all segments that hold vectors of passages that are gone.

        Gives False where a model is not there, without which its segments are not opened. Call it
        under the library's lock.
        """
        with self._catalog.reading() as db:
            rows = [row for row in (indexes.live(db), indexes.making(db)) if row is not None]
        try:
            for row in rows:
                self._edition(row).index.purge()
        except ModelError as error:
            _log.info("not all that is gone is purged: %s", error)
            return False
        return True

    def encode(self, job: Job) -> None:
        """Make the vectors that are wanting, and have them answer; under the library's lock.

        Where all are there, and are many, the library then gets lists of its own.

        Raises:
            ModelError: the model cannot be loaded.
            Cancelled: the job was cancelled; what was made stays.
        """
        self._encode(job)
        if self._plan_own_cells(job):
            self._encode(job)

    def _encode(self, job: Job) -> None:
        with self._catalog.reading() as db:
            counted = passages.counts(db)
            live = indexes.live(db)
            making = indexes.making(db)
        if self.problem:
            if counted.waiting:
                raise ModelError(self.problem)
            return
        target = self._known_target(live, making, counted.passages)
        if target is not None and live is not None and target.codec == live.codec:
            if making is not None or live.is_chosen != self.is_chosen:
                self._store(replace(live, is_chosen=self.is_chosen), drops_making=True)
                self.clean()
            if not counted.waiting:
                return
        if not counted.passages:
            if target is not None and (live is None or target.codec != live.codec):
                self._store(target, drops_making=True)
            return
        job.report(Progress(Stage.PREPARING, 0, 0, self.checkpoint.name))
        if target is None:
            target = self._learned_target(counted.passages, job)
        has_vectors = live is not None and counted.tokens > 0
        if live is None or target.codec == live.codec or not has_vectors:
            if live is None or target.codec != live.codec:
                self._store(replace(target, is_live=True), drops_making=True)
            is_staged = False
        else:
            if making is None or making.codec != target.codec:
                self._store(replace(target, is_live=False), drops_making=False)
            is_staged = True
        edition = self._edition(target)
        if is_staged and live is not None and self._takes_more(live, target):
            answering = self._edition(live)
            encode_waiting(self._catalog, answering, job, also=edition)
            recode_answering(self._catalog, answering.index, edition.index, job)
        encode_waiting(self._catalog, edition, job, is_staged=is_staged)
        if is_staged:
            with self._catalog.transaction() as db:
                indexes.go_live(db)
            edition.index.clean()

    def _known_target(
        self, live: IndexRow | None, making: IndexRow | None, count: int
    ) -> IndexRow | None:
        """The index that is asked for; None where its codebook has to be learned first."""
        if self._bits == UNCOMPRESSED:
            return self._wanted
        for row in (making, live):
            if (
                row is not None
                and (row.model, row.bits) == (self._wanted.model, self._bits)
                and is_intact(codebook_folder(self._home) / row.codebook)
                and not (self._wants_own_codebook(count) and _is_outgrown(row.codebook, count))
            ):
                return replace(self._wanted, codebook=row.codebook)
        return None if self._wants_own_codebook(count) else self._wanted

    def _wants_own_codebook(self, count: int) -> bool:
        """Whether a library of so many passages is to learn a codebook of its own.

        The model's is as good at 2 bits and more, and needs no waiting for; at 1 bit a library's
        own is better, once there is enough to learn it from (docs/decisions/0005-codec.md).
        """
        is_better = self._bits == _BITS_OF_OWN and count >= ENOUGH_PASSAGES
        return is_better or lacks_codebook(self.checkpoint)

    def _plan_own_cells(self, job: Job) -> bool:
        """Learn cells of the library's own if it is time, and have an index with them be made."""
        with self._catalog.reading() as db:
            counted = passages.counts(db)
            live = indexes.live(db)
            making = indexes.making(db)
        if live is None or making is not None or live.model != self._wanted.model or self.problem:
            return False
        edition = self._edition(live)
        codec = edition.index.codec
        if (
            not isinstance(codec, ResidualCodec)
            or counted.waiting
            or counted.passages < ENOUGH_PASSAGES
            or not (codec.own_cells is None or _is_outgrown(live.codebook, counted.passages))
        ):
            return False
        job.report(Progress(Stage.PREPARING, 0, 0, self.checkpoint.name))
        codebook = self._written(own_cells(edition, counted.vectors, job), counted.passages)
        self._store(replace(live, codebook=codebook, is_live=False), drops_making=False)
        return True

    def _takes_more(self, live: IndexRow, target: IndexRow) -> bool:
        """Whether new passages are put into the index that answers while `target` is made.

        They are then found at once, and encoded once for both.
        """
        is_alike = replace(live, codebook="").codec == replace(target, codebook="").codec
        is_there = not live.codebook or is_intact(codebook_folder(self._home) / live.codebook)
        return is_alike and is_there

    def _store(self, row: IndexRow, *, drops_making: bool) -> None:
        with self._catalog.transaction() as db:
            if drops_making:
                indexes.drop_making(db)
            indexes.put(db, row)

    def _learned_target(self, count: int, job: Job) -> IndexRow:
        """Learn a codebook from what is kept of a sample of the library's own passages."""
        with self._catalog.reading() as db:
            texts = [(context, text) for _, context, text in passages.sample(db, SAMPLE_PASSAGES)]
        plain = Edition(
            self._home, self._catalog, self.checkpoint, replace(self._wanted, bits=UNCOMPRESSED)
        )
        encoder = plain.index_encoder()
        encoded = encoder.encode_passages(
            encoder.passage_tokens(texts), lambda _done: job.checkpoint()
        )
        has_summary = self.checkpoint.passages.gives_summary
        kept = keep(encoded, plain.keeping, has_summary=has_summary)
        vectors = np.concatenate([one.vectors for one in kept])
        job.checkpoint()
        arrays, report = learn_own(vectors, self._bits)
        _log.info("a codebook of %d centroids: %s", len(arrays["points"]), report)
        return replace(self._wanted, codebook=self._written(dict(arrays), count))

    def _written(self, arrays: Arrays, count: int) -> str:
        """Write a codebook, learned when the library had so many passages; gives its name."""
        from safetensors.numpy import save

        data = save(arrays)
        name = codebook_name(self._wanted.model, data, count)
        path = codebook_folder(self._home) / name
        making = path.with_suffix(".making")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            making.write_bytes(data)
            making.replace(path)
        except OSError as error:
            raise LibraryError(
                f"The library's codebook {path} cannot be written ({error.strerror}); "
                "make room, or check your rights to that folder."
            ) from error
        return name


_UNTIL: Final = "until the next indexing is done, documents are found by their words only"


def _is_outgrown(codebook: str, count: int) -> bool:
    """Whether a library of so many passages has outgrown a codebook of its own.

    >>> _is_outgrown("my-model-0123-1271cf25-3000.safetensors", 11_999)
    False
    >>> _is_outgrown("my-model-0123-1271cf25-3000.safetensors", 12_000)
    True
    """
    return learned_at(codebook) * _GROWTH <= count
