"""Measure how often the document that a person has in mind is first.

    python3 dev.py bench known_items [--files FOLDER] [--data FOLDER] [--held-back]

Five parts: a generated folder of a person; generated stores of other programs (mails, notes,
references); the real files in FILES, the test files of other readers that `WINNOW_TEST_FILES`
names; titles, headings and names of the judged sets in DATA, in BEIR's layout; and questions that
no document of the first folder answers. Only the third and the fourth need a folder.

A third of the questions of each part, chosen by a hash, is held back: it is measured with
`--held-back` only, and its single questions are never printed, so that they do not guide changes of
the ranking. `--failures` lists the others that do not have the right document first.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

from _machine import Machine

from core.documents.document import Document
from core.library.library import Library, LibraryOptions
from core.responses import Mode
from known_items import folder, judged, measuring, stores
from known_items.items import Question
from known_items.writers import write

_QUERIES: Final = Path(__file__).parents[1] / "queries"
_REAL, _NOTHING = "real documents", "nothing"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the parts, and print a table."""
    parser = argparse.ArgumentParser(
        prog="known_items", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--files", type=Path, metavar="FOLDER", help="the real files")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="the judged sets")
    parser.add_argument("--seed", type=int, default=1, help="another seed makes other files")
    parser.add_argument("--mode", choices=list(Mode), default=Mode.HYBRID, type=Mode)
    parser.add_argument("--model", help="the model that encodes")
    parser.add_argument("--held-back", action="store_true", help="measure the held-back third")
    parser.add_argument("--failures", action="store_true", help="list what is not first")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="write the person's folder here"
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    if options.held_back and options.failures:
        parser.error("questions that are held back are not listed")
    library_options = LibraryOptions(model=options.model)
    outcomes: list[measuring.Outcome] = []

    def measure(library: Library, questions: Sequence[Question], name_of: measuring.NameOf) -> None:
        chosen = [each for each in questions if each.is_held_back == options.held_back]
        outcomes.extend(measuring.ask(library, chosen, name_of, options.mode))

    with (
        _person_folder(options.seed, options.keep) as (path, questions),
        _of_folder(path, library_options) as library,
    ):
        measure(library, [*questions, *_without_answer()], _Below(path))
    with tempfile.TemporaryDirectory(prefix="winnow-known-items-") as temporary:
        questions = stores.write_stores(Path(temporary), options.seed)
        with _of_folder(Path(temporary), library_options) as library:
            measure(library, questions, stores.name_of)
    if options.files is not None:
        with _of_folder(options.files, library_options) as library:
            measure(library, _real_questions(), _Below(options.files.resolve()))
    for derived in judged.SETS if options.data is not None else ():
        documents, questions = derived.read(options.data)
        with _of_documents(documents, library_options) as (library, keys):
            measure(library, questions, _Keyed(keys))
    rows = measuring.table(outcomes)
    _print(rows, outcomes if options.failures else ())
    if options.json is not None:
        options.json.write_text(json.dumps([row.as_json for row in rows], indent=1) + "\n", "utf-8")
    return 0


def _print(rows: Sequence[measuring.Figures], listed: Sequence[measuring.Outcome]) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = sum(each.ru_utime + each.ru_stime for each in used)
    print(f"{Machine.this().line()}, {seconds:.0f} s of the processor")
    print("\n".join(measuring.lines(rows)))
    for outcome in listed:
        question = outcome.question
        if question.answers and outcome.rank != 1:
            right = ", ".join(sorted(question.answers))
            offered = f", offered {outcome.suggestion!r}" * bool(outcome.suggestion)
            print(
                f"{question.kind}: {question.text!r}: rank {outcome.rank or '-'} of {right}, "
                f"first {outcome.first}{offered}"
            )
        elif not question.answers and outcome.close:
            print(f"{question.kind}: {question.text!r}: {outcome.close} close, {outcome.first}")


class _Below:
    """Names documents by their paths below a folder."""

    def __init__(self, path: Path) -> None:
        self._folder = path

    def __call__(self, _document_id: int, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()


class _Keyed:
    """Names documents of a collection by their keys."""

    def __init__(self, keys: dict[int, str]) -> None:
        self._keys = keys

    def __call__(self, document_id: int, _path: Path) -> str:
        return self._keys[document_id]


@contextmanager
def _person_folder(seed: int, keep: Path | None) -> Iterator[tuple[Path, list[Question]]]:
    """Write the generated files, and give the folder and its questions."""
    with tempfile.TemporaryDirectory(prefix="winnow-known-items-") as temporary:
        path = (keep or Path(temporary) / "Mara").resolve()
        items = folder.files_with_questions(datetime.now().astimezone().date(), seed)
        for item in items:
            write(item.file, path)
        yield path, folder.questions(items, seed)


def _without_answer() -> list[Question]:
    texts = (_QUERIES / "nothing.txt").read_text("utf-8").splitlines()
    return [Question(_NOTHING, _NOTHING, text, frozenset()) for text in texts]


def _real_questions() -> list[Question]:
    """Return the questions written by hand for the real files: kind, question, paths."""
    rows = (_QUERIES / "real_documents.tsv").read_text("utf-8").splitlines()
    return [
        Question(_REAL, kind, text, frozenset(paths.split("|")))
        for kind, text, paths in (row.split("\t") for row in rows)
    ]


@contextmanager
def _of_folder(path: Path, options: LibraryOptions) -> Iterator[Library]:
    """Open a temporary library of a folder."""
    with (
        tempfile.TemporaryDirectory(prefix="winnow-known-items-") as home,
        Library.open(Path(home), options) as library,
    ):
        library.add_folder(path)
        library.sync()
        library.warm_up()
        yield library


@contextmanager
def _of_documents(
    documents: dict[str, Document], options: LibraryOptions
) -> Iterator[tuple[Library, dict[int, str]]]:
    """Open a temporary library of documents, and give their keys by id."""
    with (
        tempfile.TemporaryDirectory(prefix="winnow-known-items-") as home,
        Library.open(Path(home), options) as library,
    ):
        keys = library.add_collection("judged", documents.items())
        library.sync()
        library.warm_up()
        yield library, keys


if __name__ == "__main__":
    raise SystemExit(main())
