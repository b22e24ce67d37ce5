"""XML as a tree, parsed so that no entity can swell, and nothing outside the file is opened."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.parsers import expat

from core.errors import DocumentError

_DEEPEST = 200
_MOST_ENTITIES = 1_000
_LARGEST_ENTITY = 10_000
_MOST_DEFAULTS = 300
_REFERENCE = re.compile(r"&([^;&\s]+);")


class NotXmlError(Exception):
    """The text does not keep the rules of XML, or is nested beyond all use."""


def parse(text: str) -> Element:
    """Return the root of the tree; names keep their prefix ("dc:title").

    Raises:
        NotXmlError: It is not well-formed, or nested more than 200 deep.
        DocumentError: It defines entities that unfold to far more than they say.

    >>> parse("<a x='1'>b<c/>d</a>")[0].tail
    'd'
    """
    builder = TreeBuilder()
    # The declared encoding counts no longer: the text is decoded.
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise NotXmlError("nested too deep")
        builder.start(name, attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name)

    defaults = 0

    def declare(_element: str, _name: str, _kind: str, default: str | None, _must: bool) -> None:
        # Each element of that name gets all of them.
        nonlocal defaults
        defaults += default is not None
        if defaults > _MOST_DEFAULTS:
            raise NotXmlError("attributes without end")

    entities = _Entities()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.AttlistDeclHandler = declare
    parser.EntityDeclHandler = entities.declared
    parser.EndDoctypeDeclHandler = entities.check
    try:
        parser.Parse(text.encode("utf-8", errors="replace"), True)
        return builder.close()
    except (expat.ExpatError, ParseError, AssertionError) as error:
        raise NotXmlError(str(error)) from error


class _Entities:
    """The names that a document defines, measured before any of them is put in its place."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def declared(
        self, name: str, is_parameter: bool, value: str | None, *_elsewhere: str | None
    ) -> None:
        """Take down one; those that name another file have no value, and are never looked up."""
        if value is not None and not is_parameter:
            self._values.setdefault(name, value)
        if len(self._values) > _MOST_ENTITIES:
            raise _refusal()
        # An attribute's default, in the same declarations, may use it at once.
        if value is not None and "&" in value:
            self.check()

    def check(self) -> None:
        """Refuse a document with an entity that unfolds to more than a page or two."""
        sizes: dict[str, int] = {}
        for name in self._values:
            if self._size(name, sizes, 0) > _LARGEST_ENTITY:
                raise _refusal()

    def _size(self, name: str, sizes: dict[str, int], depth: int) -> int:
        value = self._values.get(name, "")
        if name not in sizes:
            if depth > 20 or len(value) > _LARGEST_ENTITY:
                return _LARGEST_ENTITY + 1
            used = _REFERENCE.findall(value)
            sizes[name] = len(value) + sum(self._size(inner, sizes, depth + 1) for inner in used)
        return sizes[name]


def _refusal() -> DocumentError:
    return DocumentError("defines entities that unfold to far more than a document")
