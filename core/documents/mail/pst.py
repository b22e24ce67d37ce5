"""Reads Outlook's data files (.pst, .ost) by the package libpff-python.

Source: [MS-PST] Outlook Personal Folders (.pst) File Format.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from email.message import Message
from pathlib import Path
from typing import Any, Final

from core.documents.containers.members import part_of
from core.documents.containers.unpacking import Level
from core.documents.damage import WHOLE
from core.documents.files import is_of_the_drive, open_file
from core.documents.mail import mime, outlook
from core.documents.mail.outlook import Properties
from core.documents.metadata import shorten
from core.documents.text import one_line
from core.errors import DocumentError

_MAGIC: Final = b"!BDN"
_NOT_PST: Final = "Damaged, or not an Outlook data file"
_DEEPEST: Final = 50  # folders in one another
_DEEPEST_MAIL: Final = 5
_LONGEST_NAME: Final = 100
# Properties of up to this many bytes may be numbers.
_NUMBER_BYTES: Final = 8
# Outlook's folders of what it keeps for itself, in all languages.
_NOT_MAIL: Final = re.compile(r"IPM_|SPAM Search|Freebusy Data|ItemProcSearch|Common Views|Finder")


def unpack(path: Path, level: Level) -> None:
    """Unpack the mails of a data file in their folders, numbered from 1 in each.

    Calendar entries, contacts and tasks are mails, too. Deleted items that only recovery tools find
    are left out.

    Raises:
        DocumentError: It is damaged, or the package is not installed.
        OSError: The drive fails.
    """
    try:
        import pypff
    except ImportError as error:
        raise DocumentError(
            "Outlook data files need an add-on. Run: pip install 'winnow-search[pst]'"
            " && winnow index --retry"
        ) from error
    with open_file(path) as stream:
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise DocumentError(_NOT_PST)
        stream.seek(0)
        file = pypff.file()
        try:
            file.open_file_object(stream)
            _unpack_folder(file.get_root_folder(), (), level, set())
        except OSError as error:
            # The package raises it for damage, too.
            if is_of_the_drive(error):
                raise
            raise DocumentError(_NOT_PST) from error


def _unpack_folder(folder: Any, names: tuple[str, ...], level: Level, seen: set[int]) -> None:
    within = "/".join(names)
    if folder is None or folder.identifier in seen or len(names) > _DEEPEST:
        # Unreadable, or damaged so that it contains itself.
        level.refuse(f"{within}/Folder.eml", WHOLE)
        return
    seen.add(folder.identifier)
    for index in range(folder.number_of_sub_messages):
        _take(folder, index, within, level)
    for index in range(folder.number_of_sub_folders):
        inner = _or_none(folder.get_sub_folder, index)
        name = one_line(_or_none(inner.get_name) or "") if inner is not None else ""
        if not _NOT_MAIL.match(name):
            _unpack_folder(inner, (*names, part_of(name)) if name else names, level, seen)


def _or_none(function: Any, *values: int) -> Any:
    """Return what a function returns, or None if that is damaged."""
    try:
        return function(*values)
    except OSError as error:
        if is_of_the_drive(error):
            raise
        return None


def _take(folder: Any, index: int, within: str, level: Level) -> None:
    """Unpack a mail of a folder, or refuse it if it is damaged."""
    number = f"{index + 1:05}"
    try:
        mail = message_in(folder.get_sub_message(index))
    except (OSError, DocumentError) as error:
        if is_of_the_drive(error):
            raise
        level.refuse(f"{within}/{number}.eml", WHOLE)
        return
    subject = shorten(one_line(str(mail["Subject"] or "")), _LONGEST_NAME)
    name = part_of(f"{number} {subject}".strip() + ".eml")
    sink = level.member(f"{within}/{name}", mtime_ns=mime.time_ns(mime.date_of(mail)))
    if sink.is_open:
        sink.write(mime.bytes_of(mail))
        sink.close()


def message_in(item: Any, depth: int = 0) -> Message:
    """Return a mail of the package as a MIME message.

    Raises:
        OSError: It is damaged.
    """
    sets = [*_record_sets(item)]
    recipients = getattr(item, "recipients", None)
    return outlook.message_of(
        properties_of(sets[0] if sets else {}),
        map(properties_of, _record_sets(recipients) if recipients is not None else ()),
        _attachments(item, depth),
    )


def _attachments(item: Any, depth: int) -> Iterator[tuple[Properties, Message | None]]:
    for attachment in getattr(item, "attachments", None) or ():
        records = next(_record_sets(attachment), {})
        inner = None
        if attachment.number_of_sub_items and depth < _DEEPEST_MAIL:
            inner = message_in(attachment.get_sub_item(0), depth + 1)
        elif size_bytes := _or_none(attachment.get_size):
            attachment.seek_offset(0, 0)
            content = attachment.read_buffer(size_bytes)
            records = {**records, (outlook.CONTENT, outlook.BINARY): content}
        yield properties_of(records), inner


# Values by the property's number and type.
_Records = Mapping[tuple[int, int], bytes]


def _record_sets(item: Any) -> Iterator[_Records]:
    for index in range(item.number_of_record_sets):
        entries: Iterable[Any] = item.get_record_set(index).entries
        yield {(entry.entry_type, entry.value_type): entry.data or b"" for entry in entries}


def properties_of(records: _Records) -> Properties:
    r"""Return properties from their values.

    >>> mail = properties_of({(0x37, 0x1F): "Crows".encode("utf-16-le"), (0x0C15, 3): b"\2\0"})
    >>> mail.text(0x37), mail.integer(0x0C15)
    ('Crows', 2)
    """
    fixed = {
        property_id: int.from_bytes(value, "little")
        for (property_id, _), value in records.items()
        if len(value) <= _NUMBER_BYTES
    }
    return Properties(fixed, lambda property_id, kind: records.get((property_id, kind), b""))
