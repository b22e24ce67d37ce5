"""`winnow export`: write a model for other libraries."""

from __future__ import annotations

from pathlib import Path

import click

from core.commands import terminal


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@terminal.model_option
@click.option(
    "--check",
    is_flag=True,
    help="Load the folder in sentence-transformers and compare the vectors.",
)
def export(folder: Path, model: str | None, check: bool) -> None:
    """Write a model to FOLDER in the multi-vector layout of sentence-transformers.

    The token vectors are the same. Saliences and the vector of the whole text are left out.
    """
    from core.encoders.folders.layouts import load_checkpoint
    from core.errors import ModelError
    from core.model_names import BUILT_IN
    from core.optional_packages import require_torch
    from lab.training import multi_vector_folder

    checkpoint = load_checkpoint(model or BUILT_IN)
    multi_vector_folder.export(checkpoint, folder)
    size_mb = multi_vector_folder.exported_size(folder) / 1e6
    terminal.say(f"{checkpoint.name} exported to {folder}, {size_mb:.0f} MB.")
    if not check:
        return
    require_torch("Checking the exported model", "train")
    largest = multi_vector_folder.largest_difference(checkpoint, folder)
    if largest > multi_vector_folder.TOLERANCE:
        raise ModelError(
            f"The vectors of {folder} in sentence-transformers differ by {largest:.1e}, more than "
            f"{multi_vector_folder.TOLERANCE:.0e}."
        )
    terminal.say(
        f"sentence-transformers computes the same vectors (differences up to {largest:.1e})."
    )
