"""The name, version and licence of the program."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

import core
from app.text_size import scaled
from app.widgets.controls import Label, close_box
from app.widgets.icons import IconLabel
from app.widgets.layouts import fill, vertical


class AboutDialog(QDialog):
    """Shows which version this is."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About Winnow"))
        name = Label("Winnow", role="title")
        name.setFont(scaled(name.font(), 1.5))
        version = Label(self.tr("Version {0}").format(core.__version__), role="muted")
        version.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        version.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        purpose = Label(
            self.tr("Search your documents by words and by meaning, on your own computer."),
            wraps=True,
        )
        licence = Label(self.tr("Free software under the Apache License 2.0."), role="muted")
        buttons = close_box(self, self.tr("Close"))
        layout = vertical(self, margins=(24, 22, 24, 18), spacing=8)
        fill(layout, IconLabel("sieve", 44), name, version, purpose, licence)
        layout.addSpacing(8)
        layout.addWidget(buttons)
        self.setMinimumWidth(380)
