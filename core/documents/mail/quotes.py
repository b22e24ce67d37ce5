"""Finds the parts of a mail that repeat other mails: quotations in replies, and forwarded mails."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

_FROM: Final = "From|Von|De|Da|Van|发件人|寄件者|寄件人"
_SUBJECT: Final = "Subject|Betreff|Objet|Asunto|Oggetto|Assunto|Onderwerp|主题|主題|主旨"
_OTHER: Final = (
    "Sent|Date|To|Cc|Reply-To|Gesendet|Datum|An|Envoyé|À|Enviado|Enviada em|Enviado el|Fecha|Para"
    "|Data|Inviato|A|Verzonden|Aan|发送时间|发送日期|日期|收件人|抄送|寄件日期|傳送時間|收件者|副本"
)
# Lines with the marks of quotations, and blank ones between them.
_MARKED: Final = re.compile(r"^ ?>[^\n]*(?:\n+ ?>[^\n]*)*", re.MULTILINE)
# "On 3 May 2024 at 10:15, Anna Rook wrote:", in one line or two.
_WROTE: Final = re.compile(
    r"^(?! ?>)(?=[^\n]*\d)[^\n]{3,200}(?:\n(?! ?>)[^\n]{1,100})?"
    r"(?:\b(?:wrote|a écrit|escribió|ha scritto|escreveu|(?:schrieb|schreef)\b[^\n]{0,100})"
    r"|写道|寫道) ?[:：]$",
    re.MULTILINE,
)
# The headers that Outlook and others repeat above the text, below a line of dashes or not.
_HEADERS: Final = re.compile(
    rf"(?:^[-_]{{4,}}[^\n]*\n+)?(?:^[ *]*(?:{_FROM}|{_SUBJECT}|{_OTHER})[ *]*[:：][^\n]*\n+){{3,}}",
    re.MULTILINE,
)
_NEEDED: Final = tuple(
    re.compile(rf"^[ *]*(?:{names})[ *]*[:：]", re.MULTILINE) for names in (_FROM, _SUBJECT)
)
_BLANK: Final = re.compile(r"\s*")


def quotes_in(
    text: str, start: int, blocks: Sequence[tuple[int, int]] = ()
) -> tuple[tuple[int, int], ...]:
    r"""Return the quoted parts of a mail's text, each up to the text after it.

    A line that introduces a quotation belongs to it. Without marks the quotation goes to the end.

    Args:
        text: of the mail.
        start: the offset of its body.
        blocks: spans of the text that the mail's markup says are quotations.

    >>> text = "On Monday.\n\nOn 3 May 2024, Anna Rook wrote:\n> When?\n\nBye"
    >>> [text[start:end] for start, end in quotes_in(text, 0)]
    ['On 3 May 2024, Anna Rook wrote:\n> When?\n\n']
    >>> text = "Gerne.\n\nVon: Anna\nGesendet: 3. Mai 2024\nAn: Jo\nBetreff: Boot\n\nWann?"
    >>> [text[start:end].partition("\n")[0] for start, end in quotes_in(text, 0)]
    ['Von: Anna']
    """
    marked = [match.span() for match in _MARKED.finditer(text, start)]
    spans = [*_joined(text, sorted([*marked, *(block for block in blocks if block[0] >= start)]))]
    starts = [first for first, _ in spans]
    introduced = [match.span() for match in _WROTE.finditer(text, start)]
    introduced += [
        match.span()
        for match in _HEADERS.finditer(text, start)
        if all(needed.search(match.group()) for needed in _NEEDED)
    ]
    added = []
    for first, last in introduced:
        before = bisect_right(starts, first) - 1
        if before < 0 or spans[before][1] <= first:
            following = bisect_left(starts, after := _next(text, last))
            is_marked = following < len(spans) and starts[following] == after
            added.append((first, spans[following][1] if is_marked else len(text)))
    return tuple(_joined(text, sorted([*spans, *added])))


def quoted_length(quotes: Sequence[tuple[int, int]], start: int, end: int) -> int:
    """Return how many characters of a span are in quotations.

    >>> quoted_length([(0, 4), (6, 20)], 2, 10)
    6
    """
    return sum(max(0, min(end, last) - max(start, first)) for first, last in quotes)


def _next(text: str, offset: int) -> int:
    """Return where text goes on after blanks."""
    match = _BLANK.match(text, offset)
    return match.end() if match else offset


def _joined(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield ascending spans up to the text after each, overlapping and adjacent ones as one."""
    start = end = -1
    for first, last in spans:
        if first > end:
            if end > start:
                yield start, end
            start = first
        end = max(end, _next(text, last))
    if end > start:
        yield start, end
