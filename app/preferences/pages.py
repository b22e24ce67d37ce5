"""The pages of the settings; most rows are generated from the entries of the settings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSystemTrayIcon, QVBoxLayout, QWidget

from app import texts
from app.desktop.shortcut import ShortcutStage
from app.text_size import PERCENTS
from app.theme import Appearance
from app.translation import own_names, translated
from app.widgets.controls import ChoiceBox, Label, TickBox, form, note
from app.widgets.layouts import fill, horizontal
from core.daemon_client.protocol import has_sockets
from core.errors import Message
from core.settings import ENTRIES, Entry, PreferencesPage, Settings

if TYPE_CHECKING:
    from app.preferences.index_controls import IndexControls


class SettingsPage(QWidget):
    """The settings of one page, with the order and texts of their entries."""

    # The person set the setting of this name to this value.
    chosen = Signal(str, object)

    def __init__(self, page: PreferencesPage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = form(self)
        self.switches: dict[str, TickBox] = {}
        self.choices: dict[str, ChoiceBox] = {}
        self._rows: dict[str, QVBoxLayout] = {}
        for name, entry in ENTRIES.items():
            if entry.page is page:
                self._add(name, entry)

    def offer(self, name: str, items: list[tuple[str, object]]) -> None:
        """Offer more items (text, value) for a setting, after the options of its entry."""
        choice = self.choices[name]
        choice.offer([*_options(ENTRIES[name]), *items], choice.value)

    def row_of(self, name: str) -> QVBoxLayout:
        """Return the row with the box of a switch."""
        return self._rows[ENTRIES[name].row]

    def show_settings(self, settings: Settings) -> None:
        for name, switch in self.switches.items():
            switch.setChecked(getattr(settings, name))
        for name, choice in self.choices.items():
            value = getattr(settings, name)
            if (other := ENTRIES[name].other) and value not in choice.values:
                self.offer(name, [(translated(Message(other, texts.grouped(value))), value)])
            choice.show_value(value)

    def _add(self, name: str, entry: Entry) -> None:
        if entry.label:
            self._add_switch(name, entry)
        else:
            self._add_choice(name, entry)
        if entry.note and entry.row:
            self.lines.addRow("", note(translated(entry.note)))
        elif entry.note:
            self.lines.addRow(note(translated(entry.note)))

    def _add_switch(self, name: str, entry: Entry) -> None:
        switch = self.switches[name] = TickBox(translated(entry.label))
        if entry.note:
            switch.setAccessibleDescription(translated(entry.note))
        switch.clicked.connect(lambda is_on: self._choose(name, is_on))
        if entry.row not in self._rows:
            row = self._rows[entry.row] = QVBoxLayout()
            self._rows[entry.row].setSpacing(6)
            if entry.row:
                self.lines.addRow(translated(entry.row), row)
            else:
                self.lines.addRow(row)
        self._rows[entry.row].addWidget(switch)

    def _add_choice(self, name: str, entry: Entry) -> None:
        choice = self.choices[name] = ChoiceBox(translated(entry.about))
        choice.offer(_options(entry), None)
        choice.activated.connect(lambda _: self._choose(name, choice.value))
        self.lines.addRow(translated(entry.row), choice)

    def _choose(self, name: str, value: Any) -> None:
        self.chosen.emit(name, value)


class AppearancePage(SettingsPage):
    """Theme, text size and language, and the window's place on the desktop."""

    opened = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__(PreferencesPage.APPEARANCE)
        self._appearance = appearance
        self.offer("language", list(own_names()))
        self.offer(
            "text_percent", [(self.tr("{0}%").format(percent), percent) for percent in PERCENTS]
        )
        self._tray = self.switches["tray"]
        self._no_tray = note(self.tr("This desktop has no system tray."))
        self.row_of("tray").addWidget(self._no_tray)
        self._shortcut = self.switches["shortcut"]
        self._key = note()
        self.row_of("shortcut").addWidget(self._key)
        appearance.changed.connect(self._show_appearance)
        self._show_appearance()
        self.show_shortcut(ShortcutStage.MISSING, "")

    def show_settings(self, settings: Settings) -> None:
        """Show the settings, with those off that this desktop does not support."""
        has_tray = QSystemTrayIcon.isSystemTrayAvailable()
        self._no_tray.setVisible(not has_tray)
        self._tray.setEnabled(has_tray)
        supported = replace(
            settings,
            tray=settings.tray and has_tray,
            # The state that the desktop reported, not the setting.
            shortcut=self._shortcut.isChecked(),
        )
        super().show_settings(supported)
        self._show_appearance()

    def show_shortcut(self, stage: ShortcutStage, key: str) -> None:
        """Show the state of the shortcut and the desktop's name of the key, "" for none."""
        self._shortcut.setVisible(stage is not ShortcutStage.MISSING)
        self._shortcut.setChecked(stage in (ShortcutStage.PENDING, ShortcutStage.BOUND))
        self._key.setText(self._shortcut_text(stage, key))
        self._key.setVisible(bool(self._key.text()))

    def _shortcut_text(self, stage: ShortcutStage, key: str) -> str:
        if stage is ShortcutStage.MISSING:
            return self.tr(
                "To show Winnow from anywhere, assign a shortcut to this command in the keyboard "
                "settings of your desktop:\nwinnow --show"
            )
        if stage is ShortcutStage.PENDING:
            return self.tr("Choose a shortcut in the dialog of your desktop…")
        if stage is ShortcutStage.FAILED:
            return self.tr("The desktop did not assign a shortcut.")
        if stage is ShortcutStage.OFF:
            return ""
        if key:
            return self.tr("Shortcut: {0}").format(key)
        return self.tr("No shortcut set. Choose one in the keyboard settings of your desktop.")

    def _choose(self, name: str, value: Any) -> None:
        # `Appearance` stores these two itself, as for changes in the menu.
        if name == "theme":
            self._appearance.choose_theme(value)
        elif name == "text_percent":
            self._appearance.choose_size(value)
        else:
            super()._choose(name, value)

    def _show_appearance(self) -> None:
        self.choices["theme"].show_value(self._appearance.theme)
        self.choices["text_percent"].show_value(self._appearance.percent)

    # Qt's names

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.opened.emit()


class IndexingPage(SettingsPage):
    """Background work, the background service and text recognition."""

    def __init__(self) -> None:
        super().__init__(PreferencesPage.INDEXING)
        self.switches["service"].setEnabled(has_sockets())
        self._recognition = note()
        self.row_of("ocr").addWidget(self._recognition)

    def show_choices(self, settings: Settings, *, can_recognise: bool) -> None:
        """Show the settings, with text recognition off if it is not installed."""
        self.show_settings(replace(settings, ocr=settings.ocr and can_recognise))
        self.switches["ocr"].setEnabled(can_recognise)
        self._recognition.setText(
            self.tr(
                "Takes a few seconds per page and runs in the background. Recognised text is kept "
                "when you turn this off."
            )
            if can_recognise
            else self.tr(
                "Text recognition is not installed. To install it: pip install 'winnow-search[ocr]'"
            )
        )


class SearchPage(QWidget):
    """The model."""

    def __init__(self, controls: IndexControls) -> None:
        super().__init__()
        lines = form(self)
        row = fill(horizontal(spacing=8), (controls.model, 1), controls.another)
        label = Label(self.tr("&Model:"))
        label.setBuddy(controls.model)
        lines.addRow(label, row)
        lines.addRow("", controls.model_note)
        lines.addRow(
            "",
            note(
                self.tr(
                    "Another model is a folder with a model trained with Winnow, ColBERT, PyLate, "
                    "XTR or mXTR, or with a plain BERT model."
                )
            ),
        )
        QWidget.setTabOrder(controls.model, controls.another)


class AdvancedPage(SettingsPage):
    """The index size, the device, published libraries, and the sandbox."""

    def __init__(self, controls: IndexControls) -> None:
        super().__init__(PreferencesPage.ADVANCED)
        rows: tuple[tuple[str, QWidget], ...] = (
            (self.tr("Index &size:"), controls.size_box),
            ("", controls.cost),
            (self.tr("De&vice:"), controls.device),
            ("", controls.device_note),
        )
        for index, (text, field) in enumerate(rows):
            self.lines.insertRow(index, text, field)
        self.sandbox = note()
        self.lines.addRow(self.tr("Sandbox:"), self.sandbox)
        QWidget.setTabOrder(controls.size_box, controls.device)
        QWidget.setTabOrder(controls.device, self.choices["libraries_cache_mb"])


def _options(entry: Entry) -> list[tuple[str, object]]:
    return [(translated(option.text), option.value) for option in entry.options]
