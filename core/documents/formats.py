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
from core.optional_packages import plugged_in

PLUG_INS: Final = "winnow.formats"
"""The group of entry points by which installed packages add formats; each gives a `Format`."""
_SHOWN: Final = 10
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: all that is known of it before one is opened.

    `key` is what the kind is called in a command or a query: one word in lower case. Formats that
    are the same to a person share it, and the `group` by which people see them; where that is "",
    it is the `name`.
    `suffixes` are in lower case with their dot; one without a dot is a whole file name. Of two
    formats with one suffix the first has it.
    `reader` is "module:function", or "" for what has no text of its own; `members` names likewise
    the function that gives the documents inside, or "" where there are none, and `drawer` the one
    that draws a page (see `core.documents.pages.pdf.draw_page`), or "" for formats without pages;
    `placer` the one that tells where on a drawn page stretches of its text stand, or "" where
    nobody knows that but who recognised the text; `measurer` the one that tells the sizes of all,
    or "" where each is to be drawn to know its size. The modules are imported in the reading
    process only.
    A file that `is_picture` has no text but what is said of it, and what is recognised on it where
    it can be drawn; in containers it is a document only then. One that `is_mail` begins
    with headers, and one that `is_code` has lines with numbers. It `has_styles` unless it can tell
    no more than text; what `is_cheap` is read in no time where it is small, and one that
    `reads_little` of a file may be of any size.
    `icons` are names of the freedesktop icon naming specification, the most specific first; the
    last one is in every theme. `read_s_per_byte` (seconds on a laptop with two cores) and
    `text_share` (the share of a file's bytes that is text) serve to estimate indexing times.
    """

    key: str
    name: str
    suffixes: tuple[str, ...]
    reader: str = ""
    members: str = ""
    drawer: str = ""
    placer: str = ""
    measurer: str = ""
    group: str = ""
    is_picture: bool = False
    is_mail: bool = False
    is_code: bool = False
    has_styles: bool = True
    is_cheap: bool = False
    reads_little: bool = False
    icons: tuple[str, ...] = ("text-x-generic",)
    read_s_per_byte: float = 1e-7
    text_share: float = 0.1

    @property
    def functions(self) -> tuple[str, ...]:
        named = (self.reader, self.members, self.drawer, self.placer, self.measurer)
        return tuple(filter(None, named))

    @property
    def has_page_images(self) -> bool:
        return bool(self.drawer)


_TEXTS, _OFFICE, _MAIL, _PAGES, _CONTAINERS = (
    f"core.documents.{room}" for room in ("text_formats", "office", "mail", "pages", "containers")
)
_MEDIA: Final = "core.documents.media"
_DOCUMENT, _SPREADSHEET, _PRESENTATION = (
    f"x-office-{kind}" for kind in ("document", "spreadsheet", "presentation")
)
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
_ARCHIVES = """.zip .7z .rar .tar .tar.gz .tgz .tar.bz2 .tbz .tbz2 .tar.xz .txz"""
_XML = ".xml .dbk .docbook .dita .tei .rss .atom .opml .svg"

FORMATS: tuple[Format, ...] = (
    Format(
        "text",
        "Plain text",
        tuple(_TEXT.split()),
        f"{_TEXTS}.plain:read",
        has_styles=False,
        is_cheap=True,
        text_share=1,
    ),
    Format(
        "code",
        "Source code",
        tuple(_CODE.split()),
        f"{_TEXTS}.plain:read_code",
        is_code=True,
        is_cheap=True,
        icons=("text-x-script",),
        text_share=1,
    ),
    Format(
        "markdown",
        "Markdown",
        (".md", ".markdown", ".mdown", ".mkd"),
        f"{_TEXTS}.markdown:read",
        is_cheap=True,
        text_share=1,
    ),
    Format("rst", "reStructuredText", (".rst", ".rest"), f"{_TEXTS}.rst:read"),
    Format(
        "asciidoc",
        "AsciiDoc",
        (".adoc", ".asciidoc", ".asciidoctor"),
        f"{_TEXTS}.asciidoc:read",
    ),
    Format("org", "Org", (".org",), f"{_TEXTS}.org:read"),
    Format("latex", "LaTeX", (".tex", ".ltx"), f"{_TEXTS}.latex:read"),
    Format(
        "table",
        "Table of text",
        (".csv", ".tsv", ".tab"),
        f"{_TEXTS}.delimited:read",
        icons=(_SPREADSHEET,),
    ),
    Format("json", "JSON", (".json", ".jsonl", ".ndjson", ".geojson"), f"{_TEXTS}.json:read"),
    Format("xml", "XML", tuple(_XML.split()), f"{_TEXTS}.xml:read"),
    Format(
        "notebook",
        "Jupyter notebook",
        (".ipynb",),
        f"{_TEXTS}.notebook:read",
        group="Notebook",
    ),
    Format("subtitles", "Subtitles", (".srt", ".vtt", ".sbv"), f"{_TEXTS}.subtitles:read"),
    Format(
        "web",
        "Web page",
        (".html", ".htm", ".xhtml", ".xht"),
        f"{_TEXTS}.html:read",
        icons=("text-html",),
        text_share=0.3,
    ),
    Format(
        "saved",
        "Saved web page",
        (".mhtml", ".mht"),
        f"{_TEXTS}.html:read_saved",
        icons=("text-html",),
    ),
    Format(
        "word",
        "Word document",
        (".docx", ".docm", ".dotx", ".dotm"),
        f"{_OFFICE}.docx:read",
        group="Word",
        icons=(_DOCUMENT,),
    ),
    Format(
        "presentation",
        "PowerPoint presentation",
        (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"),
        f"{_OFFICE}.pptx:read",
        group="Presentation",
        icons=(_PRESENTATION,),
    ),
    Format(
        "spreadsheet",
        "Excel workbook",
        (".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb", ".xls", ".xlt"),
        f"{_OFFICE}.excel:read",
        group="Spreadsheet",
        icons=(_SPREADSHEET,),
    ),
    Format(
        "opendocument",
        "OpenDocument text",
        (".odt", ".ott", ".fodt"),
        f"{_OFFICE}.opendocument:read",
        icons=(_DOCUMENT,),
    ),
    Format(
        "presentation",
        "OpenDocument presentation",
        (".odp", ".otp", ".fodp"),
        f"{_OFFICE}.opendocument:read",
        group="Presentation",
        icons=(_PRESENTATION,),
    ),
    Format(
        "spreadsheet",
        "OpenDocument spreadsheet",
        (".ods", ".ots", ".fods"),
        f"{_OFFICE}.opendocument:read",
        group="Spreadsheet",
        icons=(_SPREADSHEET,),
    ),
    Format(
        "calendar",
        "Calendar",
        (".ics", ".ical", ".vcs"),
        f"{_TEXTS}.content_lines:read_calendar",
        icons=("x-office-calendar",),
    ),
    Format(
        "contacts",
        "Contacts",
        (".vcf", ".vcard"),
        f"{_TEXTS}.content_lines:read_contacts",
        icons=("x-office-address-book",),
    ),
    Format(
        "iwork",
        "Pages, Numbers or Keynote document",
        (".pages", ".numbers", ".key"),
        f"{_OFFICE}.iwork:read",
        icons=(_DOCUMENT,),
    ),
    Format(
        "rtf",
        "Rich text",
        (".rtf",),
        f"{_OFFICE}.rtf:read",
        icons=(_DOCUMENT,),
    ),
    Format(
        "ebook",
        "E-book",
        (".epub",),
        f"{_OFFICE}.epub:read",
        icons=(_DOCUMENT,),
    ),
    Format(
        "ebook",
        "Kindle or Mobipocket book",
        (".mobi", ".azw", ".azw3", ".prc"),
        f"{_OFFICE}.mobi:read",
        group="E-book",
        icons=(_DOCUMENT,),
    ),
    Format(
        "ebook",
        "FictionBook",
        (".fb2",),
        f"{_TEXTS}.xml:read",
        group="E-book",
        icons=(_DOCUMENT,),
    ),
    Format(
        "pdf",
        "PDF",
        (".pdf",),
        f"{_PAGES}.pdf:read",
        drawer=f"{_PAGES}.pdf:draw_page",
        placer=f"{_PAGES}.pdf:place_spans",
        measurer=f"{_PAGES}.pdf:page_sizes",
        has_styles=False,
        icons=("application-pdf", _DOCUMENT),
        read_s_per_byte=4e-7,
    ),
    Format(
        "picture",
        "Picture",
        (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".gif"),
        f"{_PAGES}.pictures:read",
        drawer=f"{_PAGES}.pictures:draw_page",
        is_picture=True,
        has_styles=False,
        icons=("image-x-generic",),
        text_share=0,
        read_s_per_byte=2e-9,
    ),
    Format(
        "picture",
        "HEIC or AVIF picture",
        (".heic", ".heif", ".avif"),
        f"{_PAGES}.pictures:read_caption",
        group="Picture",
        is_picture=True,
        has_styles=False,
        icons=("image-x-generic",),
        text_share=0,
        read_s_per_byte=2e-9,
    ),
    Format(
        "sound",
        "Sound",
        (".mp3", ".m4a", ".m4b", ".flac", ".ogg", ".oga", ".opus", ".wav"),
        f"{_MEDIA}.recordings:read",
        reads_little=True,
        icons=("audio-x-generic",),
        text_share=0,
    ),
    Format(
        "film",
        "Film",
        (".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi"),
        f"{_MEDIA}.recordings:read",
        reads_little=True,
        icons=("video-x-generic",),
        text_share=0,
        read_s_per_byte=0,
    ),
    Format(
        "mail",
        "Mail",
        (".eml", ".msg", ".emlx"),
        f"{_MAIL}.message:read",
        members=f"{_MAIL}.message:unpack",
        is_mail=True,
        icons=("mail-unread",),
        text_share=0.4,
    ),
    Format(
        "mailbox",
        "Mailbox",
        (".mbox", "mbox"),
        members=f"{_MAIL}.message:unpack_mailbox",
        icons=("mail-unread",),
    ),
    Format(
        "archive",
        "Archive",
        tuple(_ARCHIVES.split()),
        members=f"{_CONTAINERS}.archives:unpack",
        icons=("package-x-generic",),
    ),
    Format(
        "word",
        "Old Word document",
        (".doc",),
        f"{_OFFICE}.doc:read",
        group="Word",
        icons=(_DOCUMENT,),
    ),
    Format(
        "presentation",
        "PowerPoint 97 slides",
        (".ppt", ".pps"),
        f"{_OFFICE}.ppt:read",
        group="Presentation",
        icons=(_PRESENTATION,),
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
    return function.startswith("core.")


def markdown_table() -> str:
    """Return Winnow's own formats as README lists them."""
    rows = ["| Format | Files |", "|---|---|"]
    for format_ in FORMATS:
        shown = ", ".join(f"`{suffix}`" for suffix in format_.suffixes[:_SHOWN])
        others = " and others" if len(format_.suffixes) > _SHOWN else ""
        words = ", and with text recognition its text" if format_.drawer else ""
        how = f": captions, people, places, tags{words}" if format_.is_picture else ""
        rows.append(f"| {format_.name}{how} | {shown}{others} |")
    return "\n".join(rows)


def kind_name(key: str) -> str:
    """Return what people see of the formats with a key; the key itself for one of a plug-in.

    >>> kind_name("word"), kind_name("pdf"), kind_name("scores")
    ('Word', 'PDF', 'scores')
    """
    return next((format_.group or format_.name for format_ in FORMATS if format_.key == key), key)


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


def reads_little(path: Path) -> bool:
    """Return whether little is read of the file at `path`, told by its name, however large it is.

    >>> reads_little(Path("holidays.mkv")), reads_little(Path("letter.docx"))
    (True, False)
    """
    found = format_of(path)
    return found is not None and found.reads_little


def _has_mail_index(path: Path) -> bool:
    """Return whether beside a file lies what Thunderbird notes of the mails in it."""
    if not path.is_absolute():  # the place of what lies in a container, and of nothing on the disk
        return False
    with suppress(OSError):  # of what may not be looked at, nothing is known
        return path.with_name(f"{path.name}.msf").exists()
    return False


def suffixes_of(kind: str) -> tuple[str, ...]:
    """The suffixes of a kind of files by its key, or a single suffix with or without its dot.

    Raises:
        UsageError: Winnow reads no such files.

    >>> suffixes_of("calendar"), suffixes_of("PY")
    (('.ics', '.ical', '.vcs'), ('.py',))
    """
    asked = kind.lower()
    of_kind = [format_.suffixes for format_ in all_formats() if asked == format_.key]
    if of_kind:
        return tuple(chain.from_iterable(of_kind))
    for suffix in (asked, f".{asked}"):
        if suffix in _by_suffix(all_formats()):
            return (suffix,)
    keys = ", ".join(dict.fromkeys(format_.key for format_ in all_formats()))
    raise UsageError(
        "Winnow reads no files of the kind {0}; there are {1}, and suffixes.", f"{kind!r}", keys
    )


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
