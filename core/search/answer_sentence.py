"""The sentence of the best passage that answers a question: extracted, never composed.

Each sentence of the passage is encoded alone, below the passage's title and headings, so that
its tokens know no other sentence; the one that is most like the question answers it. It is shown
only if it is far enough ahead of the others (docs/measurements/answers.md).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from core.alignment.pairwise import similarity
from core.responses import DocumentHit, Passage
from core.search.encodings import EncodedPassage, EncodedQuery
from core.search.output.match import mail_headers_end

# Characters of the longest sentence that is shown, and of the shortest.
_LONGEST: Final = 500
_SHORTEST: Final = 12
# Between the cells of a table, which are no sentence.
_CELLS: Final = " | "
# Sentences of a passage that are compared.
_MOST_SENTENCES: Final = 20
# The lead of a sentence, and of a document, without rivals.
_ALONE: Final = 0.1
# From this confidence a sentence is shown: chosen on 100 of the judged questions.
_LEAST_CONFIDENCE: Final = 0.9

# A period after these ends no sentence; nor after one letter, or one or two digits ("3. Mai").
_ABBREVIATIONS: Final = (
    "Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|No|Nos|Fig|Figs|Eq|Ref|vs|al|cf|approx|Inc|Ltd|Co|Corp|"
    "Nr|Abs|Art|Str|bzw|usw|ca|ggf|evtl|inkl|Tel|Hr|Fr|Jan|Feb|Aug|Sept|Oct|Nov|Dec"
)
_END: Final = re.compile(
    r"""[.!?…]+["'”’»)\]]*(?=\s+["'“‘«(\[]*[^\W_a-z])  # before a capital or a digit
    |   [。！？]+[」』”’）]*
    |   \n\s*\n
    |   \n(?=\s*[-–•*‣▪][ ])""",
    re.VERBOSE,
)
_NO_END: Final = re.compile(rf"(?:\b(?:{_ABBREVIATIONS})|\b\w|(?<!\d)\d\d?|\b\w\.\s?\w)\.$")

# Not those that begin other phrases as well, for example "may", "will" and "war".
_QUESTION: Final = re.compile(
    r"(?:who|whom|whose|what|when|where|why|how|which|is|are|was|were|do|does|did|can|could|should|"
    r"would|has|have|had|wer|wen|wem|wessen|wann|wo|woher|wohin|warum|wieso|weshalb|wie|welche[mnrs]?|"
    r"ist|sind|waren|hat|haben|kann|können|darf|muss)\b",
    re.IGNORECASE,
)
_CHINESE_QUESTION: Final = re.compile(
    "什么|什麼|谁|誰|哪|为什么|怎么|怎麼|怎样|多少|几[个时年月天号]|如何|何时|吗|嗎"
)
# A question has more than the word that asks.
_LEAST_WORDS: Final = 3


def is_question(text: str) -> bool:
    """Return whether `text` asks something, in English, German or Chinese, or has a question mark.

    >>> [is_question(text) for text in ("who keeps the lamp", "Wann wurde er gebaut", "谁点灯")]
    [True, True, True]
    >>> [is_question(text) for text in ("lamp keeper", "what's new", "Is it open?")]
    [False, False, True]
    """
    if _CHINESE_QUESTION.search(text):
        return True
    is_marked = text.rstrip().endswith(("?", "？"))
    return len(text.split()) >= _LEAST_WORDS and (is_marked or bool(_QUESTION.match(text)))


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of `text`, without the spaces around them.

    >>> text = "Dr. Grey keeps it. It was built on 3. May 1850! Why? 灯塔很高。他点灯。"
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['Dr. Grey keeps it.', 'It was built on 3. May 1850!', 'Why?', '灯塔很高。', '他点灯。']
    """
    borders = [0]
    for match in _END.finditer(text):
        if not _NO_END.search(text, borders[-1], match.end()):
            borders.append(match.end())
    borders.append(len(text))
    spans = []
    for start, end in pairwise(borders):
        sentence = text[start:end]
        start += len(sentence) - len(sentence.lstrip())
        end -= len(sentence) - len(sentence.rstrip())
        if start < end:
            spans.append((start, end))
    return spans


def answer_span(
    question: EncodedQuery,
    hits: Sequence[DocumentHit],
    encoded: Callable[[Sequence[Passage]], Sequence[EncodedPassage]],
) -> tuple[int, int] | None:
    """Return the span, in the text of the first hit's best passage, of the answer to a question.

    None if no sentence is clearly best: `confidence` is the similarity of the best sentence, plus
    its lead over the next one, plus the lead of its document over the next one. `encoded` encodes
    passages with the model of the question.
    """
    passage = hits[0].passages[0].passage
    headers = mail_headers_end(passage.text)
    sentences = [span for span in sentence_spans(passage.text) if span[0] >= headers]
    spans = [
        (start, end)
        for start, end in sentences[:_MOST_SENTENCES]
        if _SHORTEST <= end - start <= _LONGEST and _CELLS not in passage.text[start:end]
    ]
    if not spans:
        return None
    own = question.vectors.vectors
    # The mean similarity of the question's tokens to each sentence.
    similarities = [
        float(np.max(similarity(own, sentence.vectors.vectors), axis=1).mean())
        for sentence in encoded(
            [replace(passage, text=passage.text[start:end]) for start, end in spans]
        )
    ]
    best, *others = sorted(range(len(spans)), key=lambda index: -similarities[index])
    lead = similarities[best] - similarities[others[0]] if others else _ALONE
    ahead = hits[0].score - hits[1].score if len(hits) > 1 else _ALONE
    confidence = similarities[best] + lead + max(ahead, 0.0)
    return spans[best] if confidence >= _LEAST_CONFIDENCE else None
