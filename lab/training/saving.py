"""Save a trained Winnow model as a folder."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core.alignment.reduction import EVERYTHING
from core.arrays import Floats
from core.encoders.folders.checkpoint import DEFAULT_BITS
from core.encoders.folders.layouts import FORMAT, VERSION
from core.encoders.folders.sentencepiece_file import read_sentencepiece
from core.errors import ModelError
from core.search.ranking import WORDS_WEIGHT

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class SalienceHeads:
    """relu(weight · hidden + bias), once for query tokens and once for passage tokens.

    The weights are (h,) floating, numpy or torch; h is the transformer's width.
    """

    query_weight: npt.ArrayLike | torch.Tensor
    query_bias: float
    passage_weight: npt.ArrayLike | torch.Tensor
    passage_bias: float


def save_winnow_checkpoint(
    folder: Path,
    transformer: Any,
    projection: npt.ArrayLike | torch.Tensor,
    saliences: SalienceHeads | None,
    tokenizer_file: Path,
    *,
    name: str,
    max_tokens: int,
    words_weight: float = WORDS_WEIGHT,
    keeping: str = EVERYTHING,
    bits: int = DEFAULT_BITS,
    query_prefix_ids: Sequence[int] = (),
    passage_prefix_ids: Sequence[int] = (),
    weighs_queries: bool = False,
    is_lowercased: bool = False,
    summary_weight: float = 0.0,
    summary: npt.ArrayLike | torch.Tensor | None = None,
    hidden: tuple[npt.ArrayLike | torch.Tensor, npt.ArrayLike | torch.Tensor] | None = None,
    codebook_file: Path | None = None,
    notes: Mapping[str, Any] | None = None,
) -> None:
    """Write a complete model to `folder`, its transformer in half precision.

    An existing Winnow model is replaced. If the process is killed, the folder holds the old model,
    the new one, or, between two renames, nothing.

    Args:
        folder: of the model; its parents are created.
        transformer: a transformers model (`PreTrainedModel`); not changed.
        projection: (h, d) floating, numpy or torch.
        saliences: the salience heads; None if the model has none.
        tokenizer_file: copied.
        name: of the model, as shown to a person.
        max_tokens: maximum length of a query or a passage, special tokens and prefix included.
        words_weight: weight of the BM25 score in a hybrid search.
        keeping: the token reduction of an index, in the notation of `TokenReduction`.
        bits: bits per dimension in an index.
        query_prefix_ids: ids between the opening token and a query.
        passage_prefix_ids: ids between the opening token and a passage.
        weighs_queries: whether a query's tokens are weighted by salience.
        is_lowercased: whether texts are lowercased before tokenisation.
        summary_weight: weight of a query's summary relative to all its tokens together; 0 for a
            model without summaries.
        summary: (h, d) floating, the projection of summaries; None for that of tokens.
        hidden: (h, w) and (w, d) floating, the hidden layer parallel to the projection, if any.
        codebook_file: copied, if any.
        notes: further JSON entries of the configuration (data, licences, settings).

    Raises:
        ModelError: the folder holds anything but a Winnow model, or cannot be written.
        ValueError: the shapes do not fit together.
    """
    from safetensors.numpy import save_file

    matrix = _array(projection)
    heads = {"projection": matrix}
    if summary is not None:
        heads["summary"] = _array(summary)
        if heads["summary"].shape != matrix.shape:
            raise ValueError(f"summary is {heads['summary'].shape}, projection {matrix.shape}")
    width = 0
    if hidden is not None:
        inner, outer = map(_array, hidden)
        width = len(outer)
        if inner.shape != (len(matrix), width) or outer.shape[1:] != matrix.shape[1:]:
            shapes = f"{inner.shape} and {outer.shape}"
            raise ValueError(f"the hidden layer is {shapes}, projection {matrix.shape}")
        heads |= {"hidden.inner": inner, "hidden.outer": outer}
    if saliences is not None:
        for side in ("query", "passage"):
            weight = _array(getattr(saliences, f"{side}_weight")).reshape(-1)
            if len(weight) != len(matrix):
                raise ValueError(f"{len(weight)} weights of salience for {len(matrix)} dimensions")
            heads[f"{side}_salience.weight"] = weight
            heads[f"{side}_salience.bias"] = _array([float(getattr(saliences, f"{side}_bias"))])
    _refuse_to_replace(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
        try:
            _save_transformer(transformer, temporary / "transformer")
            save_file(heads, temporary / "heads.safetensors")
            if tokenizer_file.suffix == ".model":
                read_sentencepiece(tokenizer_file).save(str(temporary / "tokenizer.json"))
            else:
                shutil.copyfile(tokenizer_file, temporary / "tokenizer.json")
            if codebook_file is not None:
                shutil.copyfile(codebook_file, temporary / "codebook.safetensors")
            with (temporary / "transformer" / "model.safetensors").open("rb") as file:
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            config = dict(notes or {}) | {
                "format": FORMAT,
                "version": VERSION,
                "name": name,
                "dimensions": matrix.shape[1],
                "max_tokens": max_tokens,
                "words_weight": words_weight,
                "keeping": keeping,
                "bits": bits,
                "query_prefix_ids": list(query_prefix_ids),
                "passage_prefix_ids": list(passage_prefix_ids),
                "has_salience": saliences is not None,
                "weighs_queries": weighs_queries,
                "is_lowercased": is_lowercased,
                "summary_weight": summary_weight,
                "sha256": sha256,
            }
            if width:
                config["projection_hidden"] = width
            text = json.dumps(config, indent=2, ensure_ascii=False) + "\n"
            (temporary / "config.json").write_text(text, encoding="utf-8")
            # mkdtemp and safetensors create files with permissions for the owner only.
            temporary.chmod(0o755)
            for path in temporary.rglob("*.safetensors"):
                path.chmod(0o644)
            _swap(temporary, folder)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        raise ModelError(f"The model cannot be written to {folder}: {error}.") from error


def _array(values: Any) -> Floats:
    """Return a float32 copy of any kind of array."""
    if hasattr(values, "detach"):
        values = values.detach().float().cpu().numpy()
    return np.array(values, dtype=np.float32, order="C")


def _save_transformer(transformer: Any, folder: Path) -> None:
    half = {
        name: tensor.half() if tensor.is_floating_point() else tensor
        for name, tensor in transformer.state_dict().items()
    }
    transformer.save_pretrained(folder, state_dict=half, safe_serialization=True)


def _refuse_to_replace(folder: Path) -> None:
    if not folder.exists() or not any(folder.iterdir()):
        return
    try:
        found = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        is_ours = found.get("format") == FORMAT
    except (OSError, ValueError, AttributeError):
        is_ours = False
    if not is_ours:
        raise ModelError(
            f"The folder {folder} holds something else than a model of Winnow's; name another."
        )


def _swap(temporary: Path, folder: Path) -> None:
    old = temporary.with_name(f"{temporary.name}-old")
    if folder.exists():
        folder.rename(old)
    try:
        temporary.rename(folder)
    except OSError:
        if old.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
