"""Making all of a library again from the files, while what it has answers.

Two things are written down, and the next sync does the rest: that all documents are to be read once
more, and that all vectors are to be made again beside those that answer. A document whose text
turns out to be what it was keeps its passages; one transaction has the new vectors answer. Killed
in between, the next sync goes on from there.
"""

from __future__ import annotations

from core.catalog import folders, maintenance, manifest
from core.catalog.catalog import Catalog
from core.errors import ModelError
from core.filesystems import is_there
from core.indexing.editions import Editions


def begin(catalog: Catalog, editions: Editions) -> None:
    """Have the next sync make everything again; under the library's lock.

    Raises:
        ModelError: the model that was chosen is not there.
        LibraryError: the catalog is damaged beyond repair.
    """
    if editions.wanted.problem:
        raise ModelError(editions.wanted.problem)
    with catalog.transaction() as db:
        maintenance.rebuild_indexes(db)
        there = [root.id for root in folders.roots(db) if is_there(root.path)]
        maintenance.set_rereads(db, there)
        editions.begin_turn(db)


def give_up(catalog: Catalog, editions: Editions) -> None:
    """Leave what is not made again yet as it is; under the library's lock."""
    with catalog.transaction() as db:
        maintenance.forget_rereads(db)
    editions.end_turn()


def is_under_way(catalog: Catalog) -> bool:
    """Whether there is something that is still to be made again."""
    with catalog.reading() as db:
        live, making = manifest.live(db), manifest.making(db)
        turns = [row.turn for row in (live, making) if row is not None]
        return maintenance.count_rereads(db) > 0 or len(set(turns)) > 1
