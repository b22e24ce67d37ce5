"""An open generation of a library's index: the model, its encoders, and the segments."""

from __future__ import annotations

import hashlib
import re
import threading
from pathlib import Path
from typing import Final

from core.alignment.reduction import TokenReduction
from core.catalog.catalog import Catalog
from core.catalog.integrity.foreign import is_plain_name
from core.catalog.manifest import GenerationRow, IndexSpec
from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.runtimes import FASTEST, open_runtime
from core.encoders.tokens import Tokenizer
from core.errors import ModelError
from core.files import foreign_files
from core.index.codebook import load_codec
from core.index.codec import UNCOMPRESSED, Codec, UncompressedCodec
from core.index.index_searcher import IndexSearcher
from core.index.refinement_store import BITS as REFINEMENT_BITS
from core.index.segment_store import SegmentStore

# Largest codebook of a library; the largest that is learned has some 30 MB.
_MOST_CODEBOOK_BYTES: Final = 1 << 28


class IndexGeneration:
    """A checkpoint, its tokenizer, its encoders, and the segments that it made."""

    def __init__(
        self,
        home: Path,
        catalog: Catalog,
        checkpoint: Checkpoint,
        row: GenerationRow,
        before: IndexGeneration | None = None,
        device: str = FASTEST,
    ) -> None:
        """Open the generation of `row`; `checkpoint` is its model.

        `before`, an open generation of the same model, shares its loaded encoder. `device` is a
        name as in `core.encoders.runtimes`.

        Raises:
            ModelError: the codebook is missing or damaged.
            UsageError: the model's vectors cannot be kept in so many bits.
        """
        self.row = row
        self.checkpoint = checkpoint
        self.tokenizer = Tokenizer.of(checkpoint)
        codec = codec_of(home, checkpoint, row.spec, catalog.foreign_name)
        self.segments = SegmentStore(segment_folder(home), catalog, codec, row)
        self.searcher = IndexSearcher(self.segments)
        # The device that the model runs on, or will once it is loaded.
        self.device = device
        self._encoder = before.loaded_encoder if before else None
        self._guard = threading.Lock()

    @property
    def reduction(self) -> TokenReduction:
        """How a passage's token vectors are reduced before they are stored."""
        return TokenReduction.parse(self.row.spec.reduction)

    @property
    def loaded_encoder(self) -> Encoder | None:
        """The encoder for queries, if it is loaded."""
        return self._encoder

    def borrow_encoder(self, other: IndexGeneration) -> None:
        """Share the encoder of another generation of the same model, unless one is loaded."""
        with self._guard:
            if self._encoder is None and other.device == self.device:
                self._encoder = other.loaded_encoder

    def query_encoder(self) -> Encoder:
        """Return the encoder for queries: one thread, never queued behind a batch of passages.

        Raises:
            ModelError: the model cannot be loaded.
        """
        with self._guard:
            if self._encoder is None:
                self._encoder = open_encoder(
                    self.checkpoint, self.tokenizer, self.device, threads=1
                )
            return self._encoder

    def release_encoder(self) -> None:
        """Drop the loaded encoder; the next query loads it again."""
        with self._guard:
            self._encoder = None

    def run_on(self, device: str) -> None:
        """Run the model on another device; the old one is used until it is loaded there.

        Raises:
            ModelError: the model cannot be run there; nothing has changed.
        """
        if device != self.device:
            # Not under the guard, so that queries can run meanwhile.
            loaded = None
            if self._encoder:
                loaded = open_encoder(self.checkpoint, self.tokenizer, device, threads=1)
            with self._guard:
                self.device = device
                self._encoder = loaded

    def index_encoder(self) -> Encoder:
        """Load an encoder for passages, with all threads; release it after the work.

        Raises:
            ModelError: the model cannot be loaded.
        """
        return open_encoder(self.checkpoint, self.tokenizer, self.device)


def codec_of(home: Path, checkpoint: Checkpoint, spec: IndexSpec, foreign_name: str) -> Codec:
    """Return the codec of an index of the library in `home`.

    `foreign_name` is what messages call a library of others; "" for the person's own.

    Raises:
        ModelError: the codebook is missing or damaged.
        UsageError: the model's vectors cannot be kept in so many bits.
    """
    own = codebook_folder(home) / spec.codebook if spec.codebook else None
    if own is not None and not (is_plain_name(spec.codebook) and is_intact(own)):
        if foreign_name:
            raise ModelError(
                "The codebook of the library {0} is missing or damaged. Until its owner has "
                "indexed it again, it can be searched by words only.",
                foreign_name,
            )
        raise ModelError(
            "The library's codebook {0} is missing or damaged. Until the next indexing run "
            "finishes, documents can be searched by words only.",
            own,
        )
    # Before a codebook is learned, there is nothing to encode or decode.
    if own is None and spec.bits != UNCOMPRESSED and lacks_codebook(checkpoint):
        return UncompressedCodec(checkpoint.dimensions)
    has_store = TokenReduction.parse(spec.reduction).stored > 0
    return load_codec(checkpoint, spec.bits, own, REFINEMENT_BITS if has_store else 0)


def open_encoder(
    checkpoint: Checkpoint, tokenizer: Tokenizer, device: str, threads: int = 0
) -> Encoder:
    """Load a model on a device, with this number of threads (0: all).

    Raises:
        ModelError: it cannot be loaded.
    """
    return Encoder(checkpoint, tokenizer, open_runtime(checkpoint, threads, device))


def segment_folder(home: Path) -> Path:
    """Return the folder of a library's segments."""
    return home / "index"


def codebook_folder(home: Path) -> Path:
    """Return the folder of a library's own codebooks."""
    return home / "codebooks"


def lacks_codebook(checkpoint: Checkpoint) -> bool:
    """Return whether a library has to learn the codebook itself."""
    return not checkpoint.codebook.is_file()


def codebook_name(model: str, data: bytes, passages: int) -> str:
    """Return the name of a library's own codebook, with the number of passages it was learned at.

    Codebooks of different content have different names.

    >>> codebook_name("my model-0123456789abcdef", b"", 300)
    'my-model-0123456789abcdef-1271cf25-300.safetensors'
    """
    return f"{re.sub(r'[^A-Za-z0-9_.-]', '-', model)}-{_digest(data)}-{passages}.safetensors"


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=4).hexdigest()


def is_intact(codebook: Path) -> bool:
    """Return whether a library's own codebook exists and matches the digest in its name.

    One with `directions`, a former format of residuals at 1 bit, is rejected, so that its vectors
    are encoded again.
    """
    try:
        data = foreign_files.read(codebook, _MOST_CODEBOOK_BYTES)
    except OSError:
        return False
    has_directions = b'"directions"' in data[: data.find(b"}}")]
    return codebook.name.split("-")[-2:-1] == [_digest(data)] and not has_directions


def learned_at(codebook: str) -> int:
    """Return the library's number of passages when the codebook was learned.

    >>> learned_at("my-model-0123456789abcdef-1271cf25-300.safetensors")
    300
    """
    return int(codebook.removesuffix(".safetensors").rpartition("-")[2])
