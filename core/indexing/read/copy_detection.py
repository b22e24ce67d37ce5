"""Detection of copies and versions of documents, in the background, after reading.

Results are stored regularly, so that a killed program continues there. Documents are compared by
their stored text: no file is read again.
"""

import hashlib
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt

from core.catalog import copies
from core.catalog.catalog import Catalog
from core.catalog.copies import Signed, Unsigned
from core.catalog.text import minhash
from core.documents.formats import format_of
from core.progress import Job

_SIGNED_TOGETHER: Final = 200
_STORED_TOGETHER: Final = 5000
# Most documents with a common band that each document is compared with.
_OF_A_BUCKET: Final = 8
_PAIRS_TOGETHER: Final = 1 << 16


def find_families(catalog: Catalog, job: Job) -> None:
    """Compute missing signatures and assign families; call it under the library's lock.

    Raises:
        Cancelled: the job was cancelled; the next call continues.
    """
    db = catalog.connection()
    while unsigned := copies.unsigned(db, _SIGNED_TOGETHER):
        signed = []
        for document in unsigned:
            job.checkpoint()
            signed.append((document.id, signature_of(document, copies.texts(db, document.id))))
        with catalog.transaction() as db_:
            copies.put_signatures(db_, signed)
    with catalog.transaction() as db_:
        copies.part_families(db_)
    fresh = copies.without_family(db)
    if not fresh:
        return
    hashes = {
        unsigned_document.hash for unsigned_document in fresh if unsigned_document.hash is not None
    }
    known = copies.families_of_contents(db, hashes)
    families = iter(families_of(copies.heads(db), fresh, known, job).items())
    while lot := list(islice(families, _STORED_TOGETHER)):
        began_s = time.monotonic()
        with catalog.transaction() as db_:
            copies.set_families(db_, lot)
        job.rest(time.monotonic() - began_s)


def signature_of(document: Unsigned, texts: Sequence[str]) -> bytes:
    """Return a document's signature.

    A mail is compared as a whole, with its sender and date: a reply that quotes a mail in full
    shares nearly all its words, but is another mail. Its signature is a digest, similar only to an
    equal one.
    """
    words = minhash.words_of(texts)
    kind = format_of(document.path)
    if kind is not None and kind.is_mail and words:
        content = "\0".join((document.author, document.date, *words))
        return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return minhash.signature(words)


def families_of(
    heads: Sequence[Signed], fresh: Sequence[Signed], known: dict[str, int], job: Job | None = None
) -> dict[int, int]:
    """Return the family of each new document, by its number.

    A document joins the family of its content, or else that of the head with the most similar text,
    or else becomes the head of a new family. It is compared with heads only: chains of versions
    would join ever less similar texts.

    Args:
        heads: heads of the existing families.
        fresh: documents without a family.
        known: families by content hash; those of the new documents are added.
        job: to cancel.
    """
    signed = [document for document in (*heads, *fresh) if len(document.signature) == minhash.SIZE]
    rows = np.frombuffer(b"".join(document.signature for document in signed), dtype=np.uint8)
    like = _likenesses(
        rows.reshape(len(signed), minhash.SIZE),
        np.array([document.id for document in signed], dtype=np.int64),
        sum(len(signed_head.signature) == minhash.SIZE for signed_head in heads),
        job or Job(),
    )
    digests = {
        signed_head.signature: signed_head.id for signed_head in heads if _is_digest(signed_head)
    }
    family_of: dict[int, int] = {}
    heading = {signed_head.id for signed_head in heads}
    for document in fresh:
        family = known.get(document.hash) if document.hash is not None else None
        if family is None and _is_digest(document):
            family = digests.setdefault(document.signature, document.id)
        if family is None:
            family = next(
                (head for head in like.get(document.id, ()) if head in heading), document.id
            )
        if family == document.id:
            heading.add(document.id)
        if document.hash is not None:
            known.setdefault(document.hash, family)
        family_of[document.id] = family
    return family_of


def _is_digest(document: Signed) -> bool:
    return 0 < len(document.signature) < minhash.SIZE


def _likenesses(
    signatures: minhash.Signatures, indexes: npt.NDArray[np.int64], heads: int, job: Job
) -> dict[int, list[int]]:
    """Return for each document after the heads the preceding ones of which it is a version.

    The most similar comes first.
    """
    # A pair as one number: the first row times the number of rows, plus the second.
    count = max(1, len(signatures))
    keys = np.empty(0, dtype=np.int64)
    for band in minhash.bands(signatures):
        job.checkpoint()
        sharing = _sharing(band, heads)
        keys = np.union1d(keys, sharing[:, 0] * count + sharing[:, 1])
    pairs = np.stack(np.divmod(keys, count), axis=1)
    similar: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for first in range(0, len(pairs), _PAIRS_TOGETHER):
        job.checkpoint()
        lot = pairs[first : first + _PAIRS_TOGETHER]
        first_signature, other = signatures[lot[:, 0]], signatures[lot[:, 1]]
        are_like = minhash.are_versions(first_signature, other)
        similarity = minhash.resemblance(first_signature, other)
        for (before, behind), value in zip(
            lot[are_like].tolist(), similarity[are_like].tolist(), strict=True
        ):
            similar[int(indexes[behind])].append((-value, int(indexes[before])))
    return {index: [head for _, head in sorted(like)] for index, like in similar.items()}


def _sharing(band: npt.NDArray[np.uint32], heads: int) -> npt.NDArray[np.int64]:
    """Return pairs of rows with equal values: each row with the first few preceding ones."""
    selected = np.arange(len(band))
    if heads:
        selected = np.flatnonzero(np.isin(band, band[heads:]))
    order = selected[np.argsort(band[selected], kind="stable")]
    positions = np.arange(len(order))
    is_first = np.ones(len(order), dtype=np.bool_)
    is_first[1:] = band[order[1:]] != band[order[:-1]]
    starts = np.maximum.accumulate(np.where(is_first, positions, 0))
    positions = positions[~is_first & (order >= heads)]
    pairs = []
    for step in range(_OF_A_BUCKET):
        positions = positions[starts[positions] + step < positions]
        pairs.append(np.stack([order[starts[positions] + step], order[positions]], axis=1))
    return np.concatenate(pairs)
