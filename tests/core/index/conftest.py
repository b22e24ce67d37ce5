"""Small vectors, a codec for them, and a catalog with passages that want them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from core.catalog import documents
from core.catalog.catalog import Catalog
from core.catalog.documents import NewPassage
from core.catalog.files import folders
from core.encoders.encoder import unit
from core.index.codec import Codec, ResidualCodec
from core.index.inverted_lists import InvertedLists, Passages
from core.index.native import loops
from core.index.probing import ProbePlan, approximate_scores

DIMENSIONS = 8
# In numpy, and compiled for each level of processors up to this one's.
FORMS: tuple[int | None, ...] = (
    None,
    *(() if (library := loops.find_library()) is None else range(library.level() + 1)),
)


@contextmanager
def loops_in_form(form: int | None) -> Iterator[None]:
    """Let searches use the loops of one level, or numpy."""
    with pytest.MonkeyPatch.context() as patch:
        compiled = {} if form is None else loops.loops_of(loops.find_library(), form)
        patch.setattr(loops, "_loaded", compiled)
        patch.setattr(loops, "_level", form or 0)
        yield


def vectors_of(seed: int, count: int, dimensions: int = DIMENSIONS) -> npt.NDArray[np.float32]:
    generator = np.random.default_rng(seed)
    return unit(generator.normal(size=(count, dimensions)).astype(np.float32))


def summed(
    plan: ProbePlan, segment: InvertedLists, is_allowed: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float32]:
    """The estimates of all passages of a segment, in their order."""
    totals = np.zeros(len(segment.passage_ids), dtype=np.float32)
    places, seen = approximate_scores(plan, segment, is_allowed)
    assert len(set(places.tolist())) == len(places)
    assert (seen > 0).all()
    totals[places] = seen
    return totals


def small_codec() -> ResidualCodec:
    cutoffs = np.array([-0.3, 0, 0.3], np.float32)
    return ResidualCodec.plain(
        vectors_of(0, 5), cutoffs, np.array([-0.5, -0.15, 0.15, 0.5], np.float32)
    )


def compressed(codec: Codec, vectors: Mapping[int, npt.NDArray[np.float32]]) -> Passages:
    """Passages of which every token has its vector, in the given order."""
    arrays = list(vectors.values())
    return Passages(
        np.array(list(vectors), dtype=np.int64),
        np.array([len(array) for array in arrays], dtype=np.int64),
        codec.encode(np.concatenate(arrays)),
        np.concatenate([np.arange(len(array)) for array in arrays]),
    )


def add_document(catalog: Catalog, name: str, count: int) -> list[int]:
    """Add a document of `count` passages to the catalog; return their numbers."""
    rows = [NewPassage(1, start, start + 1, "x", "") for start in range(count)]
    with catalog.transaction() as db:
        found = db.execute("SELECT id FROM folders WHERE path = 'made'").fetchone()
        number = found["id"] if found else folders.add_collection(db, "made")
        document = documents.add_program_document(db, number, name)
        documents.set_read(db, document, None, name, 1, rows)
        ids = db.execute("SELECT id FROM passages WHERE document_id = ? ORDER BY id", [document])
        return [row["id"] for row in ids]


def remove_document(catalog: Catalog, name: str) -> None:
    with catalog.transaction() as db:
        row = db.execute("SELECT id FROM documents WHERE path = ?", [name]).fetchone()
        documents.remove(db, [row["id"]])


@pytest.fixture
def catalog(home: Path) -> Iterator[Catalog]:
    opened = Catalog(home / "catalog.sqlite")
    yield opened
    opened.close()
