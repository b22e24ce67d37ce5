"""Documents that are pictures: their notices, and how their text is added to the library."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from PIL import Image

from core.catalog import recognised_pages
from core.documents import recogniser
from core.documents.pages import recognition
from core.documents.pages.recognised import RecognisedPage
from core.documents.reader import Reader
from core.errors import Cancelled, Message
from core.indexing.read.document_rows import StoredPages
from core.library.library import Library
from core.progress import Job
from core.requests import ReadPages
from core.responses import Mode
from tests.core.documents.media.media_files import exif_bytes, jpeg_bytes

_NOTICE = "Image: turn on text recognition to read it"


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Recognise pages with a double, which notes each file's name and page."""
    pages: list[tuple[str, int]] = []

    def recognise(
        _self: recogniser.Recogniser, _drawer: str, file: Path, number: int, _job: Job | None
    ) -> RecognisedPage:
        pages.append((file.name, number))
        return RecognisedPage(f"The crow on page {number} hides food.")

    monkeypatch.setattr(recognition, "is_installed", lambda: True)
    monkeypatch.setattr(recogniser.Recogniser, "_recognised", recognise)
    return pages


@pytest.fixture
def recognising(
    library: Library, requests: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Library]:
    """The library, with text recognition turned on."""
    before = library._reader
    with Reader(ocr=True) as reader, monkeypatch.context() as patch:
        patch.setattr(library, "_reader", reader)
        yield library
    assert before is not reader


def _scan(path: Path, pages: int = 1, shade: int = 128) -> Path:
    """Write a PDF whose pages are pictures."""
    images = [Image.new("L", (40, 60), shade + number) for number in range(pages)]
    path.parent.mkdir(parents=True, exist_ok=True)
    images[0].save(path, save_all=True, append_images=images[1:])
    return path


def _gaps(library: Library) -> dict[str, str]:
    rows = library._catalog.connection().execute(
        "SELECT path, gaps FROM documents WHERE gaps != '' AND state IN ('read', 'no_text')"
    )
    return {Path(path).name: Message.unpacked(gaps) for path, gaps in rows}


def _found(library: Library, words: str) -> list[str]:
    return sorted(
        hit.path.name for hit in library.search(words, mode=Mode.WORDS, is_folded=False).hits
    )


def _stored(library: Library) -> int:
    counted = library._catalog.connection().execute("SELECT count(*) FROM recognised")
    number: int = counted.fetchone()[0]
    return number


def test_without_recognition_a_scan_tells_why_it_has_no_text(
    library: Library, folder: Path
) -> None:
    _scan(folder / "one.pdf")
    _scan(folder / "many.pdf", pages=3)
    _scan(folder / "photo.png")
    noted = exif_bytes({0x010E: "A jay on the fence"}, {0x9003: "2024:06:30 12:05:00"})
    (folder / "IMG_1.jpg").write_bytes(jpeg_bytes(noted))
    (folder / "note.txt").write_text("Owls hunt mice.")
    library.add_folder(folder)
    report = library.sync()
    assert _gaps(library) == {
        "one.pdf": _NOTICE,
        "many.pdf": f"Incomplete. Pages 1-3: {_NOTICE}",
    }
    assert (report.unsupported, report.failed) == ((), ())
    # A photo is found by its caption and by its name, and its day is the one on which it was taken.
    assert _found(library, "jay") == ["IMG_1.jpg"]
    dates = {document.path.name: document.date for document in library.documents()}
    assert (dates["IMG_1.jpg"], dates["photo.png"]) == ("2024-06-30T12:05:00", "")
    assert [path.name for path in report.without_text] == ["many.pdf", "one.pdf"]


def test_a_caption_stays_next_to_the_recognised_text(recognising: Library, folder: Path) -> None:
    noted = exif_bytes({0x010E: "A jay on the fence"})
    (folder / "IMG_1.jpg").write_bytes(jpeg_bytes(noted))
    recognising.add_folder(folder)
    recognising.sync()
    assert _found(recognising, "jay") == _found(recognising, "hides") == ["IMG_1.jpg"]
    (hit,) = recognising.search("hides", mode=Mode.WORDS).hits
    texts = [page.text for page in recognising.answer(ReadPages(hit.document_id))]
    assert texts == ["The crow on page 1 hides food.\n\nA jay on the fence"]


def test_remaining_pictures_are_read_once_recognition_is_on(
    recognising: Library, folder: Path, requests: list[tuple[str, int]]
) -> None:
    _scan(folder / "scan.pdf", pages=2)
    (folder / "note.txt").write_text("Owls hunt mice.")
    library = recognising
    library.add_folder(folder)
    with pytest.MonkeyPatch.context() as patch, Reader() as plain:
        patch.setattr(library, "_reader", plain)
        library.sync()
    assert _gaps(library) == {"scan.pdf": f"Incomplete. Pages 1-2: {_NOTICE}"}
    assert library.sync().read == 1
    assert _gaps(library) == {}
    assert _found(library, "crow") == ["scan.pdf"]
    assert requests == [("scan.pdf", 1), ("scan.pdf", 2)]
    assert library.sync().read == 0


def test_a_content_is_recognised_once_wherever_it_is(
    recognising: Library, folder: Path, requests: list[tuple[str, int]]
) -> None:
    path = _scan(folder / "scan.png")
    recognising.add_folder(folder)
    recognising.sync()
    shutil.copy(path, folder / "copy.png")
    with ZipFile(folder / "in.zip", "w") as archive:
        archive.write(path, "packed.png")
    path.rename(folder / "moved.png")
    recognising.sync()
    assert _found(recognising, "crow") == ["copy.png", "moved.png", "packed.png"]
    assert len(requests) == 1
    assert _stored(recognising) == 1


def test_pictures_in_archives_are_left_out_without_recognition(
    library: Library, folder: Path
) -> None:
    buffer = BytesIO()
    Image.new("L", (4, 4)).save(buffer, "PNG")
    with ZipFile(folder / "in.zip", "w") as archive:
        archive.writestr("photo.png", buffer.getvalue())
        archive.writestr("note.txt", "Owls hunt mice.")
    library.add_folder(folder)
    library.sync()
    assert [document.path.name for document in library.documents()] == ["note.txt"]


def test_text_recognised_before_a_cancel_is_stored(
    recognising: Library, folder: Path, requests: list[tuple[str, int]]
) -> None:
    _cut_short(recognising, folder, requests)
    assert _stored(recognising) == 2
    recognising.sync()
    assert [number for _, number in requests] == [1, 2, 3, 4]
    assert _found(recognising, "crow") == ["scan.pdf"]


def test_text_recognised_on_a_removed_drive_is_stored(
    recognising: Library, folder: Path, requests: list[tuple[str, int]]
) -> None:
    _cut_short(recognising, folder, requests)
    away = folder.rename(folder.with_name("pulled out"))
    recognising.sync()
    assert _stored(recognising) == 2
    away.rename(folder)
    recognising.sync()
    assert [number for _, number in requests] == [1, 2, 3, 4]
    assert _found(recognising, "crow") == ["scan.pdf"]


def _cut_short(recognising: Library, folder: Path, requests: list[tuple[str, int]]) -> None:
    """Cancel a sync when two of four pages have been recognised."""
    _scan(folder / "scan.pdf", pages=4)
    recognising.add_folder(folder)
    recognise = recogniser.Recogniser._recognised
    job = Job()

    def cancel_after_two(*arguments: Any) -> RecognisedPage:
        if len(requests) == 1:
            job.cancel()
        return recognise(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recogniser.Recogniser, "_recognised", cancel_after_two)
        with pytest.raises(Cancelled):
            recognising.sync(job)


def test_recognised_text_is_removed_with_its_document(recognising: Library, folder: Path) -> None:
    path = _scan(folder / "scan.png")
    _scan(folder / "sub" / "other.png", shade=10)
    recognising.add_folder(folder)
    recognising.sync()
    assert _stored(recognising) == 2
    _scan(path, shade=200)
    recognising.sync()
    assert _stored(recognising) == 2
    path.unlink()
    recognising.sync()
    assert _stored(recognising) == 1
    recognising.remove_folder(folder)
    assert _stored(recognising) == 0


def test_with_a_folder_goes_what_was_recognised_for_documents_never_stored(
    recognising: Library, folder: Path
) -> None:
    recognising.add_folder(folder)
    StoredPages(recognising._catalog, "cut short").put(1, RecognisedPage("Secret"))
    recognising.remove_folder(folder)
    assert _stored(recognising) == 0


def test_pages_are_stored_as_they_were_and_damaged_ones_are_none(
    library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    pages = StoredPages(library._catalog, "hash")
    assert pages.get(1) is None
    pages.put(1, RecognisedPage("Crows"))
    assert pages.get(1) == RecognisedPage("Crows")
    assert StoredPages(library._catalog, "other").get(1) is None
    with library._catalog.transaction() as db:
        recognised_pages.put_recognised_page(db, "hash", 1, b"damaged")
    assert pages.get(1) is None
    assert "Recognising page 1" in caplog.text


def test_a_file_of_unknown_content_keeps_nothing(library: Library) -> None:
    pages = StoredPages(library._catalog, None)
    pages.put(1, RecognisedPage("Crows"))
    assert pages.get(1) is None
    assert _stored(library) == 0
