"""Containers read on a machine of a cluster, and sent in parts.

The machine walks through an archive or a mailbox and reads its members, except for contents that
the catalog has. The process that stores the documents follows the walk like a local one, and
matches members to documents.
"""

import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from core.documents.containers.members import Closed, Member
from core.documents.files import FileIdentity, is_of_the_machine
from core.documents.formats import format_of
from core.documents.pages.recognised import RecognisedPage
from core.documents.passages import CountTokens
from core.documents.reader import ContainerWalk, Reader
from core.errors import BucketAwayError, DocumentError
from core.indexing.read.document_rows import StoredText, read_text, reason_for
from core.indexing.read.file_reading import FileAnswer

_PART_S: Final = 1.0
_PART_PASSAGES: Final = 500
_PART_STEPS: Final = 500


@dataclass(frozen=True, slots=True)
class WalkStep:
    """A step of a walk, with the text of a member.

    Attributes:
        step: a member, or the end of a nested container.
        text: None if nothing was read.
        reason: why it could not be read, "" if it could.
        recognised: pages with recognised text, by number.
    """

    step: Member | Closed
    text: StoredText | None = None
    reason: str = ""
    recognised: tuple[tuple[int, RecognisedPage], ...] = ()


@dataclass(frozen=True, slots=True)
class ContainerPart:
    """A part of the walk through a container.

    Attributes:
        host: the machine.
        answer: of the file itself; only in the first part.
        steps: steps, in the walk's order.
        reason: why the walk ended early, "" if it did not.
        trouble: errno and message of the OSError that ended it; None for none.
    """

    host: str
    answer: FileAnswer | None = None
    steps: tuple[WalkStep, ...] = ()
    reason: str = ""
    trouble: tuple[int, str] | None = None


@dataclass(frozen=True, slots=True)
class PageRecorder:
    """Recognised pages of one content, which are stored elsewhere."""

    pages: dict[int, RecognisedPage]

    def get(self, page_number: int) -> RecognisedPage | None:
        return self.pages.get(page_number)

    def put(self, page_number: int, page: RecognisedPage) -> None:
        self.pages[page_number] = page


@dataclass(frozen=True, slots=True)
class ContainerReading:
    """The parameters of reading a container.

    Attributes:
        reader: walks through it and reads.
        path: of the container.
        expected: the identity of the file.
        count_tokens: returns the lengths of texts.
        pages: returns the recognised pages of a content.
        known: hashes of contents that are not read.
    """

    reader: Reader
    path: Path
    expected: FileIdentity
    count_tokens: CountTokens
    pages: Callable[[str], PageRecorder]
    known: frozenset[str]

    def parts(self) -> Iterator[ContainerPart]:
        """Walk through the container, and yield parts."""
        host = platform.node()
        steps: list[WalkStep] = []
        passages, began_s = 0, time.monotonic()
        reason, trouble = "", None
        try:
            with self.reader.members(self.path, expected=self.expected) as walk:
                for step in walk:
                    read_step = (
                        self._read_step(step, walk) if isinstance(step, Member) else WalkStep(step)
                    )
                    steps.append(read_step)
                    passages += len(read_step.text.passages) if read_step.text is not None else 0
                    is_full = passages > _PART_PASSAGES or len(steps) >= _PART_STEPS
                    if is_full or time.monotonic() - began_s > _PART_S:
                        yield ContainerPart(host, steps=tuple(steps))
                        steps, passages, began_s = [], 0, time.monotonic()
        except DocumentError as error:
            if isinstance(away := error.__cause__, BucketAwayError):
                trouble = away.errno or 0, away.strerror or str(away)
            else:
                reason = error.message
        except OSError as error:
            trouble = error.errno or 0, error.strerror or str(error)
        yield ContainerPart(host, steps=tuple(steps), reason=reason, trouble=trouble)

    def _read_step(self, member: Member, walk: ContainerWalk) -> WalkStep:
        """Read a member, and skip the members of one that cannot be read."""
        path = self.path.joinpath(*member.inner_path)
        kind = format_of(path)
        walk_step = WalkStep(member)
        if kind is not None and kind.reader and not member.reason and member.hash not in self.known:
            walk_step = self._read(member, walk, path)
        if kind is None or not kind.members or member.reason or walk_step.reason:
            walk.pass_over()
        return walk_step

    def _read(self, member: Member, walk: ContainerWalk, path: Path) -> WalkStep:
        recorder = self.pages(member.hash)
        read = partial(self.reader.read_member, member, walk, recognised=recorder)
        try:
            text = read_text(read, path, self.count_tokens)
        except Exception as error:
            if is_of_the_machine(error):
                # Not the member's fault, and the unpacking process has stopped, too.
                raise
            return WalkStep(member, reason=reason_for(error, path))
        return WalkStep(member, text, recognised=tuple(sorted(recorder.pages.items())))
