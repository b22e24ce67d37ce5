"""Pictures (photographs, scans): what they say of themselves, and their pixels."""

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
_LARGEST_SIDE: Final = 4_000
"""Beyond it, a page's text is recognised as well on a smaller picture."""


def read(path: Path) -> Document:
    """Read what is said of a picture; its pages, of which only a TIFF has several, are unread.

    What people wrote stands on the first page, and what is recognised there comes before it.

    Raises:
        DocumentError: It is no picture, or has too many pages.
    """
    caption = caption_of(path)
    if caption.pages > _MOST_PAGES:
        raise DocumentError(
            "has {0} pages, more than the {1} that are read",
            f"{caption.pages:,}",
            f"{_MOST_PAGES:,}",
        )
    first = replace(caption.page, unread=IS_PICTURE)
    others = (Page(number, "", unread=IS_PICTURE) for number in range(2, caption.pages + 1))
    about = caption.about
    return Document(about.title, (first, *others), about.author, about.date)


def read_caption(path: Path) -> Document:
    """Read what is said of a picture of a kind that is not drawn, and no text recognised on.

    Raises:
        DocumentError: It is no picture.
    """
    caption = caption_of(path)
    about = caption.about
    return Document(about.title, (caption.page,), about.author, about.date)


def draw_page(
    path: Path, number: int, width: int | None, spans: Sequence[tuple[int, int]] = ()
) -> PageImage:
    """Return page `number` (from 1) of a picture `width` pixels wide, as its camera held it.

    Without a width it is as large as text recognition has it. Where on it text stands is known
    only to whoever recognised it: `spans` get no boxes.

    Raises:
        DocumentError: It is damaged or enormous, or has no such page.
    """
    with _opened(path) as picture:
        from PIL import Image, ImageOps

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
