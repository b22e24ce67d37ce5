"""The vocabulary of one library: other forms of words, and spelling suggestions."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

from core.progress import Job
from core.search.query.language import Query
from core.search.words import fts
from core.search.words.prefixes import prefix_forms
from core.search.words.spelling import Spelling
from core.search.words.stems import OtherForms, WordForms


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What searches have learned of the words of one library; thread-safe."""

    forms: WordForms = field(default_factory=WordForms)
    spelling: Spelling = field(default_factory=Spelling)

    def learn(self, db: sqlite3.Connection, job: Job) -> None:
        """Read the library's words if that is due; takes seconds in a large library.

        Raises:
            Cancelled: the job was cancelled.
        """
        self.forms.words.learn(db, job)
        self.spelling.words.learn(db, job)

    def forms_of(self, db: sqlite3.Connection, query: Query) -> dict[str, OtherForms]:
        """Return other forms of the query's words, and the words that its prefixes match."""
        return self.forms.of(db, fts.unquoted(query)) | prefix_forms(db, query)
