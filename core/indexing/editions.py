"""Which model answers in a library, and how another takes its place.

The vectors of the other are made beside those that answer, and staged in the catalog; one
transaction has them answer. Killed before it, the old model answers still, and the next sync goes
on with what is staged.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.atomic_write import discard, sweep
from core.catalog import manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.manifest import IndexRow
from core.encoders.checkpoint import Checkpoint
from core.encoders.layouts import load_checkpoint
from core.encoders.tokens import Tokenizer
from core.errors import ModelError
from core.index.codec import UNCOMPRESSED, ResidualCodec
from core.index.edition import Edition, codebook_folder, is_intact
from core.indexing import encoding
from core.indexing.encoding import encode_waiting, is_outgrown, learn_lists, recode_answering
from core.indexing.wanted import Asked, Wanted, is_large, want, wants_own_codebook
from core.progress import Job, Progress, Stage
from core.settings import Settings

_log = logging.getLogger(__name__)

_UNTIL: Final = "until the next indexing is done, documents are found by their words only"


class Editions:
    """The edition that answers in a library, and the one that its settings ask for."""

    def __init__(self, home: Path, catalog: Catalog, asked: Asked, settings: Settings) -> None:
        """Find the model to work with.

        Args:
            home: the library's folder.
            catalog: its catalog.
            asked: what the program asks of the index.
            settings: what the person does.

        Raises:
            ModelError: the model that is asked for, or the built-in one, is missing.
            UsageError: its vectors cannot be kept in so many bits, or in that way.
        """
        self._home = home
        self._catalog = catalog
        self._asked = asked
        self._guard = threading.Lock()
        self._open: dict[str, Edition] = {}
        self._wanted = self.wanted_by(settings)

    @property
    def checkpoint(self) -> Checkpoint:
        """The model that is asked for."""
        return self._wanted.checkpoint

    @property
    def tokenizer(self) -> Tokenizer:
        """Of the model that is asked for."""
        return self._wanted.tokenizer

    @property
    def wanted(self) -> Wanted:
        """What is asked for."""
        return self._wanted

    def wanted_by(self, settings: Settings) -> Wanted:
        """What would be asked for under these settings; raises what making an `Editions` does."""
        with self._catalog.reading() as db:
            known = manifest.making(db) or manifest.live(db)
        return want(known, self._asked, settings)

    def take(self, settings: Settings) -> None:
        """Have these settings hold from now on: for queries at once, for the index when it is next
        brought in step.

        Raises:
            ModelError: the model cannot be run on the device of the settings; nothing has changed.
        """
        wanted = self.wanted_by(settings)
        while True:
            with self._guard:
                opened = self._open.values()
                elsewhere = [one for one in opened if one.device != wanted.device]
                if not elsewhere:
                    # Under the guard: the next edition is opened as these settings say.
                    self._wanted = wanted
                    return
            for edition in elsewhere:
                edition.run_on(wanted.device)

    # What answers

    def answering(self) -> Edition:
        """The edition whose vectors answer at this moment.

        Raises:
            ModelError: its model is not there any more, or has changed.
        """
        with self._catalog.reading() as db:
            row = manifest.live(db)
        if row is None:
            wanted = self._wanted
            if wanted.problem:
                raise ModelError(wanted.problem)
            row = wanted.row
        return self._edition(row)

    def name(self) -> str:
        """The name of the model that answers, or will once there is something to find."""
        with self._catalog.reading() as db:
            row = manifest.live(db)
        return (row or self._wanted.row).name

    def coming(self) -> str:
        """The name of the model whose vectors are in the making; "" for none."""
        with self._catalog.reading() as db:
            row = manifest.making(db)
        return row.name if row else ""

    def _edition(self, row: IndexRow) -> Edition:
        """The edition of an index; the same one as long as that index is in the catalog."""
        with self._guard:
            wanted = self._wanted
            edition = self._open.get(row.codec)
            if edition is None:
                checkpoint = wanted.checkpoint
                if (row.source, row.fingerprint) != (wanted.row.source, wanted.row.fingerprint):
                    checkpoint = self._remembered(row)
                alike = (one for one in self._open.values() if one.checkpoint == checkpoint)
                before = next(alike, None)
                edition = Edition(self._home, self._catalog, checkpoint, row, before, wanted.device)
                # Those that are not there any more are let go; whoever still searches in one
                # holds it.
                with self._catalog.reading() as db:
                    kept = {one.codec for one in (manifest.live(db), manifest.making(db)) if one}
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
            manifest.drop_strangers(db)
            rows = [row for row in (manifest.live(db), manifest.making(db)) if row is not None]
        for row in rows or [self._wanted.row]:
            kept = next((other.codec for other in rows if other.codec != row.codec), "")
            try:
                self._edition(row).index.clean(kept)
            except ModelError as error:
                _log.info("%s is not checked: %s", row.codec, error)
        named = {row.codebook for row in rows}
        folder = codebook_folder(self._home)
        for place in (self._home, folder):
            sweep(place)
        for path in folder.iterdir() if folder.is_dir() else ():
            if path.name not in named and path.is_file():
                discard(path)

    def purge(self) -> bool:
        """Write anew, after `clean`, all segments that hold vectors of passages that are gone.

        Gives False where a model is not there, without which its segments are not opened. Call it
        under the library's lock.
        """
        with self._catalog.reading() as db:
            rows = [row for row in (manifest.live(db), manifest.making(db)) if row is not None]
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
        count = self._encode(job)
        if self._plan_library_lists(count, job):
            self._encode(job)

    def _encode(self, job: Job) -> int:
        """Make the vectors; gives how many passages there are."""
        wanted = self._wanted
        with self._catalog.reading() as db:
            counted = passages.counts(db)
            live = manifest.live(db)
            making = manifest.making(db)
        if wanted.problem:
            if counted.waiting:
                raise ModelError(wanted.problem)
            return counted.passages
        target = self._known_target(wanted, live, making, counted.passages)
        if target is not None and live is not None and target.codec == live.codec:
            is_chosen = wanted.row.is_chosen
            if making is not None or live.is_chosen != is_chosen:
                self._store(replace(live, is_chosen=is_chosen), drops_making=True)
                self.clean()
            if not counted.waiting:
                return counted.passages
        if not counted.passages:
            if target is not None and (live is None or target.codec != live.codec):
                self._store(target, drops_making=True)
            return 0
        job.report(Progress(Stage.PREPARING, 0, 0, wanted.checkpoint.name))
        if target is None:
            row = replace(wanted.row, turn=_turn(live, making))
            learned = encoding.learn_codebook(self._home, self._catalog, wanted, row, job)
            codebook = encoding.write_codebook(self._home, row.model, learned, counted.passages)
            target = replace(row, codebook=codebook)
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
            if live.turn == target.turn:
                recode_answering(self._catalog, answering.index, edition.index, job)
        encode_waiting(self._catalog, edition, job, is_staged=is_staged)
        if is_staged:
            with self._catalog.transaction() as db:
                manifest.go_live(db)
            edition.index.clean()
        return counted.passages

    def keep_up(self, job: Job) -> None:
        """Make the vectors that are wanting in the index that answers; under the library's lock.

        Raises:
            Cancelled: the job was cancelled; what was made stays.
        """
        try:
            encode_waiting(self._catalog, self.answering(), job)
        except ModelError as error:
            _log.info("not encoded for the index that answers: %s", error)

    def begin_turn(self, db: sqlite3.Connection) -> None:
        """Have the next `encode` make all vectors again, beside those that answer.

        What was in the making is given up. Call it in a transaction, under the library's lock.
        """
        live = manifest.live(db)
        if live is not None:
            row = replace(self._wanted.row, turn=live.turn + 1, is_live=False)
            manifest.put(db, row)

    def end_turn(self) -> None:
        """Give up what is in the making; what answers stays. Call it under the library's lock."""
        with self._catalog.transaction() as db:
            manifest.drop_making(db)
        self.clean()

    def _known_target(
        self, wanted: Wanted, live: IndexRow | None, making: IndexRow | None, count: int
    ) -> IndexRow | None:
        """The index that is asked for; None where its codebook has to be learned first."""
        asked = replace(wanted.row, turn=_turn(live, making))
        if asked.bits == UNCOMPRESSED:
            return asked
        needs_own = wants_own_codebook(wanted.checkpoint, asked.bits, count)
        # Made again from the files, a library learns its codebook again, too.
        for row in (making, live if live is None or live.turn == asked.turn else None):
            if (
                row is not None
                and (row.model, row.bits) == (asked.model, asked.bits)
                and is_intact(codebook_folder(self._home) / row.codebook)
                and not (needs_own and is_outgrown(row.codebook, count))
            ):
                return replace(asked, codebook=row.codebook)
        return None if needs_own else asked

    def _plan_library_lists(self, count: int, job: Job) -> bool:
        """Learn lists of the library's own if it is time, and have an index with them be made.

        Args:
            count: how many passages there are.
            job: its progress.
        """
        with self._catalog.reading() as db:
            live, making = manifest.live(db), manifest.making(db)
        wanted = self._wanted
        if not is_large(count) or live is None or making is not None or wanted.problem:
            return False
        if (live.model, live.bits) != (wanted.row.model, wanted.row.bits):
            return False
        edition = self._edition(live)
        codec = edition.index.codec
        if not isinstance(codec, ResidualCodec):
            return False
        if codec.library_lists is not None and not is_outgrown(live.codebook, count):
            return False
        # Looks at every passage: not at each sync, but when lists are to be learned.
        with self._catalog.reading() as db:
            counted = passages.counts(db)
        if counted.waiting:
            return False
        job.report(Progress(Stage.PREPARING, 0, 0, live.name))
        lists = learn_lists(edition, counted.vectors, job)
        codebook = encoding.write_codebook(self._home, live.model, lists, count)
        self._store(replace(live, codebook=codebook, is_live=False), drops_making=False)
        return True

    def _takes_more(self, live: IndexRow, target: IndexRow) -> bool:
        """Whether new passages are put into the index that answers while `target` is made.

        They are then found at once, and encoded once for both.
        """
        alike = {replace(row, codebook="", turn=0).codec for row in (live, target)}
        is_there = not live.codebook or is_intact(codebook_folder(self._home) / live.codebook)
        return len(alike) == 1 and is_there

    def _store(self, row: IndexRow, *, drops_making: bool) -> None:
        with self._catalog.transaction() as db:
            if drops_making:
                manifest.drop_making(db)
            manifest.put(db, row)


def _turn(live: IndexRow | None, making: IndexRow | None) -> int:
    """How often all was made again, with the time that is under way."""
    return max((row.turn for row in (live, making) if row is not None), default=0)
