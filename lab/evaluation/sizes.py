"""Lengths of a data set's documents and queries, and numbers of answers.

Source: Santhanam et al., ColBERTv2, 2022, appendix D, figures 4 to 6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Numbers
from core.progress import Job, Progress, Stage
from lab.evaluation.data import DataSet

# Percentiles that summarise a distribution: minimum, quartiles and maximum.
QUARTILES = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a data set in one split.

    Words are separated by white space.

    Attributes:
        document_words: (documents,) int64, words per document, title included.
        query_words: (queries,) int64, words per query of the split.
        answers: (queries,) int64, relevant documents per query.
    """

    document_words: Numbers
    query_words: Numbers
    answers: Numbers


def measure_sizes(data: DataSet, *, split: str, job: Job | None = None) -> Sizes:
    """Count words and answers. Needs no model.

    Raises:
        UsageError: the data set is malformed; names file and line.
        Cancelled: the job was cancelled.
    """
    job = job or Job()
    judged = data.split(split)
    words = []
    for entry in data.documents():
        job.checkpoint()
        words.append(len(entry.title.split()) + len(entry.text.split()))
        job.report(Progress(Stage.READING, len(words), 0, data.name))
    grades = (judged.judgements[query.id].values() for query in judged.queries)
    return Sizes(
        np.array(words, dtype=np.int64),
        np.array([len(query.text.split()) for query in judged.queries], dtype=np.int64),
        np.array([sum(grade > 0 for grade in each) for each in grades], dtype=np.int64),
    )


def quartiles(counts: Numbers) -> tuple[float, ...]:
    """Return the minimum, quartiles and maximum of some counts; empty if there are none.

    >>> quartiles(np.array([4, 1, 2, 3, 10]))
    (1.0, 2.0, 3.0, 4.0, 10.0)
    """
    return tuple(map(float, np.percentile(counts, QUARTILES))) if len(counts) else ()
