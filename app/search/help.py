"""What can be said in a query, shown below the box: made of the one table of operators."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QDialog, QGridLayout, QPushButton, QVBoxLayout, QWidget

from app import texts
from app.translation import said
from app.widgets.labels import Label
from app.widgets.window_geometry import scrolled

if TYPE_CHECKING:
    from core.progress import Job


class Told(NamedTuple):
    """An operator of the query language: how it is written, what it means, an example."""

    form: str
    meaning: str
    example: str


def operators(_job: Job) -> tuple[Told, ...]:
    """Give all operators; in the background, because this loads numpy."""
    from core.search.query import OPERATORS

    return tuple(Told(one.form, one.meaning, one.example) for one in OPERATORS)


class QueryHelp(QDialog):
    """Lists the operators; an example that is clicked goes into the box."""

    example_chosen = Signal(str)

    def __init__(self, told: tuple[Told, ...], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("queryHelp")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = Label(self.tr("What you can type"))
        title.setProperty("role", "title")
        self.setAccessibleName(title.text())
        words = Label(
            self.tr("Words and questions, as you would ask a person. More exactly, where you like:")
        )
        words.setProperty("role", "muted")
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        for line, one in enumerate(told):
            form = Label(one.form)
            bold = QFont(fixed)
            bold.setWeight(QFont.Weight.DemiBold)
            form.setFont(bold)
            meaning = Label(said(one.meaning))
            meaning.setWordWrap(True)
            meaning.setMinimumWidth(300)
            example = QPushButton(texts.left_to_right(one.example))
            example.setProperty("quiet", "true")
            example.setFont(fixed)
            example.setCursor(Qt.CursorShape.PointingHandCursor)
            example.setAccessibleName(self.tr("Try {0}").format(one.example))
            example.setAccessibleDescription(meaning.text())
            example.setAutoDefault(False)
            example.clicked.connect(partial(self._choose, one.example))
            for column, widget in enumerate((form, meaning, example)):
                grid.addWidget(widget, line, column, _place(column))
        self._page = QWidget()
        self._page.setObjectName("queryHelpPage")
        layout = QVBoxLayout(self._page)
        layout.setContentsMargins(20, 16, 12, 16)
        layout.setSpacing(8)
        layout.addWidget(title)
        layout.addWidget(words)
        layout.addLayout(grid)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(1, 1, 1, 1)
        whole.addWidget(scrolled(self._page))

    def show_below(self, place: QWidget) -> None:
        """Show the help below a widget, as wide as that at most, with all that has room."""
        width = min(max(place.width(), 560), 820)
        height = self._page.heightForWidth(width - 2) + 2
        start = 0 if place.isRightToLeft() else place.width() - width
        corner = place.mapToGlobal(QPoint(start, place.height() + 4))
        room = place.screen().availableGeometry().bottom() - corner.y()
        self.setFixedSize(width, max(min(height, room), self.minimumSizeHint().height()))
        self.move(corner)
        self.show()

    def _choose(self, example: str) -> None:
        self.example_chosen.emit(example)
        self.close()


def _place(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag(0) if column == 1 else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
