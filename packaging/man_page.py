"""The man page, generated from the help of the commands."""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

import click
import contents

_VARIABLES: Final = {
    "WINNOW_HOME": "Folder of the library.",
    "WINNOW_CACHE": "Folder for files that can be recreated.",
    "WINNOW_ADD_ONS": "Folder of additional Python packages for an installed Winnow, e.g. torch.",
    "WINNOW_RUNTIME": "Runtime of the model: openvino or torch.",
    "WINNOW_DEBUG": "If set, the command line prints debug messages.",
}
_WINDOW_OPTIONS: Final = {
    "--folder FOLDER": "Add this folder to the library. Can be used several times.",
    "--theme light|dark|system": "Theme of the window, also of one that is already open.",
    "winnow:search?q=WORDS": "A link that searches for the words.",
    "--smoke-test": "Test this installation on generated documents, in a window, and quit.",
    "--version": "Print the version; with --verbose also those of all native libraries.",
}


def man_page(group: click.Group, version: str, date: int) -> str:
    """Return the page `winnow(1)`; `date` is in seconds since 1970."""
    day = dt.datetime.fromtimestamp(date, dt.UTC).date().isoformat()
    lines = [
        f'.TH WINNOW 1 "{day}" "winnow {version}" "User Commands"',
        ".SH NAME",
        f"winnow \\- {_escape(contents.SUMMARY.lower())}",
        ".SH SYNOPSIS",
        ".B winnow",
        "[\\fIWINDOW OPTION\\fR]...",
        ".br",
        ".B winnow",
        "\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...",
        ".SH DESCRIPTION",
        "Without a command, opens the window.",
        *_paragraphs(group.help or ""),
        ".SH WINDOW OPTIONS",
    ]
    for option, sentence in _WINDOW_OPTIONS.items():
        lines += [".TP", f"\\fB{_escape(option)}\\fR", _escape(sentence)]
    lines.append(".SH COMMANDS")
    for name in sorted(group.commands):
        lines += _command(name, group.commands[name])
    lines.append(".SH ENVIRONMENT")
    for variable, sentence in _VARIABLES.items():
        lines += [".TP", f"\\fB{variable}\\fR", _escape(sentence)]
    lines += [
        ".SH EXIT STATUS",
        "0 on success, 1 on failure, 2 on a usage error, 130 if interrupted.",
        ".SH FILES",
        ".TP",
        "\\fI~/.local/share/winnow\\fR",
        "The library. It is kept when the package is removed.",
        ".TP",
        "\\fI~/.cache/winnow\\fR",
        "Files that can be recreated.",
    ]
    return "\n".join(lines) + "\n"


def _command(name: str, command: click.Command) -> list[str]:
    with click.Context(command, info_name=f"winnow {name}") as context:
        usage = " ".join([name, *command.collect_usage_pieces(context)])
        lines = [f".SS {_escape(usage)}", *_paragraphs(command.help or "")]
        for parameter in command.get_params(context):
            record = parameter.get_help_record(context)
            if record is not None and parameter.name != "help":
                lines += [".TP", f"\\fB{_escape(record[0])}\\fR", _escape(record[1])]
    if isinstance(command, click.Group):
        for inner in sorted(command.commands):
            lines += _command(f"{name} {inner}", command.commands[inner])
    return lines


def _paragraphs(text: str) -> list[str]:
    lines = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        lines += [".PP", _escape(" ".join(paragraph.split()).strip("\b "))]
    return lines


def _escape(text: str) -> str:
    r"""Escape a text for troff.

    >>> _escape("--all \\n"), _escape(".gitignore")
    ('\\-\\-all \\en', '\\&.gitignore')
    """
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
