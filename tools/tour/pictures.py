"""The pictures in docs/pictures: which screen of the tour each of them is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tools.tour.person import FRONT, READER

if TYPE_CHECKING:
    from PIL import Image

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "pictures"
SCREENS: Final[dict[str, tuple[str, str]]] = {
    "results-light": ("light/10-results", ""),
    "results-dark": ("dark/10-results", ""),
    "empty": ("light/02-empty", ""),
    "add-folder": ("light/03-add-folder", FRONT),
    "indexing": ("light/04-indexing", ""),
    "help": ("light/17-help", FRONT),
    "one-word": ("light/12-one-word-pointed-at", ""),
    "filters": ("light/14-filtered", ""),
    "text": ("light/20-reader-markdown", READER),
    "workbook": ("light/20-reader-sheet", READER),
    "mail": ("light/20-reader-mail", READER),
    "find": ("light/21-find", READER),
    "inspector": ("light/30-inspector", FRONT),
    "teaching": ("light/32-teaching", FRONT),
    "settings": ("light/40-settings-3", FRONT),
    "library": ("light/41-library", FRONT),
    "other-libraries": ("light/73-other-libraries", FRONT),
    "results-of-all": ("light/74-results-of-all", ""),
    "token-revoked": ("light/75-token-revoked", ""),
    "large-text": ("contrast/10-results", ""),
}
"""Each picture's name, the look and the screen that it shows, and the part of it; "": the whole."""
_COLORS: Final = 256
_EXACT_COLORS: Final = 96
"""How many of the most frequent colours are kept as they are."""
_MARGIN_PX: Final = 24
"""How much of what is empty below a text is kept, in pixels."""


def required_variants() -> set[str]:
    """Give the names of the looks that the pictures show."""
    return {screen.partition("/")[0] for screen, _ in SCREENS.values()}


def refresh(screens: Path, folder: Path = FOLDER) -> int:
    """Make the pictures in `folder` of those that the tour took; gives their size in bytes.

    Each has so few colours that it is small, and as many as a window needs. Below the end of a text
    nothing is shown.
    """
    # Pillow comes with what Winnow is developed with, and not with Winnow.
    from PIL import Image

    size_bytes = 0
    for name, (screen, part) in SCREENS.items():
        path = folder / f"{name}.png"
        with Image.open(screens / f"{screen}.png") as picture:
            shown: Image.Image = picture.convert("RGB")
            if part:
                left, top, width, height = map(int, picture.info[part].split())
                # Without the line that tells it from what it stands before.
                shown = shown.crop((left + 1, top + 1, left + width - 1, top + height - 1))
            if part == READER:
                shown = shown.crop((0, 0, shown.width, _content_end(shown) + _MARGIN_PX))
            reduced = _reduce_colors(shown)
        reduced.save(path, optimize=True)
        size_bytes += path.stat().st_size
    return size_bytes


def _content_end(picture: Image.Image) -> int:
    """Give where the rows begin that are all alike down to the bottom, or close to it."""
    from PIL import Image, ImageChops

    lowest = picture.crop((0, picture.height - 1, picture.width, picture.height))
    below = lowest.resize(picture.size, Image.Resampling.NEAREST)
    different = ImageChops.difference(picture, below).getbbox()
    return min(different[3] if different else 0, picture.height - _MARGIN_PX)


def _reduce_colors(picture: Image.Image) -> Image.Image:
    """Give the picture in few colours: the frequent ones as they are, and others for the rest.

    The colours of a few thin lines are not given up for shades of grey.
    """
    from PIL import Image

    pixels = np.asarray(picture)
    colors, inverse, counts = np.unique(
        pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    frequent = colors[np.argsort(-counts)[:_EXACT_COLORS]]
    rest = picture.quantize(_COLORS - len(frequent), Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = np.concatenate([frequent, np.array(rest, np.uint8).reshape(-1, 3)])
    # Pillow would look for the nearest one roughly, and white come out as a light grey.
    distances = ((colors[:, None].astype(np.int32) - palette[None]) ** 2).sum(axis=2)
    nearest = distances.argmin(axis=1).astype(np.uint8)
    reduced = Image.fromarray(nearest[inverse].reshape(pixels.shape[:2]))
    reduced.putpalette(palette.tobytes())
    return reduced
