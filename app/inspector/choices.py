"""Buttons to choose which vectors are compared and which pairs are aligned."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QHBoxLayout,
    QToolButton,
    QWidget,
)

from app.inspector import wording
from app.widgets.labels import Label
from core.alignment.adaptation import STRATEGIES
from core.alignment.pairwise import AlignmentKind, AlignmentStrategy

CHOICES: Final = (*STRATEGIES, AlignmentStrategy(AlignmentKind.TOP_P, 1))
"""What can be chosen: those that a library is taught with, and all pairs."""


class Choices(QWidget):
    """Two groups of buttons, of each of which one is down; the arrow keys go through a group."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._strategies = QButtonGroup(self)
        self._vectors = QButtonGroup(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(_label(self.tr("Vectors:")))
        self._stored = self._button(self._vectors, self.tr("stored"))
        self._stored.setToolTip(self.tr("What the index holds: fewer vectors, compressed"))
        exact = self._button(self._vectors, self.tr("exact"))
        exact.setToolTip(self.tr("Of all tokens, encoded anew: says better why, but ranks nothing"))
        for button in (self._stored, exact):
            button.setAccessibleDescription(button.toolTip())
            layout.addWidget(button)
        layout.addSpacing(18)
        layout.addWidget(_label(self.tr("Aligned: the best")))
        for number, strategy in enumerate(CHOICES):
            if number and strategy.kind is not CHOICES[number - 1].kind:
                layout.addSpacing(10)
            button = self._button(self._strategies, wording.of_strategy(strategy))
            button.setToolTip(wording.about_strategy(strategy))
            button.setAccessibleName(wording.about_strategy(strategy))
            self._strategies.setId(button, number)
            layout.addWidget(button)
        layout.addStretch(1)
        self._stored.setChecked(True)
        self._strategies.buttons()[0].setChecked(True)
        for group in (self._vectors, self._strategies):
            group.buttonToggled.connect(self._tell)

    @property
    def wants_stored(self) -> bool:
        return self._stored.isChecked()

    @property
    def strategy(self) -> AlignmentStrategy:
        return CHOICES[self._strategies.checkedId()]

    def choose(self, strategy: AlignmentStrategy) -> None:
        """Press the button of `strategy`, where there is one."""
        if strategy in CHOICES:
            self._strategies.button(CHOICES.index(strategy)).setChecked(True)

    def offer_stored(self, *, is_there: bool) -> None:
        """Let stored vectors be chosen where there are any."""
        self._stored.setEnabled(is_there)

    def button_of(self, strategy: AlignmentStrategy) -> QToolButton:
        button = self._strategies.button(CHOICES.index(strategy))
        assert isinstance(button, QToolButton)
        return button

    def _tell(self, _button: QAbstractButton, is_down: bool) -> None:
        # The one that comes up tells of the same choice.
        if is_down:
            self.changed.emit()

    @staticmethod
    def _button(group: QButtonGroup, text: str) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setCheckable(True)
        group.addButton(button)
        return button


def _label(text: str) -> Label:
    label = Label(text)
    label.setProperty("role", "muted")
    return label
