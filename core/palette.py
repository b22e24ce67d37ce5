"""Winnow's colours, in light and in dark, and those of a query's words, as facts without Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True, slots=True)
class Scheme:
    """One set of colours; every colour that Winnow paints stands here, as #rrggbb."""

    is_dark: bool
    window: str
    surface: str
    raised: str
    text: str
    muted: str
    faint: str
    line: str
    hover: str
    selected: str
    accent: str
    on_accent: str
    warning: str
    warning_surface: str
    found: str
    """Behind what was found within the document."""
    desk: str
    """What a page image lies on."""
    words: tuple[str, ...]
    """One colour per word of the query, in order; the ninth word begins anew."""
    lit_alpha: float
    """How opaque the background of the most similar word is."""


# The hues are those of Okabe and Ito, which people with each kind of colour blindness tell apart,
# darkened or lightened until an underline has contrast 3 on its surface; neighbours in the list
# differ in lightness or on the blue-yellow axis. The lines' patterns are the second sign beside the
# hue (app/highlighting.py): words whose colours some people confuse have different ones.
LIGHT: Final = Scheme(
    is_dark=False,
    window="#f5f6f8",
    surface="#ffffff",
    raised="#ffffff",
    text="#1c2026",
    muted="#59616d",
    faint="#868e9a",
    line="#e2e5ea",
    hover="#f1f3f6",
    selected="#eceefb",
    accent="#4654c4",
    on_accent="#ffffff",
    warning="#8a4b00",
    warning_surface="#fff4e0",
    found="#ffe08a",
    desk="#e9ebef",
    words=(
        "#0068b3",
        "#b87400",
        "#008462",
        "#b5508b",
        "#c94f00",
        "#2f86bd",
        "#5c6673",
        "#857800",
    ),
    lit_alpha=0.32,
)

DARK: Final = Scheme(
    is_dark=True,
    window="#15171b",
    surface="#1b1e24",
    raised="#242830",
    text="#e6e8ec",
    muted="#a0a8b4",
    faint="#78818e",
    line="#2d323b",
    hover="#22262d",
    selected="#282d40",
    accent="#97a3ff",
    on_accent="#14161a",
    warning="#f3c579",
    warning_surface="#33291a",
    found="#6b5212",
    desk="#121417",
    words=(
        "#5aaef2",
        "#eeb13c",
        "#2fc294",
        "#e29ac6",
        "#ff8b52",
        "#9bd8fa",
        "#aab4c1",
        "#efe45c",
    ),
    lit_alpha=0.32,
)

# For who has told the system to prefer contrast: no greys for texts, and lines that are seen.
LIGHT_CONTRAST: Final = replace(
    LIGHT,
    window="#ffffff",
    text="#000000",
    muted="#000000",
    faint="#3d3d3d",
    line="#767676",
    hover="#dfe5ff",
    selected="#c3cfff",
    accent="#1a1aa8",
    warning="#5c3200",
    warning_surface="#ffe9bf",
    desk="#ffffff",
)

DARK_CONTRAST: Final = replace(
    DARK,
    window="#000000",
    surface="#000000",
    raised="#000000",
    text="#ffffff",
    muted="#ffffff",
    faint="#c8c8c8",
    line="#767676",
    hover="#1f2745",
    selected="#2c3a78",
    accent="#b8c1ff",
    on_accent="#000000",
    warning="#ffd98f",
    warning_surface="#3d2f12",
    desk="#000000",
)
