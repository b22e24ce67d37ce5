"""The rules of a folder: their form, their names, and the page with counts of excluded files."""

import shlex
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from app.widgets.controls import NumberBox, TickBox
from core.catalog.files.folders import LONGEST_DESCRIPTION, NO_RULES, FolderRules
from core.files.excluded_names import Rule

_MEGABYTE = 1_000_000


class RulesForm(QWidget):
    """Fields for a folder's description, patterns, largest file size and .gitignore."""

    # A rule changed; not emitted for the description.
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._description = QLineEdit(maxLength=LONGEST_DESCRIPTION)
        self._description.setPlaceholderText(self.tr("Optional, e.g. tax papers since 2019"))
        self._description.setToolTip(
            self.tr("Shown with results to AI assistants that search this library.")
        )
        self._exclude = QLineEdit(placeholderText="drafts/  *.bak  !important.bak")
        self._exclude.setToolTip(
            self.tr(
                "Patterns as in .gitignore, separated by spaces. Files that match a pattern "
                "starting with ! are included even if another rule excludes them."
            )
        )
        self._only = QLineEdit(placeholderText=self.tr("All supported files"))
        self._only.setToolTip(
            self.tr("Patterns such as *.pdf letters/. All other files are skipped.")
        )
        self._largest = NumberBox()
        # The same margin as in the fields above, which get it from the style sheet.
        self._largest.lineEdit().setTextMargins(10, 0, 10, 0)
        self._largest.setRange(0, 100_000)
        self._largest.setSuffix(self.tr(" MB"))
        self._largest.setSpecialValueText(self.tr("1 GB (archives and mailboxes: no limit)"))
        self._gitignore = TickBox(self.tr("Follow .gitignore files"))
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.tr("&Description:"), self._description)
        form.addRow(self.tr("E&xclude:"), self._exclude)
        form.addRow(self.tr("&Include only:"), self._only)
        form.addRow(self.tr("Maximum &file size:"), self._largest)
        form.addRow("", self._gitignore)
        for field in (self._description, self._exclude, self._only, self._largest):
            # Aligns the label with the text in the field.
            form.labelForField(field).setMinimumHeight(field.sizeHint().height())
        self.set_rules(NO_RULES)
        self._exclude.textChanged.connect(self.changed)
        self._only.textChanged.connect(self.changed)
        self._largest.valueChanged.connect(self.changed)
        self._gitignore.toggled.connect(self.changed)

    def set_rules(self, rules: FolderRules) -> None:
        self._exclude.setText(_joined(rules.exclude))
        self._only.setText(_joined(rules.only))
        self._largest.setValue(round((rules.largest_bytes or 0) / _MEGABYTE))
        self._gitignore.setChecked(rules.respects_gitignore)

    @property
    def description(self) -> str:
        return self._description.text()

    def set_description(self, description: str) -> None:
        self._description.setText(description)

    def rules(self) -> FolderRules:
        largest = self._largest.value() * _MEGABYTE
        return FolderRules(
            exclude=_split(self._exclude.text()),
            only=_split(self._only.text()),
            largest_bytes=largest or None,
            respects_gitignore=self._gitignore.isChecked(),
        )


def rule_text(rule: Rule) -> str:
    """Return the translated name of a rule."""
    return {
        Rule.HIDDEN: _tr("Hidden files and folders"),
        Rule.WORKINGS: _tr("Internal files of other programs"),
        Rule.UNFINISHED: _tr("Temporary or incomplete files"),
        Rule.PROGRAM: _tr("Program files"),
        Rule.DISK_IMAGE: _tr("Disk images and virtual machines"),
        Rule.CACHE: _tr("Cache folders"),
        Rule.SYSTEM: _tr("System file systems"),
        Rule.LINK_OUT: _tr("Links to places outside your folders"),
        Rule.LINK_IN: _tr("Links within your folders"),
        Rule.OWN: _tr("Winnow’s own files"),
        Rule.GITIGNORE: _tr("Listed in .gitignore"),
        Rule.EXCLUDED: _tr("Excluded by your patterns"),
        Rule.NOT_WANTED: _tr("Not matched by “Include only”"),
        Rule.TOO_LARGE: _tr("Too large"),
        Rule.UNKNOWN: _tr("Unsupported file types"),
    }[rule]


def _split(text: str) -> tuple[str, ...]:
    """Return the patterns in a line; those with spaces are quoted.

    >>> _split('*.bak  "old letters/"')
    ('*.bak', 'old letters/')
    """
    words = shlex.shlex(text, posix=True, punctuation_chars="")
    words.whitespace_split = True
    words.commenters = words.escape = ""
    words.quotes = '"'
    try:
        return tuple(words)
    except ValueError:  # the closing quote has not been typed yet
        return tuple(text.replace('"', " ").split())


def _joined(patterns: Sequence[str]) -> str:
    return " ".join(f'"{pattern}"' if " " in pattern else pattern for pattern in patterns)


def _tr(text: str) -> str:
    return QCoreApplication.translate("rules", text)
