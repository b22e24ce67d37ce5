"""Office Open XML: how the parts of .docx, .pptx and .xlsx files find each other."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Any, Final

from core.documents.damage import (
    BESIDE,
    SOME_TEXT,
    DamageError,
    Losses,
    MissingError,
    OtherKindError,
)
from core.documents.metadata import Properties, properties
from core.documents.office.packages import Package, as_far, parse_xml
from core.errors import DocumentError

_RELATIONS: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}"
_DC: Final = "{http://purl.org/dc/elements/1.1/}"
_DCTERMS: Final = "{http://purl.org/dc/terms/}"
R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
# The strict variant of the standard differs in the names of its namespaces only.
_STRICT: Final = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_TRANSITIONAL: Final = rb"http://schemas.openxmlformats.org/\1/2006/"


@dataclass(frozen=True, slots=True)
class Relation:
    """What a part has to do with another: the `kind` ("slide", "footnotes") and its `target`."""

    kind: str
    target: str


def part(package: Package, name: str, losses: Losses | None = None) -> Any:
    """Return the root element of a part; the strict variant is made the usual one.

    With `losses` a damaged part is read as far as it goes, which is noted there.

    Raises:
        DocumentError: The part is missing or damaged.
    """
    try:
        return parse_xml(_usual(package.read(name)))
    except DamageError as error:
        if losses is None:
            raise
        root = as_far(_usual(package.read_as_far(name)), error)
        losses.note(SOME_TEXT, error)
        return root


def _usual(data: bytes) -> bytes:
    return _STRICT.sub(_TRANSITIONAL, data) if b"purl.oclc.org/ooxml" in data else data


def relations(package: Package, name: str = "") -> dict[str, Relation]:
    """Return a part's relations by their ids, those of the package itself for the name "".

    Links to the world outside are left out; the parts that are named may be missing.

    Raises:
        DocumentError: The list of relations is damaged.
    """
    folder = posixpath.dirname(name)
    listed = _list_of_relations(name)
    if listed not in package:
        return {}
    found = {}
    for element in part(package, listed).iterchildren(f"{_RELATIONS}Relationship"):
        target = element.get("Target") or ""
        if element.get("TargetMode") == "External":
            continue
        target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        kind = (element.get("Type") or "").rsplit("/", 1)[-1]
        found[element.get("Id") or ""] = Relation(kind, target)
    return found


def _list_of_relations(name: str) -> str:
    folder, base = posixpath.split(name)
    return posixpath.join(folder, "_rels", f"{base}.rels")


def relations_as_far(
    package: Package, name: str, losses: Losses, root: Any = None
) -> dict[str, Relation]:
    """Return a part's relations, none where the list of them is damaged, which is noted.

    With the `root` of the part a list that is missing is noted, too, where it is referred to.
    """
    found: dict[str, Relation] = {}
    with losses.of(BESIDE):
        found.update(relations(package, name))
        if root is not None and _list_of_relations(name) not in package:
            names = (name for element in root.iter() for name in element.attrib)
            if any(name.startswith(R) for name in names):
                raise MissingError
    return found


def main_part(package: Package) -> str:
    """Return the name of the part that the document begins with.

    Raises:
        DocumentError: The package says none.
    """
    for relation in relations(package).values():
        if relation.kind == "officeDocument" and relation.target in package:
            return relation.target
    raise OtherKindError("is damaged: a part of it is missing")


def core_properties(package: Package) -> Properties:
    """Return title, author and date; damaged ones are as good as none."""
    try:
        kinds = {relation.kind: relation.target for relation in relations(package).values()}
        if "core-properties" not in kinds:
            return Properties()
        core = part(package, kinds["core-properties"])
    except DocumentError:
        # What the document says is worth having without what is said about it.
        return Properties()
    return properties(
        core.findtext(f"{_DC}title"),
        (core.findtext(f"{_DC}creator") or "").split(";"),
        [core.findtext(f"{_DCTERMS}modified"), core.findtext(f"{_DCTERMS}created")],
    )
