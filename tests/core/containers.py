"""Containers built from trees of members, and the documents a library should find in them."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from email.message import EmailMessage
from pathlib import Path

# A member's name and its text or members; the suffix of the name determines the kind.
Tree = Mapping[str, "str | Tree"]

_BODY = "body"


def container_bytes(name: str, content: str | Tree) -> bytes:
    """The file `name` with this content: text, or a container of it."""
    if isinstance(content, str):
        return content.encode()
    members = {inner: container_bytes(inner, value) for inner, value in content.items()}
    if name.endswith(".zip"):
        return zip_bytes(members)
    if name.endswith((".tar", ".tar.gz", ".tar.bz2", ".tar.xz")):
        return tar_bytes(members, name.rpartition(".")[2])
    if name.endswith(".7z"):
        return sevenzip_bytes(members)
    if name.endswith(".mbox"):
        return mbox_bytes(list(members.values()))
    assert name.endswith(".eml"), name
    text = members.pop(_BODY, b"").decode()
    return mail_bytes(text, members)


def archive(packing: str, members: Mapping[str, bytes]) -> bytes:
    """An archive: "zip", "7z", "tar", or the way in which a tape archive is compressed."""
    if packing == "zip":
        return zip_bytes(members)
    return sevenzip_bytes(members) if packing == "7z" else tar_bytes(members, packing)


def zip_bytes(members: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def tar_bytes(members: Mapping[str, bytes], packing: str = "tar") -> bytes:
    buffer = io.BytesIO()
    mode = "w" if packing == "tar" else f"w:{packing}"
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def sevenzip_bytes(members: Mapping[str, bytes], password: str | None = None) -> bytes:
    import py7zr

    buffer = io.BytesIO()
    with py7zr.SevenZipFile(buffer, "w", password=password) as archive:
        for name, data in members.items():
            archive.writestr(data, name)
    return buffer.getvalue()


def mail_bytes(text: str, attached: Mapping[str, bytes], subject: str = "") -> bytes:
    """A mail from Anna Rook, with attachments of no kind that says anything."""
    mail = EmailMessage()
    mail["From"] = "Anna Rook <anna@example.org>"
    if subject:
        mail["Subject"] = subject
    mail.set_content(text)
    for name, data in attached.items():
        mail.add_attachment(data, "application", "octet-stream", filename=name)
    if attached:
        # Otherwise random for each mail, and the same mail must produce the same bytes.
        mail.set_boundary("=-=-=")
    return bytes(mail)


def mbox_bytes(mails: list[bytes]) -> bytes:
    return b"".join(
        b"From anna@example.org Mon Jun 01 10:00:00 2009\n" + mail.rstrip(b"\n") + b"\n\n"
        for mail in mails
    )


def expected(path: Path, content: str | Tree) -> Iterator[tuple[str, str]]:
    """The documents, with their texts, that a library finds in a file with this content."""
    if isinstance(content, str):
        yield str(path), content.strip()
        return
    inside = dict(content)
    if path.suffix == ".eml":
        text = inside.pop(_BODY, "")
        assert isinstance(text, str)
        attached = f"\nAttachments: {', '.join(inside)}" if inside else ""
        yield str(path), f"From: Anna Rook <anna@example.org>{attached}\n\n{text}".strip()
    for number, (name, value) in enumerate(inside.items(), 1):
        place = f"{number:05}.eml" if path.suffix == ".mbox" else name
        yield from expected(path / place, value)
