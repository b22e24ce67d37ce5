"""Choices of filters and the queries that say them keep in step."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.facets.filters import (
    AuthorChoice,
    Choice,
    FolderChoice,
    KindChoice,
    PeriodChoice,
    TagChoice,
    Ticked,
    period_of,
    rewritten,
)
from core.search.query.dates import Period
from core.search.query.language import parse

WORK, NOTES = Path("/srv/work"), Path("/srv/work/notes")
YEAR, MONTH = PeriodChoice(Period.of_year(2024)), PeriodChoice(Period.of_month(2024, 6))
RECENT = PeriodChoice(Period(date(2024, 6, 20)), is_recent=True)
CURIE = AuthorChoice("Irène Joliot-Curie")

CHOICES = [
    KindChoice("pdf"),
    KindChoice("word"),
    FolderChoice(WORK),
    FolderChoice(NOTES),
    FolderChoice(Path("/srv/tax 2024")),
    YEAR,
    MONTH,
    RECENT,
    CURIE,
    AuthorChoice('The "Quoted" One'),
    TagChoice("home/garden"),
]
_clauses = [
    *("type:pdf", "TYPE:docx", "-type:pdf", "in:notes", "in:/srv/work", "-in:/srv/work/notes"),
    *('in:"/srv/tax 2024"', "in:/srv", "after:2024", "before:2024-07", "author:curie", "ext:pdf"),
    *("in:/srv/work/notes/deep", "-in:notes", "type:pdf OR type:word", "-after:2024"),
]
_typed = st.lists(
    st.sampled_from(["wing", '"boundary layer"', "-jet", 'no "end', "(a OR b)", "  ", *_clauses]),
    max_size=8,
).map(" ".join)


def after(typed: str, *choices: Choice) -> str:
    """The text in the box after the choices are clicked."""
    for choice in choices:
        typed = rewritten(typed, choice.toggled(parse(typed)))
    return typed


@pytest.mark.parametrize(
    ("typed", "choice", "then"),
    [
        ("", KindChoice("pdf"), "type:pdf"),
        ("wing  type:pdf flow", KindChoice("pdf"), "wing  flow"),
        ('a "quote without end', KindChoice("pdf"), 'a "quote without end type:pdf'),
        ("wing", FolderChoice(Path("/srv/tax 2024")), 'wing in:"/srv/tax 2024"'),
        ("wing in:/srv/work", FolderChoice(NOTES), "wing in:/srv/work -in:/srv/work/notes"),
        ("wing in:/srv/work -in:/srv/work/notes", FolderChoice(NOTES), "wing in:/srv/work"),
        ("in:/srv/work/notes wing", FolderChoice(WORK), "wing in:/srv/work"),
        ("in:/srv/work -in:/srv/work/notes", FolderChoice(WORK), ""),
        ("wing in:notes", FolderChoice(NOTES), "wing"),
        ("wing in:work", FolderChoice(NOTES), "wing in:work -in:/srv/work/notes"),
        ("wing", YEAR, "wing date:2024"),
        ("wing after:2024 before:2025", MONTH, "wing date:2024-06"),
        ("wing after:2024 before:2025", YEAR, "wing"),
        ("wing after:2023-05-06", RECENT, "wing after:2024-06-20"),
        ("decay", CURIE, 'decay author:"Irène Joliot-Curie"'),
        ("decay author:irene", CURIE, "decay"),
        ("decay", TagChoice("home/garden"), "decay tag:home/garden"),
        ("decay tag:#Home", TagChoice("home/garden"), "decay tag:#Home tag:home/garden"),
        ("decay tag:#Home/Garden", TagChoice("home/garden"), "decay"),
        ("wing type:docx", KindChoice("word"), "wing type:word"),
        ("wing -type:pdf", KindChoice("pdf"), "wing type:pdf"),
        ("wing type:pdf OR type:word", KindChoice("pdf"), "wing type:word"),
        ("wing type:pdf OR type:word", KindChoice("text"), "wing type:pdf type:word type:text"),
        ("wing ext:pdf", KindChoice("pdf"), "wing"),
        ("wing -ext:pdf", KindChoice("pdf"), "wing type:pdf"),
        ("in:/srv/work/notes OR in:/srv/tax wing", FolderChoice(NOTES), "in:/srv/tax wing"),
        # Typed in another form: the query is rewritten.
        ("wing TYPE:PDF (flow)", KindChoice("pdf"), "wing flow"),
    ],
)
def test_a_click_writes_the_filter(typed: str, choice: Choice, then: str) -> None:
    assert after(typed, choice) == then


@pytest.mark.parametrize(
    ("typed", "ticked"),
    [
        ("wing", []),
        ("wing type:pdf", [KindChoice("pdf")]),
        ("wing Type:PDF", [KindChoice("pdf")]),
        ("wing -type:pdf", []),
        ("wing type:pdf OR type:word", [KindChoice("pdf"), KindChoice("word")]),
        ("wing ext:PDF", [KindChoice("pdf")]),
        ("wing -ext:pdf", []),
        ("wing type:pdf OR size:>1mb", []),
        ("in:/srv/work/notes OR in:/srv/x", [FolderChoice(NOTES)]),
        ("in:/srv/work", [FolderChoice(WORK), FolderChoice(NOTES)]),
        ("in:NOTES", [FolderChoice(NOTES)]),
        ("in:work/notes", [FolderChoice(NOTES)]),
        ("in:/srv/work -in:notes", [FolderChoice(WORK)]),
        ("in:/srv/workshop", []),
        ("after:2024 before:2025", [YEAR, MONTH]),
        ("after:2020", [YEAR, MONTH]),
        ("after:2024-06 before:2024-07", [MONTH]),
        ("after:2024-06-20", [RECENT]),
        ("author:JOLIOT", [CURIE]),
    ],
)
def test_a_typed_filter_ticks_its_box(typed: str, ticked: list[Choice]) -> None:
    query = parse(typed)
    assert [one for one in CHOICES if one.state(query) is Ticked.YES] == ticked


def test_a_suffix_is_a_part_of_its_kind() -> None:
    assert KindChoice("word").state(parse("type:docx")) is Ticked.PARTLY


@given(_typed, st.sampled_from(CHOICES))
def test_a_click_changes_the_state_and_the_next_one_changes_it_back(
    typed: str, choice: Choice
) -> None:
    was = choice.state(parse(typed))
    once = after(typed, choice)
    assert parse(once) == choice.toggled(parse(typed))
    is_on = choice.state(parse(once)) is Ticked.YES
    assert is_on is (was is not Ticked.YES) or isinstance(choice, PeriodChoice)
    # Words are left alone.
    assert parse(once).text == parse(typed).text
    if is_on:
        assert choice.state(parse(after(once, choice))) is Ticked.NO


@given(_typed)
def test_a_query_that_is_as_typed_stays_as_typed(typed: str) -> None:
    assert rewritten(typed, parse(typed)) == typed


def test_the_days_that_filters_leave() -> None:
    assert period_of(parse("wing")) is None
    assert period_of(parse("after:2023 after:2024-06-20")) == RECENT.period
    assert period_of(parse("after:2024 before:2025 before:2026")) == YEAR.period
    assert period_of(parse("before:2024")) == Period(None, date(2023, 12, 31))
