"""Writes Outlook mails for tests: the parts of [MS-OXMSG] for mails, people and attachments."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from tests.core.documents.office.compound_files import compound_bytes

Values = Mapping[int, "str | bytes | int | datetime"]
"""Properties by their numbers."""


def outlook_bytes(
    values: Values,
    *,
    people: Sequence[Values] = (),
    attachments: Sequence[Values | tuple[Values, Sequence[Values]]] = (),
    encoding: str = "",
) -> bytes:
    """A mail; the arguments are those of `outlook_streams`."""
    return compound_bytes(
        outlook_streams(values, people=people, attachments=attachments, encoding=encoding)
    )


def outlook_streams(
    values: Values,
    *,
    people: Sequence[Values] = (),
    attachments: Sequence[Values | tuple[Values, Sequence[Values]]] = (),
    encoding: str = "",
) -> dict[str, bytes]:
    """The streams of a mail, by their paths.

    Args:
        values: of the mail.
        people: of those it went to.
        attachments: likewise; a pair is a mail that is attached, and the people it went to.
        encoding: of its text; "" for Unicode.
    """
    streams = dict(_object(values, "", 32, encoding))
    for number, person in enumerate(people):
        streams |= _object(person, f"__recip_version1.0_#{number:08X}/", 8, encoding)
    for number, attached in enumerate(attachments):
        place = f"__attach_version1.0_#{number:08X}/"
        if isinstance(attached, tuple):
            inside, to = attached
            mail = f"{place}__substg1.0_3701000D/"
            streams |= _object({}, place, 8, encoding) | _object(inside, mail, 24, encoding)
            for other, person in enumerate(to):
                streams |= _object(person, f"{mail}__recip_version1.0_#{other:08X}/", 8, encoding)
        else:
            streams |= _object(attached, place, 8, encoding)
    return streams


def _object(values: Values, address: str, header_bytes: int, encoding: str) -> dict[str, bytes]:
    fixed = bytes(header_bytes)
    streams = {}
    for number, value in values.items():
        match value:
            case str():
                kind, data = (0x1E, value.encode(encoding)) if encoding else (
                    0x1F, value.encode("utf-16-le")
                )  # fmt: skip
                streams[f"{address}__substg1.0_{number:04X}{kind:04X}"] = data
            case bytes():
                streams[f"{address}__substg1.0_{number:04X}0102"] = value
            case datetime():
                ticks = int((value - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds() * 1e7)
                fixed += struct.pack("<HHIQ", 0x40, number, 6, ticks)
            case int():
                fixed += struct.pack("<HHIQ", 3, number, 6, value)
    return streams | {f"{address}__properties_version1.0": fixed}
