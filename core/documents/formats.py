"""The file formats that Winnow reads, and lookup by file name."""

import importlib
import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError
from core.files.paths import RESOURCES
from core.optional_packages import plugged_in

# Entry point group through which installed packages add formats; each entry point is a `Format`.
PLUG_INS: Final = "winnow.formats"
_log = logging.getLogger(__name__)


# The family of formats without one.
OTHERS: Final = "others"


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    Functions are named "module:function"; "" means that the format has none. Their modules are
    imported in the reading process only.

    Attributes:
        key: Name in commands and queries, one lower-case word. Related formats share it.
        name: Name of this format.
        suffixes: Lower-case suffixes with their dot; an entry without a dot is a whole file name.
            The first format with a suffix has it.
        reader: Reads the text.
        members: Yields the documents in a container.
        drawer: Draws a page, as `core.documents.pages.pdf.draw_page` does.
        placer: Returns the boxes of text spans on a drawn page.
        measurer: Returns the sizes of all pages. Without it, pages are drawn to measure them.
        group: Name shown for all formats with this key; the `name` if "".
        is_picture: Has only captions, and recognised text if it can be drawn. In containers it is
            a document only if it can be drawn.
        is_mail: Begins with headers.
        is_code: Has numbered lines.
        has_styles: The reader returns styles.
        is_cheap: Small files are read in negligible time.
        reads_little: The reader reads a small part of the file, which may be of any size.
        icons: Names of the freedesktop icon naming specification, the most specific first. The
            last one is in every theme.
        family: The family that the side bar lists it in (`app/filters/families.py`).
        german: Names of its key in German, the usual one first; "" if that is the key.
        chinese: Likewise in Chinese.
        words: Words for documents with its key in a query such as "pdf by anna", in all languages.
        media_types: Media types besides Python's, each with the suffix that it stands for:
            "text/calendar:.ics".
        read_s_per_byte: Reading time on a laptop with two cores, to estimate indexing times.
        text_share: Share of a file's bytes that is text, for the same estimate.
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
    family: str = OTHERS
    german: str = ""
    chinese: str = ""
    words: str = ""
    media_types: tuple[str, ...] = ()
    read_s_per_byte: float = 1e-7
    text_share: float = 0.1

    @property
    def functions(self) -> tuple[str, ...]:
        named = (self.reader, self.members, self.drawer, self.placer, self.measurer)
        return tuple(filter(None, named))

    @property
    def has_page_images(self) -> bool:
        return bool(self.drawer)


# Suffixes of single compressed files, which follow the file's own suffix.
PACKED: Final = (".gz", ".bz2", ".xz")


_LISTS: Final = ("suffixes", "media_types", "icons")


def _own_formats() -> Iterator[Format]:
    """Yield the formats of `resources/formats.json`, where lists are words in one text."""
    for entry in json.loads((RESOURCES / "formats.json").read_text(encoding="utf-8")):
        lists = {key: tuple(entry[key].split()) for key in _LISTS if key in entry}
        yield Format(**(entry | lists))


FORMATS: tuple[Format, ...] = tuple(_own_formats())


@cache
def suffixes_by_media_type() -> dict[str, str]:
    """Return the suffixes of Winnow's formats by media type.

    >>> suffixes_by_media_type()["text/calendar"]
    '.ics'
    """
    return dict(entry.split(":") for format_ in FORMATS for entry in format_.media_types)


def all_formats() -> tuple[Format, ...]:
    """Return Winnow's formats, followed by those that installed packages add."""
    return (*FORMATS, *_plugged_in())


def plugged_modules() -> tuple[str, ...]:
    """Return the modules of the formats that installed packages add."""
    named = (name for format_ in all_formats() for name in format_.functions if not is_own(name))
    return tuple(dict.fromkeys(name.partition(":")[0] for name in named))


def is_own(function: str) -> bool:
    return function.startswith("core.")


def kind_name(key: str) -> str:
    """Return the display name of the formats with a key; the key itself for a plug-in's.

    >>> kind_name("word"), kind_name("pdf"), kind_name("scores")
    ('Word', 'PDF', 'scores')
    """
    return next((format_.group or format_.name for format_ in FORMATS if format_.key == key), key)


def family_of(key: str) -> str:
    """Return the family of the formats with a key; `OTHERS` for an unknown one.

    >>> family_of("word"), family_of("scores")
    ('documents', 'others')
    """
    return next((format_.family for format_ in all_formats() if format_.key == key), OTHERS)


@cache
def listed_keys(language: str = "en") -> str:
    """Return the keys of Winnow's formats, by their usual names in a language, in one line.

    >>> print(listed_keys()[:31], listed_keys("de")[:31], listed_keys("zh_CN")[:15], sep="|")
    text, code, markdown, rst, asci|text, quelltext, markdown, rst,|文本、代码、markdown、
    """
    names: dict[str, str] = {}
    for each in FORMATS:
        others = {"de": each.german, "zh_CN": each.chinese}.get(language, "").lower().split()
        names.setdefault(each.key, [*others, each.key][0])
    return ("、" if language == "zh_CN" else ", ").join(names.values())


def format_of(path: Path) -> Format | None:
    """Return the format of the file at `path` by its name; None if Winnow does not read it.

    Opens nothing. Thunderbird's mailboxes have no suffix; they are recognised by the index file
    next to them, as mails in MH folders are by other files. A compressed file needs the name of a
    supported format before its suffix.

    >>> format_of(Path("Letter.DOCX")).name, format_of(Path("Makefile")).name
    ('Word document', 'Source code')
    >>> format_of(Path("papers.tar.gz")).name, format_of(Path("photo.raw")) is None
    ('Archive', True)
    >>> format_of(Path("error.log.2.gz")).name, format_of(Path("photo.raw.gz")) is None
    ('Archive', True)
    >>> format_of(Path("Maildir/cur/1715000000.M5P7.host:2,S")).name
    'Email'
    """
    formats = _by_suffix(all_formats())
    name = path.name.lower()
    suffix = path.suffix.lower()
    double = "".join(path.suffixes[-2:]).lower()
    file_format = formats.get(name) or formats.get(double)
    if file_format is None and suffix in PACKED:
        is_known = format_of(path.parent / path.stem) is not None
        return formats[suffix] if is_known else None
    file_format = file_format or formats.get(suffix)
    if (
        name[:1].isdigit()  # nearly no other name: the rest takes longer
        and is_of_maildir(path.parent.name, path.name)
        and (file_format is None or file_format.key in _OF_DOMAINS)
    ):
        return formats[".eml"]
    if file_format is None and (plain := unrotated(name)) != name:
        return format_of(path.with_name(plain))
    if file_format is None and not suffix and is_mail_number(name) and _is_in_mail_folder(path):
        return formats[".eml"]
    if file_format is None and not suffix and _has_mail_index(path):
        return formats[".mbox"]
    return file_format


# The name of a log, and what programs append to the names of its older parts: a number, or a date.
_ROTATED: Final = re.compile(
    r"(.+\.log|syslog|messages|dmesg|access_log|error_log)"
    r"(?:[.-](?:\d{1,3}|old|\d{4}-?\d\d-?\d\d(?:[-_.T]?\d{1,10}){0,3})){1,2}",
    re.IGNORECASE,
)
# Names of mails in a Maildir: a time, a unique part, a host, and after ":2," their flags. Programs
# write another character than the colon on Windows.
_FLAGGED: Final = re.compile(r"\d\S*[:;!]2,[A-Za-z,]{0,60}")
_DELIVERED: Final = re.compile(r"\d{9,10}[._][A-Za-z]*\d[\w=,+-]*\.[\w.=,+-]+")
_MAIL_NUMBER: Final = re.compile(r"[1-9]\d{0,8}", re.ASCII)
# Files that nmh, Evolution, Claws Mail and Sylpheed keep in each of their mail folders.
_MH_MARKS: Final = (".mh_sequences", ".mh_profile", ".xmhcache", ".claws_mark", ".sylpheed_mark")
# Formats with suffixes that are also the ends of host names: .org, .pl, .md.
_OF_DOMAINS: Final = frozenset({"code", "markdown", "org"})


def unrotated(name: str) -> str:
    """Return the name of a log without the number or date of an older part; other names unchanged.

    >>> unrotated("error.log.1"), unrotated("syslog-20240501"), unrotated("app.log.2024-05-01")
    ('error.log', 'syslog', 'app.log')
    >>> unrotated("app.log"), unrotated("photo.1")
    ('app.log', 'photo.1')
    """
    if not name[-1:].isdigit() and not name.lower().endswith("old"):
        return name  # nearly all names: matching takes longer
    match = _ROTATED.fullmatch(name)
    return match[1] if match else name


def is_of_maildir(folder: str, name: str) -> bool:
    """Return whether a file is a mail in a Maildir, by its name and that of its folder.

    >>> is_of_maildir("cur", "1715000000.M5P7.host:2,RS"), is_of_maildir("new", "scan 5.pdf")
    (True, False)
    """
    if folder not in {"cur", "new"}:
        return False
    return bool(_FLAGGED.fullmatch(name) or _DELIVERED.fullmatch(name))


def is_mail_number(name: str) -> bool:
    """Return whether a name is that of mails in an MH folder: a number.

    >>> is_mail_number("17"), is_mail_number("017"), is_mail_number("17.txt")
    (True, False, False)
    """
    return _MAIL_NUMBER.fullmatch(name) is not None


def reads_little(path: Path) -> bool:
    """Return whether the format of the file at `path`, by its name, `reads_little`.

    >>> reads_little(Path("holidays.mkv")), reads_little(Path("letter.docx"))
    (True, False)
    """
    file_format = format_of(path)
    return file_format is not None and file_format.reads_little


def _has_mail_index(path: Path) -> bool:
    """Return whether Thunderbird's index of a mailbox is next to a file."""
    if not path.is_absolute():  # a path in a container, not on the disk
        return False
    with suppress(OSError):  # no permission
        return path.with_name(f"{path.name}.msf").exists()
    return False


def _is_in_mail_folder(path: Path) -> bool:
    """Return whether a file is in a folder of an MH mailbox, whose mails have numbers for names."""
    if not path.is_absolute():  # a path in a container, not on the disk
        return False
    with suppress(OSError):  # no permission
        return any(path.with_name(mark).exists() for mark in _MH_MARKS)
    return False


def suffixes_of(kind: str) -> tuple[str, ...]:
    """Return the suffixes of a format's key, or of a suffix with or without its dot.

    Raises:
        UsageError: Winnow does not read these files.

    >>> suffixes_of("calendar"), suffixes_of("PY")
    (('.ics', '.ical', '.vcs'), ('.py',))
    """
    wanted = kind.lower()
    of_kind = [format_.suffixes for format_ in all_formats() if wanted == format_.key]
    if of_kind:
        return tuple(chain.from_iterable(of_kind))
    for suffix in (wanted, f".{wanted}"):
        if suffix in _by_suffix(all_formats()):
            return (suffix,)
    keys = ", ".join(dict.fromkeys(format_.key for format_ in all_formats()))
    raise UsageError(
        "The file type {0} is not supported. Supported types: {1}, and file extensions.",
        f"{kind!r}",
        keys,
    )


def mail_suffixes() -> tuple[str, ...]:
    """Return the suffixes of mails, whose members are their attachments.

    >>> mail_suffixes()
    ('.eml', '.msg', '.emlx', '.tnef', 'winmail.dat')
    """
    return tuple(chain.from_iterable(known.suffixes for known in FORMATS if known.is_mail))


def load_function(named: str) -> Callable[..., Any]:
    """Import and return a function named as "module:function"."""
    module, _, function = named.partition(":")
    loaded: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return loaded


@cache
def _plugged_in() -> tuple[Format, ...]:
    """Return the formats that installed packages add. Broken ones are logged and left out."""
    plugged: list[Format] = []
    keys = {format_.key for format_ in FORMATS}
    for _, location, format_ in plugged_in(PLUG_INS, Format, "format", "Format"):
        if format_.key in keys:
            _log.error("%s adds a format %r that already exists.", location, format_.key)
            continue
        keys.add(format_.key)
        plugged.append(format_)
    return tuple(plugged)


@cache
def _by_suffix(formats: tuple[Format, ...]) -> dict[str, Format]:
    # Reversed, so that the first format with a suffix has it.
    return {suffix: format_ for format_ in reversed(formats) for suffix in format_.suffixes}
