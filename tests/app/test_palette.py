"""The colours are legible and distinguishable, in the light and the dark theme."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication

from app.highlighting import paint_underline, pattern_of
from app.palette import (
    DARK,
    DARK_CONTRAST,
    LIGHT,
    LIGHT_CONTRAST,
    Scheme,
    highlight_color,
    palette_of,
    scheme_of,
)
from app.theme import ThemeSwitch
from core.settings import Theme

SCHEMES = pytest.mark.parametrize(
    "scheme",
    [LIGHT, DARK, LIGHT_CONTRAST, DARK_CONTRAST],
    ids=["light", "dark", "light-contrast", "dark-contrast"],
)


def luminance(color: QColor) -> float:
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in color.getRgbF()[:3]
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(color: QColor, other: QColor) -> float:
    low, high = sorted((luminance(color), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def over(top: QColor, below: QColor) -> QColor:
    alpha = top.alphaF()
    mixed = [
        alpha * a + (1 - alpha) * b
        for a, b in zip(top.getRgbF()[:3], below.getRgbF()[:3], strict=True)
    ]
    return QColor.fromRgbF(*mixed)


@SCHEMES
def test_text_is_legible_on_the_strongest_highlight(scheme: Scheme) -> None:
    for word, surface in itertools.product(range(8), (scheme.surface, scheme.selected)):
        highlight = over(highlight_color(scheme, word, 1.0), QColor(surface))
        assert contrast(QColor(scheme.text), highlight) >= 4.5


@SCHEMES
def test_lines_and_texts_stand_out_from_their_surface(scheme: Scheme) -> None:
    surface = QColor(scheme.surface)
    for word in scheme.words:
        assert contrast(QColor(word), surface) >= 3
    assert contrast(QColor(scheme.text), surface) >= 7
    assert contrast(QColor(scheme.muted), QColor(scheme.window)) >= 4.5
    assert contrast(QColor(scheme.faint), QColor(scheme.raised)) >= 3
    assert contrast(QColor(scheme.on_accent), QColor(scheme.accent)) >= 4.5
    assert contrast(QColor(scheme.text), QColor(scheme.warning_surface)) >= 7


# Vischeck's matrices after Viénot, Brettel and Mollon (1999), on linear light.
BLINDNESS = {
    "deuteranopia": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
    "protanopia": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
}


def seen(color: str, kind: str | None) -> tuple[float, ...]:
    """Return the colour as seen with this kind of colour blindness."""
    linear = [part**2.2 for part in QColor(color).getRgbF()[:3]]
    if kind is not None:
        linear = [
            max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))
            for row in BLINDNESS[kind]
        ]
    return tuple(part ** (1 / 2.2) for part in linear)


@SCHEMES
@pytest.mark.parametrize("kind", [None, *BLINDNESS])
def test_neighbouring_words_have_colours_that_differ(scheme: Scheme, kind: str | None) -> None:
    for one, other in itertools.pairwise(scheme.words):
        assert math.dist(seen(one, kind), seen(other, kind)) > 0.12, (one, other)


@SCHEMES
def test_a_widget_knows_its_colour_scheme(scheme: Scheme) -> None:
    assert scheme_of(palette_of(scheme)) is scheme


def test_a_theme_applies_to_the_application_immediately(
    qapp: QApplication, theme: ThemeSwitch
) -> None:
    theme.choose(Theme.DARK)
    assert qapp.palette().color(QPalette.ColorRole.Base) == QColor(DARK.surface)
    assert DARK.window in qapp.styleSheet()

    theme.choose(Theme.LIGHT)
    assert qapp.palette().color(QPalette.ColorRole.Base) == QColor(LIGHT.surface)
    assert DARK.window not in qapp.styleSheet()


def test_without_a_choice_the_window_follows_the_system(
    qapp: QApplication, theme: ThemeSwitch, monkeypatch: pytest.MonkeyPatch
) -> None:
    worn: list[bool] = []
    for is_dark in (True, False):
        monkeypatch.setattr("app.theme.system_is_dark", lambda is_dark=is_dark: is_dark)
        theme.choose(Theme.SYSTEM)
        worn.append(scheme_of(qapp.palette()).is_dark)

    assert worn == [True, False]


@SCHEMES
@pytest.mark.parametrize("kind", [None, *BLINDNESS])
def test_words_with_similar_colours_have_different_underlines(
    scheme: Scheme, kind: str | None
) -> None:
    for one, other in itertools.combinations(range(len(scheme.words)), 2):
        distance = math.dist(seen(scheme.words[one], kind), seen(scheme.words[other], kind))
        assert distance > 0.12 or pattern_of(one) != pattern_of(other), (one, other)


def test_forty_words_have_different_styles() -> None:
    styles = {(word % len(LIGHT.words), pattern_of(word)) for word in range(40)}
    assert len(styles) == 40


def test_the_underlines_look_different(qapp: QApplication) -> None:
    drawn = set()
    for word in range(5):
        image = QImage(60, 12, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        scheme = replace(LIGHT, words=("#000000",))
        paint_underline(painter, QRectF(0, 0, 60, 12), scheme, word, 1.0)
        painter.end()
        drawn.add(bytes(image.constBits()))
    assert len(drawn) == 5


@pytest.mark.parametrize("scheme", [LIGHT_CONTRAST, DARK_CONTRAST])
def test_high_contrast_increases_that_of_texts_and_lines(scheme: Scheme) -> None:
    for below in (scheme.window, scheme.surface, scheme.raised, scheme.hover, scheme.selected):
        for text in (scheme.text, scheme.muted, scheme.faint):
            assert contrast(QColor(text), QColor(below)) >= 4.5
        assert contrast(QColor(scheme.muted), QColor(below)) >= 7
    assert contrast(QColor(scheme.muted), QColor(scheme.line)) >= 4.5
    for line in (scheme.line, scheme.accent):
        assert contrast(QColor(line), QColor(scheme.surface)) >= 3
    assert contrast(QColor(scheme.selected), QColor(scheme.surface)) >= 1.3


def test_the_window_follows_the_contrast_preference_of_the_system(
    qapp: QApplication, theme: ThemeSwitch, monkeypatch: pytest.MonkeyPatch
) -> None:
    theme.choose(Theme.DARK)
    monkeypatch.setattr("app.theme.system_prefers_contrast", lambda: True)
    QGuiApplication.styleHints().accessibility().contrastPreferenceChanged.emit(
        Qt.ContrastPreference.HighContrast
    )
    assert scheme_of(qapp.palette()) is DARK_CONTRAST
    theme.choose(Theme.LIGHT)
    assert scheme_of(qapp.palette()) is LIGHT_CONTRAST
    monkeypatch.undo()
    theme.choose(Theme.LIGHT)
    assert scheme_of(qapp.palette()) is LIGHT
