"""Executors: where documents are read and passages encoded.

The syncing process determines which files are due, and stores and publishes the results. An
executor does the work in between; the one in this module does it sequentially in this process.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, Self

from core.alignment.reduction import TokenReduction
from core.catalog.document_queries import KnownDocument
from core.encoders.encoder import Encoder
from core.index.codec import Codec
from core.index.generation import IndexGeneration
from core.index.index_writer import CompressedBatch, compress
from core.index.reduction import encode_reduced
from core.indexing.read.file_reading import FileAnswer, FileReader, ReadingContext

# Most passages without vectors while documents that had some are read again.
KEEP_UP_PASSAGES: Final = 512


@dataclass(frozen=True, slots=True)
class TextBatch:
    """Passages that are encoded and published together, each a context and a text."""

    passage_ids: tuple[int, ...]
    texts: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, rows: Sequence[tuple[int, str, str]]) -> Self:
        """Return a batch of passages given as (id, context, text)."""
        return cls(
            tuple(passage_id for passage_id, *_ in rows),
            tuple((context, text) for _, context, text in rows),
        )

    def __len__(self) -> int:
        return len(self.passage_ids)


class Executor(Protocol):
    """Reads documents and encodes passages; used by one thread at a time."""

    @property
    def keep_up_passages(self) -> int:
        """Passages that are read before those without vectors may be encoded in between."""

    def read(
        self, documents: Sequence[KnownDocument], context: ReadingContext
    ) -> Generator[tuple[KnownDocument, FileAnswer | None]]:
        """Read documents that are files; yield each with its result, in any order.

        The result is None if the file may not be read at the moment.

        Raises:
            Cancelled: the person cancelled.
            WinnowError: nothing can be read.
        """

    def encode(
        self,
        generation: IndexGeneration,
        codecs: Sequence[Codec],
        batches: Iterable[TextBatch],
        report: Callable[[int], None],
    ) -> Generator[tuple[CompressedBatch, ...]]:
        """Encode batches of passages; yield each compressed by each codec, in any order.

        Args:
            generation: the model, and which of a passage's vectors are kept.
            codecs: compress the kept vectors.
            batches: consumed no faster than results are.
            report: called regularly with the number of encoded passages of the current batch;
                raises to stop.

        Raises:
            ModelError: the model cannot be loaded.
        """

    def rest(self) -> None:
        """Release caches, because no batches are due for now."""


def encode_batch(
    encoder: Encoder,
    batch: TextBatch,
    reduction: TokenReduction,
    codecs: Sequence[Codec],
    report: Callable[[int], None],
) -> tuple[CompressedBatch, ...]:
    """Encode one batch, and return it compressed by each codec."""
    reduced = encode_reduced(encoder, batch.texts, reduction, report)
    vectors = list(zip(batch.passage_ids, reduced, strict=True))
    return tuple(compress(codec, vectors) for codec in codecs)


class LocalExecutor:
    """Reads and encodes sequentially in this process."""

    @property
    def keep_up_passages(self) -> int:
        return KEEP_UP_PASSAGES

    def read(
        self, documents: Sequence[KnownDocument], context: ReadingContext
    ) -> Generator[tuple[KnownDocument, FileAnswer | None]]:
        files = FileReader(context)
        for index, known in enumerate(documents):
            context.report(known.path)
            files.read_ahead(documents, index)
            yield known, files.read(known)

    def encode(
        self,
        generation: IndexGeneration,
        codecs: Sequence[Codec],
        batches: Iterable[TextBatch],
        report: Callable[[int], None],
    ) -> Generator[tuple[CompressedBatch, ...]]:
        encoder = generation.index_encoder()
        for batch in batches:
            yield encode_batch(encoder, batch, generation.reduction, codecs, report)

    def rest(self) -> None:
        """Do nothing: nothing is cached."""
