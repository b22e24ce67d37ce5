"""The parts and relations of Office Open XML packages, and DrawingML: text, tables, charts."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from core.documents import damage, superscripts
from core.documents.metadata import Properties, described, properties
from core.documents.office.packages import Package, parse_xml, recover_xml
from core.documents.office.sheets import format_number
from core.documents.text import PageText, one_line
from core.errors import DocumentError

_RELATIONS: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}"
_DC: Final = "{http://purl.org/dc/elements/1.1/}"
_CORE: Final = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"
_TOPICS: Final = frozenset(
    {f"{_CORE}keywords", f"{_DC}subject", f"{_CORE}category", f"{_DC}description"}
)
_DCTERMS: Final = "{http://purl.org/dc/terms/}"
R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
# The strict variant of the standard differs only in its namespaces.
_STRICT: Final = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_TRANSITIONAL: Final = rb"http://schemas.openxmlformats.org/\1/2006/"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation to another part: its `kind` ("slide", "footnotes") and the name of the part."""

    kind: str
    target: str


def part(package: Package, name: str, losses: damage.Losses | None = None) -> Any:
    """Return the root element of a part, with strict namespaces replaced.

    With `losses`, recover the rest of a damaged part and note the loss.

    Raises:
        DocumentError: The part is missing or damaged.
    """
    try:
        return parse_xml(_transitional(package.read(name)))
    except damage.DamageError as error:
        if losses is None:
            raise
        root = recover_xml(_transitional(package.read_undamaged(name)), error)
        losses.note(damage.SOME_TEXT, error)
        return root


def _transitional(data: bytes) -> bytes:
    return _STRICT.sub(_TRANSITIONAL, data) if b"purl.oclc.org/ooxml" in data else data


def relations(package: Package, name: str = "") -> dict[str, Relation]:
    """Return the relations of a part by id, or of the package for the name "".

    External links are left out. The targets may be missing.

    Raises:
        DocumentError: The list of relations is damaged.
    """
    folder = posixpath.dirname(name)
    listed = _list_of_relations(name)
    if listed not in package:
        return {}
    relations = {}
    for element in part(package, listed).iterchildren(f"{_RELATIONS}Relationship"):
        target = element.get("Target") or ""
        if element.get("TargetMode") == "External":
            continue
        target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        kind = (element.get("Type") or "").rsplit("/", 1)[-1]
        relations[element.get("Id") or ""] = Relation(kind, target)
    return relations


def link_targets(package: Package, name: str) -> Iterator[str]:
    """Yield the external targets of the links in a part.

    Raises:
        DocumentError: The list of relations is damaged.
    """
    listed = _list_of_relations(name)
    if listed in package:
        for element in part(package, listed).iterchildren(f"{_RELATIONS}Relationship"):
            is_link = (element.get("Type") or "").endswith("/hyperlink")
            if is_link and element.get("TargetMode") == "External":
                yield element.get("Target") or ""


def _list_of_relations(name: str) -> str:
    folder, base = posixpath.split(name)
    return posixpath.join(folder, "_rels", f"{base}.rels")


def relations_if_intact(
    package: Package, name: str, losses: damage.Losses, root: Any = None
) -> dict[str, Relation]:
    """Return the relations of a part; if their list is damaged, note that and return {}.

    With the `root` of the part, a missing list is noted too, if the part refers to it.
    """
    intact: dict[str, Relation] = {}
    with losses.of(damage.SIDE_PARTS):
        intact.update(relations(package, name))
        if root is not None and _list_of_relations(name) not in package:
            names = (name for element in root.iter() for name in element.attrib)
            if any(name.startswith(R) for name in names):
                raise damage.MissingError
    return intact


def main_part(package: Package) -> str:
    """Return the name of the main part.

    Raises:
        DocumentError: The package names none.
    """
    for relation in relations(package).values():
        if relation.kind == "officeDocument" and relation.target in package:
            return relation.target
    raise damage.OtherKindError("Damaged: a part is missing")


def core_properties(package: Package) -> Properties:
    """Return the properties, or empty ones if they are damaged."""
    try:
        kinds = {relation.kind: relation.target for relation in relations(package).values()}
        if "core-properties" not in kinds:
            return Properties()
        core = part(package, kinds["core-properties"])
    except DocumentError:
        # The text is useful without the properties.
        return Properties()
    return properties(
        core.findtext(f"{_DC}title"),
        (core.findtext(f"{_DC}creator") or "").split(";"),
        [core.findtext(f"{_DCTERMS}modified"), core.findtext(f"{_DCTERMS}created")],
        _topics(core),
    )


def _topics(core: Any) -> Iterator[str]:
    """Yield keywords, subject, category and description; keywords may be in several languages."""
    for element in core:
        if element.tag in _TOPICS:
            yield " ".join(element.itertext())


# DrawingML


_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DGM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
# Elements of a drawing that refer to a chart or diagram part.
CHART: Final = f"{_C}chart"
DIAGRAM: Final = f"{_DGM}relIds"
_DECORATIVE: Final = "{http://schemas.microsoft.com/office/drawing/2017/decorative}decorative"
_KEYS: Final = frozenset({f"{_C}cat", f"{_C}xVal"})
_VALUES: Final = frozenset({f"{_C}val", f"{_C}yVal"})
_MOST_POINTS: Final = 1_000
_PASSED_OVER = frozenset({f"{_A}pPr", f"{_A}rPr", f"{_A}endParaRPr", f"{MC}Fallback"})
# Points of a diagram without text: lines and boxes.
_UNWRITTEN = frozenset({"pres", "parTrans", "sibTrans"})


def paragraphs(parent: Any) -> Iterator[str]:
    """Yield the text of each paragraph below `parent`."""
    for paragraph in parent.iter(f"{_A}p"):
        yield "".join(_runs(paragraph))


def _runs(parent: Any) -> Iterator[str]:
    for element in parent:
        tag = element.tag
        if tag in (f"{_A}t", f"{_M}t"):
            yield element.text or ""
        elif tag == f"{_A}r" and _is_raised(element):
            yield superscripts.BEGIN
            yield from _runs(element)
            yield superscripts.END
        elif tag == f"{_A}br":
            yield "\n"
        elif tag == f"{_A}fld" and (element.get("type") or "").startswith(("slidenum", "datetime")):
            continue  # its value changes
        elif tag not in _PASSED_OVER:
            yield from _runs(element)


def _is_raised(run: Any) -> bool:
    properties = run[0] if len(run) else None
    if properties is None or properties.tag != f"{_A}rPr":
        return False
    baseline = properties.get("baseline") or ""
    return baseline.rstrip("%").isdecimal() and not baseline.startswith("0")


def _add_table(page: PageText, table: Any) -> None:
    is_first = True
    for row in table.iterchildren(f"{_A}tr"):
        cells = [" ".join(paragraphs(cell)) for cell in row.iterchildren(f"{_A}tc")]
        page.row(cells, first=is_first)
        is_first = is_first and not any(cell.strip() for cell in cells)


def add_drawing(
    page: PageText, frame: Any, package: Package, links: dict[str, Relation], losses: damage.Losses
) -> None:
    """Add the tables, charts and diagrams in `frame`; `links` are the relations of its part.

    Damaged or missing charts and diagrams are noted in `losses`.
    """
    for table in frame.iter(f"{_A}tbl"):
        _add_table(page, table)
    for kind, key, add in ((CHART, f"{R}id", _add_chart), (DIAGRAM, f"{R}dm", _add_diagram)):
        for drawn in frame.iter(kind):
            if id_ := drawn.get(key):
                with losses.of(damage.DRAWINGS):
                    add(page, _linked(package, links, id_))


def _linked(package: Package, links: dict[str, Relation], id_: str) -> Any:
    if id_ not in links:
        raise damage.MissingError
    return part(package, links[id_].target)


def alternative(properties: Any) -> str:
    """Return the alternative text of a picture or drawing; "" if it is decorative.

    Args:
        properties: The element with its name and description (`docPr`, `cNvPr`).
    """
    text = described(properties.get("title"), properties.get("descr"))
    if text and any(mark.get("val") in {"1", "true"} for mark in properties.iter(_DECORATIVE)):
        return ""
    return text


def _add_chart(page: PageText, chart: Any) -> None:
    """Add the titles of a chart, and its numbers as rows below the names of the series."""
    titles = [
        "\n".join(paragraphs(title)) or " ".join(_values(title))
        for title in chart.iter(f"{_C}title")
    ]
    for title in titles:
        page.add(title)
    all_series = [_series(series) for series in chart.iter(f"{_C}ser")]
    is_first = not titles
    for keys, alike in groupby(all_series, key=itemgetter(1)):
        some = list(alike)
        names = [name for name, _, _ in some]
        if any(names):
            page.row(["", *names] if keys else names, first=is_first)
            is_first = False
        points = sorted({*keys, *(point for _, _, values in some for point in values)})
        for point in points[:_MOST_POINTS]:
            cells = [keys.get(point, ""), *(values.get(point, "") for _, _, values in some)]
            page.row(cells, first=is_first)
            is_first = False


def _series(series: Any) -> tuple[str, dict[int, str], dict[int, str]]:
    """Return the name of a series, and the categories and values of its points by index."""
    name = ""
    keys: dict[int, str] = {}
    values: dict[int, str] = {}
    for element in series:
        if element.tag == f"{_C}tx":
            name = one_line(" ".join(_values(element)))
        elif element.tag in _KEYS:
            keys = _points(element)
        elif element.tag in _VALUES:
            values = _points(element)
    return name, keys, values


def _points(parent: Any) -> dict[int, str]:
    """Return the points of a series by index; multi-level categories begin with the outermost."""
    points: dict[int, str] = {}
    for point in parent.iter(f"{_C}pt"):
        index = point.get("idx") or ""
        position = int(index) if index.isdecimal() and len(index) < 8 else len(points)
        names = [*map(one_line, _values(point)), points.get(position, "")]
        points[position] = " ".join(filter(None, names))
    return points


def _values(parent: Any) -> Iterator[str]:
    """Yield the values below `parent` in their number format."""
    for value in parent.iter(f"{_C}v"):
        text = value.text or ""
        code = value.getparent().getparent().findtext(f"{_C}formatCode")
        try:
            yield format_number(float(text), code) if code else text
        except ValueError:
            yield text


def _add_diagram(page: PageText, diagram: Any) -> None:
    """Add the texts of a diagram (SmartArt), one per line."""
    points = (point for point in diagram.iter(f"{_DGM}pt") if point.get("type") not in _UNWRITTEN)
    page.lines("\n".join(paragraphs(point)) for point in points)
