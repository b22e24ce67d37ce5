"""Rarity, and salience heads initialised from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch

from core.progress import Job
from lab.training.config import TrainingConfig
from lab.training.loop import Trainer
from lab.training.model_config import SalienceConfig
from lab.training.rarity import alignment_shares, draw, rarity_of


def begin(config: TrainingConfig, data: Path, output: Path) -> Trainer:
    return Trainer(config, data.parent, output, lambda _line: None, Job())


def test_the_sample_alternates_between_sources_and_is_reproducible(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    data = (*tiny_config.data, replace(tiny_config.data[0], kind="keywords"))
    sources = begin(replace(tiny_config, data=data), birds_data, tmp_path / "run").sources
    drawn = draw(sources, 3)
    assert {one.source for one in drawn[:2]} == {"birds-pairs", "birds-keywords"}
    assert drawn == draw(sources, 3)
    assert drawn != draw(sources, 4)


def test_rare_query_words_initially_have_more_weight(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    found = {}
    for start in ("even", "rarity"):
        salience = SalienceConfig("entropy", alpha_query=1.0, query_start=start)
        trainer = begin(replace(tiny_config, salience=salience), birds_data, tmp_path / start)
        texts = trainer.collator.queries([one.query for one in draw(trainer.sources, 7)])
        with torch.inference_mode():
            values = trainer.model.eval().encode_queries(texts).salience
        assert values is not None
        size = trainer.model.transformer.config.vocab_size
        rare = rarity_of(draw(trainer.sources, 7), trainer.tokenizer, size)
        mask = texts.mask[:, texts.before + texts.after :]
        wanted = torch.from_numpy(rare)[texts.own_ids[mask]]
        found[start] = float(torch.corrcoef(torch.stack([values[mask], wanted]))[0, 1])
        if start == "rarity":
            assert abs(float(values[mask].mean()) - 1) < 0.1
    assert found["rarity"] > 0.9
    assert found["rarity"] > found["even"]


def test_long_passage_vectors_initially_have_more_weight(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    found = {}
    for start in ("even", "length"):
        salience = SalienceConfig("entropy", alpha_passage=1.0, passage_start=start)
        trainer = begin(replace(tiny_config, salience=salience), birds_data, tmp_path / start)
        drawn = [one.passage for one in draw(trainer.sources, 7)]
        texts = trainer.collator.passages([(one.context, one.text) for one in drawn])
        model = trainer.model.eval()
        with torch.inference_mode():
            values = model.encode_passages(texts).salience
            states = model.states(texts)
            lengths = (states.hidden @ model.projection).norm(dim=-1)[states.mask]
        assert values is not None
        values = values[states.mask]
        found[start] = float(torch.corrcoef(torch.stack([values, lengths]))[0, 1])
        if start == "length":
            assert abs(float(values.mean()) - 1) < 0.1
    assert found["length"] > 0.9
    assert found["length"] > found["even"]


def test_aligned_passage_tokens_initially_have_more_weight(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    found = {}
    for start in ("even", "length", "alignment", "length+alignment"):
        salience = SalienceConfig("entropy", alpha_passage=1.0, passage_start=start)
        trainer = begin(replace(tiny_config, salience=salience), birds_data, tmp_path / start)
        drawn = draw(trainer.sources, 7)
        texts = trainer.collator.passages(
            [(one.passage.context, one.passage.text) for one in drawn]
        )
        model = trainer.model.eval()
        with torch.inference_mode():
            query_vectors = model.encode_queries(
                trainer.collator.queries([one.query for one in drawn])
            )
            encoded = model.encode_passages(texts)
        assert encoded.ungated is not None
        assert query_vectors.ungated is not None
        shares = torch.cat(
            [
                alignment_shares(query[own], weights[own], passage[there])
                for query, own, weights, passage, there in zip(
                    query_vectors.vectors,
                    query_vectors.mask,
                    query_vectors.ungated,
                    encoded.vectors,
                    encoded.mask,
                    strict=True,
                )
            ]
        )
        values = encoded.ungated[encoded.mask]
        found[start] = float(torch.corrcoef(torch.stack([values, shares]))[0, 1])
        if start != "even":
            assert abs(float(values.mean()) - 1) < 0.2
    assert found["alignment"] > found["length+alignment"] > found["length"]
    assert found["alignment"] > found["even"]


def test_a_passage_head_can_combine_the_starts_saliences_with_alignments(
    tiny_config: TrainingConfig, birds_data: Path, tmp_path: Path
) -> None:
    saliences = {}
    for start in ("even", "length+alignment", "own+length+alignment"):
        salience = SalienceConfig("entropy", alpha_passage=1.0, passage_start=start)
        trainer = begin(replace(tiny_config, salience=salience), birds_data, tmp_path / start)
        drawn = [one.passage for one in draw(trainer.sources, 7)]
        texts = trainer.collator.passages([(one.context, one.text) for one in drawn])
        with torch.inference_mode():
            values = trainer.model.eval().encode_passages(texts).ungated
        assert values is not None
        saliences[start] = values[texts.mask[:, texts.before + texts.after :]]
    own, measured, both = saliences.values()
    # All three have equal weights: a third of the one, two of the others, with mean 1, too.
    expected = (own / own.mean() + 2 * measured) / 3
    assert float(torch.corrcoef(torch.stack([both, expected]))[0, 1]) > 0.99
    assert float((both - expected).abs().max()) < float((both - measured).abs().max())


def test_shares_of_a_query_without_weights_are_even() -> None:
    query, passage = torch.eye(3)[:2], torch.eye(3)
    shares = alignment_shares(query, torch.zeros(2), passage)
    assert shares.tolist() == [1.5, 1.5, 0.0]
    assert alignment_shares(query[:0], torch.zeros(0), passage).tolist() == [0.0, 0.0, 0.0]
