"""Other models than the built-in one through the library and the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core import cli
from core.encoders.folders.layouts import load_checkpoint
from core.index.codebook import load_codec
from core.library.library import Library, LibraryOptions
from core.requests import Explain
from core.responses import Mode
from tests.conftest import BIRDS, write_files
from tests.core.tiny_models import save_tiny, save_tiny_colbert


@pytest.fixture(autouse=True)
def in_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has nothing to convert."""
    monkeypatch.setenv("WINNOW_RUNTIME", "torch")


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """A data set in BEIR's layout."""
    folder = tmp_path / "birds"
    (folder / "qrels").mkdir(parents=True)
    rows = [{"_id": name, "title": "", "text": text} for name, text in BIRDS.items()]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    queries = [{"_id": "1", "text": "the owl hunts mice"}, {"_id": "2", "text": "crow food"}]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n1\towl.txt\t1\n2\tcrow.txt\t1\n"
    )
    return folder


@pytest.mark.parametrize(("kind", "bits"), [("winnow", 32), ("winnow", 2), ("colbert", 32)])
def test_evaluate_takes_any_models_folder(
    kind: str, bits: int, judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "models" / kind
    (save_tiny(model, 1) if kind == "winnow" else save_tiny_colbert(model))
    command = ["evaluate", str(judged), "--mode", "meaning", "--bits", str(bits), "--json"]
    assert cli.main([*command, "--model", str(model)]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["documents"], figures["bits"]) == (8, bits)
    assert figures["recall@100"] == 1


def test_a_model_that_there_is_not_is_a_sentence(
    judged: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["evaluate", str(judged), "--model", "nowhere"]) == 1
    assert "There is no built-in model or folder named 'nowhere'" in capsys.readouterr().err


def test_a_codebook_is_fitted_next_to_a_trained_model(judged: Path, tmp_path: Path) -> None:
    model = save_tiny(tmp_path / "models" / "tiny", 1)
    before = load_checkpoint(model)
    without = before.fingerprint
    command = ["fit", str(judged), "--split", "test", "--centroids", "1", "--model", str(model)]
    assert cli.main(command) == 0
    after = load_checkpoint(model)
    fitted = after.fingerprint
    assert fitted != without
    assert after.weights_sha256 == before.weights_sha256
    codec = load_codec(after, 2)
    assert (codec.dimensions, codec.lists) == (16, 4)
    assert cli.main([*command, "--parts", "2", "--keep", "weighted-pooling:0.8"]) == 0
    assert load_codec(after, 2).lists == 2
    assert load_checkpoint(model).fingerprint != fitted


def test_tokens_without_characters_are_never_highlighted(
    tmp_path: Path, folder: Path, home: Path
) -> None:
    write_files(folder, BIRDS)
    options = LibraryOptions(32, model=str(save_tiny_colbert(tmp_path / "colbert")))
    with Library.open(home, options) as library:
        library.add_folder(folder)
        library.sync()
        results = library.search("the owl hunts", mode=Mode.HYBRID)
        assert [token.text for token in results.tokens] == ["the", "owl", "hunts"]
        assert [token.word for token in results.tokens] == [0, 1, 2]
        indexes = {token.index for token in results.tokens}
        for hit in results.hits:
            for pair in hit.passages[0].alignments:
                assert pair.query_index in indexes
                assert pair.text
        # The score is computed from the whole matrix, frame and fillers included.
        best = results.hits[0].passages[0].passage
        explanation = library.answer(Explain("the owl hunts", best.id))
        exact = explanation.exact
        assert exact.similarity.shape == (12, len(exact.tokens))
        assert len(explanation.tokens) == 12
        assert exact.tokens[-1].text == ""
        assert (exact.weights == 1).all()
        assert not explanation.has_summaries
