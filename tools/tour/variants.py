"""Variants of the window in screenshots: themes, languages, text directions and sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.settings import Theme

SCREEN: Final = (1920, 1200)
"""Size of the screen in physical pixels."""


@dataclass(frozen=True, slots=True)
class Variant:
    """The settings of a variant; `size` is the window's size in logical pixels."""

    name: str
    theme: Theme = Theme.LIGHT
    language: str = "en"
    is_mirrored: bool = False
    scale: float = 1.0
    has_contrast: bool = False
    text_percent: int = 100
    size: tuple[int, int] = (1240, 800)


VARIANTS: Final = (
    Variant("light"),
    Variant("dark", theme=Theme.DARK),
    Variant("german", language="de"),
    Variant("chinese", language="zh_CN"),
    Variant("right-to-left", is_mirrored=True),
    Variant("contrast", has_contrast=True, text_percent=150, size=(1000, 700)),
    Variant("large-text", text_percent=200, size=(1300, 850)),
    # The largest size that fits on the screen at this scale.
    Variant("200-percent", language="de", scale=2.0, size=(960, 560)),
    # All difficulties combined.
    Variant(
        "right-to-left-200-percent-dark",
        theme=Theme.DARK,
        is_mirrored=True,
        scale=2.0,
        text_percent=150,
        size=(960, 560),
    ),
)
