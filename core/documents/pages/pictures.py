"""Pictures (photographs, scans): their captions and metadata, and their pixels."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from core.documents.document import IS_PICTURE, Document, Page, PageImage
from core.documents.files import open_file, unreadable
from core.documents.media.captions import caption_of
from core.documents.pages.pdf import MOST_PIXELS
from core.errors import DocumentError

if TYPE_CHECKING:
    from PIL.Image import Image

_KINDS: Final = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")
# Uncompressed, a pixel takes up to four bytes.
_MOST_PIXELS: Final = 80_000_000
_MOST_PAGES: Final = 2_000
# Longest side in pixels for text recognition; larger pictures give no better results.
_LARGEST_SIDE: Final = 4_000


def read(path: Path) -> Document:
    """Read the caption of a picture. Its pages (several only in a TIFF) are unread.

    The caption is on the first page; recognised text is inserted before it.

    Raises:
        DocumentError: It is not a picture, or has too many pages.
    """
    caption = caption_of(path)
    if caption.pages > _MOST_PAGES:
        raise DocumentError(
            "Has {0} pages; the limit is {1}",
            f"{caption.pages:,}",
            f"{_MOST_PAGES:,}",
        )
    unread = "\n".join(filter(None, (caption.page.unread, IS_PICTURE)))
    first = replace(caption.page, unread=unread)
    later_pages = (
        Page(page_number, "", unread=IS_PICTURE) for page_number in range(2, caption.pages + 1)
    )
    about = caption.about
    return Document(about.title, (first, *later_pages), about.author, about.date)


def read_caption(path: Path) -> Document:
    """Read the caption of a picture in a format that is neither drawn nor recognised.

    Raises:
        DocumentError: It is not a picture.
    """
    caption = caption_of(path)
    about = caption.about
    return Document(about.title, (caption.page,), about.author, about.date)


def draw_page(
    path: Path, page_number: int, width: int | None, spans: Sequence[tuple[int, int]] = ()
) -> PageImage:
    """Return page `page_number` (from 1) of a picture, upright and `width` pixels wide.

    Without a width it has the size for text recognition. `spans` get no boxes: only text
    recognition knows the positions.

    Raises:
        DocumentError: It is damaged or enormous, or has no such page.
    """
    with _opened(path) as picture:
        from PIL import Image, ImageOps

        if page_number != 1:
            try:
                picture.seek(page_number - 1)
            except EOFError as error:
                raise DocumentError("Has no page {0}", page_number) from error
        upright = _coloured(ImageOps.exif_transpose(picture))
        own_width, own_height = upright.size
        scale = min(1.0, _LARGEST_SIDE / max(upright.size)) if width is None else width / own_width
        scale = min(scale, (MOST_PIXELS / (own_width * own_height)) ** 0.5)
        size = max(round(own_width * scale), 1), max(round(own_height * scale), 1)
        drawn = upright if size == upright.size else upright.resize(size, Image.Resampling.LANCZOS)
        return PageImage(*size, drawn.tobytes(), tuple(() for _ in spans))


def _coloured(picture: Image) -> Image:
    """Convert a picture to RGB, with a white background for transparent pixels."""
    from PIL import Image

    if picture.mode.startswith(("I", "F")):
        # Greys of 16 bits and more, scaled to the lightest.
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
    """Open a picture.

    Raises:
        DocumentError: It is of another format, is damaged, or has too many pixels.
    """
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError as error:
        raise DocumentError("Image: text recognition is not installed") from error

    try:
        with warnings.catch_warnings():
            # `_check_size` has its own limit.
            warnings.simplefilter("ignore")
            with open_file(path) as file, Image.open(file, formats=_KINDS) as picture:
                _check_size(picture)
                yield picture
    except UnidentifiedImageError as error:
        raise DocumentError("Damaged: not an image") from error
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
    return DocumentError("More than {0} million pixels", _MOST_PIXELS // 1000000)


def _damaged() -> DocumentError:
    return DocumentError("Damaged: the image is truncated or modified")
