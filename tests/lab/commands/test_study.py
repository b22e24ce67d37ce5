"""`winnow study`: tables, JSON, plots."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from core.encoders.encoder import Encoder
from core.files.paths import RESOURCES
from core.model_names import BUILT_IN
from lab.commands.study_pictures import draw
from tests.conftest import Run
from tests.lab.evaluation.test_run import DOCUMENTS, QUERIES, write_set
from tests.lab.evaluation.test_study import FOUND


@pytest.fixture
def run(encoder: Encoder, run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command with the loaded model."""
    monkeypatch.setattr("core.encoders.runtimes.open_runtime", lambda *_, **__: encoder.runtime)
    return run


@pytest.fixture
def sets(tmp_path: Path) -> list[Path]:
    return [write_set(tmp_path / name, DOCUMENTS, QUERIES) for name in ("birds", "fowls")]


def test_reduction_prints_tables_and_writes_pictures(
    run: Run, sets: list[Path], tmp_path: Path
) -> None:
    picture = tmp_path / "cost.svg"
    status, out, errors = run(
        "study",
        "reduction",
        *sets,
        "--no-peers",
        "--queries",
        3,
        "--trained",
        "fowls",
        "--picture",
        picture,
    )
    assert status == 0
    for words in (
        "birds",
        "fowls (trained on)",
        "all tokens, 2 bits",
        "pooling 20 %",
        BUILT_IN,
    ):
        assert words in out
    # Figures from 0 to 1 of each set, and their mean over sets that the model was not trained on.
    (row,) = [line for line in out.splitlines() if "│ all tokens, 4 bits " in line]
    assert row.count("1.0000") == 3
    costs = ("cost.svg", "cost-refined.svg", "cost-half.svg", "cost-half-refined.svg")
    names = (*costs, "cost-gold.svg", "cost-lexical.svg")
    drawn = [tmp_path / name for name in names]
    assert errors == "".join(f"winnow: drew {path}\n" for path in drawn)
    assert "pooling" in picture.read_text()
    assert "BM25" not in picture.read_text()


def test_reduction_prints_json(run: Run, sets: list[Path]) -> None:
    status, out, errors = run(
        "study", "reduction", sets[0], "--no-peers", "--no-fewer", "--retrieved", 0, "--json"
    )
    assert (status, errors) == (0, "")
    fields = json.loads(out)
    assert [one["dataset"] for one in fields["sets"]] == ["birds"]
    assert {one["ndcg@10"] for one in fields["figures"] if one["reduction"] == "all tokens"} == {1}
    assert {one["retrieved"] for one in fields["figures"]} == {0}
    assert {(one["reduction"], one["bits"]) for one in fields["figures"]} == {
        ("all tokens", bits) for bits in (32, 1, 2, 4)
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Missing argument"),
        (("nowhere",), "nowhere is not a folder"),
        (("nowhere", "--picture", "cost.pdf"), "cost.pdf"),
        (("nowhere", "--picture", "cost.svg", "--no-fewer"), "cannot be combined with --no-fewer"),
        (("nowhere", "--model", "no-such-model"), "no-such-model"),
    ],
)
def test_usage_errors_are_reported(run: Run, arguments: tuple[str, ...], words: str) -> None:
    status, out, errors = run("study", "reduction", *arguments, "--no-peers")
    assert status in {1, 2}
    assert out == ""
    assert errors.count("\n") == 1
    assert words in errors


def test_only_measured_figures_are_plotted(tmp_path: Path) -> None:
    assert draw(FOUND, tmp_path / "a.png") == [
        tmp_path / "a.png",
        tmp_path / "a-gold.png",
        tmp_path / "a-lexical.png",
    ]


def test_alignment_forms_are_compared(run: Run, sets: list[Path]) -> None:
    status, out, _ = run("study", "forms", *sets, "--retrieved", 50)
    assert status == 0
    for name in ("DPR", "ME-BERT", "COIL", "ColBERT", "XTR, imputed", "differentiable"):
        assert name in out
    status, out, _ = run("study", "forms", sets[0], "--retrieved", 50, "--json")
    figures = json.loads(out)["birds"]
    assert {figure["form"] for figure in figures} >= {"DPR", "COIL", "ColBERT"}
    assert all(0 <= figure["ndcg@10"] <= 1 for figure in figures)


@pytest.mark.parametrize("option", [("--picture", "a.svg"), ("--retrieved", "0")])
def test_missing_requirements_of_forms_are_reported(
    run: Run, sets: list[Path], option: tuple[str, str]
) -> None:
    status, _, errors = run("study", "forms", sets[0], *option)
    assert status == 2
    assert option[0] in errors


def test_imputations_are_compared_and_plotted(run: Run, sets: list[Path], tmp_path: Path) -> None:
    picture = tmp_path / "k.svg"
    status, out, errors = run("study", "imputation", *sets, "--retrieved", 30, "--picture", picture)
    assert status == 0
    ways = ("none", "top-k'", "all tokens")
    for words in ("birds", "fowls", *ways, "MRR@10", "recall@100", "at worst"):
        assert words in out
    drawn = [picture, tmp_path / "k-mrr.svg"]
    assert errors == "".join(f"winnow: drew {path}\n" for path in drawn)
    for path, measure in zip(drawn, ("recall@100", "MRR@10"), strict=True):
        text = path.read_text()
        assert f"{measure}, mean of 2 sets" in text
        assert "top-k'" in text
    status, out, _ = run("study", "imputation", sets[0], "--retrieved", 30, "--json")
    found = json.loads(out)[BUILT_IN]["birds"]
    assert [cost["retrieved"] for cost in found["scoring"]] == [10, pytest.approx(30, abs=20)]
    assert all(cost["colbert"] > cost["xtr"] > 0 for cost in found["scoring"])
    figures = found["figures"]
    assert {figure["retrieved"] for figure in figures} == {10, 30}
    assert {figure["missing"] for figure in figures} == {"none", "0", "0.2", "top-k'", "all tokens"}
    assert all(0 <= figure["mrr@10"] <= 1 for figure in figures)


def test_tokens_that_share_a_cluster_are_counted_and_shown(run: Run, sets: list[Path]) -> None:
    status, out, errors = run("study", "clusters", sets[0], "--count", 4)
    assert (status, errors) == (0, "")
    assert "random" in out
    assert "crows" in out or "owls" in out
    status, out, _ = run("study", "clusters", sets[0], "--count", 4, "--json")
    found = json.loads(out)["birds"]
    assert len(found["examples"]) == sum(found["own"]["tokens"].values()) == 4
    assert sum(found["own"]["clusters"].values()) == sum(found["random"]["clusters"].values())
    status, _, errors = run("study", "clusters", sets[0], "--count", 900)
    assert status == 2
    assert "too few" in errors


def test_shares_of_clusters_are_plotted(run: Run, sets: list[Path], tmp_path: Path) -> None:
    status, _, errors = run(
        "study", "clusters", *sets, "--count", 4, "--picture", tmp_path / "c.svg"
    )
    drawn = [tmp_path / "c.svg", tmp_path / "c-tokens.svg"]
    assert (status, errors) == (0, "".join(f"winnow: drew {path}\n" for path in drawn))
    for path in drawn:
        assert "fowls, random" in path.read_text()


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """Return the built-in model under another name."""
    return Path(shutil.copytree(RESOURCES / "models" / BUILT_IN, tmp_path / "other"))


def test_models_are_plotted_together(
    run: Run, sets: list[Path], other: Path, tmp_path: Path
) -> None:
    models = ("--model", BUILT_IN, "--model", other)
    options = ("--retrieved", 30, "--picture", tmp_path / "t.svg")
    status, out, errors = run("study", "token-retrieval", *sets, *options, *models)
    drawn = [tmp_path / f"t{end}.svg" for end in ("", "-ranks", "-gold", "-lexical")]
    assert (status, errors) == (0, "".join(f"winnow: drew {path}\n" for path in drawn))
    assert f"{BUILT_IN}, birds" in out
    assert "other, fowls" in out
    for path in drawn:
        assert ">other, fowls<" in path.read_text()
    options = ("--retrieved", 30, "--picture", tmp_path / "k.svg")
    status, out, _ = run("study", "imputation", sets[0], *options, *models)
    assert status == 0
    assert "other, birds" in out
    assert ">other<" in (tmp_path / "k-mrr.svg").read_text()


def test_models_with_equal_names_are_labelled_by_their_folders(
    run: Run, sets: list[Path], other: Path, tmp_path: Path
) -> None:
    again = shutil.copytree(other, tmp_path / "again" / "other")
    models = ("--model", other, "--model", again)
    status, out, _ = run("study", "token-retrieval", sets[0], "--json", *models)
    assert status == 0
    assert list(json.loads(out)) == [f"{tmp_path.name}/other", "again/other"]


def test_retrieved_scores_are_printed_by_rank(run: Run, sets: list[Path]) -> None:
    status, out, _ = run("study", "token-retrieval", sets[0], "--retrieved", 12, "--json")
    assert status == 0
    found = json.loads(out)[BUILT_IN]["birds"]
    assert len(found["density"]) == 100
    assert found["mean_by_rank"] == sorted(found["mean_by_rank"], reverse=True)
    assert len(found["deviation_by_rank"]) == 12
    status, out, _ = run("study", "token-retrieval", sets[0], "--retrieved", 12)
    assert "of a relevant document" in out


def test_retrieved_tokens_are_shown_in_context(run: Run, sets: list[Path]) -> None:
    status, out, errors = run("study", "examples", sets[0], "--queries", 4)
    assert (status, errors) == (0, "")
    assert "birds: crows faces" in out
    assert "crows: of the first hundred" in out
    assert "»Crows«" in out
    status, out, _ = run("study", "examples", sets[0], "--queries", 1, "--json")
    (example,) = json.loads(out)[BUILT_IN]["birds"]
    assert example["tokens"][0]["retrieved"][0]["rank"] == 1


def test_differentiable_alignments_are_swept(run: Run, sets: list[Path]) -> None:
    status, out, _ = run("study", "differentiable", sets[0], "--retrieved", 50)
    assert status == 0
    swept = [*((k, "0.01") for k in (1, 2, 4, 6, 8)), *((1, e) for e in ("0.02", "0.06", "0.1"))]
    for k, epsilon in swept:
        assert f"k = {k}, epsilon = {epsilon} " in out
    for k in (1, 2, 4, 6, 8):
        assert f"top-{k} " in out


def test_unrelated_documents_join_the_candidates(run: Run, tmp_path: Path) -> None:
    own = write_set(tmp_path / "birds", DOCUMENTS, QUERIES)
    # Unrelated documents that repeat the queries rank before the relevant ones.
    echoes = {name: ("", f"{text}.") for name, text in QUERIES.items()}
    other = write_set(tmp_path / "echoes", echoes, QUERIES)

    def ndcg(*arguments: object) -> list[float]:
        status, out, errors = run("study", *arguments, "--retrieved", 1000, "--json")
        assert (status, errors) == (0, "")
        found = json.loads(out)
        if arguments[0] == "imputation":
            figures = found[BUILT_IN]["birds"]["figures"]
            return [one["ndcg@10"] for one in figures if one["missing"] == "all tokens"]
        names = ("ColBERT", "top-1")
        return [one["ndcg@10"] for one in found["birds"] if one["form"] in names]

    for command in (("forms",), ("differentiable",), ("imputation", "--equal-weights")):
        assert set(ndcg(*command, own)) == {1}
        assert all(0.5 < value < 0.9 for value in ndcg(*command, own, "--unrelated", other))
    status, out, _ = run("study", "forms", own, "--unrelated", tmp_path / "nowhere")
    assert (status, out) == (2, "")


def test_sizes_are_counted_and_plotted_without_a_model(
    run: Run, sets: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("core.encoders.folders.layouts.load_checkpoint")
    status, out, errors = run("study", "sizes", *sets, "--picture", tmp_path / "s.svg")
    drawn = [tmp_path / f"s{end}.svg" for end in ("", "-queries", "-answers")]
    assert (status, errors) == (0, "".join(f"winnow: drew {path}\n" for path in drawn))
    assert "words a query" in out
    status, out, _ = run("study", "sizes", sets[0], "--json")
    assert json.loads(out)["birds"] == {
        "document_words": [7, 6, 5, 1],
        "query_words": [2, 2, 2, 1],
        "answers": [1, 1, 1, 1],
    }


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("examples", ("--picture", "a.svg")),
        ("differentiable", ("--picture", "a.svg")),
        ("differentiable", ("--retrieved", "0")),
        ("imputation", ("--retrieved", "0")),
        ("token-retrieval", ("--retrieved", "0")),
        ("forms", ("--passage-saliences",)),
        ("sizes", ("--model", "a")),
    ],
)
def test_options_of_other_measurements_are_refused(
    run: Run, sets: list[Path], name: str, option: tuple[str, ...]
) -> None:
    status, _, errors = run("study", name, sets[0], *option)
    assert status == 2
    assert option[0] in errors


def test_passage_saliences_can_be_measured(run: Run, sets: list[Path]) -> None:
    options = ("--no-peers", "--no-fewer", "--retrieved", 0)
    status, out, _ = run("study", "reduction", sets[0], *options, "--passage-saliences")
    assert status == 0
    assert "all tokens, passages weighted by salience" in out
    assert "passages weighted" not in run("study", "reduction", sets[0], *options)[1]
