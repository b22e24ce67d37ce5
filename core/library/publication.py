"""Publishing of a library's snapshots."""

from functools import partial
from pathlib import Path

from core.catalog.catalog import Catalog
from core.catalog.files import folders
from core.catalog.manifest import GenerationRow
from core.errors import ModelError, UsageError
from core.indexing.build.generations import Generations
from core.progress import Job
from core.publishing import publisher
from core.publishing.publisher import PublishReport
from core.publishing.snapshot import PublishedModel
from core.publishing.store import FolderStore, open_store
from core.search.ranking import RankingConfig


def published_model(generations: Generations, row: GenerationRow) -> PublishedModel:
    """Return what a snapshot says of a generation's model; less if the model is missing here."""
    spec = row.spec
    try:
        checkpoint = generations.open(row).checkpoint
    except ModelError:
        return PublishedModel(spec.name, spec.fingerprint, "", RankingConfig().words)
    words = RankingConfig.of_model(checkpoint.resources).words
    return PublishedModel(spec.name, spec.fingerprint, checkpoint.weights_sha256, words)


def publish(
    home: Path,
    catalog: Catalog,
    generations: Generations,
    target: str,
    name: str,
    job: Job,
    *,
    checks: bool,
) -> PublishReport:
    """Publish a snapshot of a library; see `Library.publish`.

    Args:
        home: the library's folder.
        catalog: the library's.
        generations: its index.
        target: a folder, or the address of a bucket.
        name: shown to others; "" for the previous name, or that of the first folder.
        job: receives progress, and may cancel.
        checks: whether previously published data is verified and repaired.

    Raises the errors of `Library.publish`.
    """
    store = open_store(target)
    if isinstance(store, FolderStore):
        folder = store.folder.resolve()
        if home.resolve().is_relative_to(folder):
            raise UsageError(
                "{0} contains the library itself. Choose another folder to publish to.", folder
            )

    with catalog.reading() as db:
        usual = next((root.path.name for root in folders.describe(db)), "") or home.name
    return publisher.publish(
        catalog,
        store,
        name,
        partial(published_model, generations),
        job,
        usual_name=usual,
        checks=checks,
    )
