from __future__ import annotations

import builtins
from pathlib import Path

import pytest
from PIL import Image

from core.documents.document import IS_PICTURE
from core.documents.pages import pictures
from core.errors import DocumentError
from tests.core.documents.mutations import mutations


def _saved(
    path: Path, mode: str = "RGB", size: tuple[int, int] = (8, 4), **options: object
) -> Path:
    image = Image.new(mode, size)
    image.putpixel((0, 0), 255 if len(image.getbands()) == 1 else (255,) * len(image.getbands()))
    image.save(path, **options)
    return path


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".tiff", ".webp", ".bmp", ".gif"])
def test_a_picture_is_a_page_that_is_unread(tmp_path: Path, suffix: str) -> None:
    path = _saved(tmp_path / f"a{suffix}")
    (page,) = pictures.read(path).pages
    assert (page.number, page.text, page.unread) == (1, "", IS_PICTURE)
    drawn = pictures.draw_page(path, 1, None)
    assert (drawn.width, drawn.height, len(drawn.rgb)) == (8, 4, 96)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16", "I", "CMYK"])
def test_pixels_of_every_kind_become_red_green_and_blue(tmp_path: Path, mode: str) -> None:
    suffix = ".tiff" if mode in {"CMYK", "LA", "I"} else ".png"
    drawn = pictures.draw_page(_saved(tmp_path / f"a{suffix}", mode), 1, 8)
    assert len(drawn.rgb) == 96


def test_transparency_is_drawn_on_white(tmp_path: Path) -> None:
    Image.new("RGBA", (2, 2), (0, 0, 0, 0)).save(tmp_path / "a.png")
    assert pictures.draw_page(tmp_path / "a.png", 1, 2).rgb == b"\xff" * 12


def test_all_pages_of_a_fax_and_the_first_picture_of_a_film(tmp_path: Path) -> None:
    pages = [Image.new("L", (4, 4), shade) for shade in (0, 100, 200)]
    pages[0].save(tmp_path / "fax.tif", save_all=True, append_images=pages[1:])
    pages[0].save(tmp_path / "film.gif", save_all=True, append_images=pages[1:])
    assert [page.number for page in pictures.read(tmp_path / "fax.tif").pages] == [1, 2, 3]
    assert len(pictures.read(tmp_path / "film.gif").pages) == 1
    assert pictures.draw_page(tmp_path / "fax.tif", 3, 4).rgb[:3] == bytes([200] * 3)
    with pytest.raises(DocumentError, match="Has no page 4"):
        pictures.draw_page(tmp_path / "fax.tif", 4, 4)


def test_exif_orientation_and_metadata_are_applied(tmp_path: Path) -> None:
    image = Image.new("RGB", (8, 4))
    exif = image.getexif()
    exif[0x0112] = 6  # rotated by 90 degrees
    exif[0x013B] = "Ann  Rook"
    exif[0x010E] = "The crow"
    exif.get_ifd(0x8769)[0x9003] = "2024:06:30 12:05:00"
    image.save(tmp_path / "a.jpg", exif=exif)
    document = pictures.read(tmp_path / "a.jpg")
    assert (document.title, document.author, document.date) == (
        "The crow",
        "Ann Rook",
        "2024-06-30T12:05:00",
    )
    drawn = pictures.draw_page(tmp_path / "a.jpg", 1, None)
    assert (drawn.width, drawn.height) == (4, 8)


def test_a_picture_is_drawn_at_the_requested_width(tmp_path: Path) -> None:
    path = _saved(tmp_path / "a.png", size=(200, 100))
    drawn = pictures.draw_page(path, 1, 50, [(0, 1), (2, 3)])
    assert (drawn.width, drawn.height, drawn.boxes) == (50, 25, ((), ()))
    large = pictures.draw_page(_saved(tmp_path / "b.png", size=(5000, 10)), 1, None)
    assert (large.width, large.height) == (4000, 8)


def test_an_enormous_picture_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _saved(tmp_path / "a.png", "1", (1500, 1500))
    monkeypatch.setattr(pictures, "_MOST_PIXELS", 2_000_000)
    with pytest.raises(DocumentError, match="More than 2 million pixels"):
        pictures.draw_page(path, 1, 10)
    # Too large for Pillow itself to open.
    header = bytearray(path.read_bytes())
    header[16:24] = (60_000).to_bytes(4, "big") * 2
    path.write_bytes(header)
    with pytest.raises(DocumentError):
        pictures.draw_page(path, 1, 10)


@pytest.mark.parametrize("data", [b"", b"text", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"%!PS-Adobe"])
def test_an_invalid_picture_has_a_reason(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(data)
    with pytest.raises(DocumentError, match="Damaged"):
        pictures.draw_page(path, 1, 10)
    with pytest.raises(DocumentError, match="No longer exists"):
        pictures.read(tmp_path / "b.png")


def test_without_the_extra_there_is_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _saved(tmp_path / "a.png")
    there = builtins.__import__

    def missing(name: str, *arguments: object, **options: object) -> object:
        if name.startswith("PIL"):
            raise ImportError(name)
        return there(name, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", missing)
    assert pictures.read(path).pages[0].unread == IS_PICTURE
    with pytest.raises(DocumentError, match="text recognition is not installed"):
        pictures.draw_page(path, 1, 10)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".tiff", ".webp", ".bmp", ".gif"])
def test_damage_yields_a_picture_or_a_reason(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    exif = Image.Exif()
    exif[0x013B] = "Ann Rook"
    image = Image.effect_noise((40, 20), 50).convert("RGB")
    image.save(path, **({} if suffix == ".gif" else {"exif": exif}))
    for damaged in mutations(path.read_bytes()):
        path.write_bytes(damaged)
        try:
            drawn = pictures.draw_page(path, 1, 30)
        except DocumentError:
            continue
        assert len(drawn.rgb) == drawn.width * drawn.height * 3
