"""Properties in XMP, the metadata block that pictures and PDFs share.

Source: ISO 16684-1 (XMP, part 1).
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from core.documents.damage import DamageError
from core.documents.office.packages import parse_xml

# A packet's first and last lines, by which programs find it without knowing the file's format.
_PACKET: Final = re.compile(rb"<\?xpacket (begin|end)")

_PREFIXES: Final = {
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://ns.adobe.com/photoshop/1.0/": "photoshop",
    "http://ns.adobe.com/exif/1.0/": "exif",
    "http://ns.adobe.com/tiff/1.0/": "tiff",
    "http://ns.adobe.com/xap/1.0/": "xmp",
    "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": "iptc",
    "http://iptc.org/std/Iptc4xmpExt/2008-02-29/": "ext",
    "http://www.metadataworkinggroup.com/schemas/regions/": "regions",
    "http://ns.microsoft.com/photo/1.2/t/Region#": "people",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
}


def packets(data: Any) -> Iterator[bytes]:
    """Yield the XMP packets in the bytes of a file, in time linear in their number.

    Args:
        data: any object whose bytes can be searched.

    >>> list(packets(b'%PDF <?xpacket begin=""?><a/><?xpacket end="w"?> %%EOF'))
    [b'<?xpacket begin=""?><a/>']
    """
    view, begin = memoryview(data).cast("B"), None
    for mark in _PACKET.finditer(view):
        if mark[1] == b"begin":
            begin = mark.start()
        elif begin is not None:
            yield bytes(view[begin : mark.start()])
            begin = None


def values_of(raw: bytes) -> dict[str, list[str]]:
    """Return the values of each property by its prefixed name; damaged XMP has none.

    >>> rdf = 'xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    >>> dc = 'xmlns:d="http://purl.org/dc/elements/1.1/"'
    >>> values_of(f"<r:RDF {rdf} {dc}><d:title>Crows</d:title></r:RDF>".encode())
    {'dc:title': ['Crows']}
    """
    values: dict[str, list[str]] = {}
    if raw := raw.strip(b"\0 \t\r\n"):
        with suppress(DamageError):  # damaged metadata does not invalidate the file
            for name, text in _properties_of(parse_xml(raw, recovers=True)):
                values.setdefault(name, []).append(text)
    return values


def _properties_of(root: Any) -> Iterator[tuple[str, str]]:
    """Yield the properties at any depth, once for each item of a list."""
    for element in root.iter("*"):
        for name, text in element.attrib.items():
            yield _prefixed(name), text
        short = _prefixed(element.tag)
        if short == "rdf:Description" or short.startswith("rdf:li"):
            yield from _face_names(element)
        if not len(element):
            # The text of a list item belongs to the property that contains the list.
            owner = element
            while owner is not None and _prefixed(owner.tag).startswith("rdf:"):
                owner = owner.getparent()
            if owner is not None and element.text:
                yield _prefixed(owner.tag), element.text


def _face_names(element: Any) -> Iterator[tuple[str, str]]:
    """Yield the name of a region if it is a face."""
    parts = {_prefixed(child.tag): child.text or "" for child in element.iterchildren("*")}
    parts |= {_prefixed(name): text for name, text in element.attrib.items()}
    if parts.get("regions:Type") == "Face" and parts.get("regions:Name"):
        yield "regions:Face", parts["regions:Name"]


def _prefixed(name: str) -> str:
    r"""Return a qualified name with the prefix from `_PREFIXES`.

    >>> _prefixed("{http://purl.org/dc/elements/1.1/}title"), _prefixed("{urn:x}a"), _prefixed("b")
    ('dc:title', ':a', ':b')
    """
    space, _, local = name.rpartition("}")
    return f"{_PREFIXES.get(space.removeprefix('{'), '')}:{local}"
