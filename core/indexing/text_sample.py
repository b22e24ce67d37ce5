"""A sample of a folder's files, read to estimate how much text they have."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Final

from core.catalog.reports import SampledFile, SampleText
from core.documents.containers.members import Closed, Member
from core.documents.document import Document
from core.documents.formats import format_of
from core.documents.reader import Reader
from core.errors import Cancelled, DocumentError
from core.progress import Job

# Files of a sample.
_FILES: Final = 80
# Seconds for reading it.
_TIME_LIMIT_S: Final = 10.0
# Expected bytes of text from which a file is read after the others, since it may take all the time.
_LARGE: Final = 1_000_000


# Characters at the beginning of a document, from which its language is determined.
_BEGINNING: Final = 4000


def drawn(expected_bytes: Mapping[Path, float], most: int = _FILES) -> tuple[SampledFile, ...]:
    """Draw files in proportion to their expected text, or take all if they are few.

    Args:
        expected_bytes: the expected bytes of text of each file.
        most: the largest number of files.

    Source: Hansen and Hurwitz, "On the theory of sampling from finite populations", 1943.

    >>> files = {Path("long.txt"): 3e5, **{Path(f"{n}.txt"): 1e4 for n in range(90)}}
    >>> sample = drawn(files)
    >>> len(sample), sum(file.weight * file.expected_bytes for file in sample)
    (61, 1200000.0)
    """
    sizes = sorted(expected_bytes.items(), key=lambda item: (item[1], str(item[0])))
    sizes = [(path, size) for path, size in sizes if size]
    if len(sizes) <= most:
        return tuple(SampledFile(path, size, 1.0) for path, size in sizes)
    ends = list(accumulate((size for _, size in sizes), initial=0.0))
    step = ends[-1] / most
    files = []
    for (path, size), (start, end) in zip(sizes, pairwise(ends), strict=True):
        # The middles of steps that the file's bytes cover.
        if hits := round(end / step) - round(start / step):
            files.append(SampledFile(path, size, hits * step / size))
    return tuple(files)


def read_sample(reader: Reader, sample: tuple[SampledFile, ...], job: Job) -> SampleText:
    """Read sampled files.

    Files that are not read within some seconds count like the others.

    Args:
        reader: reads the files.
        sample: the files.
        job: may be cancelled.

    Raises:
        Cancelled: the job was cancelled.
    """
    expected = measured = 0.0
    beginnings: list[str] = []
    limited = Job()
    timer = threading.Timer(_TIME_LIMIT_S, limited.cancel)
    timer.start()
    try:
        with job.on_cancel(limited.cancel):
            # Those with most text first, so that the files left out at the end matter least.
            for file in sorted(sample, key=_reading_order):
                for document in _documents(reader, file.path, limited):
                    text = "\n".join(page.text for page in document.pages)
                    beginnings.append(text[:_BEGINNING])
                    measured += file.weight * len(text.encode("utf-8", "replace"))
                expected += file.weight * file.expected_bytes
    except Cancelled:
        job.checkpoint()
    finally:
        timer.cancel()
    return SampleText(measured / expected if expected else 1.0, tuple(beginnings))


def _reading_order(file: SampledFile) -> tuple[bool, float]:
    return file.expected_bytes > _LARGE, -file.expected_bytes


def _documents(reader: Reader, path: Path, job: Job) -> Iterator[Document]:
    """Yield the document in a file, and the ones that it contains, as far as they can be read."""
    known = format_of(path)
    job.checkpoint()
    if known is not None and known.reader:
        with suppress(DocumentError):
            yield reader.read(path, job=job)
    if known is None or not known.members:
        return
    try:
        with reader.members(path, job.checkpoint, job) as walk:
            for step in walk:
                if not isinstance(step, Closed) and not step.reason and _has_text(step):
                    with suppress(DocumentError):
                        yield reader.read_member(step, walk, job=job)
    except DocumentError:
        return


def _has_text(member: Member) -> bool:
    known = format_of(Path(*member.inner_path))
    return known is not None and bool(known.reader)
