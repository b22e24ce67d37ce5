"""How long a data set's documents and queries are, and how many documents answer a query.

Source: Santhanam et al., ColBERTv2, 2022, appendix D, figures 4 to 6.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Numbers
from core.progress import Job, Progress, Stage
from lab.evaluation.data import DataSet

QUARTILES = (0, 25, 50, 75, 100)
"""The percentiles by which a distribution is told: least, quartiles, most."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of a data set in one split.

    What a person or a word processor would count as words is between white space.

    Attributes:
        document_words: (documents,) int64, words a document, its title included.
        query_words: (queries,) int64, words a query that is asked in the split.
        answers: (queries,) int64, documents that are relevant to each.
    """

    document_words: Numbers
    query_words: Numbers
    answers: Numbers


def measure_sizes(data: DataSet, *, split: str, job: Job | None = None) -> Sizes:
    """Count words and answers; no model is needed.

    Raises:
        UsageError: the data set is not as it should be; names file and line.
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
    """Return the least, the quartiles and the most of some counts; empty for none.

    >>> quartiles(np.array([4, 1, 2, 3, 10]))
    (1.0, 2.0, 3.0, 4.0, 10.0)
    """
    return tuple(map(float, np.percentile(counts, QUARTILES))) if len(counts) else ()
