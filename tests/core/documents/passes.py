"""Going through a container without a process apart, and noting what is come upon."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.documents.containers.members import Closed, Member
from core.documents.containers.unpacking import Pass, Unpack
from core.documents.limits import ContainerLimits


class Noted:
    """What a pass came upon: contents and refusals by place, and containers that were closed."""

    def __init__(self, scratch: Path) -> None:
        self.members: list[Member] = []
        self.contents: dict[tuple[str, ...], bytes] = {}
        self.refused: dict[tuple[str, ...], str] = {}
        self.closed: dict[tuple[str, ...], str] = {}
        self.signs_of_life = 0
        self._scratch = scratch

    def offer(self, member: Member, write: Callable[[], str]) -> bool:
        self.members.append(member)
        if member.reason:
            self.refused[member.place] = member.reason
        else:
            self.contents[member.place] = (self._scratch / write()).read_bytes()
        return True

    def close(self, closed: Closed, trace: str) -> None:
        assert not trace, trace
        self.closed[closed.place] = closed.reason

    def go_on(self) -> None:
        self.signs_of_life += 1


def go_through(
    path: Path, unpack: Unpack, tmp_path: Path, limits: ContainerLimits | None = None
) -> Noted:
    """Go through a container, whatever is in it, and give what was noted."""
    scratch = tmp_path / "scratch"
    scratch.mkdir(exist_ok=True)
    noted = Noted(scratch)
    Pass(scratch, limits or ContainerLimits(), noted).run(path, unpack)
    return noted
