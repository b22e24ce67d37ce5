"""The kinds of files that Winnow reads, one line each."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError
from core.plug_ins import plugged_in

PLUG_INS: Final = "winnow.formats"
"""The group of entry points by which installed packages add formats; each gives a `Format`."""
_SHOWN: Final = 10
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: what it is called, how its files are told, and which function reads them.

    `key` is what the kind is called in a command or a query: one word in lower case. Formats that
    are the same to a person share it.
    `suffixes` are in lower case with their dot; one without a dot is a whole file name.
    `reader` is "module:function", or "" for what has no text of its own; `members` names likewise
    the function that gives the documents inside, or "" where there are none, and `drawer` the one
    that draws a page (see `core.documents.pages.pdf.draw_page`), or "" for formats without
    pages; `placer` the one that tells where on a drawn page stretches of its text stand, or ""
    where nobody knows that but who recognised the text; `measurer` the one that tells the sizes of
    all, or "" where each is to be drawn to know its size. The modules are imported in the reading
    process only. Of two formats with one suffix the first has it. A file that `is_picture` has no
    text but what is recognised on it.
    """

    key: str
    name: str
    suffixes: tuple[str, ...]
    reader: str = ""
    members: str = ""
    drawer: str = ""
    placer: str = ""
    measurer: str = ""
    is_picture: bool = False

    @property
    def functions(self) -> tuple[str, ...]:
        """All the functions that it names."""
        named = (self.reader, self.members, self.drawer, self.placer, self.measurer)
        return tuple(filter(None, named))

    @property
    def has_page_images(self) -> bool:
        return bool(self.drawer)


_TEXT = """.txt .log .yaml .toml .ini .cfg .conf .diff .patch readme .text .yml .asc .bib .nfo
    .properties .env .desktop .service
    license licence copying changelog changes authors contributors news todo notice"""
_CODE = """.py .c .cpp .java .js .ts .go .rs .sql .sh .pyi .pyx .h .cc .cxx .hh .hpp .hxx .inl .m
    .mm .cs .kt .kts .scala .groovy .gradle .swift .mjs .cjs .jsx .mts .cts .tsx .vue .svelte .css
    .scss .sass .less .php .rb .pl .pm .t .lua .r .jl .hs .lhs .elm .ml .mli .fs .fsx .fsi .ex .exs
    .erl .hrl .clj .cljs .cljc .edn .lisp .lsp .cl .el .scm .rkt .vb .vbs .bas .pas .pp .dpr .d .nim
    .zig .v .sv .vhd .vhdl .f .for .f77 .f90 .f95 .f03 .ada .adb .ads .cob .cbl .asm .s .bash
    .zsh .fish .ksh .bat .cmd .ps1 .psm1 .awk .sed .tcl .cmake .mk .dart .proto .thrift .graphql
    .gql .tf .hcl .nix .glsl .hlsl .wgsl .cu .cuh .sol .vala .cr .coffee .dockerfile
    makefile dockerfile cmakelists.txt rakefile gemfile jenkinsfile vagrantfile"""
_ARCHIVES = """.zip .7z .tar .tar.gz .tgz .tar.bz2 .tbz .tbz2 .tar.xz .txz"""
_XML = ".xml .dbk .docbook .dita .tei .rss .atom .opml .svg"

FORMATS: tuple[Format, ...] = (
    Format("text", "Plain text", tuple(_TEXT.split()), "core.documents.text_formats.plain:read"),
    Format(
        "code", "Source code", tuple(_CODE.split()), "core.documents.text_formats.plain:read_code"
    ),
    Format(
        "markdown",
        "Markdown",
        (".md", ".markdown", ".mdown", ".mkd"),
        "core.documents.text_formats.markdown:read",
    ),
    Format("rst", "reStructuredText", (".rst", ".rest"), "core.documents.text_formats.rst:read"),
    Format(
        "asciidoc",
        "AsciiDoc",
        (".adoc", ".asciidoc", ".asciidoctor"),
        "core.documents.text_formats.asciidoc:read",
    ),
    Format("org", "Org", (".org",), "core.documents.text_formats.org:read"),
    Format("latex", "LaTeX", (".tex", ".ltx"), "core.documents.text_formats.latex:read"),
    Format(
        "table",
        "Table of text",
        (".csv", ".tsv", ".tab"),
        "core.documents.text_formats.delimited:read",
    ),
    Format(
        "json",
        "JSON",
        (".json", ".jsonl", ".ndjson", ".geojson"),
        "core.documents.text_formats.json:read",
    ),
    Format("xml", "XML", tuple(_XML.split()), "core.documents.text_formats.xml:read"),
    Format(
        "notebook", "Jupyter notebook", (".ipynb",), "core.documents.text_formats.notebook:read"
    ),
    Format(
        "subtitles",
        "Subtitles",
        (".srt", ".vtt", ".sbv"),
        "core.documents.text_formats.subtitles:read",
    ),
    Format(
        "web",
        "Web page",
        (".html", ".htm", ".xhtml", ".xht"),
        "core.documents.text_formats.html:read",
    ),
    Format(
        "saved", "Saved web page", (".mhtml", ".mht"), "core.documents.text_formats.html:read_saved"
    ),
    Format(
        "word",
        "Word document",
        (".docx", ".docm", ".dotx", ".dotm"),
        "core.documents.office.docx:read",
    ),
    Format(
        "presentation",
        "PowerPoint presentation",
        (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"),
        "core.documents.office.pptx:read",
    ),
    Format(
        "spreadsheet",
        "Excel workbook",
        (".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb", ".xls", ".xlt"),
        "core.documents.office.excel:read",
    ),
    Format(
        "opendocument",
        "OpenDocument text",
        (".odt", ".ott", ".fodt"),
        "core.documents.office.opendocument:read",
    ),
    Format(
        "presentation",
        "OpenDocument presentation",
        (".odp", ".otp", ".fodp"),
        "core.documents.office.opendocument:read",
    ),
    Format(
        "spreadsheet",
        "OpenDocument spreadsheet",
        (".ods", ".ots", ".fods"),
        "core.documents.office.opendocument:read",
    ),
    Format("rtf", "Rich text", (".rtf",), "core.documents.office.rtf:read"),
    Format("ebook", "E-book", (".epub",), "core.documents.office.epub:read"),
    Format(
        "pdf",
        "PDF",
        (".pdf",),
        "core.documents.pages.pdf:read",
        drawer="core.documents.pages.pdf:draw_page",
        placer="core.documents.pages.pdf:place_spans",
        measurer="core.documents.pages.pdf:page_sizes",
    ),
    Format(
        "picture",
        "Picture",
        (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".gif"),
        "core.documents.pages.pictures:read",
        drawer="core.documents.pages.pictures:draw_page",
        is_picture=True,
    ),
    Format(
        "mail",
        "Mail",
        (".eml", ".msg", ".emlx"),
        "core.documents.mail.message:read",
        members="core.documents.mail.message:unpack",
    ),
    Format("mailbox", "Mailbox", (".mbox", "mbox"), members="core.documents.mail.mbox:unpack"),
    Format(
        "archive",
        "Archive",
        tuple(_ARCHIVES.split()),
        members="core.documents.containers.archives:unpack",
    ),
    Format("word", "Old Word document", (".doc",), "core.documents.office.doc:read"),
    Format(
        "presentation", "PowerPoint 97 slides", (".ppt", ".pps"), "core.documents.office.ppt:read"
    ),
)


def all_formats() -> tuple[Format, ...]:
    """Return Winnow's own formats, and behind them those that installed packages add."""
    return (*FORMATS, *_plugged_in())


def plugged_modules() -> tuple[str, ...]:
    """Return the modules by which other packages read, draw or open their formats."""
    named = (name for format_ in all_formats() for name in format_.functions if not is_own(name))
    return tuple(dict.fromkeys(name.partition(":")[0] for name in named))


def is_own(function: str) -> bool:
    """Whether a function, or a module, is one of Winnow's."""
    return function.startswith("core.")


def markdown_table() -> str:
    """Return Winnow's own formats as README lists them."""
    rows = ["| Format | Files |", "|---|---|"]
    for format_ in FORMATS:
        shown = ", ".join(f"`{suffix}`" for suffix in format_.suffixes[:_SHOWN])
        others = " and others" if len(format_.suffixes) > _SHOWN else ""
        how = ", with text recognition" if format_.is_picture else ""
        rows.append(f"| {format_.name}{how} | {shown}{others} |")
    return "\n".join(rows)


def format_of(path: Path) -> Format | None:
    """Return the format of the file at `path`, told by its name; None if it is not ours.

    Nothing is opened. Only Thunderbird's mailboxes have no name of their own: they are told by the
    index that lies beside.

    >>> format_of(Path("Letter.DOCX")).name, format_of(Path("Makefile")).name
    ('Word document', 'Source code')
    >>> format_of(Path("papers.tar.gz")).name, format_of(Path("photo.raw")) is None
    ('Archive', True)
    """
    formats = _by_suffix(all_formats())
    name = path.name.lower()
    suffix = path.suffix.lower()
    double = "".join(path.suffixes[-2:]).lower()
    found = formats.get(name) or formats.get(double) or formats.get(suffix)
    if found is None and not suffix and _has_mail_index(path):
        return formats[".mbox"]
    return found


def _has_mail_index(path: Path) -> bool:
    """Whether beside a file lies what Thunderbird notes of the mails in it."""
    if not path.is_absolute():  # the place of what lies in a container, and of nothing on the disk
        return False
    with suppress(OSError):  # of what may not be looked at, nothing is known
        return path.with_name(f"{path.name}.msf").exists()
    return False


def suffixes_of(kind: str) -> tuple[str, ...]:
    """The suffixes of a kind of files by its key, or a single suffix with or without its dot.

    Raises:
        UsageError: Winnow reads no such files.

    >>> suffixes_of("ebook"), suffixes_of("PY")
    (('.epub',), ('.py',))
    """
    asked = kind.lower()
    of_kind = [format_.suffixes for format_ in all_formats() if asked == format_.key]
    if of_kind:
        return tuple(chain.from_iterable(of_kind))
    for suffix in (asked, f".{asked}"):
        if suffix in _by_suffix(all_formats()):
            return (suffix,)
    keys = ", ".join(dict.fromkeys(format_.key for format_ in all_formats()))
    raise UsageError(f"Winnow reads no files of the kind {kind!r}; there are {keys}, and suffixes.")


def load_function(named: str) -> Callable[..., Any]:
    """Return the function that a `Format` names as "module:function", importing its module."""
    module, _, function = named.partition(":")
    loaded: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return loaded


@cache
def _plugged_in() -> tuple[Format, ...]:
    """Return the formats that other packages add; one that is broken is left out, and logged."""
    found: list[Format] = []
    keys = {format_.key for format_ in FORMATS}
    for _, place, format_ in plugged_in(PLUG_INS, Format, "format", "Format"):
        if format_.key in keys:
            _log.error("%s adds a format %r, which there is already.", place, format_.key)
            continue
        keys.add(format_.key)
        found.append(format_)
    return tuple(found)


@cache
def _by_suffix(formats: tuple[Format, ...]) -> dict[str, Format]:
    # The first line that names a suffix has it.
    return {suffix: format_ for format_ in reversed(formats) for suffix in format_.suffixes}
