"""A transformer of a few thousand weights, and small training data."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
import torch

from lab.training.config import DataConfig, RunConfig, TrainingConfig
from lab.training.model_config import ModelConfig

KINDS = ("owl", "crow", "swift", "dipper", "cuckoo", "heron", "falcon", "raven", "robin", "wren")
DOES = ("hunts", "hides", "sleeps", "walks", "lays", "fishes", "dives", "croaks", "sings", "nests")
WHERE = ("night", "ground", "air", "stream", "nest", "lake", "sky", "forest", "garden", "hedge")

OTHER_WORDS = (
    "what",
    "which",
    "bird",
    "the",
    "at",
    "in",
    "it",
    "does",
    "when",
    "or",
    "old",
    "young",
)


def write_bert(folder: Path, seed: int, **sizes: int) -> None:
    """Write a BERT of random weights and small texts into a folder."""
    from transformers import BertConfig, BertModel

    torch.manual_seed(seed)
    config = BertConfig(intermediate_size=64, max_position_embeddings=64, **sizes)
    BertModel(config).save_pretrained(folder, safe_serialization=True)


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a BERT of two layers with random weights."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import Whitespace
    from tokenizers.processors import TemplateProcessing

    folder = tmp_path_factory.mktemp("tiny")
    known = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[unused0]",
        ".",
        *KINDS,
        *DOES,
        *WHERE,
        *OTHER_WORDS,
    ]
    numbers = {word: number for number, word in enumerate(known)}
    tokenizer = Tokenizer(WordLevel(numbers, "[UNK]"))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    write_bert(
        folder,
        5,
        vocab_size=len(known),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
    )
    return folder


@pytest.fixture(scope="session")
def other_model(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wider and deeper BERT that tokenises like `tiny_model`."""
    folder = tmp_path_factory.mktemp("other")
    shutil.copy(tiny_model / "tokenizer.json", folder)
    write_bert(
        folder,
        11,
        vocab_size=json.loads((tiny_model / "config.json").read_text())["vocab_size"],
        hidden_size=48,
        num_hidden_layers=3,
        num_attention_heads=4,
    )
    return folder


def save_tokenizer(model: Path, folder: Path) -> None:
    """Write the tokenizer of `tiny_model` into a folder, as transformers does."""
    from transformers import PreTrainedTokenizerFast

    PreTrainedTokenizerFast(
        tokenizer_file=str(model / "tokenizer.json"),
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
    ).save_pretrained(folder)


WriteData = Callable[..., Path]


@pytest.fixture
def write_data(tmp_path: Path) -> WriteData:
    """Write a data set in BEIR's layout: documents, queries, and judgements by split."""

    def write(
        name: str,
        documents: Sequence[tuple[str, str, str]],
        queries: Sequence[tuple[str, str]],
        splits: Mapping[str, Sequence[tuple[str, str]]],
    ) -> Path:
        folder = tmp_path / "data" / name
        (folder / "qrels").mkdir(parents=True)
        (folder / "corpus.jsonl").write_text(
            "".join(
                json.dumps({"_id": key, "title": title, "text": text}) + "\n"
                for key, title, text in documents
            ),
            encoding="utf-8",
        )
        (folder / "queries.jsonl").write_text(
            "".join(json.dumps({"_id": key, "text": text}) + "\n" for key, text in queries),
            encoding="utf-8",
        )
        for split, rows in splits.items():
            lines = ["query-id\tcorpus-id\tscore", *(f"{q}\t{d}\t1" for q, d in rows)]
            (folder / "qrels" / f"{split}.tsv").write_text("\n".join(lines) + "\n", "utf-8")
        return folder

    return write


@pytest.fixture
def birds_data(write_data: WriteData) -> Path:
    """Write ten birds for training and, next to it, `questions`, the same for measurement."""
    documents = [
        (f"d{n}", kind, f"The {kind} {DOES[n]} at the {WHERE[n]}. It does it when old. Or young.")
        for n, kind in enumerate(KINDS)
    ]
    questions = [(f"t{n}", f"what {DOES[n]}") for n in range(10)]
    write_data("asked", documents, questions, {"test": [(f"t{n}", f"d{n}") for n in range(10)]})
    queries = [(f"q{n}", f"what {DOES[n]} in the {WHERE[n]}") for n in range(10)]
    judged = [(f"q{n}", f"d{n}") for n in range(10)]
    return write_data("birds", documents, queries, {"train": judged})


@pytest.fixture
def tiny_config(tiny_model: Path) -> TrainingConfig:
    """Return a run of twelve steps on `birds_data`."""
    return TrainingConfig(
        model=ModelConfig(start=str(tiny_model), dimensions=16, projection="random"),
        run=RunConfig(
            steps=12,
            batch=5,
            query_tokens=16,
            passage_tokens=32,
            learning_rate=1e-2,
            head_learning_rate=1e-2,
            log_every=1,
            checkpoint_every=3,
            evaluate_every=0,
            precision="float32",
            device="cpu",
            threads=1,
        ),
        data=(DataConfig(folder="birds"),),
    )
