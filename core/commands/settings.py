"""`winnow settings` and `winnow rebuild`: settings of the index, and rebuilding it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from core.commands import terminal
from core.errors import UsageError
from core.throttle import BackgroundLoad

if TYPE_CHECKING:
    from core.indexing.build.index_settings import Choices, Way
    from core.library.library import Library


@click.command()
@click.option(
    "--model",
    metavar="NAME|DIR|own",
    help="Set the model: a built-in one, a folder, or own for the library's.",
)
@click.option(
    "--index-size",
    type=click.Choice(("small", "fast", "exact")),
    help="Set the index: small; fast, which is larger and makes searches quicker; or exact, for "
    "evaluation.",
)
@click.option(
    "--device", metavar="KEY|fastest", help="Set the device that runs the model; see --devices."
)
@click.option(
    "--ocr/--no-ocr",
    default=None,
    help="Turn text recognition in images and scanned pages on or off.",
)
@click.option(
    "--background-load",
    type=click.Choice([load.value for load in BackgroundLoad]),
    help="Set the speed of background work.",
)
@click.option("--undo", is_flag=True, help="Return to the settings of the current index.")
@click.option("--devices", is_flag=True, help="List the devices available on this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print the settings as JSON.")
def settings(
    model: str | None,
    index_size: str | None,
    device: str | None,
    ocr: bool | None,
    background_load: str | None,
    undo: bool,
    devices: bool,
    as_json: bool,
) -> None:
    """Show or change the settings of the library.

    Changes to the model or the index size rebuild the index on the next winnow index. The current
    index stays in use until then; --undo returns to its settings.

    \b
    Examples:
      winnow settings
      winnow settings --model winnow-mini-multi
      winnow settings --ocr --background-load gentle
    """
    from core.library.library import Library

    changes = _changes_of(model, index_size, device, ocr, background_load)
    if undo and changes:
        raise UsageError("--undo cannot be used with other settings.")
    with Library.open() as library:
        choosing = library.choosing
        if undo:
            choosing.take_back()
        elif changes:
            choosing.choose(**changes)
        now = choosing.choices()
        listed_devices = choosing.devices() if devices or as_json else ()
        seconds = _encoding_s(library, now)
    if as_json:
        terminal.print_json(
            {
                **terminal.named_fields(
                    now.settings, "model index_size device ocr background_load"
                ),
                "asked": asdict(now.configured),
                "answering": None if now.answering is None else asdict(now.answering),
                "encoding_s": None if seconds is None else round(seconds, 1),
                "models": now.models,
                "devices": [{"key": device.key, "name": device.name} for device in listed_devices],
                "costs": [asdict(cost) for cost in now.costs],
            }
        )
        return
    _print(now)
    if seconds is not None:
        terminal.say(
            f"The next winnow index rebuilds the index in about {terminal.duration(seconds)}. "
            "The current index stays in use until then."
        )
    if devices:
        for there in listed_devices:
            terminal.say(f"{there.key:<16} {there.name}")
    _print_costs(now)


@click.command()
@click.option(
    "--give-up", is_flag=True, help="Stop a rebuild; keep everything not rebuilt yet as it is."
)
def rebuild(give_up: bool) -> None:
    """Rebuild the index from the files.

    The current index stays in use meanwhile. An interrupted rebuild continues on the next winnow
    index.

    \b
    Examples:
      winnow rebuild
      winnow rebuild --give-up
    """
    from core.library.library import Library

    with Library.open() as library:
        if give_up:
            library.keep_as_built()
            terminal.say("The rebuild was stopped. Everything not rebuilt yet stays as it is.")
            return
        if not library.status().is_rebuilding:
            library.rebuild()
        with terminal.job() as job:
            report = library.sync(job)
    terminal.print_report(report)


def _changes_of(
    model: str | None,
    index_size: str | None,
    device: str | None,
    ocr: bool | None,
    background_load: str | None,
) -> dict[str, Any]:
    from core.settings import IndexSize

    changes: dict[str, Any] = {}
    if model is not None:
        changes["model"] = "" if model == "own" else model
    if index_size is not None:
        changes["index_size"] = IndexSize(index_size)
    if device is not None:
        changes["device"] = "" if device == "fastest" else device
    if ocr is not None:
        check_recognition(is_on=ocr)
        changes["ocr"] = ocr
    if background_load is not None:
        changes["background_load"] = BackgroundLoad(background_load)
    return changes


def check_recognition(*, is_on: bool) -> None:
    """Check that text recognition is available, if it is on.

    Raises:
        UsageError: what does it is not installed.
    """
    from core.documents.pages.recognition import is_installed
    from core.documents.recogniser import NOT_INSTALLED

    if is_on and not is_installed():
        raise UsageError(NOT_INSTALLED)


def _encoding_s(library: Library, now: Choices) -> float | None:
    """Return the estimated seconds of rebuilding the index; None if it is not needed."""
    if not (now.is_changing and now.passages):
        return None
    with terminal.job() as job:
        return library.choosing.encoding_s(job)


def _print(now: Choices) -> None:
    settings = now.settings
    whose = "" if settings.model else " (the library's own)"
    rows = [
        ("Model", f"{now.configured.model}{whose}"),
        ("Index size", _size_in_words(now)),
        ("Device", settings.device or "fastest available"),
        ("Text recognition", ("on" if settings.ocr else "off") if now.recognises else _MISSING),
        ("Background work", settings.background_load.value),
    ]
    if now.is_changing and now.answering is not None:
        rows.append(("In use until then", _in_words(now.answering)))
    for name, value in rows:
        terminal.say(f"{name:<21} {value}")


_MISSING = "not installed (pip install 'winnow-search[ocr]')"


def _size_in_words(now: Choices) -> str:
    if now.lacks_room:
        return "fast, but small now: fast would take up too much of the free disk space"
    return now.settings.index_size.value


def _in_words(way: Way) -> str:
    return way.model if way.size is None else f"{way.model}, {way.size}"


def _print_costs(now: Choices) -> None:
    terminal.say("")
    terminal.say(f"{'index size':<10} {'on disk':>10} {'bytes/token':>14}  nDCG@10 loss")
    for cost in now.costs:
        lost = "not measured" if cost.points_lost is None else f"{cost.points_lost:.1f} points"
        size = terminal.size(cost.index_bytes)
        terminal.say(f"{cost.size:<10} {size:>10} {cost.bytes_per_token:>14.1f}  {lost}")
    terminal.say(
        "Loss by meaning alone, measured with winnow-mini on nine data sets not used in training."
    )
