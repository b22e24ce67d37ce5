"""What one document may take of the machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from core.errors import DocumentError

# How much longer than its time limit, which is one of processor time, a process may take on the
# wall where other programs keep it waiting.
WALL_TO_PROCESSOR: Final = 50


@dataclass(frozen=True, slots=True)
class ContainerLimits:
    """What may be unpacked of one file, with all the containers inside it.

    A few kilobytes can unpack to petabytes. What the file is packed in costs at most `ratio`
    times its size of unpacking, or `least_bytes` if that is more; honest archives of text reach a
    ratio of 30, of logs 100.

    Attributes:
        depth: of containers inside one another, the file itself being the first.
        members: documents in it, at all depths.
        member_bytes: of the largest member.
        total_bytes: unpacked in all, read or passed over.
        ratio: of what is unpacked to the file's size.
        least_bytes: that any file may unpack to.
        scratch_files: that lie unpacked at one time. A member leaves one for each depth and kind.
    """

    depth: int = 3
    members: int = 200_000
    member_bytes: int = 1_000_000_000
    total_bytes: int = 64_000_000_000
    ratio: int = 250
    least_bytes: int = 256_000_000
    scratch_files: int = 2_000


@dataclass(frozen=True, slots=True)
class RecognitionLimits:
    """What recognising the text of one page may take.

    Attributes:
        timeout_s: of processor time for one page, the loading of the models before the first one
            included.
        memory_bytes: beyond what an idle process takes; most is addresses that are never used.
        kept_bytes: that the models and what they are compiled to keep from page to page.
    """

    timeout_s: float = 300.0
    memory_bytes: int = 6 << 30
    kept_bytes: int = 1 << 30


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading or drawing one document may take.

    `timeout_s` counts the reading process's processor time, and the time in which it uses none.
    `memory_bytes` is beyond what an idle reading process takes; one that keeps more than
    `kept_bytes` from document to document is replaced. `characters` counts the text of all pages
    together. Of a container each step from one member to the next has `timeout_s`.
    """

    timeout_s: float = 60.0
    memory_bytes: int = 2 << 30
    kept_bytes: int = 0
    characters: int = 50_000_000
    containers: ContainerLimits = field(default_factory=ContainerLimits)
    recognition: RecognitionLimits = field(default_factory=RecognitionLimits)

    def check_characters(self, count: int) -> None:
        """Make sure that a document with so much text may be read on.

        Raises:
            DocumentError: It holds more than it may.
        """
        if count > self.characters:
            millions = self.characters / 1e6
            raise DocumentError("holds more than {0} million characters of text", f"{millions:g}")


DEFAULT = Limits()
