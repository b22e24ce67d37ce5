"""How well languages are found: words, meaning and both, on questions over translated paragraphs.

    python3 dev.py bench languages FOLDER [LANGUAGE ...] [--queries 200] [--model M] [--fast]
        [--json FILE]

FOLDER holds XQuAD's files, xquad.LANGUAGE.json (github.com/google-deepmind/xquad, CC BY-SA 4.0), or
others in SQuAD's layout under such names. A paragraph is a document, its questions ask for it; the
same questions are drawn in every language. nDCG@10 through the whole program, as by default.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.library.library import LibraryOptions
from core.responses import Mode
from lab.evaluation.run import evaluate

MODES: Final = (Mode.WORDS, Mode.MEANING, Mode.HYBRID)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="with xquad.LANGUAGE.json")
    parser.add_argument("languages", nargs="*", help="by their codes; all that there are")
    parser.add_argument("--queries", type=int, default=200, help="of each language, drawn")
    parser.add_argument("--model")
    parser.add_argument("--fast", action="store_true", help="in the index's order")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    files = {path.name.split(".")[1]: path for path in sorted(given.folder.glob("xquad.*.json"))}
    unknown = [language for language in given.languages if language not in files]
    if unknown or not files:
        parser.error(f"{given.folder} has no xquad.{unknown[0] if unknown else 'LANGUAGE'}.json")
    rows = []
    print(f"{'':8}" + "".join(f"{mode:>10}" for mode in MODES))
    for language in given.languages or files:
        with tempfile.TemporaryDirectory(prefix="winnow-languages-") as made:
            write_set(files[language], Path(made), given.queries)
            found = evaluate(
                Path(made),
                modes=MODES,
                options=LibraryOptions(model=given.model),
                refined=(not given.fast,),
            )
        rows.append({"language": language} | {str(one.mode): one.ndcg_at_10 for one in found})
        print(f"{language:8}" + "".join(f"{one.ndcg_at_10:10.4f}" for one in found), flush=True)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def write_set(file: Path, folder: Path, queries: int) -> None:
    """Write a language's paragraphs and a sample of their questions in BEIR's layout."""
    described: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    paragraphs = [one for article in described["data"] for one in article["paragraphs"]]
    asked = [
        (number, question["question"])
        for number, paragraph in enumerate(paragraphs)
        for question in paragraph["qas"]
    ]
    if queries < len(asked):
        drawn = np.random.default_rng(0).choice(len(asked), queries, replace=False)
        asked = [asked[place] for place in sorted(drawn.tolist())]
    documents = (
        {"_id": str(number), "title": "", "text": paragraph["context"]}
        for number, paragraph in enumerate(paragraphs)
    )
    questions = ({"_id": f"q{row}", "text": text} for row, (_, text) in enumerate(asked))
    for name, entries in (("corpus", documents), ("queries", questions)):
        lines = (json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "qrels").mkdir()
    judged = (f"q{row}\t{number}\t1\n" for row, (number, _) in enumerate(asked))
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n" + "".join(judged), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
