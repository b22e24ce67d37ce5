"""The maintenance of a library in memory; tests set its reports."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from core.catalog.copies import CopiesReport, CopyTotals
from core.catalog.documents import Failure
from core.catalog.files.file_lists import NAMES_PER_REASON, FileGroup, FileList, ListedFile
from core.catalog.reports import CheckReport, Shares
from core.files.excluded_names import Rule
from core.progress import Job, Progress, Stage
from tests.app.choosing_double import ChoosingDouble


@dataclass
class MaintenanceDouble:
    """A check reports one file of three, and then waits at a gate."""

    home: Path = Path("/home/me/.winnow")
    list_of_failures: list[Failure] = field(default_factory=list)
    groups_without_text: list[FileGroup] = field(default_factory=list)
    seen: int | None = None
    retried: list[Path | None] = field(default_factory=list)
    # Closed while the scan for left out files is to wait.
    scan_gate: threading.Event = field(default_factory=threading.Event)
    cancelled_scans: int = 0
    problems: tuple[str, ...] = ()
    check_gate: threading.Event = field(default_factory=threading.Event)
    checks: list[bool] = field(default_factory=list)
    cancelled_checks: int = 0
    is_rebuilding: bool = False
    left_out: Mapping[Rule, int] = field(default_factory=dict)
    stored_shares: Shares = field(
        default_factory=lambda: Shares(12_000_000, 3_000_000, {1: 15_000_000})
    )

    copies_report: CopiesReport = field(
        default_factory=lambda: CopiesReport(CopyTotals(), CopyTotals(), (), 0)
    )

    def copies(self, most: int = 500) -> CopiesReport:
        assert most
        return self.copies_report

    @cached_property
    def choosing(self) -> ChoosingDouble:
        return ChoosingDouble(self.home / "settings.json")

    def retry(self, path: Path | None = None) -> int:
        self.retried.append(path)
        others = [one for one in self.list_of_failures if path not in {None, one.path}]
        tried, self.list_of_failures = len(self.list_of_failures) - len(others), others
        return tried

    def list_files(
        self,
        which: FileList,
        job: Job | None = None,
        on_part: Callable[[tuple[FileGroup, ...]], object] | None = None,
    ) -> tuple[FileGroup, ...]:
        """Return files; left out ones in two parts, the second behind a gate."""
        if which is FileList.WITHOUT_TEXT:
            return tuple(self.groups_without_text)
        if which is FileList.UNREADABLE:
            paths: dict[str, list[ListedFile]] = {}
            for one in self.list_of_failures:
                paths.setdefault(one.reason, []).append(ListedFile(one.path))
            found = (FileGroup(*_counted(*item)) for item in paths.items())
            return tuple(sorted(found, key=lambda group: -group.count))
        assert job is not None
        assert on_part is not None
        groups = [
            FileGroup(rule.value, count, (ListedFile(Path(f"/a/{rule.name.lower()}")),), rule)
            for rule, count in self.left_out.items()
        ]
        on_part(tuple(groups[:1]))
        try:
            while not self.scan_gate.wait(0.01):
                job.checkpoint()
        except BaseException:
            self.cancelled_scans += 1
            raise
        return tuple(groups)

    def set_seen(self) -> None:
        self.seen = self.without_text + len(self.list_of_failures)

    @property
    def without_text(self) -> int:
        return sum(group.count for group in self.groups_without_text)

    @property
    def has_news(self) -> bool:
        return self.without_text + len(self.list_of_failures) > (self.seen or 0)

    def check(self, *, repairs: bool = False, job: Job | None = None) -> CheckReport:
        assert job is not None
        self.checks.append(repairs)
        job.report(Progress(Stage.CHECKING, 1, 3, "a.safetensors"))
        try:
            while not self.check_gate.wait(0.01):
                job.checkpoint()
        except BaseException:
            self.cancelled_checks += 1
            raise
        return CheckReport(self.problems, repairs and bool(self.problems), 3, 12_000_000)

    def rebuild(self) -> None:
        self.is_rebuilding = True

    def keep_as_built(self) -> None:
        self.is_rebuilding = False

    def shares(self) -> Shares:
        return self.stored_shares


def _counted(reason: str, files: list[ListedFile]) -> tuple[str, int, tuple[ListedFile, ...]]:
    return reason, len(files), tuple(files[:NAMES_PER_REASON])
