"""The name, version and licence of the program."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

import core
from app.text_size import scaled
from app.widgets.controls import Label
from app.widgets.icons import IconLabel


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
        buttons = QDialogButtonBox()
        buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 18)
        layout.setSpacing(8)
        layout.addWidget(IconLabel("sieve", 44))
        for label in (name, version, purpose, licence):
            layout.addWidget(label)
        layout.addSpacing(8)
        layout.addWidget(buttons)
        self.setMinimumWidth(380)
