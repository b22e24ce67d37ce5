"""Code that runs on the machines of a cluster: encoders that stay loaded, and readers of files.

It has no access to the library: it receives texts, or paths and buckets visible to every machine,
and returns results for the one process that stores them.
"""

from __future__ import annotations

import atexit
import functools
import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import core
from core.alignment.reduction import TokenReduction
from core.catalog.document_queries import KnownDocument
from core.cluster.containers import ContainerPart, ContainerReading, PageRecorder
from core.documents.pages import recognition
from core.documents.pages.recognised import RecognisedPage
from core.documents.reader import SCRATCH, Reader
from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.tokens import Tokenizer
from core.errors import ClusterError
from core.files import paths
from core.files.locations import Location
from core.index.codec import Codec
from core.index.generation import open_encoder
from core.index.index_writer import CompressedBatch
from core.indexing.read import file_reading
from core.indexing.read.executor import TextBatch, encode_batch
from core.indexing.scan.ignore_rules import RealFile
from core.progress import Job


@dataclass(frozen=True, slots=True)
class ModelReference:
    """A model by a name that is valid on every machine: built in, or in a shared folder."""

    source: str
    fingerprint: str
    name: str

    @classmethod
    def of(cls, checkpoint: Checkpoint) -> ModelReference:
        return cls(checkpoint.source, checkpoint.fingerprint, checkpoint.name)

    def load(self) -> Checkpoint:
        """Load the model from this machine's disk.

        Raises:
            ModelError: it is missing.
            ClusterError: it is a different one.
        """
        checkpoint = load_checkpoint(self.source)
        if checkpoint.fingerprint != self.fingerprint:
            raise ClusterError(
                "The model {1} on the machine {0} differs from the one on this machine. Put the "
                "same files at the same path on all machines.",
                platform.node(),
                self.name,
            )
        return checkpoint


@dataclass(frozen=True, slots=True)
class EncoderTask:
    """Parameters of encoding: the reduction of vectors, and the codecs."""

    reduction: TokenReduction
    codecs: tuple[Codec, ...]


class EncoderWorker:
    """Keeps a model loaded, and encodes batches.

    Args:
        model: loaded with the first batch.
        device: the model's device, as `core.encoders.runtimes` names it.
        threads: of the processor.
    """

    def __init__(self, model: ModelReference, device: str, threads: int) -> None:
        self._model = model
        self._device = device
        self._threads = threads
        self._encoder: Encoder | None = None

    def load(self) -> None:
        """Load the model, so that the first batch does not wait for it."""
        self._loaded()

    def encode(self, batch: TextBatch, task: EncoderTask) -> tuple[CompressedBatch, ...]:
        """Encode a batch; return it compressed by each of the task's codecs."""
        encoder = self._loaded()
        return encode_batch(encoder, batch, task.reduction, task.codecs, lambda _done: None)

    def _loaded(self) -> Encoder:
        if self._encoder is None:
            checkpoint = self._model.load()
            tokenizer = Tokenizer.of(checkpoint)
            self._encoder = open_encoder(checkpoint, tokenizer, self._device, self._threads)
        return self._encoder


@dataclass(frozen=True, slots=True)
class SharedFile:
    """A document to read, and its file without links, at a path visible to all machines."""

    known: KnownDocument
    file: Path


@dataclass(frozen=True, slots=True)
class ReadingTask:
    """Parameters of reading: the tokenizer's model, and whether to recognise text in images."""

    model: ModelReference
    ocr: bool


@dataclass(frozen=True, slots=True)
class ShareAnswer:
    """The results of a share's files, in order, and the machine that read them."""

    host: str
    answers: tuple[file_reading.FileAnswer | None, ...]


@dataclass(frozen=True, slots=True)
class _RecordedPages:
    """Recognised pages of the files in progress, by content; they are not stored here."""

    pages: dict[str, dict[int, RecognisedPage]] = field(default_factory=dict)

    def of(self, content_hash: str) -> PageRecorder:
        return PageRecorder(self.pages.setdefault(content_hash, {}))


def read_share(files: Sequence[SharedFile], task: ReadingTask) -> ShareAnswer:
    """Read some files, each in a sandbox.

    Raises:
        WinnowError: nothing can be read on this machine.
    """
    shared_files = {shared.known.id: shared.file for shared in files}
    for path in shared_files.values():
        if not Location.of(path).can_be_read():
            raise ClusterError(
                "The machine {0} cannot read {1}. On that machine, run: pip install "
                "'winnow-search[buckets]'.",
                platform.node(),
                path,
            )
    checkpoint = task.model.load()
    recorded = _RecordedPages()

    def real(known: KnownDocument) -> RealFile:
        return RealFile.at(shared_files[known.id], known.stamp)

    reader = file_reading.FileReader(
        file_reading.ReadingContext(
            reader=_reader(task.ocr),
            checkpoint=checkpoint,
            count_tokens=Tokenizer.of(checkpoint).count,
            job=Job(),
            real=real,
            report=lambda _path: None,
            pages=recorded.of,
            known_members=lambda _known: frozenset(),
        )
    )
    documents = [shared.known for shared in files]
    answers: list[file_reading.FileAnswer | None] = []
    for index, known in enumerate(documents):
        reader.read_ahead(documents, index)
        answer = reader.read(known)
        if isinstance(answer, file_reading.FileText):
            # The inode number is local: for a shared file, other machines have different ones.
            recognised = tuple(sorted(recorded.pages.pop(answer.content_hash, {}).items()))
            answer = replace(answer, identity=None, recognised=recognised)
        answers.append(answer)
    return ShareAnswer(platform.node(), tuple(answers))


def read_container(
    shared: SharedFile, task: ReadingTask, known: frozenset[str]
) -> Iterator[ContainerPart]:
    """Read a container and all its members in a sandbox; yield it part by part.

    Args:
        shared: the container.
        task: parameters of reading.
        known: hashes of contents that need not be read again.

    Raises:
        WinnowError: nothing can be read on this machine.
    """
    (answer,) = read_share([shared], task).answers
    yield ContainerPart(platform.node(), answer)
    if not isinstance(answer, file_reading.FileText) or answer.is_known:
        return
    reading = ContainerReading(
        reader=_reader(task.ocr),
        path=shared.known.path,
        expected=RealFile.at(shared.file, shared.known.stamp).identity,
        count_tokens=Tokenizer.of(task.model.load()).count,
        pages=_RecordedPages().of,
        known=known,
    )
    yield from reading.parts()


@functools.lru_cache(maxsize=1)
def _reader(ocr: bool) -> Reader:
    """Return this process's reader, which keeps its sandboxed processes between shares."""
    if ocr and not recognition.is_installed():
        raise ClusterError(
            "The machine {0} cannot recognise text. On that machine, run: pip install "
            "'winnow-search[ocr]'.",
            platform.node(),
        )
    reader = Reader(ocr=ocr, scratch=paths.home() / SCRATCH)
    atexit.register(reader.close)
    return reader


@dataclass(frozen=True, slots=True)
class Introduction:
    """A machine's description of itself."""

    host: str
    version: str


def introduce() -> Introduction:
    """Describe this machine and its version of Winnow."""
    return Introduction(platform.node(), core.__version__)
