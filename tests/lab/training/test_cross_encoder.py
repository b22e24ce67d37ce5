"""A cross-encoder starts equal to its initial model, learns, resumes, and teaches."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import lab
from core.encoders.tokens import Tokenizer
from core.errors import ModelError, UsageError
from core.progress import Job
from lab.training.batches import Collator, Texts
from lab.training.config import DataConfig, DataKind, DevConfig, TrainingConfig, read_config
from lab.training.corpus import Passage
from lab.training.cross_encoder import (
    WEIGHTS_FILE,
    CrossEncoder,
    WinnowCrossEncoderTeacher,
    build_cross_encoder,
    load_cross_teacher,
)
from lab.training.cross_training import comparison_columns
from lab.training.loop import LOG, Prepared
from lab.training.model_config import SalienceConfig
from lab.training.pairs import Example
from lab.training.scores import in_batch_scores
from lab.training.start import find_start
from lab.training.train import open_trainer, train

PASSAGES = [("owl", "the owl hunts at the night ."), ("", "crow hides"), ("heron", "it fishes")]
QUERIES = ["what hunts at night", "crow", "the lake"]


@pytest.fixture
def cross_config(tiny_config: TrainingConfig) -> TrainingConfig:
    """Return the tiny run of a cross-encoder whose last layer is joined."""
    return replace(
        tiny_config,
        model=replace(tiny_config.model, cross_layers=1, summary_weight=0.3),
        loss=replace(tiny_config.loss, scale=20.0),
        run=replace(tiny_config.run, ways=4, learning_rate=3e-3),
    )


def parts(config: TrainingConfig) -> tuple[CrossEncoder, Collator]:
    start = find_start(config.model, config.run.seed)
    model = build_cross_encoder(start, config.model, config.salience, config.run, "cpu")
    return model, Collator(Tokenizer.of(start.checkpoint), start, config.run)


def all_pairs(model: CrossEncoder, collator: Collator) -> torch.Tensor:
    """Return (3, 3) scores of each query with each passage."""
    queries = collator.queries([query for query in QUERIES for _ in PASSAGES])
    passages = collator.passages(PASSAGES * len(QUERIES))
    with torch.no_grad():
        return model.pair_scores(queries, passages).reshape(3, 3)


def test_without_cross_attention_it_scores_like_late_interaction(
    cross_config: TrainingConfig,
) -> None:
    plain = replace(cross_config, model=replace(cross_config.model, summary_weight=0.0))
    model, collator = parts(plain)
    with torch.no_grad():
        model.cross_attention_bias.fill_(-1e9)
        query, passage = model(collator.queries(QUERIES), collator.passages(PASSAGES))
        tokens = in_batch_scores(query.vectors, query.mask, passage.vectors, passage.mask)
    torch.testing.assert_close(all_pairs(model, collator), tokens, atol=1e-5, rtol=1e-5)


def test_the_summary_is_weighted(cross_config: TrainingConfig) -> None:
    with_one, collator = parts(cross_config)
    without = replace(cross_config, model=replace(cross_config.model, summary_weight=0.0))
    tokens_alone, _ = parts(without)
    for model in (with_one, tokens_alone):
        with torch.no_grad():
            model.cross_attention_bias.fill_(-1e9)
    with torch.no_grad():
        query, passage = with_one(collator.queries(QUERIES), collator.passages(PASSAGES))
        about = query.vectors[:, 0] @ passage.vectors[:, 0].T
    mixed = (all_pairs(tokens_alone, collator) + 0.3 * about) / 1.3
    torch.testing.assert_close(all_pairs(with_one, collator), mixed, atol=1e-5, rtol=1e-5)


def test_with_cross_attention_query_and_passage_interact(cross_config: TrainingConfig) -> None:
    model, collator = parts(cross_config)
    initial = all_pairs(model, collator)
    with torch.no_grad():
        model.cross_attention_bias.fill_(-1e9)
        closed = all_pairs(model, collator)
        model.cross_attention_bias.fill_(0)
        opened = all_pairs(model, collator)
    assert 0 < (initial - closed).abs().max() < (opened - closed).abs().max()


def test_salient_tokens_of_a_query_count_more(cross_config: TrainingConfig) -> None:
    config = replace(
        cross_config,
        model=replace(cross_config.model, summary_weight=0.0),
        salience=SalienceConfig(kind="entropy"),
    )
    model, collator = parts(config)
    with torch.no_grad():
        model.cross_attention_bias.fill_(-1e9)
        head = model.salience["query"].linear  # type: ignore[union-attr] # a head of salience
        query, passage = model(collator.queries(QUERIES), collator.passages(PASSAGES))
        states = model.states(collator.queries(QUERIES))
        weights = torch.relu(head(states.hidden)[..., 0]) * states.mask  # type: ignore[operator] # a layer
        assert weights.sum(dim=1).gt(0).all()
        assert weights.std() > 0
        expected = in_batch_scores(
            query.vectors, query.mask, passage.vectors, passage.mask, weights
        )
        torch.testing.assert_close(all_pairs(model, collator), expected, atol=1e-5, rtol=1e-5)
        # If none is salient, all have equal weights.
        head.bias.fill_(-100)  # type: ignore[union-attr, operator] # a layer's
        expected = in_batch_scores(query.vectors, query.mask, passage.vectors, passage.mask)
        torch.testing.assert_close(all_pairs(model, collator), expected, atol=1e-5, rtol=1e-5)


def test_scores_do_not_depend_on_the_batch(cross_config: TrainingConfig) -> None:
    model, collator = parts(cross_config)
    together = all_pairs(model, collator)
    for row, query in enumerate(QUERIES):
        for column, passage in enumerate(PASSAGES):
            alone = model.pair_scores(collator.queries([query]), collator.passages([passage]))
            torch.testing.assert_close(alone[0], together[row, column], atol=1e-5, rtol=1e-5)


def test_texts_can_be_chosen(cross_config: TrainingConfig) -> None:
    _, collator = parts(cross_config)
    texts = collator.queries(QUERIES)
    chosen = texts.chosen(torch.tensor([1, 2, 1]))
    again = collator.queries([QUERIES[1], QUERIES[2], QUERIES[1]])
    assert chosen.lengths == again.lengths
    assert chosen.ids.tolist() == again.ids.tolist()
    assert chosen.mask.tolist() == again.mask.tolist()
    assert isinstance(texts.chosen(torch.tensor([], dtype=torch.int64)), Texts)


def test_separate_layers_are_frozen(cross_config: TrainingConfig) -> None:
    model, _ = parts(cross_config)
    trained = {name for name, one in model.named_parameters() if one.requires_grad}
    assert "transformer.encoder.layer.1.attention.self.query.weight" in trained
    assert {"cross_attention_bias", "cls_head.weight", "projection", "summary"} <= trained
    assert not any(".layer.0." in name or "embeddings" in name for name in trained)


def test_a_recipe_may_freeze_the_transformer(cross_config: TrainingConfig) -> None:
    config = replace(cross_config, run=replace(cross_config.run, frozen="encoder"))
    model, _ = parts(config)
    trained = {name for name, one in model.named_parameters() if one.requires_grad}
    assert trained == {
        "cross_attention_bias",
        "cls_head.weight",
        "cls_head.bias",
        "projection",
        "summary",
    }


def test_other_models_and_too_many_layers_are_refused(
    cross_config: TrainingConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = replace(cross_config, model=replace(cross_config.model, cross_layers=3))
    with pytest.raises(UsageError, match="has 2 layers; set cross_layers"):
        parts(many)
    import lab.training.model as models

    real = models._transformer

    def other(*arguments: object) -> object:
        transformer = real(*arguments)  # type: ignore[arg-type] # handed on as they are
        transformer.encoder = torch.nn.Identity()
        return transformer

    monkeypatch.setattr(models, "_transformer", other)
    with pytest.raises(UsageError, match="is no BERT"):
        parts(cross_config)


@pytest.fixture
def run(cross_config: TrainingConfig, birds_data: Path, tmp_path: Path) -> Callable[..., Path]:
    def go(name: str = "run", minutes: float | None = None, **changes: object) -> Path:
        config = replace(
            cross_config,
            run=replace(cross_config.run, **changes),  # type: ignore[arg-type] # a key's own type
            data=(DataConfig(folder="birds"), DataConfig(folder="birds", kind="keywords")),
            dev=(DevConfig(folder="asked"),),
        )
        messages: list[str] = []
        return train(config, birds_data.parent, tmp_path / name, messages.append, minutes=minutes)

    return go


def measured(folder: Path) -> list[float]:
    entries = [json.loads(line) for line in (folder / LOG).read_text("utf-8").splitlines()]
    return [entry["dev"]["asked-test"]["ndcg@10"] for entry in entries if "dev" in entry]


def test_it_learns_and_can_be_loaded_as_a_teacher(
    run: Callable[..., Path], cross_config: TrainingConfig
) -> None:
    model = run(steps=60, evaluate_every=30)
    first, *_, last = measured(model.parent)
    assert last > first
    assert last > 0.9
    teacher = load_cross_teacher(model, cross_config.run, "cpu")
    owl = Passage("birds/d0", 0, "owl", "The owl hunts at the night. It does it when old.")
    crow = Passage("birds/d1", 0, "crow", "The crow hides at the ground. It does it when old.")
    scores = teacher.score(["what hunts in the night", "what hides"], [[owl, crow], [owl]])
    assert scores[0, 0] > scores[0, 1]
    assert torch.isnan(scores[1, 1])


def test_a_folder_scores_as_the_model_it_was_written_of(
    run: Callable[..., Path], cross_config: TrainingConfig, birds_data: Path
) -> None:
    model = run(steps=3)
    config = replace(
        cross_config,
        run=replace(cross_config.run, steps=3),
        data=(DataConfig(folder="birds"), DataConfig(folder="birds", kind="keywords")),
        dev=(DevConfig(folder="asked"),),
    )
    trainer = open_trainer(config, birds_data.parent, model.parent, lambda _line: None, Job())
    assert isinstance(trainer.model, CrossEncoder)
    passages_of_query = [Passage("birds/d0", 0, *one) for one in PASSAGES]
    own = WinnowCrossEncoderTeacher(trainer.model, trainer.collator, "cpu", "float32")
    read = load_cross_teacher(model, cross_config.run, "cpu")
    one, other = (teacher.score(QUERIES, [passages_of_query] * 3) for teacher in (own, read))
    torch.testing.assert_close(one, other, atol=2e-3, rtol=0)  # half precision


def test_a_resumed_run_is_identical(run: Callable[..., Path]) -> None:
    whole = run("whole", steps=6)
    run("stopped", minutes=1e-9, steps=6)
    for _ in range(5):
        stopped = run("stopped", minutes=1e-9, steps=6)
    for name in ("transformer/model.safetensors", "heads.safetensors", WEIGHTS_FILE):
        assert (whole / name).read_bytes() == (stopped / name).read_bytes()


@pytest.mark.parametrize(
    ("section", "changes", "message"),
    [
        ("loss", {"distillation": 1.0}, "set \\[loss\\] distillation to 0"),
        ("loss", {"compression": 1.0}, "set \\[loss\\] compression to 0"),
        ("model", {"projection_hidden": 4}, "set \\[model\\] projection_hidden to 0"),
        ("run", {"ways": 1}, "set ways to 2"),
    ],
)
def test_unsupported_options_are_refused(
    cross_config: TrainingConfig,
    birds_data: Path,
    tmp_path: Path,
    section: str,
    changes: dict[str, object],
    message: str,
) -> None:
    changed = replace(getattr(cross_config, section), **changes)
    config = replace(cross_config, **{section: changed}, data=(DataConfig(folder="birds"),))
    with pytest.raises(UsageError, match=message):
        train(config, birds_data.parent, tmp_path / "run", lambda _line: None)
    assert not (tmp_path / "run").exists()


def test_a_damaged_cross_encoder_is_reported(
    run: Callable[..., Path], cross_config: TrainingConfig
) -> None:
    model = run(steps=1)
    (model / WEIGHTS_FILE).write_bytes(b"nothing")
    with pytest.raises(ModelError, match=r"damaged|cannot be read"):
        load_cross_teacher(model, cross_config.run, "cpu")


def test_comparison_columns(cross_config: TrainingConfig) -> None:
    _, collator = parts(cross_config)
    texts = [Passage(f"d{n}", 0, "", text) for n, (_, text) in enumerate(PASSAGES)]
    mined = Example("crow", texts[1], "pairs", frozenset({"d1"}), negatives=(texts[2],))
    generated = Example("hunts", texts[0], "keywords", frozenset({"d0", "d1"}))
    batch = collator.batch([mined, generated])
    columns = [
        [batch.passages[one] for one in row if one >= 0]
        for row in comparison_columns(batch, 4, 7, 0)
    ]
    assert columns[0] == [texts[1], texts[2]]  # its own, and no others
    # The first query is read twice, and so is the second, with passages of their own lengths.
    query, passage = (batch.query_texts.lengths, batch.passage_texts.lengths)
    places = {one: passage[column] for column, one in enumerate(batch.passages)}
    tokens = 2 * sum(query) + places[texts[1]] + 2 * places[texts[2]] + places[texts[0]]
    assert Prepared(batch, None, comparison_columns(batch, 4, 7, 0)).tokens == tokens
    assert Prepared(batch, None).tokens == batch.tokens < tokens
    assert columns[1] == [texts[0], texts[2]]  # of the batch, except those that answer it
    assert (
        comparison_columns(batch, 4, 7, 0).tolist() == comparison_columns(batch, 4, 7, 0).tolist()
    )
    drawn = {tuple(comparison_columns(batch, 2, 7, step)[1].tolist()) for step in range(20)}
    assert len(drawn) == 1


def test_the_recipe_mines_its_training_sets_and_holds_out_two_domains() -> None:
    config = read_config(Path(lab.__file__).parent / "models" / "cross-encoder" / "train.toml")
    assert config.model.cross_layers == 3
    for data in config.data:
        mined = f"negatives/{data.name}.jsonl" if data.kind == DataKind.PAIRS else ""
        assert data.negatives == mined
    assert not {one.folder for one in config.data} & {one.folder for one in config.dev}
