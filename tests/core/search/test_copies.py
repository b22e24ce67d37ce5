"""Copies and versions of a document are one result, which names them; nothing else is."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from core import cli
from core.catalog import copies
from core.catalog.catalog import Catalog
from core.catalog.copies import Signed
from core.catalog.scope import Scope
from core.catalog.text import minhash
from core.encoders.encoder import Encoder
from core.errors import Cancelled
from core.indexing.read.copy_detection import families_of
from core.library.library import Library
from core.progress import Job
from core.requests import CountFacets
from core.responses import Mode, SearchResults
from core.search.query.language import parse
from core.serving.access import Access
from tests.conftest import indexed_library
from tests.library_requests import search

WORDS = ("tenant", "landlord", "heating", "garden", "balcony", "roof", "deposit", "notice", "rent")


def random_text(seed: int, sentences: int = 60) -> list[str]:
    """Return sentences of a made contract."""
    draw = random.Random(seed)
    return [
        f"The {draw.choice(WORDS)} of case {draw.randrange(10**6)} concerns the"
        f" {draw.choice(WORDS)} and clause {draw.randrange(10**6)}."
        for _ in range(sentences)
    ]


def edited(sentences: list[str], count: int) -> list[str]:
    changed = list(sentences)
    for place in range(count):
        changed[place * 7] = f"This clause number {place} was agreed upon anew by both parties."
    return changed


def put(path: Path, text: str, day: int = 1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (1_700_000_000 + 86400 * day,) * 2)
    return path


def names(results: SearchResults) -> list[str]:
    return [hit.path.name for hit in results.hits]


CONTRACT = random_text(1)


def write_contracts(folder: Path) -> None:
    """Three of one content, one of them in an archive, a version of it, and another contract."""
    text = "\n".join(CONTRACT)
    put(folder / "home" / "contract.txt", text, day=1)
    put(folder / "work" / "contract.txt", text, day=3)
    put(folder / "work" / "contract v2.txt", "\n".join(edited(CONTRACT, 2)), day=2)
    put(folder / "other.txt", "\n".join(random_text(2)))
    with ZipFile(folder / "old.zip", "w") as archive:
        archive.writestr("contract.txt", text)


@pytest.fixture(scope="module")
def contracts(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """An indexed library of the contracts. Tests must not change it."""
    root = tmp_path_factory.mktemp("contracts")
    write_contracts(root / "documents")
    with indexed_library(encoder, root) as library:
        yield library


@pytest.fixture
def documents(contracts: Library) -> Path:
    """The folder of the contracts."""
    return contracts.home.parent / "documents"


@pytest.fixture
def own_contracts(library: Library, folder: Path) -> Library:
    """An indexed library of the contracts, which the test may change."""
    write_contracts(folder)
    library.add_folder(folder)
    library.sync()
    return library


@pytest.mark.parametrize("mode", list(Mode))
def test_copies_and_versions_are_one_result(
    mode: Mode, contracts: Library, documents: Path
) -> None:
    results = contracts.search("landlord and tenant", mode=mode)
    by_name = {hit.path.name: hit for hit in results.hits}
    assert len(results.hits) == 2
    assert by_name["other.txt"].copies == ()
    (first,) = (hit for hit in results.hits if hit.path.name != "other.txt")
    paths = {first.path, *(copy.path for copy in first.copies)}
    assert paths == {
        documents / "home" / "contract.txt",
        documents / "work" / "contract.txt",
        documents / "work" / "contract v2.txt",
        documents / "old.zip" / "contract.txt",
    }
    if first.path.name == "contract.txt":
        exact = {copy.path.name: copy.is_exact for copy in first.copies}
        assert exact == {"contract.txt": True, "contract v2.txt": False}
    # The requested number of results counts folded groups.
    assert len(contracts.search("landlord and tenant", mode=mode, limit=2).hits) == 2


def test_of_copies_that_rank_alike_the_newest_file_of_its_own_represents_all(
    contracts: Library, documents: Path
) -> None:
    # A word that the version lacks, so that copies alone are found.
    word = CONTRACT[0].split()[4]
    (hit,) = contracts.search(word, mode=Mode.WORDS).hits
    assert hit.path == documents / "work" / "contract.txt"


def test_filters_come_before_folding(contracts: Library, documents: Path) -> None:
    (hit,) = contracts.search("tenant", scope=Scope(paths=(documents / "home",))).hits
    assert (hit.path, hit.copies) == (documents / "home" / "contract.txt", ())
    hits = contracts.search("tenant name:contract in:work", mode=Mode.WORDS).hits
    assert [1 + len(hit.copies) for hit in hits] == [2]
    # Every passage of both has this word, so that nothing of either was asked for.
    (hit,) = contracts.search("tenant -case name:other", mode=Mode.WORDS).hits or (None,)
    assert hit is None
    (hit,) = contracts.search("tenant -anew name:contract in:work", mode=Mode.WORDS).hits
    assert len(hit.copies) == 1


def test_filters_alone_list_one_of_a_family(contracts: Library) -> None:
    results = contracts.search("ext:txt", limit=2)
    assert sorted(names(results)) == ["contract.txt", "other.txt"]


@pytest.mark.parametrize("by_path", [True, False])
def test_same_lists_them_all(by_path: bool, contracts: Library, documents: Path) -> None:
    meant = str(documents / "work" / "contract v2.txt") if by_path else "Work/Contract v2.TXT"
    query = f'same:"{meant}"'
    assert str(parse(query)).startswith("same:")
    results = contracts.search(query)
    assert sorted(names(results)) == ["contract v2.txt", *["contract.txt"] * 3]
    assert {hit.copies for hit in results.hits} == {()}
    assert names(contracts.search(f"tenant -{query}", mode=Mode.WORDS)) == ["other.txt"]
    assert names(contracts.search('same:"no such.txt"')) == []


def test_counts_of_the_side_bar_are_of_documents(contracts: Library) -> None:
    assert contracts.answer(CountFacets("tenant", mode=Mode.WORDS)).found == 5


def test_a_scope_hides_copies_outside_it(contracts: Library, documents: Path) -> None:
    view = Access(contracts, [documents / "home"])
    (hit,) = search(view, "tenant").hits
    assert hit.copies == ()
    elsewhere = documents / "work" / "contract v2.txt"
    assert search(view, f'same:"{elsewhere}"').hits == ()
    assert search(view, 'same:"contract v2.txt"').hits == ()
    assert len(search(view, 'same:"contract.txt"').hits) == 1


def test_judged_queries_are_ranked_without_folding(contracts: Library) -> None:
    assert len(contracts.rank("landlord and tenant", mode=Mode.WORDS)) == 5


def test_families_follow_changes_and_removals(own_contracts: Library, folder: Path) -> None:
    (folder / "home" / "contract.txt").unlink()
    (folder / "old.zip").unlink()
    put(folder / "work" / "contract.txt", "\n".join(random_text(3)), day=9)
    own_contracts.sync()
    results = own_contracts.search("landlord and tenant", mode=Mode.WORDS)
    assert [hit.copies for hit in results.hits] == [(), (), ()]
    shutil.copy(folder / "other.txt", folder / "again.txt")
    own_contracts.sync()
    assert own_contracts.copies().waiting == 0
    results = own_contracts.search("landlord and tenant", mode=Mode.WORDS)
    assert sorted(len(hit.copies) for hit in results.hits) == [0, 0, 1]


def test_an_older_library_is_compared_without_reading_a_file_and_goes_on_where_it_was(
    own_contracts: Library, folder: Path, home: Path
) -> None:
    own_contracts.close()
    catalog = Catalog(home / "catalog.sqlite")
    with catalog.transaction() as db:
        db.execute("DELETE FROM signatures")
        # Signed already when the program was killed, and not put with others yet.
        copies.put_signatures(db, [(copies.unsigned(db, 1)[0].id, b"")])
    catalog.close()
    with Library.open(home) as library:
        assert library.copies().waiting == 5
        report = library.sync()
        assert report.read == 0
        assert library.copies().waiting == 0
        assert len(library.search("landlord", mode=Mode.WORDS).hits) == 2


def test_finding_them_can_be_cancelled(own_contracts: Library, home: Path) -> None:
    catalog = Catalog(home / "catalog.sqlite")
    with catalog.transaction() as db:
        db.execute("DELETE FROM signatures")
    catalog.close()
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        own_contracts.sync(job)
    assert own_contracts.sync().read == 0
    assert own_contracts.copies().waiting == 0


def test_a_mail_that_quotes_another_is_no_version_of_it(library: Library, folder: Path) -> None:
    head = "From: Ada <a@b.c>\nTo: Bo <b@b.c>\nSubject: {}\nDate: Mon, 2 Mar 2026 10:0{}:00 +0000\n"
    head += "Content-Type: text/plain; charset=utf-8\n\n"
    body = "\n".join(CONTRACT)
    put(folder / "one.eml", head.format("Rent", 0) + body)
    put(folder / "two.eml", head.format("Re: Rent", 1) + "Yes!\n\n> " + body.replace("\n", "\n> "))
    # The same mail as another program keeps it.
    put(folder / "three.eml", "X-Status: read\n" + head.format("Rent", 0) + body)
    library.add_folder(folder)
    library.sync()
    hits = library.search("tenant", mode=Mode.WORDS).hits
    assert sorted(len(hit.copies) for hit in hits) == [0, 1]


def test_short_texts_are_versions_of_nothing(library: Library, folder: Path) -> None:
    put(folder / "one.txt", "The meeting about the roof is on Monday at ten.")
    put(folder / "two.txt", "The meeting about the roof is on Monday at nine.")
    put(folder / "three.txt", "The meeting about the roof is on Monday at ten.")
    library.add_folder(folder)
    library.sync()
    hits = library.search("roof", mode=Mode.WORDS).hits
    assert sorted(len(hit.copies) for hit in hits) == [0, 1]


def test_duplicates_are_listed_with_their_size(own_contracts: Library, folder: Path) -> None:
    put(folder / "empty.txt", "")
    put(folder / "nothing.txt", "")
    own_contracts.sync()
    report = own_contracts.copies()
    size = (folder / "home" / "contract.txt").stat().st_size
    # An archive member uses no extra space.
    assert (report.exact.groups, report.exact.files, report.exact.room_bytes) == (1, 2, size)
    assert (report.versions.groups, report.versions.files) == (1, 2)
    exact, versions = report.groups
    assert [file.path for file in exact.files] == [
        folder / "work" / "contract.txt",
        folder / "home" / "contract.txt",
    ]
    smaller = min(size, (folder / "work" / "contract v2.txt").stat().st_size)
    assert (versions.is_exact, versions.room_bytes) == (False, smaller)
    assert len(own_contracts.copies(most=0).groups) == 0


def test_the_terminal_names_copies_and_lists_duplicates(
    own_contracts: Library, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_contracts.close()
    assert cli.main(["search", "tenant name:contract", "--mode", "words"]) == 0
    assert "also: " in capsys.readouterr().out
    # A word that the version lacks: one of the copies represents all.
    query = f"{CONTRACT[0].split()[4]} name:contract"
    assert cli.main(["search", query, "--mode", "words", "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["results"]
    assert {Path(copy["path"]).name for copy in found["copies"]} >= {"contract.txt"}
    assert {copy["is_exact"] for copy in found["copies"]} == {True, False}
    assert cli.main(["copies", "--json"]) == 0
    paths = json.loads(capsys.readouterr().out)
    assert paths["exact"]["files"] == 2
    assert len(paths["groups"]) == 2
    assert cli.main(["copies"]) == 0
    shown = capsys.readouterr().out
    assert str(folder / "home" / "contract.txt") in shown


def signed(number: int, sentences: list[str], content: str | None = None) -> Signed:
    return Signed(number, minhash.signature(minhash.words_of(sentences)), content)


def test_versions_of_versions_do_not_join_ever_less_like_texts() -> None:
    text, other = random_text(4, 100), random_text(5, 100)
    steps = [other[:count] + text[count:] for count in (0, 8, 19)]
    fresh = [signed(number, step) for number, step in enumerate(steps, 1)]
    # The third is like the second, and not like the first, which heads the family.
    pair = minhash.are_versions(*(_row(fresh[number].signature) for number in (1, 2)))
    assert pair
    assert families_of([], fresh, {}) == {1: 1, 2: 1, 3: 3}
    # All at once, or one after the other.
    assert families_of([fresh[0]], fresh[1:], {}) == {2: 1, 3: 3}


def test_a_document_joins_the_family_of_its_content() -> None:
    fresh = [signed(1, ["too short"], "a"), signed(2, ["too short"], "a"), signed(3, ["short"])]
    assert families_of([], fresh, {}) == {1: 1, 2: 1, 3: 3}
    assert families_of([], fresh[1:2], {"a": 1}) == {2: 1}


def test_bills_of_one_form_are_no_versions_of_each_other() -> None:
    letters = "abcdefghijklmnopqr"
    form = " ".join(f"{one}{other} phrase of it" for one in letters for other in letters)
    bills = [
        signed(month, [form, *(f"sum {month}{line}77" for line in range(12))]) for month in (1, 2)
    ]
    one, other = (_row(bill.signature) for bill in bills)
    assert minhash.resemblance(one, other) > minhash.VERSION
    assert not minhash.are_versions(one, other)
    assert families_of([], bills, {}) == {1: 1, 2: 2}


def _row(signature: bytes) -> minhash.Signatures:
    import numpy as np

    return np.frombuffer(signature, dtype=np.uint8)
