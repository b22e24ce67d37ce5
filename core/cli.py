"""The command line: a thin layer over `Library`, for people at a terminal and for measuring."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import core
from core import (
    adapt_command,
    explain_command,
    index_commands,
    mcp_command,
    search_command,
    study_command,
    terminal,
    training_commands,
)
from core.errors import Cancelled, WinnowError

if TYPE_CHECKING:
    from core.evaluation.run import Evaluation

_log = logging.getLogger(__name__)

_MODES = ("hybrid", "meaning", "words")

_model_option = click.option(
    "--model", metavar="NAME|DIR", help="A built-in model, or a folder that holds one."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit status: 0, 1 (it failed), 2 (wrong use) or 130 (Ctrl-C)."""
    logging.basicConfig(
        level=logging.DEBUG if os.environ.get("WINNOW_DEBUG") else logging.CRITICAL,
        format="%(levelname)s %(name)s: %(message)s",
    )
    try:
        commands.main(args=arguments, prog_name="winnow", standalone_mode=False)
    except WinnowError as error:
        return _complain(str(error), error.exit_status)
    except click.ClickException as error:
        return _complain(error.format_message().rstrip(".") + "; see winnow --help.", 2)
    except (Cancelled, click.Abort, KeyboardInterrupt):
        return _complain(
            "Stopped. What was done is kept; the same command goes on from there.", 130
        )
    except (BrokenPipeError, SystemExit):
        # Who read our output has seen enough (`winnow search … | head`); click leaves then.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - a person at a terminal gets a sentence
        _log.exception("unexpected")
        return _complain(
            f"An unexpected error in Winnow ({type(error).__name__}: {error}); "
            "set WINNOW_DEBUG=1 to see where.",
            1,
        )
    return 0


def _complain(sentence: str, status: int) -> int:
    click.echo(f"winnow: {sentence}", err=True)
    return status


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(core.__version__, prog_name="winnow")
def commands() -> None:
    """Search your own folders by meaning and by words, offline.

    Without a command the window opens. WINNOW_HOME names the library's folder.
    """


@commands.command()
@click.option("--json", "as_json", is_flag=True, help="Print the status as JSON.")
def status(as_json: bool) -> None:
    """Say what the library holds and what could not be read."""
    from core.library import Library

    with Library.open() as library:
        now = library.status()
        failures = library.failures()
    if as_json:
        terminal.print_json(
            {
                "home": str(now.home),
                "model": now.model,
                "coming_model": now.coming_model,
                "folders": [
                    {
                        "path": str(folder.path),
                        "documents": folder.documents,
                        "failed": folder.failed,
                        "is_there": folder.is_there,
                    }
                    for folder in now.folders
                ],
                "documents": now.documents,
                "passages": now.passages,
                "waiting": now.waiting,
                "tokens": now.tokens,
                "tokens_kept": now.tokens_kept,
                "failed": [
                    {"path": str(failure.path), "reason": failure.reason} for failure in failures
                ],
                "index_bytes": now.index_bytes,
                "catalog_bytes": now.catalog_bytes,
            }
        )
    else:
        terminal.print_status(now, failures)


@commands.command()
@click.option("--repair", is_flag=True, help="Make anew what is damaged, from the stored text.")
def check(repair: bool) -> None:
    """Compare every byte of the library with what was written."""
    from core.library import Library

    with Library.open() as library, terminal.job() as job:
        report = library.check(repairs=repair, job=job)
    for problem in report.problems:
        click.echo(problem)
    summary = f"{report.files:,} index files, {terminal.size(report.size_bytes)}"
    if not report.problems:
        click.echo(f"All is as it was written: {summary}.")
    elif report.is_repaired:
        click.echo("What was damaged has been made anew.")
    elif repair:
        raise WinnowError("Not all could be repaired; see the sentences above.")
    else:
        raise WinnowError("The library is damaged; winnow check --repair makes it whole.")


@commands.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--split", default="test", show_default=True)
@click.option(
    "--mode",
    "modes",
    type=click.Choice(_MODES),
    multiple=True,
    default=("hybrid",),
    show_default=True,
    help="May be given several times; the data set is indexed once.",
)
@click.option("--alignment", default="topk:1", show_default=True, help="topk:K or topp:P.")
@click.option("--bits", default=2, show_default=True, help="1, 2, 4, or 32 for uncompressed.")
@click.option(
    "--keep",
    metavar="all|WAY:SHARE",
    help="What is kept of a passage's vectors, for example weighted-pooling:0.4; "
    "by default what the model is made for.",
)
@_model_option
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON, a mode a line.")
def evaluate(
    folder: Path,
    split: str,
    modes: tuple[str, ...],
    alignment: str,
    bits: int,
    keep: str | None,
    model: str | None,
    as_json: bool,
) -> None:
    """Measure search on a judged data set in BEIR's layout."""
    from core.alignment.keeping import Keeping
    from core.alignment.pairwise import AlignmentStrategy
    from core.evaluation import run
    from core.library import LibraryOptions
    from core.search.results import Mode

    options = LibraryOptions(
        bits, AlignmentStrategy.parse(alignment), model, Keeping.parse(keep) if keep else None
    )
    with terminal.job() as job:
        figures = run.evaluate(folder, split, tuple(map(Mode, modes)), options, job)
    for evaluation in figures:
        if as_json:
            terminal.print_json(_evaluation_fields(evaluation), indent=None)
        else:
            terminal.print_evaluation(evaluation)


@commands.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--split", default="train", show_default=True, help="Whose documents are used.")
@click.option("--centroids", default=1024, show_default=True)
@click.option("--whitening", default=0.2, show_default=True)
@_model_option
def fit(
    folders: tuple[Path, ...], split: str, centroids: int, whitening: float, model: str | None
) -> None:
    """Learn a model's codebook anew from data sets in FOLDERS, and keep it with the model.

    A model without a projection of its own training, as minilm-128, has its projection learned
    before. Only documents that are judged in SPLIT, and in no other split, are used.
    """
    from core.encoders.checkpoint import BUILT_IN, load_checkpoint
    from core.evaluation.data import DataSet
    from core.evaluation.run import as_document
    from core.training import codebook

    corpora = []
    for folder in folders:
        data = DataSet(folder)
        judged = {
            name: {one for grades in data.split(name).judgements.values() for one in grades}
            for name in {*data.splits, split}
        }
        kept = judged.pop(split).difference(*judged.values())
        corpora.append([as_document(one) for one in data.documents() if one.id in kept])
    recipe = codebook.CodebookRecipe(centroids=centroids, whitening=whitening)
    terminal.print_json(codebook.learn(load_checkpoint(model or BUILT_IN), corpora, recipe))


commands.add_command(adapt_command.adapt)
commands.add_command(index_commands.index)
commands.add_command(index_commands.folders)
commands.add_command(mcp_command.mcp)
commands.add_command(search_command.search)
commands.add_command(explain_command.explain)
commands.add_command(study_command.study)
commands.add_command(training_commands.train)
commands.add_command(training_commands.mine)


def _evaluation_fields(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "dataset": evaluation.dataset,
        "queries": evaluation.queries,
        "documents": evaluation.documents,
        "mode": str(evaluation.mode),
        "alignment": evaluation.alignment,
        "bits": evaluation.bits,
        "beta_q": evaluation.beta_q,
        "beta_d": evaluation.beta_d,
        "ndcg@10": round(evaluation.ndcg_at_10, 4),
        "mrr@10": round(evaluation.mrr_at_10, 4),
        "recall@100": round(evaluation.recall_at_100, 4),
        "success@5": round(evaluation.success_at_5, 4),
        "bytes_per_token": round(evaluation.bytes_per_token, 2),
        "latency_ms": {"p50": round(evaluation.p50_ms, 2), "p95": round(evaluation.p95_ms, 2)},
    }
