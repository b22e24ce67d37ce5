"""Output of the command line: progress, results, reports.

All commands print through `say`, `console` and `write`, which escape terminal controls; names and
sentences on a line are also `quoted`.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, TextIO

import click

from core.addresses import readable_path
from core.commands import calling_process
from core.errors import UsageError
from core.printable import json_text, quoted, quoted_lines
from core.progress import Job, Progress, Stage
from core.throttle import BUSY_SHARE, Load, Machine, Reason

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    from core.catalog.documents import Failure
    from core.catalog.files.file_lists import FileCounts, FileGroup
    from core.catalog.files.folders import Folder
    from core.catalog.reports import Preview, Status, SyncReport
    from core.serving.daemon.invocation import Screen

# A text, or a text and its style.
Part = str | tuple[str, str]

_STAGES = {
    Stage.UPDATING: "Building the word index of this version; searches use the old one meanwhile",
    Stage.SCANNING: "Scanning folders",
    Stage.READING: "Reading",
    Stage.PREPARING: "Preparing the model",
    Stage.ENCODING: "Encoding passages",
    Stage.REPLACING: "Building a new index; searches use the old one until it is complete",
    Stage.CHECKING: "Checking files",
    Stage.MEASURING: "Measuring",
    Stage.PUBLISHING: "Publishing",
    Stage.FETCHING: "Downloading",
}
# Unread files that are listed one by one; more are summed up by reason.
MOST_FAILURES = 50
_REASONS_SHOWN = 10
_EXAMPLES = 3


model_option = click.option(
    "--model",
    metavar="NAME|DIR",
    help="Use this model: a built-in one, a folder, or ORG/NAME in the Hugging Face cache.",
)


libraries_option = click.option(
    "--library",
    "libraries",
    multiple=True,
    metavar="FOLDER|URL",
    help="Search this library instead of your own. Can be repeated.",
)


failures_option = click.option(
    "--failures",
    "all_failures",
    is_flag=True,
    help=f"List all files that could not be read, even if more than {MOST_FAILURES}.",
)


def say(line: str, *, is_error: bool = False, screen: Screen | None = None) -> None:
    """Print one line on standard output, or on standard error.

    Args:
        line: the printed line.
        is_error: whether it goes to standard error.
        screen: where it is printed; None for the terminal of the current command.
    """
    click.echo(
        quoted(line),
        file=_stream(screen or calling_process.screen(), is_error=is_error),
        err=is_error,
    )


def _stream(screen: Screen | None, *, is_error: bool) -> TextIO | None:
    return None if screen is None else screen.error if is_error else screen.out


def write(text: str) -> None:
    """Write a text of several lines to standard output unchanged, in UTF-8.

    Its parts are escaped already; invalid characters have escapes.
    """
    # As bytes: UTF-8 in any terminal encoding.
    stream = _stream(calling_process.screen(), is_error=False)
    click.echo(text.encode(errors="backslashreplace"), file=stream, nl=False)


def _shows_styles(*, is_error: bool) -> bool:
    """Return whether an output may be a terminal that shows styles; without one rich is not loaded.

    Source: rich, which also follows these variables.
    """
    screen = calling_process.screen()
    if screen is not None:
        return screen.is_error_terminal if is_error else screen.is_terminal
    forced = ("FORCE_COLOR", "TTY_COMPATIBLE")
    stream = sys.stderr if is_error else sys.stdout
    return stream.isatty() or any(name in os.environ for name in forced)


def line_printer() -> Callable[..., None]:
    """Return a function that prints a line of parts: texts, or pairs of a text and its style."""
    if not _shows_styles(is_error=False):
        stream = _stream(calling_process.screen(), is_error=False)

        def print_plain(*parts: Part) -> None:
            texts = (part if isinstance(part, str) else part[0] for part in parts)
            click.echo(quoted_lines("".join(texts)), file=stream)

        return print_plain
    from rich.text import Text

    shown = console()
    return lambda *parts: shown.print(Text.assemble(*parts))


def console(*, is_error: bool = False, width: int | None = None, wraps: bool = False) -> Console:
    """Yield a console that prints texts as they are: no markup in them, and no controls."""
    from rich.console import Console
    from rich.segment import Segment

    class Plain(Console):
        """Escapes controls in printed text, except those that rich makes of styles."""

        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            for segment in super().render(renderable, options):
                if segment.control:
                    yield segment
                else:
                    yield Segment(quoted_lines(segment.text), segment.style)

    screen = calling_process.screen()
    is_terminal = None
    if screen is not None:
        is_terminal = screen.is_error_terminal if is_error else screen.is_terminal
    return Plain(
        stderr=is_error,
        file=_stream(screen, is_error=is_error),
        width=width if screen is None else width or screen.columns,
        force_terminal=is_terminal,
        soft_wrap=not wraps,
        highlight=False,
        markup=False,
        emoji=False,
        _environ=None if screen is None else screen.environ,
    )


# Seconds of silence before it is explained, and between measurements of the machine's load.
_SILENCE_S: Final = 3.0
_LOOK_EVERY_S: Final = 2.0


class Waiting:
    """The reason why a long call has reported nothing for a while.

    Args:
        now_s: a clock.
        load: measures the load of other programs.
    """

    def __init__(
        self, now_s: Callable[[], float] = time.monotonic, load: Callable[[], Load] | None = None
    ) -> None:
        self._now_s = now_s
        self._load = load
        self._since_s = self._checked_s = now_s()
        self._at: Progress | None = None
        self._is_busy = False

    def take(self, now: Progress) -> None:
        """Note a report; one without progress is ignored."""
        at = self._at
        if at is None or (at.stage, at.done, at.what) != (now.stage, now.done, now.what):
            self._since_s = self._now_s()
        self._at = now

    def words(self) -> str:
        """Return the reason and duration of the wait; "" if it is short.

        >>> seconds = iter([0.0, 0.0, 1.0, 40.0, 40.0])
        >>> waiting = Waiting(seconds.__next__, Load)
        >>> waiting.take(Progress(Stage.READING, 1, 9, "/home/a/report.pdf"))
        >>> waiting.words(), waiting.words()
        ('', 'report.pdf, 40 s')
        """
        silent_s = self._now_s() - self._since_s
        if silent_s < _SILENCE_S:
            return ""
        item = re.split(r"[/\\]", self._at.what)[-1] if self._at is not None else ""
        words = f"{item}, {duration(silent_s)}" if item else f"{duration(silent_s)} for this step"
        return f"{words}; {_BUSY}" if self._is_machine_busy() else words

    def _is_machine_busy(self) -> bool:
        if self._at is not None and self._at.slow is Reason.BUSY:
            return True
        now_s = self._now_s()
        if self._load is None:
            # Not before there is a silence: the first look costs a tenth of a second.
            self._load, self._checked_s = Machine().load, now_s
        elif now_s - self._checked_s >= _LOOK_EVERY_S:
            self._checked_s = now_s
            self._is_busy = self._load().other_programs > BUSY_SHARE
        return self._is_busy


_BUSY: Final = "the computer is busy with other programs"


@contextlib.contextmanager
def progress() -> Iterator[Callable[[Progress], None]]:
    """Show a progress bar on standard error, if that is a terminal.

    If nothing is reported for some seconds, the line shows the reason and the duration.
    """
    if not _shows_styles(is_error=True):
        yield lambda _progress: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    waiting = Waiting()

    class WaitingColumn(ProgressColumn):
        """The reason of the wait; drawn several times a second."""

        def render(self, _task: Task) -> Text:
            return Text(quoted(waiting.words()))

    shown = console(is_error=True, wraps=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[left]}"),
        WaitingColumn(),
    )
    with Bar(*columns, console=shown, transient=True) as bar:
        task = bar.add_task("Starting", total=None, left="")

        def show(now: Progress) -> None:
            waiting.take(now)
            bar.update(
                task,
                description=_STAGES[now.stage],
                completed=now.done,
                total=now.total or None,
                left=duration(now.left_s) + " left" if now.left_s else "",
            )

        yield show


@contextlib.contextmanager
def job() -> Iterator[Job]:
    """Yield a job with a progress bar on standard error; Ctrl-C cancels it and loses nothing."""
    with progress() as on_progress:
        job = Job(on_progress)
        if (screen := calling_process.screen()) is not None:
            screen.on_disconnect(job.cancel)
            yield job
            return

        def cancel(_signal_number: int, _frame: FrameType | None) -> None:
            job.cancel()

        before = signal.signal(signal.SIGINT, cancel)
        try:
            yield job
        finally:
            signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def requiring(sentence: str, *packages: str) -> Iterator[None]:
    """Import a part of Winnow that needs packages which may be missing.

    Raises:
        UsageError: one of them is missing; the sentence says how to install it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in packages:
            raise
        raise UsageError(sentence) from error


NO_SERVER: Final = "The server is not installed. Run: pip install 'winnow-search[server]'."


def print_json(value: dict[str, Any], indent: int | None = 2) -> None:
    """A value as JSON on standard output."""
    write(json_text(json.dumps(value, ensure_ascii=False, indent=indent)) + "\n")


def named_fields(value: object, names: str) -> dict[str, Any]:
    """Return the attributes of these names, with spaces between them, for JSON.

    >>> named_fields(Progress(Stage.READING, 1, 9), "done total")
    {'done': 1, 'total': 9}
    """
    return {name: getattr(value, name) for name in names.split()}


def failed_fields(failures: Iterable[Failure]) -> list[dict[str, str]]:
    """Return the fields of unread files for JSON."""
    return [{"path": readable_path(failure.path), "reason": failure.reason} for failure in failures]


def folder_fields(folder: Folder) -> dict[str, Any]:
    """Return the fields of a folder for JSON."""
    fields = named_fields(folder, "documents failed is_there description")
    return {"path": readable_path(folder.path), **fields}


def duration(seconds: float) -> str:
    """Return a length of time as a person says it.

    >>> duration(4.2), duration(75), duration(7300)
    ('4 s', '1 min 15 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def size(size_bytes: float) -> str:
    """Return a number of bytes as a person says it.

    >>> size(999), size(6_326_896), size(5_000_000_000)
    ('999 bytes', '6.3 MB', '5.0 GB')
    """
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size_bytes >= factor:
            return f"{size_bytes / factor:.1f} {unit}"
    return f"{size_bytes:.0f} bytes"


def count(quantity: int, noun: str) -> str:
    """Return a number with a noun in the singular or plural.

    >>> count(1, "file"), count(2000, "file")
    ('1 file', '2,000 files')
    """
    return f"{quantity:,} {noun}{'s' * (quantity != 1)}"


def print_report(report: SyncReport, *, all_failures: bool = False) -> None:
    """Print the report of an indexing run."""
    say(
        f"{report.documents:,} documents, {report.passages:,} passages, {report.tokens:,} tokens, "
        f"{size(report.index_bytes)} of index; {report.read:,} files read, "
        f"{report.removed:,} removed, in {duration(report.seconds)}."
    )
    say(files_line(report.files))
    _print_failures(report.failed, "winnow status --failures", is_all=all_failures)


_SIZES: Final = {
    "fast": "a search encodes only the query (the default)",
    "small": "a search also encodes its best passages, which takes three times as long",
}


def print_preview(preview: Preview, *, all_failures: bool = False) -> None:
    """Print the preview of indexing a folder."""
    say(f"{readable_path(preview.folder)}: {preview.files:,} files, {size(preview.size_bytes)}")
    for kind in preview.kinds:
        say(f"  {kind.name}: {kind.files:,}, {size(kind.size_bytes)}")
    if preview.excluded:
        say("Excluded (a folder counts once):")
    for rule, files in sorted(preview.excluded.items(), key=lambda counted: -counted[1]):
        say(f"  {rule}: {files:,}")
    _print_failures(preview.closed, "--failures", is_all=all_failures)
    if preview.in_cloud:
        say(f"{count(preview.in_cloud, 'file')} in the cloud only, not downloaded.")
    if preview.waiting:
        say(
            f"{count(preview.waiting, 'file')}, {size(preview.waiting_bytes)}, would be indexed: "
            f"searchable by words in about {duration(preview.reading_s)}, by meaning in about "
            f"{duration(preview.encoding_s)} more."
        )
        if preview.has_recognition:
            say("Recognising text in pictures and scans takes longer and adds to the index.")
        say("The index would take up about:")
        for index_size, size_bytes in preview.bytes_by_size.items():
            if about := _SIZES.get(index_size):
                say(f"  {size(size_bytes)} as {index_size}: {about}")
    else:
        say("The index is up to date for this folder.")


def print_folders(folders: Sequence[Folder]) -> None:
    """Print the library's folders, with their descriptions and rules."""
    for folder in folders:
        _print_folder(folder)
        if folder.description:
            say(f"  {quoted(folder.description)}")
        rules = folder.rules
        parts = [f"exclude {pattern}" for pattern in rules.exclude]
        parts += [f"only {pattern}" for pattern in rules.only]
        if rules.largest_bytes is not None:
            parts.append(f"at most {size(rules.largest_bytes)}")
        if not rules.respects_gitignore:
            parts.append("ignoring .gitignore")
        if parts:
            say(f"  {'; '.join(parts)}")
    if not folders:
        say("The library has no folders yet. Add one with winnow index FOLDER.")


def print_status(
    status: Status, failures: Sequence[Failure], *, all_failures: bool = False
) -> None:
    """Print the library's status."""
    say(f"Library {status.home}, model {status.model}")
    if status.coming_model:
        say(
            f"A new index is being built with {status.coming_model}; until it is complete, "
            "searches use the old one."
        )
    for folder in status.folders:
        _print_folder(folder, "  ")
    waiting = f" ({status.waiting:,} not yet searchable by meaning)" if status.waiting else ""
    say(
        f"{status.documents:,} documents, {status.passages:,} passages{waiting}; "
        f"index {size(status.index_bytes)}, text and words {size(status.catalog_bytes)}."
    )
    say(files_line(status.files))
    if in_cloud := status.files.in_cloud:
        say(
            f"{count(in_cloud, 'file')} in the cloud only: found by name, and read once on "
            "this computer."
        )
    _print_failures(failures, "winnow status --failures", is_all=all_failures)


def files_line(files: FileCounts) -> str:
    """Return the number of files in each list, in one line.

    >>> from core.catalog.files.file_lists import FileCounts
    >>> files_line(FileCounts(21, 12, 1, 5, excluded_folders=2))
    'Files: 39 (21 documents, 12 without text, 1 unreadable, 5 excluded); 2 folders excluded.'
    """
    parts = [
        count(files.documents, "document"),
        f"{files.without_text:,} without text",
        f"{files.unreadable:,} unreadable",
        f"{files.excluded:,} excluded",
    ]
    if files.archives:
        parts.append(count(files.archives, "archive"))
    if files.in_cloud:
        parts.append(f"{files.in_cloud:,} in the cloud only")
    if files.waiting:
        parts.append(f"{files.waiting:,} not read yet")
    folders = ""
    if files.excluded_folders:
        folders = f"; {count(files.excluded_folders, 'folder')} excluded"
    return f"Files: {files.seen:,} ({', '.join(parts)}){folders}."


def print_group(group: FileGroup) -> None:
    """Print a reason and all files that have it."""
    say(f"{group.count:,}: {group.reason}")
    for file in group.files:
        say(f"    {readable_path(file.path)}{'/' if file.is_folder else ''}")


def _print_folder(folder: Folder, before: str = "") -> None:
    missing = "" if folder.is_there else " (offline; its documents are kept)"
    say(f"{before}{readable_path(folder.path)}: {folder.documents:,} documents{missing}")


def _print_failures(failures: Sequence[Failure], listing: str, *, is_all: bool) -> None:
    """Print the unread files, each or by reason; `listing` is the command that lists each."""
    if failures:
        say(f"{count(len(failures), 'file')} could not be read:")
    if is_all or len(failures) <= MOST_FAILURES:
        for failure in failures:
            say(f"  {readable_path(failure.path)}: {failure.reason}")
        return
    by_reason = defaultdict(list)
    for failure in failures:
        by_reason[failure.reason].append(failure.path)
    reasons = sorted(by_reason.items(), key=lambda entry: -len(entry[1]))
    for reason, paths in reasons[:_REASONS_SHOWN]:
        more = f" and {len(paths) - _EXAMPLES:,} more" if len(paths) > _EXAMPLES else ""
        say(f"  {len(paths):,}: {reason}")
        for path in paths[:_EXAMPLES]:
            say(f"      {readable_path(path)}")
        if more:
            say(f"     {more}")
    if rest := reasons[_REASONS_SHOWN:]:
        say(f"  {sum(len(paths) for _, paths in rest):,}: {len(rest):,} other reasons")
    say(f"Run {listing} to list them all.")
