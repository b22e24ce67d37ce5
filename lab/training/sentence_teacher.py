"""A teacher with one vector per text, for instance all-mpnet-base-v2; it encodes a text once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from core.encoders.encoder import batches
from core.errors import ModelError, UsageError
from lab.training.corpus import Passage
from lab.training.model import autocast, mean_of
from lab.training.teachers import Teacher, distinct, own_scores

POOLING: Final = Path("1_Pooling") / "config.json"
_TOKENS_PER_BATCH: Final = 4096
_KEY_BYTES: Final = 16

Halves = npt.NDArray[np.float16]


class SentenceEncoder:
    """A transformer in the layout of sentence-transformers: one unit vector per text.

    The vector is the mean of the tokens' vectors, or that of the first token, as the folder says.
    """

    def __init__(
        self, folder: Path, max_tokens: int, device: str = "cpu", precision: str = "auto"
    ) -> None:
        """Load the model in `folder`, without network access.

        Args:
            folder: the model.
            max_tokens: length at which texts are cut, special tokens included.
            device: on which it runs.
            precision: the precision of the run.

        Raises:
            UsageError: the folder does not exist or has no safetensors.
            ModelError: its files are damaged, or its vectors are pooled in another way.
        """
        from transformers import AutoModel, AutoTokenizer

        for needed in (POOLING.as_posix(), "config.json", "model.safetensors"):
            if not (folder / needed).is_file():
                raise UsageError(f"{folder} holds no sentence encoder: {needed} is missing.")
        try:
            pooling = json.loads((folder / POOLING).read_text(encoding="utf-8"))
            self._tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
            model: Any = AutoModel.from_pretrained(
                str(folder), local_files_only=True, use_safetensors=True
            )
        except (OSError, ValueError) as error:
            raise ModelError(f"The model in {folder} cannot be loaded: {error}") from error
        modes = sorted(key for key, value in pooling.items() if value is True)
        known = {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}
        chosen = [known[mode] for mode in modes if mode in known]
        if len(chosen) != 1:
            raise ModelError(
                f"{folder / POOLING} pools by {', '.join(modes) or 'nothing'}; a teacher takes the "
                "mean of the tokens or the first one."
            )
        (self._is_mean,) = chosen
        self._model = model.to(device).eval()
        self._max_tokens = max_tokens
        self._device = device
        self._precision = precision
        self.dimensions = int(model.config.hidden_size)

    def encode(self, texts: Sequence[str]) -> Halves:
        """Return (n, d) unit vectors of the texts."""
        found = np.zeros((len(texts), self.dimensions), dtype=np.float16)
        if not texts:
            return found
        ids = self._tokenizer(list(texts), truncation=True, max_length=self._max_tokens)[
            "input_ids"
        ]
        for rows in batches([len(one) for one in ids], _TOKENS_PER_BATCH):
            inputs = self._tokenizer.pad(
                {"input_ids": [ids[row] for row in rows]}, return_tensors="pt"
            ).to(self._device)
            with torch.inference_mode(), autocast(self._device, self._precision):
                hidden = self._model(**inputs)[0].float()
                pooled = (
                    mean_of(hidden, inputs["attention_mask"]) if self._is_mean else hidden[:, 0]
                )
            found[rows] = functional.normalize(pooled).cpu().numpy()
        return found


class StoredVectors:
    """Vectors of texts in a folder, found by the text; they are added and never changed.

    The file `keys` has a hash of each text, `vectors` its vector in half precision. Two processes
    can share the folder if each adds to a shard of its own, `keys-SHARD` and `vectors-SHARD`.
    """

    def __init__(self, folder: Path, dimensions: int, shard: str = "") -> None:
        """Open or create the folder; a row that a killed run left incomplete is removed.

        Args:
            folder: the folder of all shards.
            dimensions: of the vectors.
            shard: name of the shard to which this process, and no other, adds vectors.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._dimensions = dimensions
        self._shard = f"-{shard}" if shard else ""
        self._known: dict[bytes, Halves] = {}
        self._rows: dict[str, int] = {}
        for path in self._files(self._shard):
            path.touch()
        count = self._count(self._shard)
        for path, size in zip(self._files(self._shard), (_KEY_BYTES, 2 * dimensions), strict=True):
            with path.open("r+b") as file:
                file.truncate(count * size)
        self._read_new()

    def __len__(self) -> int:
        return len(self._known)

    def of(self, texts: Sequence[str], encode: Callable[[Sequence[str]], Halves]) -> Halves:
        """Return (n, d) vectors of the texts; those not stored are encoded and stored."""
        keys = list(map(_key, texts))
        if any(key not in self._known for key in keys):
            self._read_new()
        missing = {
            key: text for key, text in zip(keys, texts, strict=True) if key not in self._known
        }
        if missing:
            self._add(missing, encode(list(missing.values())))
        return np.stack([self._known[key] for key in keys])

    def _add(self, keys: Collection[bytes], vectors: Halves) -> None:
        # Vectors first: a key without one would be found.
        keys_path, vectors_path = self._files(self._shard)
        with vectors_path.open("ab") as file:
            file.write(vectors.astype("<f2").tobytes())
        with keys_path.open("ab") as file:
            file.write(b"".join(keys))
        self._known.update(zip(keys, vectors, strict=True))
        self._rows[self._shard] += len(keys)

    def _read_new(self) -> None:
        """Read the vectors that were added to any shard since the last call."""
        for path in sorted(self._folder.glob("keys*")):
            shard = path.name.removeprefix("keys")
            first, count = self._rows.get(shard, 0), self._count(shard)
            self._rows[shard] = max(first, count)
            if count <= first:
                continue
            keys_path, vectors_path = self._files(shard)
            with keys_path.open("rb") as file:
                file.seek(first * _KEY_BYTES)
                keys = file.read((count - first) * _KEY_BYTES)
            vectors = np.fromfile(
                vectors_path,
                dtype="<f2",
                count=(count - first) * self._dimensions,
                offset=first * 2 * self._dimensions,
            ).reshape(-1, self._dimensions)
            for row, vector in enumerate(vectors):
                self._known[keys[_KEY_BYTES * row : _KEY_BYTES * (row + 1)]] = vector

    def _count(self, shard: str) -> int:
        """Return the number of complete rows of a shard."""
        sizes = [path.stat().st_size if path.exists() else 0 for path in self._files(shard)]
        return min(sizes[0] // _KEY_BYTES, sizes[1] // (2 * self._dimensions))

    def _files(self, shard: str) -> tuple[Path, Path]:
        return self._folder / f"keys{shard}", self._folder / f"vectors{shard}"


class SentenceTeacher(Teacher):
    """Scores passages by the cosine of one vector per text.

    Each text is encoded once, by the first step that needs it, and kept on disk: repeated passages
    and queries, and any number of negatives, cost only products.
    """

    def __init__(self, encoder: SentenceEncoder, store: StoredVectors, device: str = "cpu") -> None:
        """Take the model, the vectors of earlier steps, and the device of the scores."""
        self._encoder = encoder
        self._store = store
        self._device = device

    def prepare(
        self, queries: Sequence[str], passages: Sequence[Sequence[Passage]]
    ) -> Callable[[], Tensor]:
        """Return a function that computes the cosines."""
        different, places = distinct(passages)
        texts = list(map(passage_text, different))

        def score() -> Tensor:
            vectors = self._store.of([*queries, *texts], self._encoder.encode).astype(np.float32)
            cosines = torch.from_numpy(vectors[: len(queries)] @ vectors[len(queries) :].T)
            return own_scores(cosines, places).to(self._device)

        return score


def passage_text(passage: Passage) -> str:
    """Return the text of a passage as the encoder reads it."""
    return f"{passage.context} {passage.text}".strip()


def is_sentence_encoder(folder: Path) -> bool:
    """Return whether the folder has the layout of sentence-transformers."""
    return (folder / POOLING).is_file()


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=_KEY_BYTES).digest()
