"""The text of some files corrects the estimates for all of them."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog.reports import SampleText
from core.errors import Cancelled
from core.indexing.text_sample import drawn
from core.library.library import Library
from core.progress import Job
from core.settings import change_settings
from tests.conftest import write_files

SENTENCE = "The heron waits in the shallow water for the fish. "


def test_the_estimated_size_is_that_of_the_index(library: Library, folder: Path) -> None:
    page = f"<p>{SENTENCE * 20}</p>" + "<!-- " + "x" * 9000 + " -->"
    write_files(folder, {f"{number}.html": page for number in range(30)})
    with zipfile.ZipFile(folder / "letters.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(20):
            archive.writestr(f"{number}.txt", f"{number} {SENTENCE * 40}")
    preview = library.preview(folder)
    scale = library.read_sample(preview).scale
    library.add_folder(folder)
    library.sync()
    status = library.status()
    with library._catalog.reading() as db:
        (characters,) = db.execute("SELECT sum(length(text)) FROM passages").fetchone()
    expected = sum(file.weight * file.expected_bytes for file in preview.sample)
    assert scale * expected == pytest.approx(characters, rel=0.05)
    assert preview.scaled(scale).index_bytes == pytest.approx(preview.index_bytes * scale, abs=1)
    assert status.files.unreadable == 0


def test_unreadable_files_have_no_text_and_a_cancelled_job_ends(
    library: Library, folder: Path
) -> None:
    write_files(folder, {"broken.pdf": "no PDF at all" * 1000})
    preview = library.preview(folder)
    assert library.read_sample(preview) == SampleText(0, ())
    assert not preview.has_recognition
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        library.read_sample(preview, job)
    (folder / "broken.pdf").unlink()
    assert library.read_sample(library.preview(folder)).scale == 1


@pytest.mark.parametrize("seed", range(5))
def test_a_sample_has_the_text_of_all_files(seed: int) -> None:
    chance = random.Random(seed)
    sizes = {Path(f"{number}.txt"): chance.paretovariate(1.2) for number in range(3000)}
    sample = drawn(sizes)
    assert len(sample) <= 80
    assert sum(file.weight * file.expected_bytes for file in sample) == pytest.approx(
        sum(sizes.values())
    )
    # Each file's text is a multiple of its size that does not depend on the size.
    text = {path: size * chance.uniform(0.2, 1.8) for path, size in sizes.items()}
    estimate = sum(file.weight * text[file.path] for file in sample)
    assert estimate == pytest.approx(sum(text.values()), rel=0.4)


def test_a_preview_reports_text_recognition(
    open_library: Callable[..., Library], home: Path, folder: Path
) -> None:
    change_settings(home / "settings.json", ocr=True)
    library = open_library()
    write_files(folder, {"note.txt": SENTENCE})
    assert not library.preview(folder).has_recognition
    write_files(folder, {"scan.png": "no picture, but named like one"})
    assert library.preview(folder).has_recognition
