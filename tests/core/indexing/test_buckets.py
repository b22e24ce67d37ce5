"""Documents in a bucket of a real server of S3's protocol: found, changed, gone, refused."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog.files.folders import FolderRules
from core.documents import files
from core.errors import Cancelled, FolderError, UsageError
from core.files import object_storage
from core.files.excluded_names import Rule
from core.library.library import Library
from core.progress import Job
from core.requests import Explain, ReadMarkup
from tests.conftest import Run, write_files
from tests.core.conftest import SECRET, Bucket, reset_stores

pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1"]),
    # From botocore and aiohttp, whose versions are not ours to choose.
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
]

CROW = "The crow remembers the faces of people who fed it."
OWL = "Owls hunt mice at night, and nothing hears them."


@pytest.fixture
def notes(bucket: Bucket) -> str:
    """The address of a folder with two documents."""
    bucket.put("notes/crow.txt", CROW)
    bucket.put("notes/birds of prey/owl.txt", OWL)
    return f"s3://{bucket.name}/notes"


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of objects that were fetched."""
    names: list[str] = []
    fetch = object_storage._fetch

    def note(path: Path, on_step: Callable[[], None]) -> int:
        names.append(path.name)
        return fetch(path, on_step)

    monkeypatch.setattr(object_storage, "_fetch", note)
    return names


def found(library: Library, query: str) -> list[str]:
    return [hit.path.name for hit in library.search(query, mode="words").hits]


def test_a_buckets_folder_is_a_folder_of_the_library(
    bucket: Bucket, notes: str, library: Library, fetched: list[str]
) -> None:
    folder = library.add_folder(notes)
    assert folder.path == Path(notes)
    report = library.sync()
    assert (report.documents, report.failed, report.problem) == (2, (), "")
    assert found(library, "mice") == ["owl.txt"]
    assert sorted(fetched) == ["crow.txt", "owl.txt"]
    hit = library.search("who remembers people?").hits[0]
    assert hit.path == Path(f"{notes}/crow.txt")
    assert hit.file is None  # no other program can open it there
    assert library.answer(Explain("faces", hit.passages[0].passage.id)).tokens
    scoped = library.search(f'night OR faces in:"{notes}/birds of prey"', mode="words")
    assert [hit.path.name for hit in scoped.hits] == ["owl.txt"]
    assert library.answer(ReadMarkup(hit.document_id))[0].text == CROW
    # In step: nothing is fetched again.
    del fetched[:]
    assert library.sync().read == 0
    assert fetched == []


def test_changed_moved_and_removed_objects_are_followed(
    bucket: Bucket, notes: str, library: Library, fetched: list[str]
) -> None:
    library.add_folder(notes)
    library.sync()
    number = library.search("mice", mode="words").hits[0].document_id
    # With the same size, and perhaps within the same second.
    bucket.put("notes/crow.txt", CROW.replace("crow", "rook"))
    bucket.put("notes/night/owl.txt", OWL)
    bucket.remove("notes/birds of prey/owl.txt")
    report = library.sync()
    assert (report.read, report.removed) == (1, 0)
    assert found(library, "rook") == ["crow.txt"]
    assert found(library, "crow remembers -rook") == []
    assert library.search("mice", mode="words").hits[0].document_id == number
    assert library.documents()[1].path == Path(f"{notes}/night/owl.txt")
    bucket.remove("notes/crow.txt")
    assert library.sync().removed == 1
    assert found(library, "rook") == []
    library.remove_folder(notes)
    assert library.status().documents == 0


def test_containers_are_opened_and_fetched_once(
    bucket: Bucket, library: Library, fetched: list[str]
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inner/crow.md", f"# Crows\n\n{CROW}")
    bucket.put("notes/papers.zip", packed.getvalue())
    bucket.put("notes/shelf.zip/owl.txt", OWL)  # a folder that is called as an archive is
    library.add_folder(f"s3://{bucket.name}/notes")
    library.sync()
    assert sorted(fetched) == ["owl.txt", "papers.zip"]
    hit = library.search("faces", mode="words").hits[0]
    assert hit.path == Path(f"s3://{bucket.name}/notes/papers.zip/inner/crow.md")
    assert "Crows" in library.answer(ReadMarkup(hit.document_id))[0].text
    owl = library.search("mice", mode="words").hits[0]
    assert library.answer(ReadMarkup(owl.document_id))[0].text == OWL


def test_rules_hold_in_a_bucket_and_odd_keys_are_listed(bucket: Bucket, library: Library) -> None:
    for key in (
        "crow.txt", "drafts/owl.txt", ".hidden/owl.txt", "node_modules/a.js", "photo.raw",
        "kept/CACHEDIR.TAG", "kept/owl.txt", "a//owl.txt", "b/../owl.txt", "./owl.txt", "c/",
        "crow.txt/below.txt",
    ):  # fmt: skip
        bucket.put(f"notes/{key}", OWL)
    bucket.put("notes/marker/", "")
    bucket.put("notes/large.txt", OWL * 1000)
    rules = FolderRules(exclude=("drafts/",), largest_bytes=10_000)
    library.add_folder(f"s3://{bucket.name}/notes", rules)
    report = library.sync()
    assert [document.path.name for document in library.documents()] == ["crow.txt"]
    assert report.excluded == {
        Rule.EXCLUDED: 1, Rule.HIDDEN: 1, Rule.WORKINGS: 1, Rule.UNKNOWN: 1, Rule.CACHE: 1,
        Rule.TOO_LARGE: 1,
    }  # fmt: skip
    reasons = {failure.path.relative_to(f"s3:/{bucket.name}/notes"): failure.reason for failure
               in report.failed}  # fmt: skip
    assert {str(path) for path in reasons} == {
        "a/(no name)/owl.txt", "b/%2E%2E/owl.txt", "%2E/owl.txt", "c/(no name)",
        "crow.txt/below.txt",
    }  # fmt: skip
    assert all("another key" in reason or "another one" in reason for reason in reasons.values())


def test_a_bucket_that_is_away_keeps_its_documents(
    bucket: Bucket, notes: str, library: Library, folder: Path
) -> None:
    write_files(folder, {"swift.txt": "Swifts sleep in the air."})
    library.add_folder(notes)
    library.add_folder(folder)
    library.sync()
    bucket.go_away()
    write_files(folder, {"swift.txt": "Swifts sleep on the wing."})
    report = library.sync()
    assert report.documents == 3
    assert found(library, "wing") == ["swift.txt"]
    assert found(library, "mice") == ["owl.txt"]
    assert {one.path: one.is_there for one in library.folders()} == {
        Path(notes): False,
        folder: True,
    }
    assert [failure.path for failure in report.failed] == [Path(notes)]
    assert "does not respond" in report.failed[0].reason
    with pytest.raises(FolderError, match=r"cannot be reached .*check the address"):
        library.add_folder(f"s3://{bucket.name}-other/notes")
    bucket.come_back()
    bucket.remove("notes/crow.txt")
    report = library.sync()
    assert (report.removed, report.failed) == (1, ())
    assert all(one.is_there for one in library.folders())


def test_one_that_goes_away_meanwhile_has_the_rest_wait(
    bucket: Bucket, notes: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add_folder(notes)
    fetch = object_storage._fetch

    def fail_after_one(path: Path, on_step: Callable[[], None]) -> int:
        descriptor = fetch(path, on_step)
        bucket.go_away()
        return descriptor

    with monkeypatch.context() as patch:
        patch.setattr(object_storage, "_fetch", fail_after_one)
        report = library.sync()
    assert "Check the connection" in report.problem
    assert SECRET not in report.problem
    assert report.failed == ()
    bucket.come_back()
    report = library.sync()
    assert (report.documents, report.problem) == (2, "")
    assert found(library, "mice") == ["owl.txt"]
    assert found(library, "faces") == ["crow.txt"]


def test_an_object_changed_during_its_download_is_read_by_the_next_sync(
    bucket: Bucket, notes: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add_folder(notes)
    library.sync()
    bucket.put("notes/crow.txt", "The crow hides food in the ground.")
    fetch = object_storage._fetch

    def overwritten(path: Path, on_step: Callable[[], None]) -> int:
        descriptor = fetch(path, on_step)
        bucket.put("notes/crow.txt", "The crow counts to four.")
        return descriptor

    with monkeypatch.context() as patch:
        patch.setattr(object_storage, "_fetch", overwritten)
        library.sync()
    assert found(library, "faces") == ["crow.txt"]  # as it was
    library.sync()
    assert found(library, "counts") == ["crow.txt"]


def test_an_object_that_goes_while_it_is_read_is_no_failure(
    bucket: Bucket, notes: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add_folder(notes)
    fetch = object_storage._fetch

    def removed(path: Path, on_step: Callable[[], None]) -> int:
        bucket.remove("notes/crow.txt")
        return fetch(path, on_step)

    with monkeypatch.context() as patch:
        patch.setattr(object_storage, "_fetch", removed)
        assert library.sync().failed == ()
    assert (library.sync().failed, library.status().documents) == ((), 1)


def test_one_that_is_too_large_for_its_reader_is_not_fetched(
    bucket: Bucket,
    notes: str,
    library: Library,
    fetched: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "LARGEST_TEXT_BYTES", len(OWL))
    library.add_folder(notes)
    report = library.sync()
    assert fetched == ["owl.txt"]
    assert [(one.path.name, one.reason) for one in report.failed] == [
        ("crow.txt", "Larger than 0 MB")
    ]


def test_a_bucket_that_refuses_is_reported_in_a_sentence(
    bucket: Bucket, notes: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add_folder(notes)
    library.sync()
    bucket.refuse(after=0)
    try:
        report = library.sync()
        with pytest.raises(FolderError, match=r"Access to .* was denied .*Check the credentials"):
            library.add_folder(f"s3://{bucket.name}")
    finally:
        bucket.refuse(after=10**9)
    assert report.documents == 2
    reason = "Access denied. Check the credentials, their permissions and this computer's clock."
    assert [str(one.reason) for one in report.failed] == [reason]


def test_a_copy_for_other_programs_goes_with_its_folder(
    bucket: Bucket, notes: str, library: Library, fetched: list[str]
) -> None:
    library.add_folder(notes)
    library.sync()
    del fetched[:]
    path = Path(f"{notes}/crow.txt")
    copy = files.copy_of_object(path)
    assert (copy.name, copy.read_text()) == ("crow.txt", CROW)
    assert files.copy_of_object(path) == copy
    assert fetched == ["crow.txt"]
    bucket.put("notes/crow.txt", OWL)
    assert files.copy_of_object(path).read_text() == OWL
    library.remove_folder(notes)
    assert not copy.exists()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("s3://no-such-bucket-at-all/notes", "There is no folder s3://no-such-bucket-at-all/notes"),
        ("s3://{}/empty", "There is no folder"),
        ("s3://{}/notes/crow.txt", "is not a folder"),
        ("s3://{}/notes/../notes", "is not the address of a folder"),
        ("gs://team/notes", "a package that is not installed. Install gcsfs"),
    ],
)
def test_an_address_that_is_no_folder_is_refused(
    address: str, sentence: str, bucket: Bucket, notes: str, library: Library
) -> None:
    with pytest.raises(UsageError, match=sentence):
        library.add_folder(address.format(bucket.name))
    assert library.folders() == ()


@pytest.mark.parametrize("secret", ["hush", "hu/sh", "hush/"])
def test_credentials_in_an_address_are_refused_and_not_repeated(
    secret: str, library: Library
) -> None:
    for address in (f"s3://AKIA:{secret}@team/notes", f"s3://AKIA:{secret}"):
        with pytest.raises(FolderError, match="AWS_SECRET_ACCESS_KEY") as refused:
            library.add_folder(address)
        assert "AKIA" not in str(refused.value)
        assert "hu" not in str(refused.value)


def test_credentials_are_neither_stored_nor_logged(
    bucket: Bucket, notes: str, library: Library, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    library.add_folder(notes)
    library.sync()
    library.close()
    for path in home.rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes()
    assert SECRET not in caplog.text
    assert "Signature" not in caplog.text


def test_without_the_package_the_rest_is_indexed_all_the_same(
    bucket: Bucket,
    notes: str,
    library: Library,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library.add_folder(notes)
    library.sync()
    library.add_folder(folder)
    write_files(folder, {"swift.txt": "Swifts sleep in the air."})
    reset_stores(monkeypatch)
    monkeypatch.setitem(sys.modules, "fsspec", None)
    report = library.sync()
    assert report.documents == 3
    assert "pip install 'winnow-search[buckets]'" in report.failed[0].reason
    with pytest.raises(UsageError, match=r"pip install 'winnow-search\[buckets\]'"):
        library.add_folder(f"s3://{bucket.name}/other")


def test_a_cancelled_sync_aborts_its_downloads(
    bucket: Bucket, notes: str, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add_folder(notes)
    job = Job()
    fetch = object_storage._fetch

    def cancelled(path: Path, on_step: Callable[[], None]) -> int:
        job.cancel()
        on_step()
        return fetch(path, on_step)

    monkeypatch.setattr(object_storage, "_fetch", cancelled)
    with pytest.raises(Cancelled):
        library.sync(job)


def test_the_command_line_shows_addresses(bucket: Bucket, notes: str, run: Run) -> None:
    status, _, errors = run("index", notes)
    assert (status, errors) == (0, "")
    assert run("folders")[1] == f"{notes}: 2 documents\n"
    assert f"    {notes}/birds of prey/owl.txt  (" in run("search", "mice")[1]
    assert f'"path": "{notes}/crow.txt"' in run("search", "faces", "--format", "json")[1]
    one = run("search", "faces mice", "--in", f"{notes}/crow.txt", "--mode", "words")[1]
    assert "crow.txt" in one
    assert "owl.txt" not in one
    assert f"{notes}/crow.txt, page 1" in run("explain", "faces")[1]
    assert f"[{notes}/crow.txt](<{notes}/crow.txt>)" in run("search", "faces", "--format", "md")[1]
    assert f"{notes}: 2 files" in run("index", "--dry-run")[1]
    assert run("folders", "--remove", notes)[1].startswith("The library has no folders yet")
