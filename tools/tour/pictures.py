"""The pictures in docs/pictures, made from screenshots of the tour."""

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
    "inspector": ("light/30-inspector-details", FRONT),
    "teaching": ("light/32-teaching", FRONT),
    "settings": ("light/40-settings-model", FRONT),
    "library": ("light/41-library", FRONT),
    "other-libraries": ("light/73-other-libraries", FRONT),
    "results-of-all": ("light/74-results-of-all", ""),
    "token-revoked": ("light/75-token-revoked", ""),
    "large-text": ("contrast/10-results", ""),
}
"""For each picture the variant, the screen, and the part of it, "" for the whole."""
_COLORS: Final = 256
_EXACT_COLORS: Final = 96
"""Number of the most frequent colours that are kept exactly."""
_MARGIN_PX: Final = 24
"""Empty space to keep below a text."""


def required_variants() -> set[str]:
    """Return the names of the variants that the pictures show."""
    return {screen.partition("/")[0] for screen, _ in SCREENS.values()}


def refresh(screens: Path, folder: Path = FOLDER) -> int:
    """Recreate the pictures from the tour's screenshots, and return their size in bytes.

    Pictures are reduced to a palette and cropped below the end of the text.
    """
    # Pillow is a development dependency only.
    from PIL import Image

    size_bytes = 0
    for name, (screen, part) in SCREENS.items():
        path = folder / f"{name}.png"
        with Image.open(screens / f"{screen}.png") as picture:
            shown: Image.Image = picture.convert("RGB")
            if part:
                left, top, width, height = map(int, picture.info[part].split())
                # Without the border.
                shown = shown.crop((left + 1, top + 1, left + width - 1, top + height - 1))
            if part == READER:
                shown = shown.crop((0, 0, shown.width, _content_end(shown) + _MARGIN_PX))
            reduced = _reduce_colors(shown)
        reduced.save(path, optimize=True)
        size_bytes += path.stat().st_size
    return size_bytes


def _content_end(picture: Image.Image) -> int:
    """Return the row below which all rows are equal."""
    from PIL import Image, ImageChops

    lowest = picture.crop((0, picture.height - 1, picture.width, picture.height))
    below = lowest.resize(picture.size, Image.Resampling.NEAREST)
    different = ImageChops.difference(picture, below).getbbox()
    return min(different[3] if different else 0, picture.height - _MARGIN_PX)


def _reduce_colors(picture: Image.Image) -> Image.Image:
    """Return the picture with a palette of its most frequent colours and of similar ones.

    Colours of a few thin lines are preserved too.
    """
    from PIL import Image

    pixels = np.asarray(picture)
    colors, inverse, counts = np.unique(
        pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    frequent = colors[np.argsort(-counts)[:_EXACT_COLORS]]
    rest = picture.quantize(_COLORS - len(frequent), Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = np.concatenate([frequent, np.array(rest, np.uint8).reshape(-1, 3)])
    # Pillow's search for the nearest colour is approximate and turns white into light grey.
    distances = ((colors[:, None].astype(np.int32) - palette[None]) ** 2).sum(axis=2)
    nearest = distances.argmin(axis=1).astype(np.uint8)
    reduced = Image.fromarray(nearest[inverse].reshape(pixels.shape[:2]))
    reduced.putpalette(palette.tobytes())
    return reduced
