"""Reads e-books (.epub): a page per chapter, in reading order."""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from core.documents.damage import MISSING, SOME_TEXT, WHOLE, DamageError, Losses, MissingError
from core.documents.decoding import decode_markup
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.metadata import Properties, joined_names, properties, with_topics
from core.documents.office.packages import Package, open_package, parse_xml
from core.documents.text import PageText
from core.documents.text_formats.html import closed, document_of
from core.errors import DocumentError

_CONTAINER: Final = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_OPF: Final = "{http://www.idpf.org/2007/opf}"
_DC: Final = "{http://purl.org/dc/elements/1.1/}"
_ENC: Final = "{http://www.w3.org/2001/04/xmlenc#}"
_CONTENTS, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_CHAPTERS: Final = frozenset(
    {"application/xhtml+xml", "text/html", "application/xml", "text/xml", "image/svg+xml"}
)
# Roles of authors, as opposed to translators, illustrators and editors.
_AUTHOR_ROLES: Final = frozenset({"", "aut", "cre"})


def read(path: Path) -> Document:
    """Read an e-book: a page with headings per item of the spine.

    Raises:
        DocumentError: It is damaged, copy-protected, not an e-book, or too large when unpacked.
    """
    with open_package(path) as package:
        if _CONTENTS not in package:
            raise DocumentError("Not an e-book despite its name")
        opf = _package_document(package)
        root = package.xml(opf)
        chapters = list(_spine(root, posixpath.dirname(opf)))
        locked = _encrypted(package)
        all_losses = Losses()
        pages = []
        for page_number, chapter in enumerate(chapters, 1):
            if chapter in locked:
                raise DocumentError("Copy-protected (DRM)")
            pages.append(_page(package, page_number, chapter, all_losses))
        all_losses.check(pages)
        about = _properties(root)
    return Document(about.title, with_topics(pages, about.topics), about.author, about.date)


def read_opf(path: Path) -> Document:
    """Read the `metadata.opf` that Calibre keeps next to a book; its subjects are tags.

    Raises:
        DocumentError: It is damaged, or not such a file.
    """
    root = parse_xml(read_bytes(path))
    about = _properties(root)
    tags = joined_names(topic.text or "" for topic in root.iter(f"{_DC}subject"))
    if not about.title:
        raise DocumentError("Names no book")
    page = PageText()
    page.heading(1, about.title)
    page.lines(filter(None, (about.author, about.date[:10], *about.topics)))
    return Document(about.title, (page.page(1),), about.author, about.date, tags)


def _package_document(package: Package) -> str:
    """Return the name of the package document, which lists all other parts."""
    for entry in package.xml(_CONTENTS).iter(f"{_CONTAINER}rootfile"):
        if name := entry.get("full-path"):
            return str(name)
    raise MissingError


def _spine(root: Any, folder: str) -> Iterator[str]:
    """Yield the names of the chapters, "" for items that are not text or not listed."""
    items = {
        item.get("id"): item.get("href") or ""
        for item in root.iter(f"{_OPF}item")
        if _is_chapter(item)
    }
    for reference in root.iter(f"{_OPF}itemref"):
        link = items.get(reference.get("idref"), "")
        yield _resolved(folder, link) if link else ""


def _is_chapter(item: Any) -> bool:
    """Return whether an item is text, by its media type, or by its name if it states none."""
    kind = str(item.get("media-type") or "").partition(";")[0].strip().lower()
    name = str(item.get("href") or "").partition("#")[0].lower()
    return kind in _CHAPTERS or (not kind and name.endswith((".xhtml", ".html", ".htm", ".xml")))


def _resolved(folder: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(link.partition("#")[0])))


def _encrypted(package: Package) -> frozenset[str]:
    """Return the names of encrypted parts, including obfuscated fonts."""
    if _ENCRYPTION not in package:
        return frozenset()
    links = package.xml(_ENCRYPTION).iter(f"{_ENC}CipherReference")
    return frozenset(_resolved("", link.get("URI") or "") for link in links)


def _page(package: Package, page_number: int, chapter: str, losses: Losses) -> Page:
    if not chapter:
        return Page(page_number, "")
    if chapter not in package:
        losses.note(MISSING, MissingError())
        return Page(page_number, "", unread=MISSING)
    unread = ""
    try:
        content = package.read(chapter)
    except DamageError as error:
        losses.note(SOME_TEXT, error)
        content, unread = package.read_undamaged(chapter), SOME_TEXT
    try:
        markup = decode_markup(content)
    except DocumentError as error:
        losses.note(WHOLE, DamageError(str(error)))
        return Page(page_number, "", unread=WHOLE)
    (page,) = document_of(closed(markup)).pages
    return Page(page_number, page.text, page.headings, unread if page.text or not unread else WHOLE)


def _properties(root: Any) -> Properties:
    refined = {
        (meta.get("refines") or "").removeprefix("#"): (meta.text or "").strip()
        for meta in root.iter(f"{_OPF}meta")
        if meta.get("property") == "role"
    }
    creators = [
        creator.text
        for creator in root.iter(f"{_DC}creator")
        if (creator.get(f"{_OPF}role") or refined.get(creator.get("id"), "")) in _AUTHOR_ROLES
    ]
    modified = [
        meta.text for meta in root.iter(f"{_OPF}meta") if meta.get("property") == "dcterms:modified"
    ]
    dates = sorted(
        root.iter(f"{_DC}date"), key=lambda date: date.get(f"{_OPF}event") != "modification"
    )
    title = next((title.text for title in root.iter(f"{_DC}title")), None)
    topics = (topic.text for topic in root.iter(f"{_DC}subject", f"{_DC}description"))
    return properties(title, creators, [*modified, *(date.text for date in dates)], topics)
