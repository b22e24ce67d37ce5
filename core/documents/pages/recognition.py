"""Text recognition: the lines of text on a picture and their positions.

The models are the small ones of PP-OCRv6 from the package rapidocr, run with OpenVINO. One finds
the lines, the other one reads each line. Nothing is downloaded.
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Floats, Integers
from core.documents.document import PageImage
from core.documents.pages import regions
from core.documents.pages.reading_order import page_of
from core.documents.pages.recognised import Line, Point, RecognisedPage
from core.errors import DocumentError
from core.optional_packages import openvino_core

Picture = npt.NDArray[np.uint8]

_DETECTION = "PP-OCRv6_det_small.onnx"
_READING = "PP-OCRv6_rec_small.onnx"
# Two threads use more processor time for a page, and wait for each other on a busy machine.
_THREADS: Final = 1

# Side in pixels of the picture for detection. There are few sizes: OpenVINO compiles for each.
_LARGEST_SIDE: Final = 1280
_SMALLEST_SIDE: Final = 960
_SIDE_STEP: Final = 128
# PaddleOCR's thresholds of a pixel and of a line, and its factor for enlarging detected lines.
_LEAST_PIXEL: Final = 0.3
_LEAST_LINE: Final = 0.5
_GROWTH: Final = 1.6
_THINNEST: Final = 3
_MOST_LINES: Final = 1_500

_LINE_HEIGHT: Final = 48
_WIDTH_STEP: Final = 160
_WIDEST: Final = 3_200
# Width in pixels for which the reading model returns one character, or none.
_COLUMN: Final = 8
# Least confidence of a line, and of one with one or two characters: paintings have many strokes
# that look like characters.
_LEAST_SURE: Final = 0.5
_LEAST_SURE_SHORT: Final = 0.8
# Number of the longest lines that are read to detect whether a picture is upside down, and the mean
# confidence from which it is upright.
_PROBES: Final = 4
_SURE: Final = 0.85


def is_installed() -> bool:
    """Return whether the models, OpenVINO and Pillow are installed."""
    needed = (importlib.util.find_spec(name) for name in ("openvino", "PIL"))
    return _models() is not None and all(needed)


def _models() -> Path | None:
    spec = importlib.util.find_spec("rapidocr")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "models"
    return folder if all((folder / name).is_file() for name in (_DETECTION, _READING)) else None


@dataclass(frozen=True, slots=True)
class _Read:
    """The text of a line, the columns of its characters, and its confidence."""

    text: str
    columns: tuple[int, ...]
    sureness: float


def recognise(image: PageImage) -> RecognisedPage:
    """Return the text on a picture, which may be rotated by multiples of 90 degrees.

    Raises:
        DocumentError: Text recognition is not installed.
    """
    pixels = np.frombuffer(image.rgb, np.uint8).reshape(image.height, image.width, 3)
    return page_of(_lines(pixels), image.width, image.height)


def _lines(picture: Picture) -> list[Line]:
    """Return the lines of text on a picture (height, width, RGB), in no order."""
    engine = _engine()
    quads = engine.find(picture)
    turn = 0
    if _are_upright(quads):
        turned = np.rot90(picture)
        quads, turn = engine.find(np.ascontiguousarray(turned)), 1
    else:
        turned = picture
    turned = np.ascontiguousarray(turned)
    if quads and engine.is_upside_down(turned, quads):
        height, width = turned.shape[:2]
        turned = np.ascontiguousarray(turned[::-1, ::-1])
        ends = np.array([width, height], np.float32)
        quads = [(ends - quad)[[2, 3, 0, 1]] for quad in quads]
        turn += 2
    lines = []
    for quad in quads:
        crop = _crop(turned, quad)
        read = engine.read(crop)
        text = read.text.strip()
        if text and read.sureness >= (_LEAST_SURE if len(text) > 2 else _LEAST_SURE_SHORT):
            lines.append(_line(read, crop, quad, turned.shape[:2], turn))
    return lines


def _line(read: _Read, crop: Picture, quad: Floats, size: tuple[int, ...], turn: int) -> Line:
    height, width = size
    corners: list[Point] = []
    for x, y in quad.tolist():
        across, down = x / width, y / height
        for _ in range(turn):  # rotate back: np.rot90 turns counterclockwise
            across, down = 1 - down, across
        corners.append((min(max(across, 0.0), 1.0), min(max(down, 0.0), 1.0)))
    upper_left, upper_right, lower_right, lower_left = corners
    length = min(crop.shape[1] * _LINE_HEIGHT / crop.shape[0], _WIDEST)
    return Line(
        read.text, (upper_left, upper_right, lower_right, lower_left), _edges(read.columns, length)
    )


def _edges(columns: tuple[int, ...], length: float) -> tuple[float, ...]:
    """Return the edges of characters, as shares of a line, from their columns.

    >>> _edges((0, 4), 80.0)
    (0.0, 0.25, 0.65)
    """
    middles = [(column + 0.5) * _COLUMN / length for column in columns]
    half = (middles[-1] - middles[0]) / max(len(middles) - 1, 1) / 2 or 0.5 / len(middles)
    borders = [(left + right) / 2 for left, right in pairwise(middles)]
    edges = [middles[0] - half, *borders, middles[-1] + half]
    return tuple(min(max(edge, 0.0), 1.0) for edge in edges)


def _are_upright(quads: list[Floats]) -> bool:
    """Return whether most of the text is vertical."""
    upright = across = 0.0
    for quad in quads:
        width, height = _size(quad)
        if abs(quad[1][0] - quad[0][0]) < abs(quad[1][1] - quad[0][1]) or height > 1.5 * width:
            upright += max(width, height)
        else:
            across += max(width, height)
    return upright > across


def _size(quad: Floats) -> tuple[float, float]:
    """Return the length and the height of a line."""
    across = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[3])
    down = np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    return float(max(across)), float(max(down))


def _crop(picture: Picture, quad: Floats) -> Picture:
    """Cut out and straighten a line."""
    from PIL import Image

    width, height = (max(round(side), 1) for side in _size(quad))
    # Corners are the middles of pixels; Pillow's points lie half a pixel further.
    start = quad[0].astype(np.float64)
    right, down = (quad[1] - start) / width, (quad[3] - start) / height
    part, corner = _surroundings(picture, quad)
    start = start - corner + 0.5 - (right + down) / 2
    change = (right[0], down[0], start[0], right[1], down[1], start[1])
    straight = Image.fromarray(part).transform(
        (width, height), Image.Transform.AFFINE, change, Image.Resampling.BILINEAR
    )
    return np.asarray(straight)


def _surroundings(picture: Picture, quad: Floats) -> tuple[Picture, Integers]:
    """Return the part of a picture around a line, and the position of its upper left corner.

    Beyond the picture's edges, the edge pixels are repeated.
    """
    ends = np.array(picture.shape[1::-1])
    low = np.floor(quad.min(axis=0)).astype(np.int64) - 1
    high = np.ceil(quad.max(axis=0)).astype(np.int64) + 2
    first, last = np.clip(low, 0, ends - 1), np.clip(high, 1, ends)
    part = picture[first[1] : last[1], first[0] : last[0]]
    before, after = first - low, high - last
    around = ((before[1], after[1]), (before[0], after[0]), (0, 0))
    return np.pad(part, around, mode="edge"), low


def _resized(picture: Picture, width: int, height: int) -> Picture:
    """Resize a picture (height, width, 3)."""
    from PIL import Image

    # Cubic interpolation sharpens small print until spaces between words are lost. Pillow's BOX
    # takes whole pixels, which roughens pictures that shrink by less than half.
    shrinks = height < picture.shape[0]
    method = Image.Resampling.HAMMING if shrinks else Image.Resampling.BILINEAR
    return np.asarray(Image.fromarray(picture).resize((width, height), method))


@cache
def _engine() -> _Engine:
    models = _models()
    if models is None or not is_installed():
        raise DocumentError("Image: text recognition is not installed")
    return _Engine(models)


class _Engine:
    """The two models, loaded once per process."""

    def __init__(self, models: Path) -> None:
        core = openvino_core()
        options = {"INFERENCE_NUM_THREADS": _THREADS, "PERFORMANCE_HINT": "LATENCY"}
        self._detection = core.compile_model(core.read_model(models / _DETECTION), "CPU", options)
        reading = core.read_model(models / _READING)
        characters = str(reading.get_rt_info(["framework", "character"]).value)
        self._characters = ["", *characters.splitlines(), " "]
        self._reading = core.compile_model(reading, "CPU", options)

    def find(self, picture: Picture) -> list[Floats]:
        """Return the corners of each line in pixels: (4, 2), clockwise from the upper left."""
        height, width = picture.shape[:2]
        longest = max(height, width)
        scale = min(_LARGEST_SIDE / longest, max(1.0, _SMALLEST_SIDE / longest))
        small = _resized(picture, max(round(width * scale), 1), max(round(height * scale), 1))
        canvas = np.empty((*(_stepped(side) for side in small.shape[:2]), 3), np.uint8)
        canvas[:] = np.median(small.reshape(-1, 3), axis=0)
        canvas[: small.shape[0], : small.shape[1]] = small
        scores = self._detection(_input(canvas))[0][0, 0, : small.shape[0], : small.shape[1]]
        shrink = np.array([width / small.shape[1], height / small.shape[0]], np.float32)
        return [quad * shrink for quad in _quads(np.ascontiguousarray(scores))]

    def read(self, crop: Picture) -> _Read:
        """Recognise a straightened line."""
        height, width = crop.shape[:2]
        length = min(max(round(width * _LINE_HEIGHT / height), _COLUMN), _WIDEST)
        line = _resized(crop, length, _LINE_HEIGHT)
        wide = np.zeros((1, 3, _LINE_HEIGHT, -(-length // _WIDTH_STEP) * _WIDTH_STEP), np.float32)
        wide[..., :length] = _input(line)
        scores = self._reading(wide)[0][0]
        best = scores.argmax(axis=1)
        # Repeats in neighbouring columns are one character; 0 means none.
        is_new = np.concatenate(([True], best[1:] != best[:-1])) & (best != 0)
        columns = np.flatnonzero(is_new)
        if not len(columns):
            return _Read("", (), 0.0)
        text = "".join(self._characters[character_index] for character_index in best[columns])
        sureness = float(scores[columns, best[columns]].mean())
        return _Read(text, tuple(columns.tolist()), sureness)

    def is_upside_down(self, picture: Picture, quads: list[Floats]) -> bool:
        """Return whether the longest lines have a higher confidence when turned."""
        longest = sorted(quads, key=lambda quad: -_size(quad)[0])[:_PROBES]
        crops = [_crop(picture, quad) for quad in longest]
        as_it_is = np.mean([self.read(crop).sureness for crop in crops])
        if as_it_is >= _SURE:
            return False
        turned = np.mean(
            [self.read(np.ascontiguousarray(crop[::-1, ::-1])).sureness for crop in crops]
        )
        return bool(turned > as_it_is)


def _stepped(side: int) -> int:
    return -(-side // _SIDE_STEP) * _SIDE_STEP


def _input(picture: Picture) -> Floats:
    """Return a picture as model input: (1, 3, height, width), BGR, from -1 to 1."""
    scaled = picture[..., ::-1].astype(np.float32) / 127.5 - 1
    return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None])


def _quads(sureness: Floats) -> list[Floats]:
    """Return the corners of the lines in a confidence map (height, width)."""
    spans = regions.spans_of(regions.thickened(sureness > _LEAST_PIXEL))
    if not spans.region_count:
        return []
    widths, heights, areas = regions.sizes(spans).T
    is_line = regions.means(spans, sureness) >= _LEAST_LINE
    is_line &= np.minimum(widths, heights) > _THINNEST
    lines = np.flatnonzero(is_line)
    # Keep the largest if there are too many.
    lines = lines[np.argsort(-areas[lines], kind="stable")[:_MOST_LINES]]
    quads = []
    for hull in regions.hulls(regions.chosen(spans, lines)):
        rectangle = regions.smallest_rectangle(hull)
        length, height = rectangle.length, rectangle.height
        if min(length, height) < _THINNEST:
            continue
        # The model shrinks each line by an amount proportional to its area over its perimeter.
        growth = length * height * _GROWTH / (length + height)
        quads.append(_clockwise(rectangle.corners(growth)))
    return quads


def _clockwise(points: Floats) -> Floats:
    """Return a rectangle's corners clockwise from the upper left, for horizontal text.

    >>> _clockwise(np.array([[0, 2], [0, 0], [9, 0], [9, 2]], np.float32)).tolist()
    [[0.0, 0.0], [9.0, 0.0], [9.0, 2.0], [0.0, 2.0]]
    """
    by_x = points[np.argsort(points[:, 0], kind="stable")]
    left, right = by_x[:2], by_x[2:]
    upper_left, lower_left = left[np.argsort(left[:, 1])]
    upper_right, lower_right = right[np.argsort(right[:, 1])]
    return np.array([upper_left, upper_right, lower_right, lower_left], np.float32)
