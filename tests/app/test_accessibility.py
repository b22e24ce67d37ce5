"""Accessibility: names, roles, the Tab order, focus and mnemonics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QMenu,
    QScrollArea,
    QTabBar,
    QTreeWidget,
    QWidget,
)

from app.main_window import MainWindow
from app.reader.text_view import TextView
from app.theme import ThemeSwitch
from app.translation import install_language
from core.settings import Theme
from tests.app.library_double import LibraryDouble
from tests.app.person import is_at_rest, search
from tests.app.screens import NAMES, open_screen
from tools.consistency import mnemonic

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

_VAGUE = {
    QAccessible.Role.NoRole,
    QAccessible.Role.Client,
    QAccessible.Role.Window,
    QAccessible.Role.Pane,
    QAccessible.Role.Border,
    QAccessible.Role.Whitespace,
}


@pytest.fixture(params=NAMES)
def screen(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, request: pytest.FixtureRequest
) -> Iterator[QWidget]:
    yield from open_screen(qtbot, window, library, request.param)


def stops(screen: QWidget) -> list[QWidget]:
    """Return the widgets that the Tab key must reach."""
    return [
        one
        for one in [screen, *screen.findChildren(QWidget)]
        if one.isVisible()
        and one.isEnabled()
        and one.window() is screen
        and one.focusPolicy() & Qt.FocusPolicy.TabFocus
        and one.focusProxy() is None
        and not isinstance(one, QMenu)
    ]


def accessible_texts(widget: QWidget) -> tuple[str, str, QAccessible.Role]:
    """Return the name, description and role of a control for screen readers."""
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None
    name, description = QAccessible.Text.Name, QAccessible.Text.Description
    return found.text(name), found.text(description), found.role()


def known_as(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.objectName()!r} in {type(widget.parent()).__name__}"


def test_each_control_has_a_unique_name_and_a_role(screen: QWidget) -> None:
    nameless = [known_as(one) for one in stops(screen) if not accessible_texts(one)[0].strip()]
    vague = [known_as(one) for one in stops(screen) if accessible_texts(one)[2] in _VAGUE]
    assert nameless == []
    assert vague == []
    counts = Counter(accessible_texts(one) for one in stops(screen))
    assert [one for one, count in counts.items() if count > 1] == []
    for menu in screen.findChildren(QMenu):
        for action in menu.actions():
            assert action.isSeparator() or action.text().strip()


def test_the_tab_key_reaches_every_control(qtbot: QtBot, screen: QWidget) -> None:
    wanted = set(stops(screen))
    if not wanted:
        pytest.skip("nothing here takes the focus")
    screen.activateWindow()
    qtbot.waitUntil(screen.isActiveWindow)
    first = next(iter(stops(screen)))
    first.setFocus(Qt.FocusReason.TabFocusReason)
    seen: list[QWidget] = []
    for _ in range(2 * len(wanted) + 4):
        focused = QApplication.focusWidget()
        assert focused is not None
        seen.append(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    missed = wanted - set(seen) - _grouped(wanted, seen)
    assert sorted(map(known_as, missed)) == []


def _grouped(wanted: set[QWidget], seen: list[QWidget]) -> set[QWidget]:
    """Return the buttons of a group: the Tab key reaches one of them, arrow keys the others."""
    groups = {one.group() for one in seen if hasattr(one, "group") and one.group() is not None}
    return {one for one in wanted if hasattr(one, "group") and one.group() in groups}


def test_the_focus_is_visible(qtbot: QtBot, screen: QWidget, theme: ThemeSwitch) -> None:
    screen.activateWindow()
    unseen = []
    for worn in (Theme.LIGHT, Theme.DARK):
        theme.choose(worn)
        for one in stops(screen):
            for area in screen.findChildren(QScrollArea):
                # As the Tab key does.
                if area.isAncestorOf(one):
                    area.ensureWidgetVisible(one)
            one.clearFocus()
            before = picture(screen)
            one.setFocus(Qt.FocusReason.TabFocusReason)
            if picture(screen) == before:
                unseen.append(f"{known_as(one)} in {worn}")
    assert unseen == []


def picture(screen: QWidget) -> QImage:
    QApplication.sendPostedEvents()
    # As after the Tab key, which makes all controls show the focus.
    screen.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
    return screen.grab().toImage()


def test_every_model_keeps_qts_rules(screen: QWidget) -> None:
    for view in screen.findChildren(QAbstractItemView):
        # Qt's own tree model breaks the rules with children of the second column; a header shares
        # the model of its view.
        if isinstance(view, QTreeWidget | QHeaderView):
            continue
        # Violations are warnings, which fail the test.
        mode = QAbstractItemModelTester.FailureReportingMode.Warning
        tester = QAbstractItemModelTester(view.model(), mode)
        # Before the model is deleted, which the tester still uses.
        shiboken6.delete(tester)


@pytest.mark.parametrize("language", ["en", "de", "zh_CN"])
def test_no_letter_opens_two_controls(
    qtbot: QtBot, qapp: QApplication, library: LibraryDouble, make_window: object, language: str
) -> None:
    install_language(qapp, language)
    window = make_window()  # type: ignore[operator]
    qtbot.waitUntil(lambda: library.syncs == 1 and not window.progress.is_running)
    for name in NAMES:
        for screen in open_screen(qtbot, window, library, name):
            letters = Counter(filter(None, (mnemonic(label) for label in _labels_of(screen))))
            twice = [letter for letter, count in letters.items() if count > 1]
            assert twice == [], f"{name}: {twice}"


def _labels_of(screen: QWidget) -> Iterator[str]:
    for bar in screen.findChildren(QTabBar):
        if bar.window() is screen:
            yield from (bar.tabText(number) for number in range(bar.count()))
    for one in screen.findChildren(QWidget):
        text = getattr(one, "text", None)
        if callable(text) and one.isVisible() and one.window() is screen:
            label = text()
            # A label without a buddy shows its & literally.
            if isinstance(label, str) and (not hasattr(one, "buddy") or one.buddy() is not None):
                yield label


def test_the_tab_key_moves_from_the_box_over_chips_and_results_to_the_document(
    qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, "wheat dry")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    text = window.main_view.reader.findChild(TextView)
    qtbot.waitUntil(lambda: text.isVisible() and is_at_rest(window))
    window.box.setFocus()
    first = QApplication.focusWidget()
    assert first is not None
    order = [first]
    while len(order) == 1 or order[-1] is not first:
        assert len(order) < 100
        qtbot.keyClick(order[-1], Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        assert focused is not None
        order.append(focused)
    landmarks = [
        window.chips.buttons[0],
        window.main_view.filters.tree,
        window.main_view.results,
        text,
    ]
    assert [one for one in order if one in landmarks] == landmarks
