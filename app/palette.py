"""The colours of the window, light and dark, and of the words of a query."""

import json
from dataclasses import dataclass, replace
from typing import Any, Final

from PySide6.QtGui import QColor, QPalette

from core.files.paths import RESOURCES


@dataclass(frozen=True, slots=True)
class Scheme:
    """One set of colours as #rrggbb; Winnow paints no others."""

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
    # The background of matches of a search in the document.
    match: str
    # The background around page images.
    desk: str
    # One colour per word of the query, in order; they repeat from the ninth word.
    words: tuple[str, ...]
    # The opacity of the background of the most similar word.
    highlight_alpha: float


def _with_words(colors: dict[str, Any]) -> dict[str, Any]:
    return colors | {"words": tuple(colors["words"].split())} if "words" in colors else colors


# The hues are those of Okabe and Ito, which are distinguishable with any kind of colour blindness,
# darkened or lightened until an underline has contrast 3 on its surface. Neighbours in the list
# differ in lightness or on the blue-yellow axis. The patterns of the underlines are a second cue
# (app/highlighting.py): words whose colours some people confuse have different patterns.
_COLORS: Final[dict[str, dict[str, Any]]] = json.loads(
    (RESOURCES / "palette.json").read_text("utf-8"), object_hook=_with_words
)
LIGHT: Final = Scheme(**_COLORS["light"])
DARK: Final = Scheme(**_COLORS["dark"])
# For systems set to high contrast: no grey text, and visible lines.
LIGHT_CONTRAST: Final = replace(LIGHT, **_COLORS["light_contrast"])
DARK_CONTRAST: Final = replace(DARK, **_COLORS["dark_contrast"])

_BY_ACCENT: Final = {
    QColor(scheme.accent).rgb(): scheme for scheme in (LIGHT, DARK, LIGHT_CONTRAST, DARK_CONTRAST)
}


def scheme_of(palette: QPalette) -> Scheme:
    """Return the scheme of a widget with `palette`."""
    # By a colour that differs between schemes, and that neither style sheets nor widgets change.
    return _BY_ACCENT.get(palette.color(QPalette.ColorRole.Accent).rgb(), LIGHT)


def word_color(scheme: Scheme, word: int) -> QColor:
    """Return the full colour of the query's word number `word`."""
    return QColor(scheme.words[word % len(scheme.words)])


def highlight_color(scheme: Scheme, word: int, strength: float) -> QColor:
    """Return the background of a highlighted word; `strength` is from 0 to 1."""
    color = word_color(scheme, word)
    color.setAlphaF(scheme.highlight_alpha * strength)
    return color


def line_color(scheme: Scheme, word: int, strength: float) -> QColor:
    """Return the underline colour of a highlighted word, which fades less than its background."""
    color = word_color(scheme, word)
    color.setAlphaF(strength**0.5)
    return color


def text_on(scheme: Scheme, tint: QColor) -> QColor:
    """Return the colour in which text is read best on `tint`, laid over the surface."""
    surface, alpha = QColor(scheme.surface), tint.alphaF()
    below = QColor.fromRgbF(
        alpha * tint.redF() + (1 - alpha) * surface.redF(),
        alpha * tint.greenF() + (1 - alpha) * surface.greenF(),
        alpha * tint.blueF() + (1 - alpha) * surface.blueF(),
    )
    light = _luminance(below)
    choices = (QColor(scheme.text), surface)
    return max(choices, key=lambda color: _contrast(light, _luminance(color)))


def _luminance(color: QColor) -> float:
    """Return how light a color is, from 0 to 1, as WCAG 2.2 defines it."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
        for part in (color.redF(), color.greenF(), color.blueF())
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(first: float, other: float) -> float:
    low, high = sorted((first, other))
    return (high + 0.05) / (low + 0.05)


def palette_of(scheme: Scheme) -> QPalette:
    """Return Qt's palette for `scheme`."""
    palette = QPalette()
    roles = QPalette.ColorRole
    for part, names in _COLORS["roles"].items():
        for name in names.split():
            palette.setColor(roles[name], QColor(getattr(scheme, part)))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(scheme.faint))
    return palette
