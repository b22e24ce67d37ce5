"""What the marked results teach: their ranks before and after, to be accepted or undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app import texts
from app.errors import NoticeBar

if TYPE_CHECKING:
    from app.teaching.lesson import Lesson

_NUMBERS: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TeachingDialog(QDialog):
    """Shows one lesson at a time; stays open beside the window."""

    accept_wanted = Signal(object)
    """The person wants this AlignmentStrategy to be used."""
    undo_wanted = Signal()
    put_off = Signal()
    """The person does not want what is proposed, for now."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Teach Winnow"))
        self.resize(600, 460)
        self._lesson: Lesson | None = None
        self.headline = QLabel()
        self.headline.setProperty("role", "title")
        self.headline.setWordWrap(True)
        self.details = QLabel()
        self.details.setProperty("role", "muted")
        self.details.setWordWrap(True)
        self.notice = NoticeBar()
        self.ranks = QTreeWidget()
        self.ranks.setObjectName("ranks")
        self.ranks.setAccessibleName(self.tr("Ranks of the results that you marked"))
        self.ranks.setRootIsDecorated(False)
        self.ranks.setUniformRowHeights(True)
        self.ranks.setFrameShape(QFrame.Shape.NoFrame)
        self.ranks.setHeaderLabels([self.tr("Query"), self.tr("Rank now"), self.tr("Then")])
        header = self.ranks.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            self.ranks.headerItem().setTextAlignment(column, _NUMBERS)
        self.accept_button = QPushButton(self.tr("Use it"))
        self.accept_button.setProperty("main", "true")
        self.accept_button.clicked.connect(self._want)
        self.undo_button = QPushButton(self.tr("Undo what was learned"))
        self.undo_button.clicked.connect(self.undo_wanted)
        self.close_button = QPushButton()
        self.close_button.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(self.undo_button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.accept_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 20, 20, 18)
        layout.setSpacing(12)
        for widget in (self.notice, self.headline, self.details):
            layout.addWidget(widget)
        layout.addWidget(self.ranks, 1)
        layout.addStretch(0)
        layout.addLayout(buttons)
        self.show_waiting()

    def show_waiting(self) -> None:
        """Say that it is being found out."""
        self._lesson = None
        self._say(self.tr("Comparing the results that you marked…"), "")
        self.ranks.hide()
        self.accept_button.hide()
        self.undo_button.hide()

    def show_lesson(self, lesson: Lesson) -> None:
        self._lesson = lesson
        found = lesson.adaptation
        if found.is_proposed:
            self._say(
                self.tr("Winnow can rank results like those you marked better."),
                self.tr(
                    "It would compare each word of a query with {0}, instead of {1}. Nothing is "
                    "indexed anew, and you can undo it here."
                ).format(texts.compared_words(found.best), texts.compared_words(found.current)),
            )
        elif found.missing:
            self._say(
                self.tr("Mark the right results of a few queries."),
                self.tr(
                    "Ctrl+D marks the chosen result as the right one. After {0} Winnow "
                    "can tell whether another way to compare words ranks them better."
                ).format(texts.further_queries(found.missing)),
            )
        else:
            self._say(
                self.tr("There is nothing to change."),
                self._reason(lesson)
                + " "
                + self.tr("Each word of a query is compared with {0}.").format(
                    texts.compared_words(found.current)
                ),
            )
        self.accept_button.setVisible(found.is_proposed)
        self.accept_button.setDefault(found.is_proposed)
        self.undo_button.setVisible(lesson.can_undo)
        self._list(lesson)

    def _reason(self, lesson: Lesson) -> str:
        if lesson.adaptation.best == lesson.adaptation.current:
            return self.tr("What you marked ranks best as it is.")
        return self.tr("Another way might rank what you marked better, but that may be chance.")

    def _say(self, headline: str, details: str) -> None:
        self.headline.setText(headline)
        self.details.setText(details)
        is_proposed = self._lesson is not None and self._lesson.adaptation.is_proposed
        self.close_button.setText(self.tr("Not now") if is_proposed else self.tr("Close"))

    def _list(self, lesson: Lesson) -> None:
        found = lesson.adaptation
        self.ranks.clear()
        self.ranks.setVisible(bool(found.queries))
        self.ranks.setColumnHidden(2, not found.is_proposed)
        for one in found.queries:
            item = QTreeWidgetItem([one.query, _ranks(one.before), _ranks(one.after)])
            item.setToolTip(0, one.query)
            for column in (1, 2):
                item.setTextAlignment(column, _NUMBERS)
            self.ranks.addTopLevelItem(item)

    def _want(self) -> None:
        if self._lesson is not None:
            self.accept_wanted.emit(self._lesson.adaptation.best)

    # Qt's names

    def reject(self) -> None:
        if self._lesson is not None and self._lesson.adaptation.is_proposed:
            self.put_off.emit()
        super().reject()


def _ranks(ranks: tuple[int, ...]) -> str:
    return ", ".join(map(texts.number, ranks)) or "–"
