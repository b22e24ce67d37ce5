"""Export a Winnow model in the multi-vector layout of sentence-transformers 6.

A folder of this layout lists modules: the transformer, linear layers, normalisation, and a mask of
the tokens without vectors. They express the vectors of a text's own tokens exactly, with a hidden
layer too. No module computes saliences or the vector of the whole text, which are left out.

Source: sentence-transformers 6.2, `MultiVectorEncoder.save`.
"""

from __future__ import annotations

import importlib.util
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.arrays import Floats
from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import (
    Checkpoint,
    Head,
    TextRules,
    load_arrays,
    load_head,
)
from core.encoders.tokens import Tokenizer
from core.errors import ModelError
from core.model_names import BUILT_IN

# Largest difference between a number of a vector here and in sentence-transformers, both float32.
TOLERANCE: Final = 1e-4
# Texts that `largest_difference` compares: short, long, with punctuation and other scripts.
SAMPLES: Final = (
    "crows remember faces",
    "How do I mount a USB stick (read-only) on Linux?",
    "The naïve café owner paid €3.50 — “too much”, he said; 東京 and Москва agreed.",
    "The boundary layer over a flat plate thickens with the distance from its leading edge. " * 30,
)
_ROLES: Final = {
    "unk_token": ("[UNK]", "<unk>"),
    "cls_token": ("[CLS]", "<s>"),
    "sep_token": ("[SEP]", "</s>"),
    "pad_token": ("[PAD]", "<pad>"),
    "mask_token": ("[MASK]", "<mask>"),
}
_TOKENS: Final = {
    "module_input_name": "token_embeddings",
    "module_output_name": "token_embeddings",
}
_USAGE: Final = """```python
from sentence_transformers import MultiVectorEncoder

model = MultiVectorEncoder("{0}")
query = model.encode_query("Which birds remember faces?")
documents = model.encode_document(["Crows recognise people.", "Owls hunt at night."])
```

It needs sentence-transformers 6 or later."""
_IDENTITY: Final = "torch.nn.modules.linear.Identity"
_GELU: Final = "torch.nn.modules.activation.GELU"


def export(checkpoint: Checkpoint, folder: Path) -> None:
    """Write a model to `folder`, which must not exist or be empty, in float32.

    Raises:
        ModelError: the layout cannot express the model's token vectors, its files are damaged, or
            the folder cannot be written.
    """
    _require_expressible(checkpoint)
    if folder.exists() and any(folder.iterdir()):
        raise ModelError(f"The folder {folder} is not empty; name a new one.")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # A sibling, so that the rename at the end is atomic.
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as name:
            written = Path(name) / "model"
            written.mkdir()
            _write(checkpoint, written)
            if folder.exists():
                folder.rmdir()
            written.rename(folder)
    except OSError as error:
        raise ModelError(f"The model cannot be written to {folder}: {error}.") from error


def _require_expressible(checkpoint: Checkpoint) -> None:
    rules = (checkpoint.queries, checkpoint.passages)
    plain = {TextRules(one.max_tokens, includes_summary=one.includes_summary) for one in rules}
    if (
        plain != set(rules)
        or len({one.max_tokens for one in rules}) > 1
        or checkpoint.query_layers is not None
        or checkpoint.weights.name != "model.safetensors"
    ):
        raise ModelError(
            f"The model {checkpoint.name} cannot be exported: its markers, prompts or "
            "separate query layers have no exact equivalent in the layout of "
            "sentence-transformers, or its weights are not in a model.safetensors."
        )


def _write(checkpoint: Checkpoint, folder: Path) -> None:
    from safetensors.numpy import save_file

    config = json.loads((checkpoint.folder / "config.json").read_text(encoding="utf-8"))
    _write_json(folder / "config.json", config | {"dtype": "float32"})
    weights = {
        name: array
        for name, array in load_arrays(checkpoint.weights).items()
        if not name.endswith("position_ids")  # a buffer of earlier versions of transformers
    }
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    _write_tokenizer(checkpoint, folder)
    modules = ["transformer.Transformer"]
    for number, (weight, bias, activation) in enumerate(_layers(checkpoint), start=1):
        modules.append("dense.Dense")
        _write_dense(folder / f"{number}_Dense", weight, bias, activation)
    modules.append("normalize.Normalize")
    _write_json(folder / f"{len(modules) - 1}_Normalize" / "config.json", _TOKENS)
    paths = ["", *(f"{n}_{kind.rpartition('.')[2]}" for n, kind in enumerate(modules) if n)]
    types = [f"sentence_transformers.base.modules.{kind}" for kind in modules]
    paths.append(f"{len(modules)}_MultiVectorMask")
    types.append(
        "sentence_transformers.multi_vector_encoder.modules.multi_vector_mask.MultiVectorMask"
    )
    _write_json(
        folder / paths[-1] / "config.json",
        {
            "skiplist_words": _frame(checkpoint),
            "skiplist_tasks": ["query", "document"],
            "keep_only_token_ids": None,
        },
    )
    listed = zip(paths, types, strict=True)
    _write_json(
        folder / "modules.json",
        [
            {"idx": number, "name": str(number), "path": path, "type": kind}
            for number, (path, kind) in enumerate(listed)
        ],
    )
    _write_json(
        folder / "config_sentence_transformers.json",
        {
            "__version__": {"sentence_transformers": "6.2.0"},
            "default_prompt_name": None,
            "model_type": "MultiVectorEncoder",
            "prompts": {"document": "", "query": ""},
            "similarity_fn_name": None,
        },
    )
    text = {"method": "forward", "method_output_name": "last_hidden_state"}
    settings: dict[str, Any] = {
        "transformer_task": "feature-extraction",
        "modality_config": {"text": text},
        "module_output_name": "token_embeddings",
    }
    if checkpoint.is_lowercased:
        settings["do_lower_case"] = True
    _write_json(folder / "sentence_bert_config.json", settings)
    (folder / "README.md").write_text(model_card(checkpoint), encoding="utf-8")
    for path in folder.rglob("*.safetensors"):
        path.chmod(0o644)  # safetensors creates files with permissions for the owner only


def _layers(checkpoint: Checkpoint) -> list[tuple[Floats, Floats | None, str]]:
    """Return weight (out, in), bias and activation of each linear layer.

    A module has one input, so a hidden layer is written as two layers. The first one also passes on
    the projection, as gelu(x) and gelu(-x), whose difference is x.
    """
    head = load_head(checkpoint)
    if head is None:
        return []
    d = checkpoint.dimensions
    weight, bias = head.weight[:, :d], head.bias[:d]
    added = bias if bias.any() else None
    if head.inner is None or head.outer is None:
        return [(weight.T, added, _IDENTITY)]
    first = np.hstack([head.inner, weight, -weight])
    identity = np.eye(d, dtype=np.float32)
    second = np.vstack([head.outer[:, :d], identity, -identity])
    return [(first.T, None, _GELU), (second.T, added, _IDENTITY)]


def _write_dense(folder: Path, weight: Floats, bias: Floats | None, activation: str) -> None:
    from safetensors.numpy import save_file

    _write_json(
        folder / "config.json",
        {
            "in_features": weight.shape[1],
            "out_features": weight.shape[0],
            "bias": bias is not None,
            "activation_function": activation,
            **_TOKENS,
        },
    )
    arrays = {"linear.weight": np.ascontiguousarray(weight)}
    if bias is not None:
        arrays["linear.bias"] = bias
    save_file(arrays, folder / "model.safetensors", {"format": "pt"})


def _write_tokenizer(checkpoint: Checkpoint, folder: Path) -> None:
    from tokenizers import Tokenizer as Backend

    backend = Backend.from_file(str(checkpoint.tokenizer))
    backend.no_truncation()
    backend.no_padding()
    backend.save(str(folder / "tokenizer.json"))
    roles = {
        role: next((token for token in tokens if backend.token_to_id(token) is not None), None)
        for role, tokens in _ROLES.items()
    }
    _write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": checkpoint.passages.max_tokens,
            "padding_side": "right",
            "truncation_side": "right",
            **{role: token for role, token in roles.items() if token is not None},
        },
    )


def _frame(checkpoint: Checkpoint) -> list[str]:
    """Return the tokens around a text, which have no vectors."""
    tokenizer = Tokenizer.of(checkpoint)
    names = {number: token for token, number in tokenizer.vocabulary.items()}
    before, after = tokenizer.surround
    return list(dict.fromkeys(names[number] for number in (*before, *after)))


def _write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def model_card(checkpoint: Checkpoint) -> str:
    """Return the text of README.md, with the metadata that model hubs read."""
    notes = _notes(checkpoint)
    metadata = ["library_name: sentence-transformers", "pipeline_tag: feature-extraction"]
    metadata += ["tags:", *(f"- {tag}" for tag in ("sentence-transformers", "multi-vector"))]
    metadata += [f"- {tag}" for tag in ("colbert", "late-interaction")]
    if checkpoint.source == BUILT_IN:
        metadata += ["license: apache-2.0", "language: en"]
        metadata += ["base_model: sentence-transformers/all-MiniLM-L6-v2"]
    rows = dict.fromkeys(
        (str(entry.get("folder") or entry.get("kind")), str(entry.get("licence") or "unknown"))
        for entry in notes.get("training", {}).get("data", ())
    )
    introduction = (
        f"A model for late interaction: it computes a vector with {checkpoint.dimensions} "
        "dimensions for each token of a text, and a query is compared with a document by the sum "
        "of each query token's greatest similarity (MaxSim). Trained for Winnow, a desktop search "
        f"program. Texts of more than {checkpoint.passages.max_tokens} tokens are truncated."
    )
    parts = ["\n".join(["---", *metadata, "---"]), f"# {checkpoint.name}", introduction]
    parts += ["## Usage", _USAGE.format(checkpoint.name)]
    parts += ["## Differences from the model in Winnow"]
    parts += ["\n".join(_differences(checkpoint, load_head(checkpoint)))]
    if rows:
        table = ["| Training data | Licence |", "|---|---|"]
        table += [f"| {data} | {licence} |" for data, licence in rows]
        parts += ["## Training", "\n".join(table)]
    return "\n\n".join(parts) + "\n"


def _differences(checkpoint: Checkpoint, head: Head | None) -> list[str]:
    found = ["- The vectors of a text's tokens are the same. The tokens around it have none."]
    if checkpoint.passages.includes_summary:
        found.append(
            "- Winnow also compares a vector of the whole text. It is not in this folder, because "
            "no module of sentence-transformers computes it."
        )
    if checkpoint.saliences is not None:
        found.append(
            "- Winnow weights the tokens of a query, and selects those of a document, by their "
            "salience. The layers that compute it are not in this folder: all tokens count alike."
        )
    if head is not None and head.inner is not None:
        found.append(
            "- The hidden layer is part of the two linear layers, which together compute the same."
        )
    return found


def _notes(checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the configuration of a Winnow model; empty for others."""
    try:
        notes = json.loads((checkpoint.resources / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return notes if isinstance(notes, dict) else {}


def largest_difference(
    checkpoint: Checkpoint, folder: Path, texts: Sequence[str] = SAMPLES
) -> float:
    """Return the largest difference between vectors here and those of an exported folder.

    Both are computed in torch, in float32, for each text as a query and as a document.

    Raises:
        ModelError: sentence-transformers is not installed, or has vectors for other tokens.
    """
    if importlib.util.find_spec("sentence_transformers") is None:
        raise ModelError(
            "Checking the exported model needs sentence-transformers; install it with "
            "pip install 'sentence-transformers>=6'."
        )
    from sentence_transformers import MultiVectorEncoder

    from core.encoders.torch_runtime import TorchRuntime

    tokenizer = Tokenizer.of(checkpoint)
    encoder = Encoder(checkpoint, tokenizer, TorchRuntime(checkpoint, "cpu"))
    queries = encoder.encode_queries([encoder.query_tokens(text) for text in texts])
    passages = encoder.encode_passages(encoder.passage_tokens([("", text) for text in texts]))
    loaded = MultiVectorEncoder(str(folder), device="cpu", local_files_only=True)
    loaded_vectors = [
        *loaded.encode_query(list(texts), convert_to_numpy=True),
        *loaded.encode_document(list(texts), convert_to_numpy=True),
    ]
    start = int(checkpoint.passages.includes_summary)
    largest = 0.0
    for ours, theirs in zip([*queries, *passages], loaded_vectors, strict=True):
        expected = ours.vectors[start:]
        if expected.shape != theirs.shape:
            raise ModelError(
                f"sentence-transformers has {theirs.shape[0]} vectors of {theirs.shape[1]} "
                f"dimensions where Winnow has {expected.shape[0]} of {expected.shape[1]}."
            )
        largest = max(largest, float(np.abs(expected - theirs).max(initial=0)))
    return largest


def exported_size(folder: Path) -> int:
    """Return the bytes of all files of an exported folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
