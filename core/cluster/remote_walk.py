"""A container's walk that a machine of a cluster makes, followed as one that is made here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from core.cluster.connection import sentence_of
from core.cluster.containers import ContainerPart, Found
from core.documents.containers.members import Closed, Member
from core.errors import DocumentError
from core.indexing.file_reading import MemberText, WalkLostError

PARTS_AHEAD: Final = 4
"""So many parts of a container wait at most until they are stored."""


class RemoteWalk:
    """A walk that another machine makes, as one made here is followed.

    Args:
        ray: the module, connected.
        parts: references to `ContainerPart`s, as Ray generates them, the first one taken.
        begun: what the first one had of the walk.
        report: called while the machine is waited for; may raise to stop.
        poll_s: so long at most between two reports.
    """

    def __init__(
        self,
        ray: Any,
        parts: Any,
        begun: ContainerPart,
        report: Callable[[], None],
        poll_s: float,
    ) -> None:
        self._ray = ray
        self._parts = parts
        self._begun = begun
        self._report = report
        self._poll_s = poll_s
        self._current: Found | None = None
        self._passed: tuple[str, ...] | None = None

    def pass_over(self) -> None:
        """Leave out what lies in the member that was just given."""
        if self._current is not None:
            self._passed = self._current.step.place

    def given(self, member: Member) -> MemberText:
        """Return what was read of the member that was just given.

        Raises:
            DocumentError: it could not be read.
            WalkLostError: it was not read, since the catalog was to have it.
        """
        found = self._current
        if found is None or found.step != member or (found.text is None and not found.reason):
            raise WalkLostError(f"{member.place} was not read")
        if found.reason or found.text is None:
            raise DocumentError(found.reason)
        return MemberText(found.text, found.recognised)

    def __iter__(self) -> Iterator[Member | Closed]:
        """Walk through it; raises as a walk here does.

        Raises:
            WalkLostError: the machine has ended.
        """
        for part in self._all_parts():
            for found in part.found:
                place = found.step.place
                if self._passed is not None:
                    if place[: len(self._passed)] == self._passed:
                        continue
                    self._passed = None
                self._current = found
                yield found.step
            if part.trouble is not None:
                raise OSError(*part.trouble)
            if part.reason:
                raise DocumentError(part.reason)

    def _all_parts(self) -> Iterator[ContainerPart]:
        yield self._begun
        while (part := next_part(self._ray, self._parts, self._report, self._poll_s)) is not None:
            yield part


def next_part(
    ray: Any, parts: Any, report: Callable[[], None], poll_s: float
) -> ContainerPart | None:
    """Wait for the next part of a container; None at its end.

    Raises:
        WinnowError: it cannot be opened on that machine.
        WalkLostError: the machine has ended.
    """
    while not ray.wait([parts], timeout=poll_s)[0]:
        report()
    try:
        part: ContainerPart = ray.get(next(parts))
    except StopIteration:
        return None
    except ray.exceptions.RayTaskError as error:
        raise sentence_of(error) from error
    except ray.exceptions.RayError as error:
        raise WalkLostError(str(error).partition("\n")[0]) from error
    return part
