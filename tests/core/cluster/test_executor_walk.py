"""Following a remote walk: entries that arrive, are skipped, or are lost."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from core.cluster.containers import ContainerPart, WalkStep
from core.cluster.executor import RemoteWalk
from core.documents.containers.members import Closed, Member
from core.errors import Cancelled, ClusterError, DocumentError, ModelError
from core.indexing.read.document_rows import StoredText
from core.indexing.read.file_reading import WalkLostError

from .test_executor import RayError, RayTaskError

TEXT = StoredText("Crow", 1, ())
INNER = Member(("inner.zip",), hash="2")
STEPS = (
    WalkStep(Member(("crow.txt",), hash="1"), TEXT),
    WalkStep(INNER),
    WalkStep(Member(("inner.zip", "owl.txt"), hash="3"), reason="Damaged"),
    WalkStep(Closed(("inner.zip",))),
    WalkStep(Member(("inner.zip 2.txt",), hash="4")),
)


class StandIn:
    """The part of Ray that a walk uses; references are the values themselves."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, waits: int = 0) -> None:
        self.waits = waits

    def wait(self, references: Sequence[Any], timeout: float) -> tuple[list[Any], list[Any]]:
        self.waits -= 1
        return ([], [*references]) if self.waits >= 0 else ([*references], [])

    def get(self, reference: Any) -> Any:
        if isinstance(reference, Exception):
            raise reference
        return reference


def walk(*parts: Any, ray: StandIn | None = None, report: Any = lambda: None) -> RemoteWalk:
    return RemoteWalk(ray or StandIn(), iter(parts), ContainerPart("there"), report, 0.0)


def test_parts_follow_each_other() -> None:
    parts = [ContainerPart("there", steps=STEPS[:2]), ContainerPart("there", steps=STEPS[2:])]
    assert list(walk(*parts)) == [found.step for found in STEPS]


def test_members_of_skipped_entries_are_left_out() -> None:
    def names(following: RemoteWalk) -> Iterator[str]:
        for step in following:
            yield "/".join(step.inner_path)
            if step == INNER:
                following.pass_over()

    parts = [ContainerPart("there", steps=STEPS[:3]), ContainerPart("there", steps=STEPS[3:])]
    assert list(names(walk(*parts))) == ["crow.txt", "inner.zip", "inner.zip 2.txt"]


def test_a_member_is_returned_as_it_was_read() -> None:
    following = walk(ContainerPart("there", steps=STEPS))
    reported: list[Any] = []
    for step in following:
        if isinstance(step, Member) and step != INNER:
            try:
                reported.append(following.text_of(step).text)
            except (DocumentError, WalkLostError) as error:
                reported.append(error)
    text, damaged, unread = reported
    assert text == TEXT
    assert isinstance(damaged, DocumentError)
    assert damaged.message == "Damaged"
    # The catalog was to have it, and does not.
    assert isinstance(unread, WalkLostError)


@pytest.mark.parametrize(
    ("end", "error", "expected"),
    [
        (ContainerPart("there", reason="Damaged"), DocumentError, "Damaged"),
        (ContainerPart("there", trouble=(errno.ENOSPC, "No space")), OSError, "No space"),
        (RayError("the machine has ended"), WalkLostError, "the machine has ended"),
        (RayTaskError(ModelError("There is no model here.")), ModelError, "no model here"),
        (RayTaskError(KeyError("x")), ClusterError, "An error in Winnow"),
    ],
)
def test_it_ends_as_a_walk_here_does(end: Any, error: type[Exception], expected: str) -> None:
    following = iter(walk(ContainerPart("there", steps=STEPS[:1]), end))
    # Earlier entries are good.
    assert next(following) == STEPS[0].step
    with pytest.raises(error, match=expected):
        next(following)


def test_waiting_for_a_machine_can_be_cancelled() -> None:
    def cancel() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        list(walk(ray=StandIn(waits=1), report=cancel))
