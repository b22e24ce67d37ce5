"""What the command line shows a person: progress, results, reports."""

from __future__ import annotations

import contextlib
import json
import signal
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from core.progress import Job, Progress, Stage

if TYPE_CHECKING:
    from rich.text import Text

    from core.catalog.records import Failure, Folder, NamedDocument, Preview, Status, SyncReport
    from core.evaluation.run import Evaluation
    from core.search.results import PassageHit, QueryToken, SearchResults

_STAGES = {
    Stage.SCANNING: "Looking through folders",
    Stage.READING: "Reading",
    Stage.PREPARING: "Preparing the model",
    Stage.ENCODING: "Encoding passages",
    Stage.CHECKING: "Checking files",
    Stage.MEASURING: "Measuring",
}
_SNIPPET_CHARACTERS = 300


model_option = click.option(
    "--model", metavar="NAME|DIR", help="A built-in model, or a folder that holds one."
)


@contextlib.contextmanager
def progress() -> Iterator[Callable[[Progress], None]]:
    """A progress bar on standard error; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None, left="")

        def show(now: Progress) -> None:
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
    """A job with a progress bar on standard error; Ctrl-C cancels it and loses nothing."""
    with progress() as on_progress:
        job = Job(on_progress)

        def cancel(_number: int, _frame: FrameType | None) -> None:
            job.cancel()

        before = signal.signal(signal.SIGINT, cancel)
        try:
            yield job
        finally:
            signal.signal(signal.SIGINT, before)


def print_json(value: dict[str, Any], indent: int | None = 2) -> None:
    """A value as JSON on standard output."""
    # As bytes: UTF-8 whatever the terminal's encoding, and a query or a name that is no text is no
    # error.
    click.echo(json.dumps(value, ensure_ascii=False, indent=indent).encode(errors="replace"))


def duration(seconds: float) -> str:
    """A length of time as a person says it.

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
    """A number of bytes as a person says it.

    >>> size(999), size(6_326_896), size(5_000_000_000)
    ('999 bytes', '6.3 MB', '5.0 GB')
    """
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size_bytes >= factor:
            return f"{size_bytes / factor:.1f} {unit}"
    return f"{size_bytes:.0f} bytes"


def print_report(report: SyncReport) -> None:
    """What an indexing run did."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    console.print(
        f"{report.documents:,} documents, {report.passages:,} passages, {report.tokens:,} tokens, "
        f"{size(report.index_bytes)} of index; {report.read:,} files read, "
        f"{report.removed:,} gone, in {duration(report.seconds)}.",
        markup=False,
    )
    if report.without_text:
        console.print(f"{len(report.without_text):,} have no text: scans, drawings, empty files.")
    if report.skipped:
        console.print(f"{len(report.skipped):,} files are of kinds that Winnow does not read.")
    _print_failures(console.print, report.failed)


def print_preview(preview: Preview) -> None:
    """What indexing a folder would do."""
    from rich.console import Console

    def show(line: str) -> None:
        console.print(line, markup=False)

    console = Console(highlight=False, soft_wrap=True)
    show(f"{preview.folder}: {preview.files:,} files, {size(preview.size_bytes)}")
    for kind in preview.kinds:
        show(f"  {kind.name}: {kind.files:,}, {size(kind.size_bytes)}")
    if preview.left_out:
        show("Left out, each folder with all that is in it counted once:")
    for rule, count in sorted(preview.left_out.items(), key=lambda one: -one[1]):
        show(f"  {rule}: {count:,}")
    _print_failures(console.print, preview.closed)
    if preview.waiting:
        show(
            f"{preview.waiting:,} files, {size(preview.waiting_bytes)}, would be read: "
            f"found by words in about {duration(preview.reading_s)}, by meaning in about "
            f"{duration(preview.encoding_s)} more."
        )
    else:
        show("All of it is in the library as it is now.")


def print_folders(folders: Sequence[Folder]) -> None:
    """The library's folders, each with what is left out of it."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for folder in folders:
        missing = "" if folder.is_there else " (offline; nothing of it is forgotten)"
        console.print(f"{folder.path}: {folder.documents:,} documents{missing}", markup=False)
        rules = folder.rules
        parts = [f"without {pattern}" for pattern in rules.exclude]
        parts += [f"only {pattern}" for pattern in rules.only]
        if rules.largest_bytes is not None:
            parts.append(f"nothing above {size(rules.largest_bytes)}")
        if not rules.heeds_gitignore:
            parts.append("also what .gitignore names")
        if parts:
            console.print(f"  {'; '.join(parts)}", markup=False)
    if not folders:
        console.print("The library has no folders yet; add one with winnow index FOLDER.")


def print_status(status: Status, failures: Sequence[Failure]) -> None:
    """What the library holds."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    coming = f" ({status.coming_model} is being prepared)" if status.coming_model else ""
    console.print(f"Library {status.home}, model {status.model}{coming}", markup=False)
    for folder in status.folders:
        missing = "" if folder.is_there else " (offline; nothing of it is forgotten)"
        console.print(f"  {folder.path}: {folder.documents:,} documents{missing}", markup=False)
    waiting = f", {status.waiting:,} of them by words only as yet" if status.waiting else ""
    console.print(
        f"{status.documents:,} documents, {status.passages:,} passages{waiting}; "
        f"index {size(status.index_bytes)}, text and words {size(status.catalog_bytes)}.",
        markup=False,
    )
    _print_failures(console.print, failures)


def _print_failures(show: Callable[..., None], failures: Sequence[Failure]) -> None:
    if failures:
        show(f"{len(failures):,} could not be read:")
    for failure in failures:
        show(f"  {failure.path}: {failure.reason}", markup=False)


def print_results(results: SearchResults) -> None:
    """The found documents, each with its best passage and the words that made the match lit."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for rank, hit in enumerate(results.hits, 1):
        best = hit.passages[0]
        page = f", page {best.passage.page}" if hit.has_page_images else ""
        console.print(Text.assemble(f"{rank:2}  ", (hit.title or hit.path.name, "bold")))
        console.print(Text(f"    {hit.path}{page}  ({best.score:.3f})", style="dim"))
        console.print(snippet(best, results.tokens))
        console.print()
    if results.named:
        console.print("Named so:" if results.hits else "In no text, but named so:")
    for named in results.named:
        console.print(f"    {named.path}{_state(named)}", markup=False)
    if not (results.hits or results.named):
        console.print("Nothing was found; try other or fewer words.")


def _state(named: NamedDocument) -> str:
    if named.reason:
        return f" ({named.reason})"
    return " (not read yet)" if named.is_waiting else ""


def snippet(hit: PassageHit, tokens: Sequence[QueryToken]) -> Text:
    """The part of a passage round its first lit words, as rich's Text; `tokens` are the query's."""
    from rich.text import Text

    from core.search.pieces import LIT_FROM, led

    telling = {token.index for token in tokens if token.is_telling}
    spans = [
        (one.start, one.end)
        for one in led(tokens, hit.alignments)
        if one.query_index in telling and not one.in_context and one.similarity >= LIT_FROM
    ] or list(hit.words)
    text = hit.passage.text
    first = min((start for start, _ in spans), default=0)
    begin = max(0, first - _SNIPPET_CHARACTERS // 4)
    if begin:
        begin = text.find(" ", begin, first) + 1 or begin
    shown = Text(text[begin : begin + _SNIPPET_CHARACTERS].replace("\n", " "))
    for start, end in spans:
        shown.stylize("bold yellow", max(0, start - begin), max(0, end - begin))
    before = "… " if begin else ""
    after = " …" if begin + _SNIPPET_CHARACTERS < len(text) else ""
    return Text.assemble("    ", before, shown, after)


def print_evaluation(evaluation: Evaluation) -> None:
    """One line of figures."""
    from rich.console import Console

    Console(highlight=False, soft_wrap=True).print(
        f"{evaluation.dataset:12} {evaluation.mode:8} {evaluation.alignment} {evaluation.bits} bits"
        f"  nDCG@10 {evaluation.ndcg_at_10:.4f}  MRR@10 {evaluation.mrr_at_10:.4f}"
        f"  recall@100 {evaluation.recall_at_100:.4f}  success@5 {evaluation.success_at_5:.4f}"
        f"  {evaluation.bytes_per_token:.1f} bytes a token"
        f"  p50 {evaluation.p50_ms:.1f} ms  p95 {evaluation.p95_ms:.1f} ms",
        markup=False,
    )
