"""Passages that mails quote from others of their conversation.

The mail that said something comes before those that quote it, and represents them.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from core.catalog import passages
from core.catalog.passages import MailPassage
from core.search.words import fts

# Passages quote the same text if they share this part of the runs of words of the shorter passage.
_SHARED: Final = 0.25
_RUN_WORDS: Final = 4


def repeated(db: sqlite3.Connection, passage_ids: Iterable[int]) -> frozenset[int]:
    """Return the quotations among some passages whose own mail has a passage among them, too."""
    mails = passages.of_mails(db, passage_ids)
    own = defaultdict(list)
    for mail in mails.values():
        if not mail.is_quoted:
            own[mail.conversation].append(mail)
    return frozenset(
        passage_id
        for passage_id, mail in mails.items()
        if mail.is_quoted and any(_share_text(mail, other) for other in own[mail.conversation])
    )


@dataclass(slots=True)
class Quotations:
    """The best passages of results that are mails, and the mails folded below them.

    Attributes:
        folded: the folded mails of each result, best first, as the keys of a dictionary.
    """

    folded: dict[int, dict[int, None]] = field(default_factory=lambda: defaultdict(dict))
    _mails: dict[int, MailPassage] = field(default_factory=dict)
    _results: dict[str, list[tuple[int, MailPassage]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _result_of: dict[int, int] = field(default_factory=dict)

    def read(self, db: sqlite3.Connection, passage_ids: Iterable[int]) -> None:
        """Read which of the next passages of a ranking are parts of mails."""
        self._mails = passages.of_mails(db, passage_ids)

    def add(self, passage_id: int, result: int) -> None:
        """Add the best passage of a new result."""
        if mail := self._mails.get(passage_id):
            self._results[mail.conversation].append((result, mail))

    def folds(self, passage_id: int, document_id: int, result: int) -> bool:
        """Return whether a document is folded, and note below which result.

        Its first passage here is its best one.

        Args:
            passage_id: the passage.
            document_id: its document.
            result: the id of the result that the document would be a part of.
        """
        if result not in self._result_of:
            mail = self._mails.get(passage_id)
            if mail is None or not mail.is_quoted:
                return False
            for shown, best in self._results[mail.conversation]:
                if _share_text(mail, best):
                    self._result_of[result] = shown
                    break
            else:
                return False
        self.folded[self._result_of[result]][document_id] = None
        return True


def _share_text(mail: MailPassage, other: MailPassage) -> bool:
    own, theirs = _runs(mail), _runs(other)
    least = _SHARED * min(len(own), len(theirs))
    return least > 0 and len(own & theirs) >= least


@lru_cache(maxsize=1024)
def _runs(mail: MailPassage) -> frozenset[int]:
    """Return the hashes of the runs of words in a passage, without the headers of the mail."""
    text = mail.text if mail.start else mail.text.partition("\n\n")[2] or mail.text
    words = [*map(str.casefold, fts.terms(text))]
    runs = zip(*(words[first:] for first in range(_RUN_WORDS)), strict=False)
    # Numbers: a kept run of texts would take three times the memory.
    return frozenset(map(hash, runs))
