"""Measure search quality by language, by words, meaning and both, on translated paragraphs.

    python3 dev.py bench languages FOLDER [LANGUAGE ...] [--queries 200] [--documents LANGUAGE]
        [--model M] [--keep K] [--fast] [--json FILE]

FOLDER holds XQuAD's files, xquad.LANGUAGE.json (github.com/google-deepmind/xquad, CC BY-SA 4.0), or
other files in SQuAD's layout with such names. A paragraph is a document and is relevant to its
questions; the same questions are drawn in every language. With `--documents en`, the questions of
each language search the English paragraphs, since the files are translations of each other. Reports
nDCG@10 of the whole program with default settings.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.alignment.reduction import TokenReduction
from core.library.library import LibraryOptions
from core.responses import Mode
from lab.evaluation.run import evaluate

MODES: Final = (Mode.WORDS, Mode.MEANING, Mode.HYBRID)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="the folder with xquad.LANGUAGE.json")
    parser.add_argument("languages", nargs="*", help="language codes; all by default")
    parser.add_argument("--queries", type=int, default=200, help="queries drawn for each language")
    parser.add_argument("--documents", metavar="LANGUAGE", help="the paragraphs' language")
    parser.add_argument("--model")
    parser.add_argument("--keep", type=TokenReduction.parse, help="as for winnow evaluate")
    parser.add_argument("--fast", action="store_true", help="rank by the index alone")
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    files = {
        path.name.split(".")[1]: path for path in sorted(arguments.folder.glob("xquad.*.json"))
    }
    wanted = [*arguments.languages, *([arguments.documents] if arguments.documents else [])]
    unknown = [language for language in wanted if language not in files]
    if unknown or not files:
        parser.error(
            f"{arguments.folder} has no xquad.{unknown[0] if unknown else 'LANGUAGE'}.json"
        )
    rows = []
    print(f"{'':8}" + "".join(f"{mode:>10}" for mode in MODES))
    for language in arguments.languages or files:
        with tempfile.TemporaryDirectory(prefix="winnow-languages-") as set_folder:
            documents = files[arguments.documents or language]
            write_set(files[language], documents, Path(set_folder), arguments.queries)
            found = evaluate(
                Path(set_folder),
                modes=MODES,
                options=LibraryOptions(model=arguments.model, keeping=arguments.keep),
                refined=(not arguments.fast,),
            )
        rows.append({"language": language} | {str(one.mode): one.ndcg_at_10 for one in found})
        print(f"{language:8}" + "".join(f"{one.ndcg_at_10:10.4f}" for one in found), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def paragraphs_of(file: Path) -> list[dict[str, Any]]:
    """Return a file's paragraphs, in the order of all languages."""
    described: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return [one for article in described["data"] for one in article["paragraphs"]]


def write_set(questions_file: Path, documents_file: Path, folder: Path, queries: int) -> None:
    """Write the paragraphs of a file and a sample of another's questions in BEIR's layout."""
    drawn_questions = [
        (number, question["question"])
        for number, paragraph in enumerate(paragraphs_of(questions_file))
        for question in paragraph["qas"]
    ]
    if queries < len(drawn_questions):
        drawn = np.random.default_rng(0).choice(len(drawn_questions), queries, replace=False)
        drawn_questions = [drawn_questions[place] for place in sorted(drawn.tolist())]
    documents = (
        {"_id": str(number), "title": "", "text": paragraph["context"]}
        for number, paragraph in enumerate(paragraphs_of(documents_file))
    )
    questions = ({"_id": f"q{row}", "text": text} for row, (_, text) in enumerate(drawn_questions))
    for name, entries in (("corpus", documents), ("queries", questions)):
        lines = (json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "qrels").mkdir()
    judged = (f"q{row}\t{number}\t1\n" for row, (number, _) in enumerate(drawn_questions))
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n" + "".join(judged), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
