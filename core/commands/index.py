"""The commands that fill the library, and manage its folders."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.addresses import readable_path
from core.commands import settings, terminal
from core.errors import UsageError, WinnowError
from core.files.locations import Location
from core.model_names import BUILT_IN, MULTILINGUAL

if TYPE_CHECKING:
    from core.catalog.files.folders import FolderRules
    from core.catalog.reports import Preview, SyncReport
    from core.indexing.read.executor import Executor
    from core.library.library import Library

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(k|m|g|)b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


@click.command()
@click.argument("folders", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--exclude",
    multiple=True,
    metavar="PATTERN",
    help='Exclude files that match PATTERN, in .gitignore syntax; "!PATTERN" includes them again. '
    "Can be repeated.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="PATTERN",
    help="Include only files that match PATTERN. Can be repeated.",
)
@click.option("--largest", metavar="SIZE", help="Exclude files larger than SIZE, for example 20MB.")
@click.option("--no-gitignore", is_flag=True, help="Ignore .gitignore files.")
@click.option(
    "--ocr/--no-ocr",
    default=None,
    help="Turn text recognition in images and scanned pages on or off. Saved in the settings.",
)
@click.option("--plain", is_flag=True, help="Reset the rules of FOLDERS to the defaults.")
@click.option("--retry", is_flag=True, help="Retry files that could not be read.")
@click.option("--dry-run", is_flag=True, help="Show what would be indexed without indexing it.")
@click.option("--watch", is_flag=True, help="Watch the folders and update the index until Ctrl-C.")
@click.option(
    "--ray",
    "cluster",
    envvar="WINNOW_RAY",
    metavar="ADDRESS",
    help="Read and encode on a Ray cluster: HOST:PORT, ray://HOST:PORT or auto; local starts one "
    "on this machine, to try it: indexing without is faster.  [env: WINNOW_RAY]",
)
@terminal.model_option
@terminal.failures_option
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def index(
    folders: tuple[Path, ...],
    exclude: tuple[str, ...],
    only: tuple[str, ...],
    largest: str | None,
    no_gitignore: bool,
    ocr: bool | None,
    plain: bool,
    retry: bool,
    dry_run: bool,
    watch: bool,
    cluster: str | None,
    model: str | None,
    all_failures: bool,
    as_json: bool,
) -> None:
    """Add folders to the library and update the index.

    With FOLDERS, only these are scanned for changes; they may be inside a folder of the library.
    Without FOLDERS, update the folders already in the library. Rules such as --exclude are saved
    with FOLDERS and stay in force until new ones are given.

    \b
    Examples:
      winnow index ~/Documents ~/Desktop
      winnow index ~/src --only "*.py" --exclude build/
      winnow index --watch
    """
    from core.catalog.files.folders import NO_RULES, FolderRules
    from core.library.library import Library, LibraryOptions

    rules = FolderRules(exclude, only, size_bytes(largest), not no_gitignore)
    new_rules = rules if plain or rules != NO_RULES else None
    _check_usage(folders, has_rules=new_rules is not None, watch=watch, prints=dry_run or as_json)
    if cluster and not dry_run:
        _restrict_network(cluster, folders)
    if ocr is not None:
        _turn_recognition(is_on=ocr)
    with Library.open(options=LibraryOptions(model=model)) as library:
        if dry_run:
            _preview(library, folders, new_rules, as_json=as_json, all_failures=all_failures)
            return
        for folder in folders:
            library.add_folder(folder, new_rules)
        if not library.folders():
            raise UsageError("The library has no folders yet. Add one with winnow index FOLDER.")
        if retry:
            library.retry()
        with _executor(cluster) as executor:
            # Watching reports later changes only, so all folders are scanned before.
            report = _sync(library, () if watch else folders, executor)
            if watch:
                terminal.print_report(report, all_failures=all_failures)
                _print_problems(report)
                _watch(library, executor)
                return
        if as_json:
            terminal.print_json(_report_fields(report))
        else:
            terminal.print_report(report, all_failures=all_failures)
            _offer_model(library.offered_share())
    if report.notice:
        terminal.say(f"winnow: {report.notice}", is_error=True)
    if report.problem:
        raise WinnowError(report.problem)


def _check_usage(folders: Sequence[Path], *, has_rules: bool, watch: bool, prints: bool) -> None:
    """Check that the options of `index` fit together.

    Raises:
        UsageError: they do not.
    """
    if has_rules and not folders:
        raise UsageError(
            "Rules such as --exclude require a folder: winnow index FOLDER --exclude PATTERN."
        )
    if watch and prints:
        raise UsageError("--watch cannot be used with --dry-run or --json.")


def _turn_recognition(*, is_on: bool) -> None:
    """Turn text recognition on or off in the settings.

    Raises:
        UsageError: it is not installed.
    """
    from core.files import paths
    from core.settings import change_settings

    settings.check_recognition(is_on=is_on)
    change_settings(paths.home() / "settings.json", ocr=is_on)


def _preview(
    library: Library,
    folders: Sequence[Path],
    rules: FolderRules | None,
    *,
    as_json: bool,
    all_failures: bool,
) -> None:
    """Print what would be indexed."""
    previews, beginnings = _previews(library, folders, rules)
    if as_json:
        terminal.print_json({"folders": [_preview_fields(preview) for preview in previews]})
        return
    for preview in previews:
        terminal.print_preview(preview, all_failures=all_failures)
    _offer_model(library.offered_share(beginnings))


def _sync(library: Library, folders: Sequence[Path], executor: Executor | None) -> SyncReport:
    """Sync these folders, or all if none is named, with a progress bar."""
    scanned = [_resolved(folder) for folder in folders] or None
    with terminal.job() as job:
        return library.sync(job, scanned, executor=executor)


@click.command()
@click.option(
    "--remove",
    "removed",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Remove FOLDER from the library. Its files are not touched. Can be repeated.",
)
@click.option(
    "--describe",
    "described",
    multiple=True,
    type=(click.Path(path_type=Path), str),
    metavar="FOLDER TEXT",
    help='Describe FOLDER in one line, for AI agents: "tax papers since 2019"; "" removes the '
    "description.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the folders as JSON.")
def folders(
    removed: tuple[Path, ...], described: tuple[tuple[Path, str], ...], as_json: bool
) -> None:
    """List or change the library's folders.

    \b
    Examples:
      winnow folders
      winnow folders --describe ~/Taxes "tax papers since 2019"
      winnow folders --remove ~/Old
    """
    from core.library.library import Library

    with Library.open() as library:
        for folder, description in described:
            library.describe_folder(folder, description)
        for folder in removed:
            library.remove_folder(folder)
        listed = library.folders()
    if as_json:
        fields = [terminal.folder_fields(folder) | asdict(folder.rules) for folder in listed]
        terminal.print_json({"folders": fields})
    else:
        terminal.print_folders(listed)


def size_bytes(text: str | None) -> int | None:
    """Return a size as a person writes it.

    Raises:
        UsageError: it is invalid.

    >>> size_bytes("20MB"), size_bytes("1.5 k"), size_bytes(None)
    (20000000, 1500, None)
    """
    if text is None:
        return None
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise UsageError("{0} is not a size. Use 500kB, 20MB or 2GB, for example.", f"{text!r}")
    return round(float(match[1]) * _UNITS[match[2].lower()])


def _restrict_network(cluster: str, folders: Sequence[Path]) -> None:
    """Block all network except loopback if a cluster is started on this machine.

    Call it before opening anything: it restarts the program.

    Raises:
        UsageError: one of the folders cannot be reached then.
    """
    from core.cluster import loopback
    from core.cluster.connection import LOCAL, require_ray

    require_ray()
    if cluster == LOCAL and loopback.needs_namespace():
        for unreached in (folder for folder in folders if not Location.of(folder).is_local):
            raise UsageError(
                "{0} cannot be reached because --ray local has no network access. Index without "
                "--ray, or start a cluster yourself.",
                unreached,
            )
        loopback.enter()


@contextlib.contextmanager
def _executor(cluster: str | None) -> Iterator[Executor | None]:
    """Return the executor of a cluster; None if none is named."""
    if not cluster:
        yield None
        return
    from core.cluster.executor import connected

    with connected(cluster) as executor:
        yield executor


def _watch(library: Library, executor: Executor | None) -> None:
    """Update the index until Ctrl-C."""
    stop = threading.Event()
    for changed in library.watcher().changes(stop):
        with terminal.job() as job:
            report = library.sync(job, changed, background=True, executor=executor)
        if report.read or report.removed:
            terminal.say(f"{report.read:,} files read, {report.removed:,} removed.")
        _print_problems(report)


def _resolved(folder: Path) -> Path:
    """Return the path of a folder as scans report it."""
    from core.indexing.scan.scanning import root_at

    return root_at(folder)


def _previews(
    library: Library, named: Sequence[Path], rules: FolderRules | None
) -> tuple[list[Preview], list[str]]:
    """Return what would be indexed, with the beginnings of some of its documents."""
    previewed = named or [folder.path for folder in library.folders() if folder.is_there]
    if not previewed:
        raise UsageError(
            "The library has no folders yet. Give one to preview: winnow index --dry-run FOLDER."
        )
    with terminal.job() as job:
        previews = [library.preview(folder, rules, job) for folder in previewed]
        samples = [library.read_sample(preview, job) for preview in previews]
    scaled = [preview.scaled(read.scale) for preview, read in zip(previews, samples, strict=True)]
    return scaled, [text for read in samples for text in read.beginnings]


def _offer_model(share: float) -> None:
    """Recommend the multilingual model if many texts are not in English."""
    if share:
        terminal.say(
            f"About {share:.0%} of the documents are not in English, the only language of the "
            f"model {BUILT_IN}. To search them by meaning: winnow settings --model {MULTILINGUAL} "
            "(indexing takes about twice as long)."
        )


def _print_problems(report: SyncReport) -> None:
    for sentence in filter(None, (report.notice, report.problem)):
        terminal.say(sentence, is_error=True)


def _report_fields(report: SyncReport) -> dict[str, Any]:
    return {
        **terminal.named_fields(report, "documents passages tokens tokens_kept"),
        "failed": terminal.failed_fields(report.failed),
        "without_text": [readable_path(path) for path in report.without_text],
        "skipped": len(report.unsupported),
        "skipped_files": [readable_path(path) for path in report.unsupported],
        "excluded": {rule.name.lower(): count for rule, count in report.excluded.items()},
        "seconds": round(report.seconds, 3),
        **terminal.named_fields(report, "index_bytes problem notice"),
    }


def _preview_fields(preview: Preview) -> dict[str, Any]:
    return {
        "path": readable_path(preview.folder),
        **terminal.named_fields(preview, "files size_bytes"),
        "kinds": [asdict(kind) for kind in preview.kinds],
        "excluded": {rule.name.lower(): count for rule, count in preview.excluded.items()},
        "failed": terminal.failed_fields(preview.closed),
        **terminal.named_fields(preview, "waiting in_cloud waiting_bytes"),
        "reading_s": round(preview.reading_s, 1),
        "encoding_s": round(preview.encoding_s, 1),
        "index_bytes": preview.index_bytes,
        "bytes_by_size": {size.value: count for size, count in preview.bytes_by_size.items()},
    }
