"""XML from files that nobody vouches for: no entities, no network, no trees without bounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from core.documents.damage import DamageError, as_damage

# Without huge_tree, libxml2 refuses elements nested deeper than 256 (so that readers may recurse),
# texts of more than 10 MB, and entities that unfold to much more than the file that has them.
_SAFE = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "dtd_validation": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}


class SupportsRead(Protocol):
    """What gives bytes bit by bit."""

    def read(self, size: int = ..., /) -> bytes: ...


def parse_xml(data: bytes, what: str = "a part of it", *, recovers: bool = False) -> Any:
    """Return the root `lxml` element of a document; all that is under it are elements, too.

    One that `recovers` gives what can be made out of a document that is not well-formed.

    Raises:
        DocumentError: It is not well-formed, or defines entities, as no honest document does and
            attacks do; the message speaks of it as `what`.

    >>> parse_xml(b"<a><!-- crow --><b/></a>")[0].tag
    'b'
    """
    from lxml import etree

    parser = etree.XMLParser(collect_ids=False, recover=recovers, **_SAFE)
    with _as_damage(what):
        root = etree.fromstring(data, parser)
    if root is None:
        raise DamageError(f"is damaged: {what} is not well-formed")
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(dtd.iterentities(), None) is not None:
        raise DamageError(f"is damaged: {what} defines entities")
    return root


def as_far(data: bytes, error: DamageError) -> Any:
    """Return the root of a part that is damaged, as `error` says, with what is left below it.

    Raises:
        DocumentError: Nothing is left: the same error.
    """
    try:
        return parse_xml(data, recovers=True)
    except DamageError:
        raise error from None


@contextmanager
def _as_damage(what: str) -> Iterator[None]:
    from lxml import etree

    with as_damage(f"{what} is not well-formed", etree.XMLSyntaxError):
        try:
            yield
        except etree.XMLSyntaxError as error:
            # libxml2 tells a lack of memory as if it were the document's fault.
            if error.code == etree.ErrorTypes.ERR_NO_MEMORY:
                raise MemoryError from error
            raise


def stream_xml(file: SupportsRead, *tags: str, what: str = "a part of it") -> Iterator[Any]:
    """Give each element with one of `tags` when its end is reached, and forget it afterwards.

    So a document of any size passes through little memory. An element that is inside another one
    of `tags` is empty once that other is given.

    Raises:
        DocumentError: The document is not well-formed.
    """
    from lxml import etree

    with _as_damage(what):
        for _, element in etree.iterparse(file, events=("end",), tag=tags, **_SAFE):
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
