"""Mined negatives, teachers, and the commands that use them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from core.cli import main
from core.encoders.encoder import Encoder
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.runtimes import OpenVinoRuntime
from core.encoders.tokens import Tokenizer
from core.errors import ModelError, UsageError
from lab.evaluation.data import DataSet
from lab.training.batches import Collator
from lab.training.config import LossConfig, RunConfig
from lab.training.corpus import Passage, WordWeights, read_corpus, words
from lab.training.model import build_model
from lab.training.model_config import ModelConfig, SalienceConfig
from lab.training.pairs import hardest, judged_queries, read_mined
from lab.training.start import find_start
from lab.training.teachers import (
    CrossEncoderTeacher,
    EnsembleTeacher,
    ModelTeacher,
    Teacher,
    WeightedTeachers,
)

from .conftest import DOES, KINDS, WriteData, save_tokenizer

CONFIG = """
[model]
start = "{model}"
dimensions = 16
projection = "random"
[run]
output = "run"
steps = {steps}
batch = 4
ways = 3
query_tokens = 16
passage_tokens = 32
log_every = 2
checkpoint_every = 100
evaluate_every = 0
precision = "float32"
threads = 1
[loss]
distillation = 1
[mining]
depth = 4
skip = 1
teacher = "{teacher}"
[[data]]
folder = "birds"
negatives = "negatives/birds-pairs.jsonl"
"""


def config(folder: Path, model: Path, teacher: str = "ensemble", steps: int = 4) -> str:
    path = folder / "run.toml"
    path.write_text(CONFIG.format(model=model, teacher=teacher, steps=steps), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="session")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory, tiny_model: Path) -> Path:
    from transformers import BertConfig, BertForSequenceClassification

    folder = tmp_path_factory.mktemp("cross")
    torch.manual_seed(3)
    described = BertConfig.from_pretrained(tiny_model, num_labels=1)
    BertForSequenceClassification(described).save_pretrained(folder, safe_serialization=True)
    save_tokenizer(tiny_model, folder)
    return folder


@pytest.mark.parametrize("kind", ["none", "ensemble", "cross"])
def test_negatives_are_mined_and_trained_on(
    tiny_model: Path,
    birds_data: Path,
    tmp_path: Path,
    cross_encoder: Path,
    capsys: pytest.CaptureFixture[str],
    kind: str,
) -> None:
    path = config(tmp_path, tiny_model, str(cross_encoder) if kind == "cross" else kind)
    data = str(birds_data.parent)
    assert main(["mine", path, "--data", data]) == 0
    file = tmp_path / "run" / "negatives" / "birds-pairs.jsonl"
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [line["query"] for line in lines] == [f"q{n}" for n in range(10)]
    for number, line in enumerate(lines):
        assert line["positive"]["document"] == f"d{number}"
        ids = [one["document"] for one in line["negatives"]]
        assert len(ids) == len(set(ids)) == 4
        assert f"d{number}" not in ids
        scores = [one["score"] for one in line["negatives"]]
        assert scores == sorted(scores, reverse=True)
        assert [one["rank"] for one in line["negatives"]] == [1, 2, 3, 4]
        assert ("teacher" in line["positive"]) == (kind != "none")
        # The skipped one may score above, and so may those that are kept.
        assert -1 <= line["positive"]["score"] <= 1
    assert main(["train", path, "--data", data]) == 0
    entries = (tmp_path / "run" / "log.jsonl").read_text("utf-8").splitlines()
    followed = [json.loads(line)["distillation"] for line in entries]
    assert all((value > 0) == (kind != "none") for value in followed)
    assert f"The model is in {tmp_path / 'run' / 'model'}." in capsys.readouterr().out


def test_a_run_can_use_the_hardest_queries(
    tiny_model: Path, birds_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, data = Path(config(tmp_path, tiny_model, "none")), str(birds_data.parent)
    assert main(["mine", str(path), "--data", data]) == 0
    path.write_text(f"{path.read_text('utf-8')}hardest = 0.3\n", encoding="utf-8")
    assert main(["train", str(path), "--data", data]) == 0
    assert "birds-pairs: 3 to draw from" in capsys.readouterr().out
    file = tmp_path / "run" / "negatives" / "birds-pairs.jsonl"
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    margins = {
        line["query"]: line["positive"]["score"] - line["negatives"][0]["score"] for line in lines
    }
    known = read_corpus(birds_data, lambda texts: [len(words(text)) for text in texts])
    queries = judged_queries(DataSet(birds_data), known)
    selected = hardest(queries, read_mined(file, known, queries), 0.3, file)
    assert {one.id for one in selected} == set(sorted(margins, key=margins.__getitem__)[:3])
    # An older file has no score of the positive.
    for line in lines:
        del line["positive"]["score"]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert main(["train", str(path), "--data", data, "--output", str(tmp_path / "run")]) != 0
    assert "does not say how the positives score; mine again." in capsys.readouterr().err


def test_relevant_documents_are_never_negatives(
    tiny_model: Path, write_data: WriteData, tmp_path: Path
) -> None:
    """Even if its text differs from the positive's."""
    texts = [f"the {kind} {does}" for kind, does in zip(KINDS, DOES, strict=True)]
    documents = [(f"d{number}", "", text) for number, text in enumerate(texts)]
    judged = [("q", f"d{number}") for number in range(0, 10, 2)]
    data = write_data("birds", documents, [("q", "what bird hunts")], {"train": judged})
    path = config(tmp_path, tiny_model, "none")
    text = Path(path).read_text("utf-8").replace("depth = 4\nskip = 1", "depth = 10\nskip = 0")
    Path(path).write_text(text, encoding="utf-8")
    assert main(["mine", path, "--data", str(data.parent)]) == 0
    file = tmp_path / "run" / "negatives" / "birds-pairs.jsonl"
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert lines
    for line in lines:
        found = {one["document"] for one in line["negatives"]}
        assert found == {f"d{number}" for number in range(1, 10, 2)}


def test_a_cross_encoder_scores_each_pair(cross_encoder: Path) -> None:
    teacher = CrossEncoderTeacher(cross_encoder, precision="float32")
    owl, crow = Passage("d", 0, "Owl", "the owl hunts"), Passage("e", 0, "", "the crow")
    scores = teacher.score(["what hunts", "crow"], [[owl, crow], [crow]])
    assert scores.shape == (2, 2)
    assert scores[1, 1].isnan()
    alone = teacher.score(["what hunts"], [[crow]])
    torch.testing.assert_close(scores[0, 1], alone[0, 0], atol=1e-5, rtol=0)


def test_other_models_are_no_cross_encoders(tiny_model: Path, tmp_path: Path) -> None:
    from transformers import BertConfig, BertForSequenceClassification

    with pytest.raises(UsageError, match=r"holds no cross-encoder: config.json is missing"):
        CrossEncoderTeacher(tmp_path)
    described = BertConfig.from_pretrained(tiny_model, num_labels=3)
    BertForSequenceClassification(described).save_pretrained(tmp_path / "three")
    Tokenizer(tiny_model / "tokenizer.json").tokenize(["a"])
    (tmp_path / "three" / "tokenizer.json").write_bytes(
        (tiny_model / "tokenizer.json").read_bytes()
    )
    with pytest.raises(ModelError, match="three"):
        CrossEncoderTeacher(tmp_path / "three")


def test_the_ensemble_prefers_rare_query_words(tiny_model: Path) -> None:
    start = find_start(ModelConfig(str(tiny_model), 16, "random"), 1)
    run = RunConfig(query_tokens=16, passage_tokens=32)
    model = build_model(start, ModelConfig(), SalienceConfig(), run, "cpu")
    collator = Collator(Tokenizer(tiny_model / "tokenizer.json"), start, run)
    weights = WordWeights(100, Counter({"the": 90, "owl": 2, "crow": 2}))
    size = model.transformer.config.vocab_size
    teacher = EnsembleTeacher(model, collator, weights, torch.ones(size), precision="float32")
    owl, crow = Passage("d", 0, "", "the owl hunts"), Passage("e", 0, "", "the crow sings")
    wren = Passage("f", 0, "", "the wren")
    scores = teacher.score(["the owl", "crow"], [[crow, owl, wren], [crow, owl]])
    assert scores[0].argmax() == 1
    assert scores[1, 0] > scores[1, 1]
    assert scores[1, 2].isnan()


def test_another_model_scores_by_its_own_aligned_tokens(tiny_model: Path) -> None:
    checkpoint = load_checkpoint(tiny_model)
    encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), OpenVinoRuntime(checkpoint))
    owl, crow = Passage("d", 0, "Owl", "the owl hunts"), Passage("e", 0, "", "the crow")
    scores = ModelTeacher(encoder).score(["what hunts", "crow"], [[owl, crow], [crow]])
    assert scores.shape == (2, 2)
    assert scores[1, 1].isnan()
    (query,) = encoder.encode_queries([encoder.query_tokens("what hunts")])
    (passage,) = encoder.encode_passages(encoder.passage_tokens([("Owl", "the owl hunts")]))
    best = (query.vectors @ passage.vectors.T).max(axis=1).mean()
    assert float(scores[0, 0]) == pytest.approx(float(best), abs=1e-5)


def test_a_second_teacher_is_added(tiny_model: Path) -> None:
    class Fixed(Teacher):
        def __init__(self, *scores: float) -> None:
            self._scores = torch.tensor([scores])

        def prepare(self, *_arguments: object) -> Callable[[], torch.Tensor]:
            return lambda: self._scores

    together = WeightedTeachers([(Fixed(0.1, 0.3, torch.nan), 1.0), (Fixed(0.5, 0.1, 1.0), 0.5)])
    scores = together.score([], [])
    assert scores[0, :2].tolist() == pytest.approx([0.35, 0.35])
    assert scores[0, 2].isnan()
    with pytest.raises(ValueError, match="second_teacher cannot be combined"):
        LossConfig(distillation=1.0, second_teacher=str(tiny_model))


def test_a_run_uses_a_second_teacher(tiny_model: Path, birds_data: Path, tmp_path: Path) -> None:
    """With the same seed and teacher, a second teacher changes the loss."""
    followed: list[float] = []
    for second_teacher in ("", f"second_teacher = {json.dumps(str(tiny_model))}\n"):
        path = Path(config(tmp_path, tiny_model, steps=2))
        text = path.read_text("utf-8").replace(
            "distillation = 1\n", f'distillation = 1\nteacher = "ensemble"\n{second_teacher}'
        )
        text = text.replace('negatives = "negatives/birds-pairs.jsonl"\n', "")
        path.write_text(text, encoding="utf-8")
        output = tmp_path / f"run{len(followed)}"
        data = str(birds_data.parent)
        assert main(["train", str(path), "--data", data, "--output", str(output)]) == 0
        entries = (output / "log.jsonl").read_text("utf-8").splitlines()
        followed.append(json.loads(entries[0])["distillation"])
    assert followed[0] != followed[1]


def test_each_part_of_the_ensemble_matters(tiny_model: Path) -> None:
    """The score equals the formula: weighted maxima, the pooled vectors' cosine, and BM25."""
    start = find_start(ModelConfig(str(tiny_model), 16, "random"), 1)
    run = RunConfig(query_tokens=16, passage_tokens=32)
    model = build_model(start, ModelConfig(), SalienceConfig(), run, "cpu")
    collator = Collator(Tokenizer(tiny_model / "tokenizer.json"), start, run)
    query, texts = "the owl hunts", ["the crow sings", "owl at night", "the wren"]
    passages = [Passage(f"d{number}", 0, "", text) for number, text in enumerate(texts)]
    query_texts, passage_texts = (
        collator.queries([query]),
        collator.passages([("", text) for text in texts]),
    )
    with model.encoding():
        own, passages_encoded = model(query_texts, passage_texts)
    rarity = torch.linspace(0.2, 3, model.transformer.config.vocab_size)
    weights = rarity[query_texts.own_ids[0]]
    expected = []
    for number in range(len(texts)):
        found = passages_encoded.vectors[number][passages_encoded.mask[number]]
        maxima = (own.vectors[0] @ found.T).amax(dim=1)
        cosine = torch.cosine_similarity(own.pooled[0], passages_encoded.pooled[number], dim=0)
        mean = (weights * maxima).sum() / weights.sum()
        expected.append(float(mean + EnsembleTeacher.POOLED * cosine))
    assert EnsembleTeacher.POOLED > 0.1
    words = WordWeights(100, Counter({"the": 90, "owl": 2, "hunts": 2}))
    teacher = EnsembleTeacher(model, collator, words, rarity, precision="float32")
    (scores,) = teacher.score([query], [passages]).tolist()
    shares = [score - one for score, one in zip(scores, expected, strict=True)]
    # Only the second passage has a rare word of the query.
    assert shares[1] > 3 * max(shares[0], shares[2]) >= 0
    (scores,) = teacher.score(["robin"], [passages[:1]]).tolist()
    alone = collator.queries(["robin"])
    with model.encoding():
        robin, crow = model(alone, collator.passages([("", texts[0])]))
    best = (robin.vectors[0] @ crow.vectors[0].T).amax(dim=1)[0]
    cosine = torch.cosine_similarity(robin.pooled[0], crow.pooled[0], dim=0)
    assert scores == pytest.approx([float(best + EnsembleTeacher.POOLED * cosine)], abs=1e-5)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["train", "gone.toml"], "gone.toml cannot be read"),
        (["mine", "{config}", "--data", "nowhere"], "There is no folder nowhere"),
        (["train", "{bare}"], "names no output"),
    ],
)
def test_usage_errors_are_reported(
    tiny_model: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    (tmp_path / "bare.toml").write_text('[[data]]\nfolder = "x"\n', encoding="utf-8")
    names = {"config": config(tmp_path, tiny_model), "bare": str(tmp_path / "bare.toml")}
    assert main([one.format(**names) for one in arguments]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without asking")
def test_a_cancelled_run_keeps_its_results(
    tiny_model: Path, birds_data: Path, tmp_path: Path
) -> None:
    path = config(tmp_path, tiny_model, steps=1_000_000)
    text = Path(path).read_text("utf-8").replace('negatives = "negatives/birds-pairs.jsonl"', "")
    Path(path).write_text(text, encoding="utf-8")
    code = "import sys; from core.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "train", path, "--data", str(birds_data.parent)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    while line and not line.startswith("step 2 "):
        line = process.stdout.readline()
    began_s = time.monotonic()
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - began_s < 30
    assert process.returncode == 130
    assert "run the same command again to continue" in errors
    (checkpoint,) = (tmp_path / "run" / "checkpoints").iterdir()
    assert json.loads((checkpoint / "state.json").read_text("utf-8"))["step"] >= 2
