"""Training from T5's encoder (bare, multilingual, or XTR's), and search with the result."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer as Backend
from tokenizers import models, pre_tokenizers, processors

from core.encoders.encoder import Encoder
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.runtimes import open_runtime
from core.encoders.tokens import Tokenizer
from core.errors import Cancelled, UsageError
from core.library.library import Library, LibraryOptions
from core.progress import Job
from core.responses import Mode
from lab.training.config import LossConfig, TrainingConfig
from lab.training.loop import Trainer
from lab.training.model_config import ModelConfig, SalienceConfig
from lab.training.start import find_start
from lab.training.train import train
from tests.conftest import write_files
from tests.core.sentencepiece_writer import pieces_of, spiece
from tests.core.tiny_models import matrix, save_dense, tiny_t5
from tests.lab.training.conftest import DOES, KINDS, OTHER_WORDS, WHERE

LAYOUTS = ("T5", "T5 with its decoder", "mT5", "XTR", "XTR in one file")


def save_t5(folder: Path, layout: str) -> Path:
    """Write a tiny model in the published layout, with the words of the birds."""
    folder.mkdir()
    words = [f"▁{word}" for word in (*KINDS, *DOES, *WHERE, *OTHER_WORDS)]
    letters = "abcdefghijklmnopqrstuvwxyzTO.▁"
    scored = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", -20.0)]
    scored += [(word, -2.0) for word in words] + [(letter, -8.0) for letter in letters]
    tokenizer = Backend(models.Unigram(scored, unk_id=2))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", 1)]
    )
    tokenizer.add_special_tokens(["<pad>", "</s>", "<unk>"])
    if layout in {"T5", "mT5"}:
        (folder / "spiece.model").write_bytes(spiece(pieces_of(tokenizer)))
    else:
        tokenizer.save(str(folder / "tokenizer.json"))
    model = tiny_t5(tokenizer.get_vocab_size(), is_multilingual=layout == "mT5")
    if layout == "T5 with its decoder":
        from transformers import T5ForConditionalGeneration

        model = T5ForConditionalGeneration(model.config)
    model.save_pretrained(folder)
    if layout == "XTR":
        save_dense(folder / "2_Dense", {"linear.weight": matrix(16, 32)})
    elif layout == "XTR in one file":
        weights = load_file(folder / "model.safetensors")
        weights["to_dim_layer.weight"] = matrix(16, 32)
        save_file(weights, folder / "model.safetensors")
    return folder


@pytest.fixture
def configured(tiny_config: TrainingConfig, tmp_path: Path) -> Callable[[str], TrainingConfig]:
    """Return a run from a model of this layout."""

    def configure(layout: str) -> TrainingConfig:
        return replace(
            tiny_config,
            model=ModelConfig(
                str(save_t5(tmp_path / "start", layout)),
                16,
                projection="start" if layout.startswith("XTR") else "random",
            ),
            run=replace(tiny_config.run, steps=30),
        )

    return configure


def ignore(_line: str) -> None: ...


def losses(output: Path) -> list[float]:
    lines = (output / "log.jsonl").read_text("utf-8").splitlines()
    return [entry["loss"] for entry in map(json.loads, lines) if "loss" in entry]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_model_trained_from_t5_can_search(
    layout: str,
    configured: Callable[[str], TrainingConfig],
    birds_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WINNOW_RUNTIME", "torch")
    config = configured(layout)
    if layout == "XTR":
        config = replace(config, loss=LossConfig("xtr", k_train=24))
    if layout == "T5":
        config = replace(config, salience=SalienceConfig("entropy", epsilon_of_spread=0.5))
    output = tmp_path / "run"
    model = train(config, birds_data.parent, output, ignore)
    found = losses(output)
    assert sum(found[-8:]) < sum(found[:8]) * 0.8
    described = json.loads((model / "transformer" / "config.json").read_text("utf-8"))
    assert described["model_type"] == ("mt5" if layout == "mT5" else "t5")

    checkpoint = load_checkpoint(model)
    encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), open_runtime(checkpoint))
    product = encoder.encode_passages(encoder.passage_tokens([("Owl", "The owl hunts.")]))[0]
    trainer = Trainer(config, birds_data.parent, output, ignore, Job())
    with torch.inference_mode():
        ours = trainer.model.eval().encode_passages(
            trainer.collator.passages([("Owl", "The owl hunts.")])
        )
    np.testing.assert_allclose(product.vectors, ours.vectors[0].numpy(), atol=5e-3)

    # XTR is trained on lowercase text, so its queries must be lowercased.
    assert checkpoint.is_lowercased == layout.startswith("XTR")
    folder = tmp_path / "folder"
    folder.mkdir()
    texts = {
        f"{kind}.txt": f"The {kind} {DOES[n]} at the {WHERE[n]}." for n, kind in enumerate(KINDS)
    }
    write_files(folder, texts)
    with Library.open(tmp_path / "home", LibraryOptions(32, model=str(model))) as library:
        library.add_folder(folder)
        library.sync()
        results = library.search("what hunts in the night", mode=Mode.MEANING)
        assert len(results.hits) == len(KINDS)
        assert results.hits[0].path.name == "owl.txt"


def test_a_run_from_t5_resumes_bit_for_bit(
    configured: Callable[[str], TrainingConfig], birds_data: Path, tmp_path: Path
) -> None:
    """Its token vectors have two names, but are one tensor before and after."""
    config = configured("T5")
    config = replace(
        config,
        run=replace(config.run, steps=8, checkpoint_every=2),
        model=replace(config.model, dropout=0.1),
    )
    train(config, birds_data.parent, tmp_path / "whole", ignore)
    job = Job()

    def stop(line: str) -> None:
        if line.startswith("step 3 "):
            job.cancel()

    with pytest.raises(Cancelled):
        train(config, birds_data.parent, tmp_path / "parts", stop, job)
    train(config, birds_data.parent, tmp_path / "parts", ignore)
    assert losses(tmp_path / "whole") == losses(tmp_path / "parts")
    trainer = Trainer(config, birds_data.parent, tmp_path / "parts", ignore, Job())
    names = trainer.model.transformer.state_dict()
    shared, embedded = names["shared.weight"], names["encoder.embed_tokens.weight"]
    assert shared.data_ptr() == embedded.data_ptr()


def test_without_dropout_nothing_is_dropped(
    configured: Callable[[str], TrainingConfig], birds_data: Path, tmp_path: Path
) -> None:
    """T5's dropout is a tenth, under another name than BERT's."""
    config = configured("T5")
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())
    texts = trainer.collator.passages([("", "the owl hunts at night")])
    trainer.model.train()
    first, second = (trainer.model.encode_passages(texts).vectors for _ in range(2))
    assert torch.equal(first, second)


def test_the_embeddings_of_t5_can_be_frozen(
    configured: Callable[[str], TrainingConfig], birds_data: Path, tmp_path: Path
) -> None:
    config = configured("T5")
    config = replace(config, run=replace(config.run, steps=1, frozen="embeddings"))
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())
    before = {name: value.clone() for name, value in trainer.model.named_parameters()}
    trainer.run()
    still = [
        name for name, value in trainer.model.named_parameters() if torch.equal(value, before[name])
    ]
    assert still == ["transformer.shared.weight"]


def test_a_summary_needs_a_token_before_the_text(
    configured: Callable[[str], TrainingConfig],
    birds_data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WINNOW_RUNTIME", "torch")
    config = configured("T5")
    config = replace(config, run=replace(config.run, steps=2))
    for prefix in (None, 2):
        summarised = replace(config.model, summary_weight=0.3, query_prefix=prefix)
        with pytest.raises(UsageError, match="no token before a text in whose place a summary"):
            find_start(summarised, seed=0)
    summarised = replace(config.model, summary_weight=0.3, query_prefix=2, passage_prefix=2)
    config = replace(config, model=summarised)
    model = train(config, birds_data.parent, tmp_path / "run", ignore)
    checkpoint = load_checkpoint(model)
    encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), open_runtime(checkpoint))
    product = encoder.encode_passages(encoder.passage_tokens([("", "the owl hunts")]))[0]
    trainer = Trainer(config, birds_data.parent, tmp_path / "run", ignore, Job())
    with torch.inference_mode():
        ours = trainer.model.eval().encode_passages(
            trainer.collator.passages([("", "the owl hunts")])
        )
    assert len(product) == 4
    np.testing.assert_allclose(product.vectors, ours.vectors[0].numpy(), atol=5e-3)
