"""The maintenance of a library in memory; tests set its reports."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from core.catalog.copies import CopiesReport, CopyTotals
from core.catalog.documents import Failure
from core.catalog.reports import CheckReport, Shares
from core.left_out import Rule
from core.progress import Job, Progress, Stage
from tests.app.choosing_double import ChoosingDouble


@dataclass
class MaintenanceDouble:
    """A check reports one file of three, and then waits at a gate."""

    home: Path = Path("/home/me/.winnow")
    list_of_failures: list[Failure] = field(default_factory=list)
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

    def retry(self) -> int:
        tried, self.list_of_failures = len(self.list_of_failures), []
        return tried

    def failures(self) -> tuple[Failure, ...]:
        return tuple(self.list_of_failures)

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
