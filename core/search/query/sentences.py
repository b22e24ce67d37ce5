"""Filters for a query that describes documents: "pdf by anna from last march".

A sentence is never changed by itself: the new query is a suggestion. So a description that is
missed costs little, and a wrong suggestion annoys. Questions get none.
"""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Final

from core.catalog.text.normalisation import fold, has_unspaced
from core.documents.formats import all_formats
from core.errors import BadValueError
from core.search.query import dates
from core.search.query.language import Clause, Query, Term
from core.search.query.named_dates import is_relative

# Words of the longest sentence; more are a text, not a description.
_MOST_WORDS: Final = 16
_MOST_IN_NAME: Final = 3
_MOST_IN_DATE: Final = 5
# Letters of the shortest name; shorter ones are initials or parts of words.
_LEAST_IN_NAME: Final = 3
_LEAST_IN_CHINESE_NAME: Final = 2

# Words for any document: the sentence describes documents, but no kind is known.
_ANY: Final = ""


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


_ANY_WORDS: Final = (
    "document documents file files dokument dokumente dokumenten datei dateien 文档 文件"
)


@cache
def _kinds() -> Mapping[str, str]:
    """Return the folded words for documents, each with the key of a format or `_ANY`."""
    keys = {fold(word): _ANY for word in _ANY_WORDS.split()}
    keys |= {fold(word): each.key for each in all_formats() for word in each.words.split()}
    return keys


_QUESTIONS: Final = _words(
    "who whose whom what when where why how which is are was were do does did can could should"
    " will would may has have"
    " wer wen wem wessen was wann wo wohin woher warum wie wieso weshalb wozu welche welcher"
    " welches welchen welchem ist sind war waren kann konnen darf muss soll wird hat haben gibt"
    " wurde wurden"
)
_CHINESE_QUESTION: Final = re.compile(
    "什么|甚么|怎|为何|为什么|谁|哪|吗|呢|多少|几[个年月天次种]|是否|如何|能不能|有没有"
)

# Before a description: "find all my …".
_LEADS: Final = _words(
    "find show search get me for all any every my the a an"
    " finde find zeige zeig suche such mir nach alle allen meine meinen mein die das der den eine"
    " ein einen"
)
_CHINESE_LEAD: Final = re.compile(
    "^(?:请|帮我|给我|我要|我想)?(?:查找|搜索|寻找|找|搜|查)?(?:一下|出|到)?(?:所有|全部)?"
)
_ABOUT: Final = _words("about on regarding uber zu")
_CHINESE_ABOUT: Final = re.compile("^(?:有关|关于)|(?:有关|相关)$")
_CHINESE_WROTE: Final = re.compile("(?:所?写|发来|发送|发|寄来|创建|编写|撰写|做|拍摄|拍)$")

_BY: Final = frozenset({"by"})
_OF_AUTHOR: Final = frozenset({"by", "von", "from"})
# Programs that mean a kind before a word for any document.
_PROGRAMS: Final = {"word": "word", "excel": "spreadsheet", "powerpoint": "presentation"}
# Papers that people keep, in any format: with a date or an author they are a description.
_PAPERS: Final = _words(
    "invoice invoices bill bills letter letters contract contracts receipt receipts minutes"
    " statement statements payslip payslips certificate certificates notes"
    " rechnung rechnungen brief briefe briefen vertrag vertrage vertragen quittung quittungen"
    " protokoll protokolle protokollen kontoauszug kontoauszuge kontoauszugen bescheid bescheide"
    " gehaltsabrechnung gehaltsabrechnungen angebot angebote zeugnis zeugnisse notizen"
    " 发票 账单 合同 收据 信 信件 会议记录 纪要 对账单 工资单 证书 笔记"
)
# Prepositions of dates, with the filter that they mean.
_OF_DATE: Final[Mapping[str, str]] = {
    **dict.fromkeys(_words("in during of im des from dated vom von aus"), "date"),
    **dict.fromkeys(_words("since after seit"), "after"),
    "before": "before",
}
# Those that are common otherwise: years before that of the first file formats are not dates of
# documents.
_COMMON: Final = frozenset({"in", "during", "of", "im", "des"})
_FIRST_YEAR: Final = 1990
# Those after which a relative date alone suffices.
_FROM: Final = frozenset({"from", "vom", "von", "aus"})
_WRITTEN: Final = frozenset({"written", "sent", "made", "geschrieben", "geschickt", "gesendet"})
_ARTICLES: Final = _words("the dem der den")
# "From now on" is not a date.
_NO_DATES: Final = frozenset({"now", "jetzt", "现在"})


@dataclass(slots=True)
class _Parts:
    """The recognised parts of a sentence, and the words that remain.

    It `is_certain` if a part stands with a preposition that means little else, and `is_of_paper` if
    the sentence is about papers that people keep.
    """

    kind: str | None = None
    is_of_paper: bool = False
    filters: list[Clause] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    is_certain: bool = False

    def query(self) -> str | None:
        """Return the query with filters; None if too little was recognised."""
        parts = len(self.filters) + (self.kind is not None or self.is_of_paper)
        if not self.filters or (parts < 2 and not self.is_certain):
            return None
        if len({clause.key for clause in self.filters}) < len(self.filters):
            return None
        # The author is unknown, or the sentence means something else.
        if any(fold(word) in _BY for word in self.rest):
            return None
        kinds = [Clause("type", self.kind)] if self.kind else []
        order = sorted(self.filters, key=lambda clause: clause.key != "author")
        return " ".join([*self.rest, *map(str, kinds), *map(str, order)])


def with_filters(
    query: Query, kinds: Container[str], authors: Container[str], today: date | None = None
) -> str | None:
    """Return a query with filters for what a sentence says about documents, or None.

    At least two of kind, author and date must be recognised, or one with its preposition.

    Args:
        query: the sentence; None is returned if it has filters, phrases or other operators.
        kinds: the keys of formats in the library.
        authors: contains a folded name if an author's name has it as whole words.
        today: the day on which it was typed.

    >>> from core.search.query.language import parse
    >>> kinds, authors, day = {"pdf", "mail"}, {"anna"}, date(2026, 11, 24)
    >>> print(with_filters(parse("pdf by anna from last march"), kinds, authors, day))
    type:pdf author:anna date:"last march"
    >>> print(with_filters(parse("Angebote als Mail von Anna"), kinds, authors, day))
    Angebote type:mail author:Anna
    >>> print(with_filters(parse("the bill of last year"), kinds, authors, day))
    bill date:"last year"
    >>> print(with_filters(parse("上周的PDF"), kinds, authors, day))
    type:pdf date:上周
    >>> print(with_filters(parse("who wrote the pdf by anna"), kinds, authors, day))
    None
    """
    today = today or dates.local_day()
    if not all(isinstance(part, Term) and part == Term(part.text) for part in query.parts):
        return None
    text = query.text.strip()
    if text.endswith(("?", "？")):
        return None
    if has_unspaced(text):
        return _in_chinese(text, kinds, authors, today)
    words = text.split()
    if not 2 <= len(words) <= _MOST_WORDS:
        return None
    return _Reader(words, kinds, authors, today).read().query()


class _Reader:
    """Reads a sentence in English or German from left to right."""

    def __init__(
        self, words: Sequence[str], kinds: Container[str], authors: Container[str], today: date
    ) -> None:
        self._words = [word.rstrip(",.;:!") for word in words]
        self._plain = [fold(word) for word in self._words]
        self._kinds = kinds
        self._authors = authors
        self._today = today
        self._parts = _Parts()

    def read(self) -> _Parts:
        """Return what was recognised; nothing in a question."""
        parts = self._parts
        if self._plain[0] in _QUESTIONS:
            return parts
        index = self._start()
        while index < len(self._words):
            end = self._author(index) or self._date(index) or self._kind(index)
            if not end:
                parts.is_of_paper |= self._is_paper(index)
                parts.rest.append(self._words[index])
            index = end or index + 1
        if parts.rest and fold(parts.rest[0]) in _ABOUT and (parts.kind is not None):
            del parts.rest[0]
        return parts

    def _start(self) -> int:
        """Return the place of the first word after "find all my", if a kind follows it."""
        index = 0
        while index < len(self._plain) and self._plain[index] in _LEADS:
            index += 1
        described = _kinds().keys() | _PAPERS
        return index if index < len(self._plain) and self._plain[index] in described else 0

    def _is_paper(self, index: int) -> bool:
        """Return whether a word means papers, at the start or before an author or a date."""
        if self._plain[index] not in _PAPERS:
            return False
        return not self._parts.rest or self._is_followed(index + 1)

    def _kind(self, index: int) -> int:
        """Read a kind at the start, or before or after a preposition; return its end or 0."""
        end = index + 1
        if end < len(self._plain) and _kinds().get(self._plain[end]) == _ANY:
            end += 1  # "word file"
        key = _kinds().get(self._plain[index])
        if key is None and end > index + 1:
            key = _PROGRAMS.get(self._plain[index])
        if key is None or self._parts.kind is not None or (key and key not in self._kinds):
            return 0
        is_first = not self._parts.rest and not self._parts.filters
        is_form = bool(self._parts.rest) and fold(self._parts.rest[-1]) in {"as", "als"}
        if not (is_first or is_form or self._is_followed(end)):
            return 0
        if is_form:
            del self._parts.rest[-1]
        self._parts.kind = key
        return end

    def _is_followed(self, index: int) -> bool:
        """Return whether an author or a date is next."""
        probe = _Reader(self._words, self._kinds, self._authors, self._today)
        return index < len(self._words) and bool(probe._author(index) or probe._date(index))

    def _author(self, index: int) -> int:
        first = index + (self._plain[index] in _WRITTEN)
        if first >= len(self._plain) or self._plain[first] not in _OF_AUTHOR:
            return 0
        for count in range(_MOST_IN_NAME, 0, -1):
            end = first + 1 + count
            name = " ".join(self._words[first + 1 : end])
            if end > len(self._words) or len(name) < _LEAST_IN_NAME or not self._is_end(end):
                continue
            if fold(name) not in self._authors:
                continue
            self._parts.filters.append(Clause("author", name, today=self._today))
            self._parts.is_certain |= self._plain[first] in _BY or first > index or count > 1
            return end
        return 0

    def _date(self, index: int) -> int:
        """Read a date with its preposition, or a relative one at the end of the sentence."""
        key = _OF_DATE.get(self._plain[index], "")
        first = index + bool(key)
        if key and first < len(self._plain) and self._plain[first] in _ARTICLES:
            first += 1
        for count in range(_MOST_IN_DATE, 0, -1):
            end = first + count
            if end > len(self._words) or not self._is_end(end):
                continue
            day = " ".join(self._words[first:end])
            moves = is_relative(day, self._today)
            if not _is_date(day, self._today) or not (key or moves):
                continue
            if self._plain[index] in _COMMON and _is_before_files(day, self._today):
                continue
            self._parts.filters.append(Clause(key or "date", day, today=self._today))
            self._parts.is_certain |= moves and self._plain[index] in _FROM
            return end
        return 0

    def _is_end(self, index: int) -> bool:
        """Return whether a part may end here: at the end, or before another part."""
        if index == len(self._words):
            return True
        word = self._plain[index]
        return word in _OF_DATE or word in _OF_AUTHOR or word in _ABOUT or word in _WRITTEN


def _in_chinese(
    text: str, kinds: Container[str], authors: Container[str], today: date
) -> str | None:
    """Read a sentence whose parts are joined by 的, and end in the kind of the documents."""
    text = "".join(text.split())
    if _CHINESE_QUESTION.search(text):
        return None
    *parts, last = _CHINESE_LEAD.sub("", text, count=1).split("的")
    recognised = _Parts()
    recognised.kind = _kinds().get(fold(last))
    recognised.is_of_paper = last in _PAPERS
    if recognised.kind is None and not recognised.is_of_paper:
        return None
    if recognised.kind and recognised.kind not in kinds:
        return None
    for part in parts:
        if not _chinese_part(part, recognised, authors, today):
            recognised.rest.append(_CHINESE_ABOUT.sub("", part))
    if recognised.is_of_paper:
        recognised.rest.append(last)
    return recognised.query()


def _chinese_part(part: str, parts: _Parts, authors: Container[str], today: date) -> bool:
    """Read a part that is a date, an author, or both in either order."""
    name = _CHINESE_WROTE.sub("", part)
    for split in range(len(name) + 1):
        for day, author in ((name[:split], name[split:]), (name[split:], name[:split])):
            is_author = len(author) >= _LEAST_IN_CHINESE_NAME and fold(author) in authors
            if not (day or author) or (author and not is_author):
                continue
            if day and not _is_date(day, today):
                continue
            if author:
                parts.filters.append(Clause("author", author, today=today))
            if day:
                parts.filters.append(Clause("date", day, today=today))
            return True
    return False


def _is_before_files(text: str, today: date) -> bool:
    last = dates.named(text, today).period.last
    return last is not None and last.year < _FIRST_YEAR


def _is_date(text: str, today: date) -> bool:
    if fold(text) in _NO_DATES or len(text) < 2 or dates.is_season(text):
        return False
    try:
        first = dates.named(text, today).period.first
    except BadValueError:
        return False
    # Documents have no dates in the future.
    return first is None or first <= today
