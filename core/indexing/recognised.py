"""Recognised pages, kept in the catalog as soon as each is there."""

from __future__ import annotations

import logging

from core.catalog import documents
from core.catalog.catalog import Catalog
from core.documents.pages.recognised import RecognisedPage, pack_page, unpack_page

_log = logging.getLogger(__name__)


class StoredPages:
    """The recognised pages of one content, wherever files of it lie.

    Args:
        catalog: the catalog.
        content_hash: of the file; None for one whose content is not known, of which nothing is.
    """

    def __init__(self, catalog: Catalog, content_hash: str | None) -> None:
        self._catalog = catalog
        self._hash = content_hash

    def get(self, number: int) -> RecognisedPage | None:
        """Return page `number` (from 1), None if it has not been recognised."""
        if self._hash is None:
            return None
        with self._catalog.reading() as db:
            packed = documents.recognised_page(db, self._hash, number)
        try:
            return None if packed is None else unpack_page(packed)
        except ValueError as error:
            _log.warning(
                "Page %s of the content %s is recognised anew: %s", number, self._hash, error
            )
            return None

    def put(self, number: int, page: RecognisedPage) -> None:
        """Keep page `number`: a program that is killed has lost no page that was done."""
        if self._hash is not None:
            with self._catalog.transaction() as db:
                documents.put_recognised_page(db, self._hash, number, pack_page(page))
