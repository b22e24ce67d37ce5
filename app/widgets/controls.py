"""Controls shared by the window and its dialogs: labels, buttons and form fields."""

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, SignalInstance
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QStyleOptionButton,
    QWidget,
)

from app.palette import Scheme, scheme_of
from app.text_size import px, set_minimum_width
from app.widgets.icons import IconButton, pixmap
from app.widgets.menus import round_corners


class Label(QLabel):
    """Plain text. Qt's own label interprets a name such as `<img src=…>` as HTML.

    `role` is "title", "muted" or "faint", as the style sheet defines them.
    """

    def __init__(self, text: str = "", *, role: str = "", wraps: bool = False) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setWordWrap(wraps)
        self.setText(text)


class ElidedLabel(QLabel):
    """One line of plain text, elided at the end or inside if it is too long.

    It is aligned by the window's direction, at the trailing edge if `is_trailing`. Qt's labels are
    aligned by their text, which is often a title or path in another language.
    """

    def __init__(
        self, mode: Qt.TextElideMode, *, role: str = "", is_trailing: bool = False
    ) -> None:
        super().__init__()
        self.setProperty("role", role)
        self._mode = mode
        align = Qt.AlignmentFlag
        self._side = align.AlignRight if is_trailing else align.AlignLeft
        self._align()
        # The full text.
        self.whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_text(self, text: str) -> None:
        self.whole = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._fit()

    def _align(self) -> None:
        side = QStyle.visualAlignment(self.layoutDirection(), self._side)
        self.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self.whole, self._mode, self.width()))

    # Qt's names

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._align()
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
            self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.fontMetrics().height())

    def sizeHint(self) -> QSize:
        # The advance is rounded and excludes the overhang of slanted letters.
        width = self.fontMetrics().horizontalAdvance(self.whole) + 4
        return QSize(width, self.fontMetrics().height())


# Width and height of a check box at a text size of 100 %, in pixels.
SIDE: Final = 14


class TickBox(QCheckBox):
    """A check box in the theme's colours; Fusion's own border is invisible in dark mode."""

    # Qt's names

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        style, scheme = self.style(), scheme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        room = style.subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, self)
        box = QRectF(0, 0, px(SIDE), px(SIDE))
        box.moveCenter(QRectF(room).center())
        if not self.isEnabled():
            painter.setOpacity(0.5)
        paint_box(painter, box, self.checkState(), scheme)
        painter.setOpacity(1.0)
        option.rect = style.subElementRect(QStyle.SubElement.SE_CheckBoxContents, option, self)
        style.drawControl(QStyle.ControlElement.CE_CheckBoxLabel, option, painter, self)
        if self.hasFocus():
            painter.setPen(QPen(QColor(scheme.accent), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-1.4, -1.4, 1.4, 1.4), 5, 5)


def paint_box(painter: QPainter, area: QRectF, state: Qt.CheckState, scheme: Scheme) -> None:
    """Paint a check box in one of its three states."""
    is_empty = state is Qt.CheckState.Unchecked
    painter.setPen(QPen(QColor(scheme.faint if is_empty else scheme.accent), 1.2))
    painter.setBrush(QColor(scheme.raised if is_empty else scheme.accent))
    unit = area.width() / SIDE
    painter.drawRoundedRect(area.adjusted(0.6, 0.6, -0.6, -0.6), 3.5 * unit, 3.5 * unit)
    painter.setPen(QPen(QColor(scheme.on_accent), 1.8 * unit, c=Qt.PenCapStyle.RoundCap))
    middle = area.center()
    if state is Qt.CheckState.Checked:
        corner = middle + QPointF(-0.8, 2.8) * unit
        painter.drawLine(middle + QPointF(-3.4, 0.2) * unit, corner)
        painter.drawLine(corner, middle + QPointF(3.6, -2.8) * unit)
    elif state is Qt.CheckState.PartiallyChecked:
        painter.drawLine(middle - QPointF(3, 0) * unit, middle + QPointF(3, 0) * unit)


class Button(QPushButton):
    """A button that calls `press`; `kind` is "main", "quiet" or ""."""

    def __init__(
        self, text: str, press: Callable[[], object] | SignalInstance, kind: str = ""
    ) -> None:
        super().__init__(text)
        self.clicked.connect(press)
        if kind:
            self.setProperty(kind, "true")


class Disclosure(IconButton):
    """A button that shows and hides `content`, which is hidden at first."""

    def __init__(self, text: str, content: QWidget) -> None:
        super().__init__("next", "")
        self.setText(text)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setProperty("labelled", "true")
        self.setCheckable(True)
        self.toggled.connect(self._show)
        self._content = content
        content.hide()

    def _show(self, is_shown: bool) -> None:
        self.set_drawing("expand" if is_shown else "next")
        self._content.setVisible(is_shown)


_NOTE_WIDTH: Final = 380


class ChoiceBox(QComboBox):
    """A drop-down list that does not grow with the length of its texts."""

    def __init__(self, description: str = "") -> None:
        super().__init__()
        self._values: list[object] = []
        self.setAccessibleDescription(description)
        self._fit()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(24)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        # The wheel does not give it the focus; see `wheelEvent`.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def value(self) -> Any:
        """The chosen value; Qt would return the plain string of a string enumeration."""
        row = self.currentIndex()
        return self._values[row] if row >= 0 else None

    @property
    def values(self) -> tuple[object, ...]:
        """The values on offer."""
        return tuple(self._values)

    def offer(self, items: list[tuple[str, object]], chosen: object) -> None:
        """Offer pairs of text and value, and choose one of them."""
        texts = [text for text, _ in items]
        if texts != [self.itemText(row) for row in range(self.count())]:
            self.clear()
            for row, text in enumerate(texts):
                self.addItem(text)
                self.setItemData(row, text, Qt.ItemDataRole.ToolTipRole)
        self._values = [value for _, value in items]
        self.show_value(chosen)

    def show_value(self, value: object) -> None:
        """Choose this value; none if it is not on offer."""
        self.setCurrentIndex(self._values.index(value) if value in self._values else -1)

    def _fit(self) -> None:
        self.setMinimumHeight(2 * self.fontMetrics().height())

    # Qt's names

    def showPopup(self) -> None:
        popup = self.view().parentWidget()
        if popup is not None and not popup.property("rounded"):
            round_corners(popup)
        super().showPopup()

    def wheelEvent(self, event: QWheelEvent) -> None:
        _wheel(self, super().wheelEvent, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        # Style sheets take arrows only from files, which have a fixed colour.
        side = px(12)
        room = QRect(self.width() - 2 * side, (self.height() - side) // 2 + 1, side, side)
        rect = QStyle.visualRect(self.layoutDirection(), self.rect(), room)
        color = scheme_of(self.palette()).muted
        painter = QPainter(self)
        painter.drawPixmap(rect, pixmap("expand", color, side, self.devicePixelRatioF()))


class NumberBox(QSpinBox):
    """A field for a whole number."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    # Qt's names

    def wheelEvent(self, event: QWheelEvent) -> None:
        _wheel(self, super().wheelEvent, event)


def _wheel(field: QWidget, change: Callable[[QWheelEvent], None], event: QWheelEvent) -> None:
    """Let the wheel change a field that has the focus, and else scroll the page."""
    if field.hasFocus():
        change(event)
    else:
        event.ignore()


def note(text: str = "") -> Label:
    """Return a muted explanation for a field."""
    label = Label(text, role="muted", wraps=True)
    set_minimum_width(label, _NOTE_WIDTH)
    return label


def form(parent: QWidget) -> QFormLayout:
    """Return the layout of a page."""
    result = QFormLayout(parent)
    result.setContentsMargins(16, 18, 16, 16)
    result.setVerticalSpacing(10)
    result.setHorizontalSpacing(14)
    result.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    result.setLabelAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
    result.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    return result


def close_box(dialog: QDialog, text: str) -> QDialogButtonBox:
    """Return the bottom row of a dialog that can only be closed."""
    box = QDialogButtonBox()
    box.addButton(text, QDialogButtonBox.ButtonRole.RejectRole)
    box.rejected.connect(dialog.reject)
    return box


def ask_for_folder(parent: QWidget, title: str, start: str = "") -> QFileDialog:
    """Open the system's folder dialog; its result is the signal `fileSelected`."""
    dialog = QFileDialog(parent, title, start, fileMode=QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog
