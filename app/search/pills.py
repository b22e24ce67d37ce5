"""The filters of the query as removable pills in the search box."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLayout, QSizePolicy, QWidget

from app import texts
from app.text_size import px
from app.widgets.controls import Label
from app.widgets.icons import IconButton
from app.widgets.layouts import fill, horizontal
from core.printable import quoted

# Width of the longest label in pixels, at a text size of 100 %.
_MAX_WIDTH: Final = 150
# Pixels between two pills.
_GAP: Final = 4


@dataclass(frozen=True, slots=True)
class Pill:
    """A filter as it is typed, and the number of documents that it leaves, if it is known."""

    text: str
    document_count: int | None = None


@dataclass(frozen=True, slots=True)
class SeparatedQuery:
    """A query as it is typed, and its filters that can be taken out of it."""

    typed: str
    pills: tuple[Pill, ...]


class PillButton(QFrame):
    """A filter with a button that removes it."""

    def __init__(self, pill: Pill) -> None:
        super().__init__()
        self.setObjectName("filterPill")
        self.pill = pill
        key, _, value = pill.text.partition(":")
        # Of a path only the last folder.
        name = value.strip('"“”„«»').rstrip("/\\").replace("\\", "/").rpartition("/")[2]
        shown = quoted(f"{key}:{name or value}")
        self.label = Label(role="muted")
        metrics = self.label.fontMetrics()
        elided = metrics.elidedText(shown, Qt.TextElideMode.ElideMiddle, px(_MAX_WIDTH))
        self.label.setText(texts.left_to_right(elided))
        whole = texts.left_to_right(quoted(pill.text))
        self.setToolTip(texts.hint(whole))
        line = fill(horizontal(self, margins=(8, 0, 2, 0), spacing=4), self.label)
        self.remove = IconButton("close", self.tr("Remove {0}").format(whole), size=10)
        if pill.document_count is not None:
            line.addWidget(Label(texts.grouped(pill.document_count), role="faint"))
            self.remove.setAccessibleDescription(texts.documents(pill.document_count))
        line.addWidget(self.remove)


class PillRow(QWidget):
    """The pills, as many as have room; hidden if there are none."""

    removed = Signal(object)
    """The removed Pill."""

    def __init__(self) -> None:
        super().__init__()
        self.pills: tuple[Pill, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._line = horizontal(self, margins=(0, 0, 6, 0), spacing=_GAP)
        self._line.setSizeConstraint(QLayout.SizeConstraint.SetMinAndMaxSize)
        self.hide()

    @property
    def buttons(self) -> tuple[PillButton, ...]:
        return tuple(self.findChildren(PillButton))

    def show_pills(self, pills: tuple[Pill, ...]) -> None:
        """Show exactly these pills."""
        if pills == self.pills:
            return
        self.pills = pills
        while (item := self._line.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.setParent(None)
                old.deleteLater()
        for pill in pills:
            button = PillButton(pill)
            button.remove.clicked.connect(partial(self.removed.emit, pill))
            self._line.addWidget(button)
        self.setVisible(bool(pills))

    # Qt's name

    def minimumSizeHint(self) -> QSize:
        return self._line.sizeHint()


def fitting(pills: Iterable[Pill], width: int) -> tuple[Pill, ...]:
    """Return the first pills that fit into this width in pixels."""
    shown: list[Pill] = []
    for pill in pills:
        width -= PillButton(pill).sizeHint().width() + _GAP
        if width < 0:
            break
        shown.append(pill)
    return tuple(shown)
