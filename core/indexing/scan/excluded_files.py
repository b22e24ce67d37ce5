"""Names of the files that rules exclude: the catalog stores only how many there are."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Final

from core.addresses import readable_path
from core.catalog.catalog import Catalog
from core.catalog.files import folders
from core.catalog.files.file_lists import NAMES_PER_REASON, FileGroup, ListedFile
from core.files.excluded_names import Rule
from core.files.locations import Location
from core.indexing.scan.scanning import scan
from core.printable import is_text
from core.progress import Job, Progress, Stage

_PART_S: Final = 0.3

OnPart = Callable[[tuple[FileGroup, ...]], object]


class _Listing:
    def __init__(self, *, is_complete: bool) -> None:
        self._is_complete = is_complete
        self._counts: Counter[Rule] = Counter()
        self._files: defaultdict[Rule, list[ListedFile]] = defaultdict(list)

    def add(self, path: str, rule: Rule, is_folder: bool) -> None:
        self._counts[rule] += 1
        files = self._files[rule]
        if self._is_complete or len(files) < NAMES_PER_REASON:
            shown_path = (
                Path(path) if is_text(path) else Path(path.encode(errors="replace").decode())
            )
            files.append(ListedFile(shown_path, is_folder))

    def groups(self) -> tuple[FileGroup, ...]:
        return tuple(
            FileGroup(rule.value, count, tuple(self._files[rule]), rule)
            for rule, count in self._counts.most_common()
        )


def excluded_files(
    catalog: Catalog, job: Job, on_part: OnPart | None = None, *, is_complete: bool = False
) -> tuple[FileGroup, ...]:
    """Scan the folders, and return the excluded files and folders by rule, the largest first.

    Reads no file. It takes the time of a sync's scan, and may run during a sync. Missing
    folders are passed over.

    Args:
        catalog: the library's.
        job: receives progress, and may be cancelled.
        on_part: called several times a second with the groups found so far.
        is_complete: whether all names are returned; else `NAMES_PER_REASON` per rule.

    Raises:
        Cancelled: the job was cancelled.
    """
    with catalog.reading() as db:
        rules_of = {root.path: root.rules for root in folders.roots(db)}
    listing = _Listing(is_complete=is_complete)
    seen = 0
    reported_s = time.monotonic()

    def report(folder: Path, files: int) -> None:
        nonlocal reported_s
        job.checkpoint()
        job.report(Progress(Stage.SCANNING, seen + files, 0, readable_path(folder)))
        if on_part is not None and time.monotonic() - reported_s > _PART_S:
            reported_s = time.monotonic()
            on_part(listing.groups())

    for path, rules in rules_of.items():
        if Location.of(path).is_folder():
            home = catalog.path.parent
            result = scan(path, report, rules, home=home, folders=rules_of, on_excluded=listing.add)
            seen += len(result.files)
    return listing.groups()
