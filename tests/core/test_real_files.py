"""Real documents from outside the project: opt in with WINNOW_TEST_FILES=FOLDER."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from core.cli import main
from core.documents.formats import format_of
from core.library import Library
from core.search.results import Mode

FILES = os.environ.get("WINNOW_TEST_FILES", "")

pytestmark = [
    pytest.mark.skipif(not FILES, reason="WINNOW_TEST_FILES names no folder"),
    pytest.mark.timeout(600),
]


def phrase_of(text: str) -> str:
    """Up to six words that stand together in a sentence near the middle; "" without words."""
    for length in (6, 4, 2, 1):
        words = rf"[^\W_]+(?:[ \n]{{1}}[^\W_]+){{{length - 1}}}"
        runs = [
            " ".join(run.split())
            for sentence in re.split(r"[.!?…。！？]|\n\n", text)
            for run in re.findall(words, sentence)
        ]
        if runs:
            return runs[len(runs) // 2]
    return ""


def test_every_readable_document_is_found_by_a_phrase_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["index", FILES, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    failed = {Path(failure["path"]): failure["reason"] for failure in report["failed"]}
    assert all(failed.values())
    root = Path(FILES).resolve()
    kinds = {path: format_of(path) for path in root.rglob("*") if path.is_file()}
    expected = {
        path
        for path, kind in kinds.items()
        if kind and kind.reader and not kind.is_picture and path.name[0] != "."
    }
    archives = {path for path, kind in kinds.items() if kind and not kind.reader}
    phrases = 0
    with Library.open() as library:
        read = library.documents()
        files = {path for path in (*failed, *(one.path for one in read)) if path.is_file()}
        assert files - archives == expected
        # What lies in archives and mails is found as well.
        assert any(not document.path.is_file() for document in read)
        missed = []
        for document in read:
            texts = [page.text for page in library.page_texts(document.id)]
            phrase = phrase_of("\n\n".join(texts))
            if not phrase:
                # A scan or a drawing: nothing a person could type is on it.
                assert not re.search(r"[^\W_]", "".join(texts))
                continue
            phrases += 1
            found = library.search(f'"{phrase}"', mode=Mode.WORDS, limit=50)
            if document.path not in {hit.path for hit in found.hits}:
                missed.append((document.path.name, phrase))
    assert missed == []
    assert phrases
