"""Kinds and authors of a library, for suggestions of filters."""

import sqlite3
from collections.abc import Container
from dataclasses import dataclass
from typing import Final, Self

from core.catalog import document_queries
from core.catalog.scope import Scope, has_document
from core.catalog.text.normalisation import WORD, fold
from core.documents.formats import suffixes_of
from core.progress import Job
from core.search.cached_scan import CachedScan

# Separates names in `AuthorWords.text`; no word has it.
_SEPARATOR: Final = "\n"


@dataclass(frozen=True, slots=True)
class AuthorWords:
    """The folded words of all authors in one text, which is searched as a whole.

    >>> known = AuthorWords.of(["Curie, Marie", "Anna Gruber"])
    >>> [known.has(name) for name in ("anna", "gruber", "curie marie", "ann", "marie anna")]
    [True, True, True, False, False]
    """

    text: str

    @classmethod
    def of(cls, authors: list[str]) -> Self:
        names = (name for author in authors for name in author.split(";"))
        return cls(_SEPARATOR.join(f" {' '.join(WORD.findall(fold(name)))} " for name in names))

    def has(self, name: str) -> bool:
        """Return whether an author's name has a folded name as whole words."""
        return f" {name} " in self.text


@dataclass(frozen=True, slots=True)
class KnownAuthors(Container[str]):
    """The names of authors of documents in a scope, as whole words, folded.

    `words` has the names of the whole library, or is None while it has not been read.
    """

    db: sqlite3.Connection
    words: CachedScan[AuthorWords]
    scope: Scope

    def __contains__(self, name: object) -> bool:
        known = self.words.current(self.db)
        if not isinstance(name, str) or known is None or not known.has(name):
            return False
        return self.scope.is_everything or has_document(
            self.db, self.scope & Scope(authors=(name,))
        )


@dataclass(frozen=True, slots=True)
class KnownKinds(Container[str]):
    """The keys of the formats of documents in a scope."""

    db: sqlite3.Connection
    scope: Scope

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and has_document(
            self.db, self.scope & Scope(suffixes=suffixes_of(key))
        )


def author_words(db: sqlite3.Connection, job: Job) -> AuthorWords:
    """Read the authors of a library."""
    job.checkpoint()
    return AuthorWords.of(document_queries.authors(db))
