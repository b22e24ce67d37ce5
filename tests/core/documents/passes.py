"""Walking through a container in this process, and recording the results."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.documents.containers.members import Closed, Member
from core.documents.containers.unpacking import Pass, Unpack
from core.documents.limits import ContainerLimits


class Noted:
    """Results of a pass: contents and failures by place, and closed containers."""

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
            self.refused[member.inner_path] = member.reason
        else:
            self.contents[member.inner_path] = (self._scratch / write()).read_bytes()
        return True

    def close(self, closed: Closed, trace: str) -> None:
        assert not trace, trace
        self.closed[closed.inner_path] = closed.reason

    def go_on(self) -> None:
        self.signs_of_life += 1


def go_through(
    path: Path, unpack: Unpack, tmp_path: Path, limits: ContainerLimits | None = None
) -> Noted:
    """Walk through a container, and return the results."""
    scratch = tmp_path / "scratch"
    scratch.mkdir(exist_ok=True)
    noted = Noted(scratch)
    Pass(scratch, limits or ContainerLimits(), noted).run(path, unpack)
    return noted
