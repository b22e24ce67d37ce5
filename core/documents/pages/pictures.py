"""Pictures (photographs, scans): what they say of themselves, and their pixels."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from core.documents.document import IS_PICTURE, Document, Page, PageImage
from core.documents.files import open_file, unreadable
from core.documents.metadata import iso_date, real_title
from core.documents.pages.pdf import MOST_PIXELS
from core.documents.text import one_line
from core.errors import DocumentError

if TYPE_CHECKING:
    from PIL.Image import Image

_KINDS: Final = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")
# Uncompressed, a pixel takes up to four bytes.
_MOST_PIXELS: Final = 80_000_000
_MOST_PAGES: Final = 2_000
_LARGEST_SIDE: Final = 4_000
"""Beyond it, a page's text is recognised as well on a smaller picture."""
_DESCRIPTION, _ARTIST, _CHANGED, _EXIF, _TAKEN = 0x010E, 0x013B, 0x0132, 0x8769, 0x9003


def read(path: Path) -> Document:
    """Read what a picture says of itself; its pages, of which only a TIFF has several, are unread.

    Raises:
        DocumentError: It is damaged or enormous, or text recognition is not installed.
    """
    with _opened(path) as picture:
        count = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1
        if count > _MOST_PAGES:
            raise DocumentError(
                "has {0} pages, more than the {1} that are read", f"{count:,}", f"{_MOST_PAGES:,}"
            )
        said = picture.getexif()
        taken = said.get_ifd(_EXIF).get(_TAKEN) or said.get(_CHANGED)
        # The camera's own form: 2024:06:30 12:05:00.
        date = iso_date(_words(taken).replace(":", "-", 2))
        title = real_title(_words(picture.info.get("Title") or said.get(_DESCRIPTION)))
        author = _words(picture.info.get("Author") or said.get(_ARTIST))
    pages = tuple(Page(number, "", unread=IS_PICTURE) for number in range(1, count + 1))
    return Document(title, pages, author, date)


def draw_page(
    path: Path, number: int, width: int | None, spans: Sequence[tuple[int, int]] = ()
) -> PageImage:
    """Return page `number` (from 1) of a picture `width` pixels wide, as its camera held it.

    Without a width it is as large as text recognition has it. Where on it text stands is known
    only to whoever recognised it: `spans` get no boxes.

    Raises:
        DocumentError: It is damaged or enormous, or has no such page.
    """
    from PIL import Image, ImageOps

    with _opened(path) as picture:
        if number != 1:
            try:
                picture.seek(number - 1)
            except EOFError as error:
                raise DocumentError("has no page {0}", number) from error
        upright = _coloured(ImageOps.exif_transpose(picture))
        own_width, own_height = upright.size
        scale = min(1.0, _LARGEST_SIDE / max(upright.size)) if width is None else width / own_width
        scale = min(scale, (MOST_PIXELS / (own_width * own_height)) ** 0.5)
        size = max(round(own_width * scale), 1), max(round(own_height * scale), 1)
        drawn = upright if size == upright.size else upright.resize(size, Image.Resampling.LANCZOS)
        return PageImage(*size, drawn.tobytes(), tuple(() for _ in spans))


def _coloured(picture: Image) -> Image:
    """Return a picture in red, green and blue, on white paper where one can see through it."""
    from PIL import Image

    if picture.mode.startswith(("I", "F")):
        # Greys of 16 bits and more, as light as the lightest is.
        greys = np.asarray(picture, np.float32)
        lightest = max(float(greys.max()), 1.0)
        return Image.fromarray((greys * (255 / lightest)).astype(np.uint8)).convert("RGB")
    if picture.mode in {"RGBA", "LA", "PA"} or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        paper = Image.new("RGBA", clear.size, "white")
        return Image.alpha_composite(paper, clear).convert("RGB")
    return picture.convert("RGB")


@contextmanager
def _opened(path: Path) -> Iterator[Image]:
    """Give the opened picture; what goes wrong with it is the document's damage.

    Raises:
        DocumentError: It is no picture of these kinds, is damaged, or has too many pixels.
    """
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        raise DocumentError("is a picture, and text recognition is not installed") from error

    try:
        with warnings.catch_warnings():
            # Ours is the bound that counts.
            warnings.simplefilter("ignore")
            with open_file(path) as file, Image.open(file, formats=_KINDS) as picture:
                _check_size(picture)
                yield picture
    except UnidentifiedImageError as error:
        raise DocumentError("is damaged: it is no picture") from error
    except Image.DecompressionBombError as error:
        raise _too_large() from error
    except OSError as error:
        raise (unreadable(error) if error.errno else _damaged()) from error
    except (SyntaxError, ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
        # What Pillow raises for broken headers and chunks.
        raise _damaged() from error


def _check_size(picture: Image) -> None:
    width, height = picture.size
    if width * height > _MOST_PIXELS:
        raise _too_large()


def _too_large() -> DocumentError:
    return DocumentError("has more than {0} million pixels", _MOST_PIXELS // 1000000)


def _damaged() -> DocumentError:
    return DocumentError("is damaged: the picture is cut off or changed")


def _words(value: object) -> str:
    return one_line(value) if isinstance(value, str) else ""
