"""Limits on the resources that reading one document may use."""

from dataclasses import dataclass, field
from typing import Final

from core.errors import DocumentError

# Time limits count processor time. A process may take this many times its limit in wall-clock time
# when other programs keep it waiting.
WALL_TO_PROCESSOR: Final = 50


@dataclass(frozen=True, slots=True)
class ContainerLimits:
    """Limits on unpacking one file, with all the containers inside it.

    A few kilobytes can unpack to petabytes. A file may unpack to at most `ratio` times its size,
    or to `least_bytes` if that is more. Real archives of text reach a ratio of 30, of logs 100.

    Attributes:
        depth: Nesting depth of containers; the file itself is the first.
        members: Documents in the file, at all depths.
        member_bytes: Size of the largest member.
        total_bytes: Bytes unpacked in all, read or skipped.
        ratio: Unpacked bytes per byte of the file.
        least_bytes: Bytes that any file may unpack to.
        scratch_files: Unpacked files at one time. A member leaves one for each depth and kind.
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
    """Limits on recognising the text of one page.

    Attributes:
        timeout_s: Processor time for one page; for the first page, with loading the models.
        memory_bytes: Address space beyond that of an idle process; most of it is never used.
        retained_bytes: Memory that the models may keep from page to page.
    """

    timeout_s: float = 300.0
    memory_bytes: int = 6 << 30
    retained_bytes: int = 1 << 30


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on reading or drawing one document.

    Attributes:
        timeout_s: Processor time of the reading process, and time in which it uses none. In a
            container, it holds for each step from one member to the next.
        memory_bytes: Address space beyond that of an idle reading process.
        retained_bytes: Memory kept from document to document; beyond it a process is replaced.
        characters: Characters of all pages together.
        containers: Limits on unpacking.
        recognition: Limits on text recognition.
    """

    timeout_s: float = 60.0
    memory_bytes: int = 2 << 30
    retained_bytes: int = 0
    characters: int = 50_000_000
    containers: ContainerLimits = field(default_factory=ContainerLimits)
    recognition: RecognitionLimits = field(default_factory=RecognitionLimits)

    def check_characters(self, count: int) -> None:
        """Raise if a document has more than the allowed number of characters.

        Raises:
            DocumentError: `count` is over the limit.
        """
        if count > self.characters:
            millions = self.characters / 1e6
            raise DocumentError("More than {0} million characters of text", f"{millions:g}")


DEFAULT = Limits()
