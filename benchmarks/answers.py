"""Measure how often the sentence shown as the answer to a question is right.

    python3 dev.py bench answers DATA [--model M] [--json FILE]

DATA holds the judged sets squad, qed-nq and covid-qa in BEIR's layout. `queries/answers.tsv` names
200 questions drawn from their test splits, and the spans, in the documents' texts, of the sentences
that answer them, marked by hand. Parameters are chosen by every second question, and reported by
the others. Of a set with more than 5,000 documents those are indexed with which a question of the
test split is judged.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from core.documents.document import Document
from core.library.library import Library, LibraryOptions
from core.requests import Search
from lab.evaluation.data import DataSet
from lab.evaluation.run import as_document

MARKED: Final = Path(__file__).parent / "queries" / "answers.tsv"
# Documents of the largest set that is indexed as a whole.
WHOLE: Final = 5_000
# Letters and digits of the shortest part of a sentence that is recognised.
_SHORTEST: Final = 12


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a set, and the spans of its answers by document id."""

    dataset: str
    id: str
    answers: dict[str, tuple[tuple[int, int], ...]]

    @property
    def key(self) -> tuple[str, str]:
        return self.dataset, self.id


@dataclass(frozen=True, slots=True)
class Measured:
    """What was shown for a number of questions, and how often it was right."""

    name: str
    questions: int
    shown: int
    right: int

    @property
    def share(self) -> float:
        return self.right / max(self.shown, 1)

    @property
    def error(self) -> float:
        """The standard error of the share."""
        return math.sqrt(self.share * (1 - self.share) / max(self.shown, 1))

    def __str__(self) -> str:
        return (
            f"{self.name:10} {self.questions:3} questions, shown for {self.shown:3} "
            f"({self.shown / max(self.questions, 1):.0%}), right {self.right:3} "
            f"({self.share:.0%} ± {self.error:.0%})"
        )


def read_questions(path: Path = MARKED) -> tuple[Question, ...]:
    """Return the marked questions, in the file's order."""
    questions: dict[tuple[str, str], Question] = {}
    for line in path.read_text("utf-8").splitlines():
        dataset, query_id, document_id, spans = line.split("\t")
        question = questions.setdefault(
            (dataset, query_id), Question(dataset, query_id, answers={})
        )
        pairs = [span.split("-") for span in spans.split()]
        question.answers[document_id] = tuple([(int(start), int(end)) for start, end in pairs])
    return tuple(questions.values())


def is_right(shown: str, answers: Sequence[str]) -> bool:
    """Return whether the shown sentence is one of the answers, or a part of it.

    A passage may begin or end within a sentence.

    >>> is_right("The keeper lights it at dusk.", ["The  keeper lights it at dusk ."])
    True
    >>> is_right("It is tall.", ["The keeper lights it at dusk."])
    False
    """
    own = _letters(shown)
    return len(own) >= _SHORTEST and any(
        own in answer or (len(answer) >= _SHORTEST and answer in own)
        for answer in map(_letters, answers)
    )


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()


def measure(
    folder: Path, questions: Sequence[Question], options: LibraryOptions
) -> list[bool | None]:
    """Return for each question of a set whether the shown answer is right; None: none is shown."""
    data = DataSet(folder)
    split = data.split("test")
    entries = list(data.documents())
    if len(entries) > WHOLE:
        judged = {document_id for grades in split.judgements.values() for document_id in grades}
        entries = [entry for entry in entries if entry.id in judged]
    texts = {entry.id: entry.text for entry in entries}
    queries = {query.id: query.text for query in split.queries}

    def documents() -> Iterator[tuple[str, Document]]:
        for entry in entries:
            yield entry.id, as_document(entry)

    measured: list[bool | None] = []
    with (
        tempfile.TemporaryDirectory(prefix="winnow-answers-") as home,
        Library.open(Path(home), options) as library,
    ):
        ids = library.add_collection(data.name, documents())
        library.sync()
        library.warm_up()
        for question in questions:
            results = library.answer(Search(queries[question.id]))
            if not results.answer:
                measured.append(None)
                continue
            document_id = ids[results.hits[0].document_id]
            spans = question.answers.get(document_id, ())
            answers = [texts[document_id][start:end] for start, end in spans]
            measured.append(is_right(results.answer, answers))
    return measured


def summary(name: str, measured: Sequence[bool | None]) -> Measured:
    """Count what was shown and right."""
    shown = [each for each in measured if each is not None]
    return Measured(name, len(measured), len(shown), sum(shown))


def main() -> int:
    """Measure the given sets, and print each half of the questions and each set."""
    parser = argparse.ArgumentParser(description=__doc__, prog="dev.py bench answers")
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", help="name or folder of the model")
    parser.add_argument("--json", type=Path, metavar="FILE")
    known = parser.parse_args()
    questions = read_questions()
    measured: dict[tuple[str, str], bool | None] = {}
    datasets = tuple(dict.fromkeys(question.dataset for question in questions))
    for dataset in datasets:
        own = [question for question in questions if question.dataset == dataset]
        shown = measure(known.data / dataset, own, LibraryOptions(model=known.model))
        measured |= {question.key: each for question, each in zip(own, shown, strict=True)}
    answers = [measured[question.key] for question in questions]
    summaries = [summary("chosen by", answers[::2]), summary("reported", answers[1::2])]
    for dataset in datasets:
        of_set = [each for (name, _), each in measured.items() if name == dataset]
        summaries.append(summary(dataset, of_set))
    print("\n".join(map(str, summaries)))
    if known.json:
        known.json.write_text(json.dumps([asdict(each) for each in summaries], indent=1), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
