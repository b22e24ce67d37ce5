"""What the window makes of the colours in `core.palette`: palettes, and tints of words."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor, QPalette

from core.palette import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Scheme

_BY_ACCENT: Final = {
    QColor(scheme.accent).rgb(): scheme for scheme in (LIGHT, DARK, LIGHT_CONTRAST, DARK_CONTRAST)
}


def scheme_of(palette: QPalette) -> Scheme:
    """Return the scheme that a widget with `palette` wears."""
    # By the colour that neither style sheets nor widgets change, and that each has its own of.
    return _BY_ACCENT.get(palette.color(QPalette.ColorRole.Accent).rgb(), LIGHT)


def word_color(scheme: Scheme, word: int) -> QColor:
    """Return the full colour of the query's word number `word`."""
    return QColor(scheme.words[word % len(scheme.words)])


def lit_color(scheme: Scheme, word: int, strength: float) -> QColor:
    """Return the background of a lit word; `strength` from 0 (unlit) to 1."""
    color = word_color(scheme, word)
    color.setAlphaF(scheme.lit_alpha * strength)
    return color


def line_color(scheme: Scheme, word: int, strength: float) -> QColor:
    """Return the line under a lit word, which fades less than its background does."""
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


def _contrast(one: float, other: float) -> float:
    low, high = sorted((one, other))
    return (high + 0.05) / (low + 0.05)


def palette_of(scheme: Scheme) -> QPalette:
    """Return Qt's palette for `scheme`."""
    palette = QPalette()
    roles = QPalette.ColorRole
    for role, color in {
        roles.Window: scheme.window,
        roles.WindowText: scheme.text,
        roles.Base: scheme.surface,
        roles.AlternateBase: scheme.hover,
        roles.Text: scheme.text,
        roles.PlaceholderText: scheme.faint,
        roles.Button: scheme.raised,
        roles.ButtonText: scheme.text,
        roles.BrightText: scheme.on_accent,
        roles.Highlight: scheme.accent,
        roles.HighlightedText: scheme.on_accent,
        roles.Accent: scheme.accent,
        roles.Link: scheme.accent,
        roles.LinkVisited: scheme.accent,
        roles.ToolTipBase: scheme.raised,
        roles.ToolTipText: scheme.text,
        roles.Light: scheme.raised,
        roles.Midlight: scheme.line,
        roles.Mid: scheme.line,
        roles.Dark: scheme.faint,
        roles.Shadow: scheme.desk,
    }.items():
        palette.setColor(role, QColor(color))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(scheme.faint))
    return palette
