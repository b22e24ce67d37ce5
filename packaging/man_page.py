"""The man page, made of what the commands say of themselves."""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

import click
import contents

_VARIABLES: Final = {
    "WINNOW_HOME": "The folder of the library.",
    "WINNOW_CACHE": "The folder for what can be made anew.",
    "WINNOW_ADD_ONS": "The folder of Python packages added to an installed Winnow, as torch.",
    "WINNOW_RUNTIME": "What runs the model: openvino or torch.",
    "WINNOW_DEBUG": "Set to anything: the command line tells what it does.",
}
_WINDOW_OPTIONS: Final = {
    "--folder FOLDER": "Search this folder, too; may be given several times.",
    "--theme light|dark|system": "The window's colours this time, also where it is open.",
    "winnow:search?q=WORDS": "A link, which searches for the words; it adds and changes nothing.",
    "--smoke-test": "Try all of this copy out on documents of its own, in a window, and quit.",
    "--version": "Print the version of Winnow and of each native part.",
}


def man_page(group: click.Group, version: str, date: int) -> str:
    """The page `winnow(1)`; `date` is in seconds since 1970."""
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
        "Alone it opens the window, with a command it is the command line.",
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
        "0 if all went well, 1 if something failed, 2 for a wrong use, 130 if it was stopped.",
        ".SH FILES",
        ".TP",
        "\\fI~/.local/share/winnow\\fR",
        "The library. It stays when the package is removed.",
        ".TP",
        "\\fI~/.cache/winnow\\fR",
        "What can be made anew.",
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
    r"""The text as troff shows it unchanged.

    >>> _escape("--all \\n"), _escape(".gitignore")
    ('\\-\\-all \\en', '\\&.gitignore')
    """
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
