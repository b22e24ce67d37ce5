"""Reads PowerPoint presentations (.pptx): a page per slide, with its notes and comments."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from core.documents import damage
from core.documents.document import Document, Page
from core.documents.metadata import with_topics
from core.documents.office import ooxml
from core.documents.office.kinds import by_content
from core.documents.office.packages import Package, open_package
from core.documents.text import PageText

_P: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_SHAPES: Final = frozenset(
    f"{_P}{name}" for name in ("sp", "graphicFrame", "pic", "cxnSp", "nvGrpSpPr")
)
_TITLES: Final = frozenset({"title", "ctrTitle"})
_FURNITURE: Final = frozenset({"ftr", "hdr", "dt"})


@by_content
def read(path: Path) -> Document:
    """Read a presentation: a page per slide, its title first, its notes and comments last.

    Shapes come in PowerPoint's reading order. A repeated header or footer appears once, on the
    first slide with it.

    Raises:
        DocumentError: It is damaged, encrypted, not a .pptx, or too large when unpacked.
    """
    with open_package(path) as package:
        main = ooxml.main_part(package)
        presentation = ooxml.part(package, main)
        if presentation.tag != f"{_P}presentation":
            raise damage.OtherKindError("Not a PowerPoint presentation despite its name")
        links = ooxml.relations(package, main)
        ids = (
            entry.get(f"{ooxml.R}id") for entry in presentation.iterfind(f"{_P}sldIdLst/{_P}sldId")
        )
        slides = [links[id_].target if id_ in links else "" for id_ in ids if id_]
        furniture: set[str] = set()
        all_losses = damage.Losses()
        pages = []
        for slide_number, slide in enumerate(slides, 1):
            losses = damage.Losses()
            if slide not in package:
                all_losses.note(damage.MISSING, damage.MissingError())
                pages.append(Page(slide_number, "", unread=damage.MISSING))
                continue
            with all_losses.of(damage.WHOLE):
                content = _Slide(package, slide, furniture, losses).read()
                pages.append(content.page(slide_number, losses.unread))
            if len(pages) < slide_number:
                pages.append(Page(slide_number, "", unread=damage.WHOLE))
            all_losses.take(losses)
        all_losses.check(pages)
        about = ooxml.core_properties(package)
    first_headings = (heading.text for page in pages for heading in page.headings)
    title = about.title or next(first_headings, "")
    return Document(title, with_topics(pages, about.topics), about.author, about.date)


class _Slide:
    """Reads one slide."""

    def __init__(
        self, package: Package, name: str, furniture: set[str], losses: damage.Losses
    ) -> None:
        self._package = package
        self._name = name
        self._losses = losses
        self._relations = ooxml.relations_if_intact(package, name, losses)
        self._furniture = furniture
        self._page = PageText()

    def read(self) -> PageText:
        """Return the page with the texts, notes and comments of the slide."""
        shapes = list(_shapes(ooxml.part(self._package, self._name, self._losses)))
        # The title comes first, whatever its place among the shapes.
        for shape in shapes:
            if _placeholder(shape) in _TITLES:
                self._page.heading(1, " ".join(ooxml.paragraphs(shape)))
        for shape in shapes:
            self._add(shape, _placeholder(shape))
        for relation in self._relations.values():
            if relation.kind == "notesSlide":
                with self._losses.of(damage.NOTES):
                    self._add_notes(relation)
        for relation in self._relations.values():
            if relation.kind == "comments":
                with self._losses.of(damage.COMMENTS):
                    self._add_comments(relation)
        with self._losses.of(damage.SIDE_PARTS):
            for target in ooxml.link_targets(self._package, self._name):
                self._page.link(target)
        return self._page

    def _add(self, shape: Any, placeholder: str) -> None:
        if placeholder in _TITLES or placeholder == "sldNum":
            return
        if placeholder in _FURNITURE:
            text = "\n".join(ooxml.paragraphs(shape)).strip()
            if text not in self._furniture:
                self._furniture.add(text)
                self._page.add(text)
        else:
            if shape.tag == f"{_P}sp":
                self._page.lines(ooxml.paragraphs(shape))
            elif shape.tag == f"{_P}graphicFrame":
                ooxml.add_drawing(self._page, shape, self._package, self._relations, self._losses)
            if (properties := next(shape.iter(f"{_P}cNvPr"), None)) is not None:
                self._page.add(ooxml.alternative(properties))

    def _add_notes(self, link: ooxml.Relation) -> None:
        for shape in _shapes(ooxml.part(self._package, link.target)):
            if _placeholder(shape) == "body":
                self._page.lines(ooxml.paragraphs(shape))

    def _add_comments(self, link: ooxml.Relation) -> None:
        for comment in ooxml.part(self._package, link.target):
            # Modern comments are text bodies, older ones plain text.
            lines = list(ooxml.paragraphs(comment)) or [
                text.text or "" for text in comment.iter(f"{_P}text")
            ]
            self._page.add("\n".join(lines))


def _shapes(parent: Any) -> Iterator[Any]:
    """Yield the shapes on a slide, including those in groups, and the properties of groups."""
    for element in parent:
        if element.tag in _SHAPES:
            yield element
        elif element.tag != f"{ooxml.MC}Fallback":
            yield from _shapes(element)


def _placeholder(shape: Any) -> str:
    """Return the placeholder type of a shape; "" if it is not a placeholder."""
    placeholder = shape.find(f"{_P}nvSpPr/{_P}nvPr/{_P}ph")
    return "" if placeholder is None else placeholder.get("type") or "body"
