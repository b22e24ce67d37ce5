"""Dates as people say them mean the days that people mean, in three languages, on any day."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.encoders.encoder import Encoder
from core.errors import BadValueError
from core.library.library import Library
from core.requests import CountFacets
from core.responses import Mode
from core.search.facets.filters import PeriodChoice, Ticked, period_of
from core.search.query import dates
from core.search.query import language as query
from core.search.query.dates import (
    Period,
    day_text,
    is_plain,
    named,
    period_named,
    period_text,
    turn_named,
)
from core.search.query.language import elsewhere, parse
from tests.conftest import indexed_library

TODAY = date(2026, 11, 24)  # a Tuesday

ENGLISH = {
    "today": "2026-11-24..2026-11-24",
    "Yesterday": "2026-11-23..2026-11-23",
    "the day before yesterday": "2026-11-22..2026-11-22",
    "tomorrow": "2026-11-25..2026-11-25",
    "this week": "2026-11-23..2026-11-29",
    "last week": "2026-11-16..2026-11-22",
    "last-week": "2026-11-16..2026-11-22",
    "the week before last": "2026-11-09..2026-11-15",
    "next week": "2026-11-30..2026-12-06",
    "this month": "2026-11-01..2026-11-30",
    "last month": "2026-10-01..2026-10-31",
    "LAST  MONTH": "2026-10-01..2026-10-31",
    "previous month": "2026-10-01..2026-10-31",
    "this quarter": "2026-10-01..2026-12-31",
    "last quarter": "2026-07-01..2026-09-30",
    "Q2": "2026-04-01..2026-06-30",
    "Q1 2024": "2024-01-01..2024-03-31",
    "this year": "2026-01-01..2026-12-31",
    "last year": "2025-01-01..2025-12-31",
    "last 7 days": "2026-11-18..",
    "past seven days": "2026-11-18..",
    "in the last 2 weeks": "2026-11-11..",
    "last 3 months": "2026-08-25..",
    "past week": "2026-11-18..",
    "3 days ago": "2026-11-21..2026-11-21",
    "three days ago": "2026-11-21..2026-11-21",
    "2 weeks ago": "2026-11-09..2026-11-15",
    "a month ago": "2026-10-01..2026-10-31",
    "a year ago": "2025-01-01..2025-12-31",
    "half a year ago": "2026-05-01..2026-05-31",
    "3d": "2026-11-21..",
    "3w": "2026-11-03..",
    "2m": "2026-09-24..",
    "6 months": "2026-05-24..",
    "1y": "2025-11-24..",
    "Monday": "2026-11-23..2026-11-23",
    "tuesday": "2026-11-24..2026-11-24",
    "last Tuesday": "2026-11-17..2026-11-17",
    "on Wednesday": "2026-11-18..2026-11-18",
    "this Friday": "2026-11-27..2026-11-27",
    "March": "2026-03-01..2026-03-31",
    "in December": "2025-12-01..2025-12-31",
    "last November": "2025-11-01..2025-11-30",
    "March last year": "2025-03-01..2025-03-31",
    "March 2024": "2024-03-01..2024-03-31",
    "Sept. 2024": "2024-09-01..2024-09-30",
    "24 December 2025": "2025-12-24..2025-12-24",
    "December 24th, 2025": "2025-12-24..2025-12-24",
    "the 1st of March": "2026-03-01..2026-03-01",
    "Dec 24": "2025-12-24..2025-12-24",
    "29 Feb": "2024-02-29..2024-02-29",
    "24/12/2025": "2025-12-24..2025-12-24",
    "12/24/2025": "2025-12-24..2025-12-24",
    "3/3/2024": "2024-03-03..2024-03-03",
    "2024": "2024-01-01..2024-12-31",
    "in 2024": "2024-01-01..2024-12-31",
    "2024-02": "2024-02-01..2024-02-29",
    "2024-6-3": "2024-06-03..2024-06-03",
    "2024/06/03": "2024-06-03..2024-06-03",
    "2024-W05": "2024-01-29..2024-02-04",
    "next 7 days": "2026-11-24..2026-11-30",
}
GERMAN = {
    "heute": "2026-11-24..2026-11-24",
    "gestern": "2026-11-23..2026-11-23",
    "vorgestern": "2026-11-22..2026-11-22",
    "morgen": "2026-11-25..2026-11-25",
    "Übermorgen": "2026-11-26..2026-11-26",
    "uebermorgen": "2026-11-26..2026-11-26",
    "diese Woche": "2026-11-23..2026-11-29",
    "in dieser Woche": "2026-11-23..2026-11-29",
    "letzte Woche": "2026-11-16..2026-11-22",
    "vergangene Woche": "2026-11-16..2026-11-22",
    "vorletzte Woche": "2026-11-09..2026-11-15",
    "nächste Woche": "2026-11-30..2026-12-06",
    "naechste Woche": "2026-11-30..2026-12-06",
    "dieser Monat": "2026-11-01..2026-11-30",
    "diesen Monat": "2026-11-01..2026-11-30",
    "letzten Monat": "2026-10-01..2026-10-31",
    "im letzten Monat": "2026-10-01..2026-10-31",
    "voriger Monat": "2026-10-01..2026-10-31",
    "vorletzter Monat": "2026-09-01..2026-09-30",
    "letztes Quartal": "2026-07-01..2026-09-30",
    "1. Quartal 2024": "2024-01-01..2024-03-31",
    "dieses Jahr": "2026-01-01..2026-12-31",
    "letztes Jahr": "2025-01-01..2025-12-31",
    "im vorigen Jahr": "2025-01-01..2025-12-31",
    "vorletztes Jahr": "2024-01-01..2024-12-31",
    "letzte 7 Tage": "2026-11-18..",
    "in den letzten sieben Tagen": "2026-11-18..",
    "die letzten 3 Monate": "2026-08-25..",
    "vor 3 Tagen": "2026-11-21..2026-11-21",
    "vor drei Tagen": "2026-11-21..2026-11-21",
    "vor 2 Wochen": "2026-11-09..2026-11-15",
    "vor einem Monat": "2026-10-01..2026-10-31",
    "vor einem halben Jahr": "2026-05-01..2026-05-31",
    "vor einem Jahr": "2025-01-01..2025-12-31",
    "3 Tage": "2026-11-21..",
    "2 Wochen": "2026-11-10..",
    "6 Monate": "2026-05-24..",
    "1j": "2025-11-24..",
    "Montag": "2026-11-23..2026-11-23",
    "am Dienstag": "2026-11-24..2026-11-24",
    "letzten Dienstag": "2026-11-17..2026-11-17",
    "Mittwoch": "2026-11-18..2026-11-18",
    "diesen Freitag": "2026-11-27..2026-11-27",
    "Sonnabend": "2026-11-21..2026-11-21",
    "März": "2026-03-01..2026-03-31",
    "Maerz": "2026-03-01..2026-03-31",
    "im Dezember": "2025-12-01..2025-12-31",
    "Jänner 2024": "2024-01-01..2024-01-31",
    "März letzten Jahres": "2025-03-01..2025-03-31",
    "24. Dezember 2025": "2025-12-24..2025-12-24",
    "am 24. Dezember": "2025-12-24..2025-12-24",
    "24. Dez. 2025": "2025-12-24..2025-12-24",
    "24.12.2025": "2025-12-24..2025-12-24",
    "24. 12. 2025": "2025-12-24..2025-12-24",
    "1.3.24": "2024-03-01..2024-03-01",
    "24.12.": "2025-12-24..2025-12-24",
    "3.4.2024": "2024-04-03..2024-04-03",
    "Jahr 2024": "2024-01-01..2024-12-31",
}
CHINESE = {
    "今天": "2026-11-24..2026-11-24",
    "今日": "2026-11-24..2026-11-24",
    "昨天": "2026-11-23..2026-11-23",
    "前天": "2026-11-22..2026-11-22",
    "大前天": "2026-11-21..2026-11-21",
    "明天": "2026-11-25..2026-11-25",
    "後天": "2026-11-26..2026-11-26",
    "本周": "2026-11-23..2026-11-29",
    "这周": "2026-11-23..2026-11-29",
    "这个星期": "2026-11-23..2026-11-29",
    "上周": "2026-11-16..2026-11-22",
    "上週": "2026-11-16..2026-11-22",
    "上个星期": "2026-11-16..2026-11-22",
    "上上周": "2026-11-09..2026-11-15",
    "下周": "2026-11-30..2026-12-06",
    "本月": "2026-11-01..2026-11-30",
    "这个月": "2026-11-01..2026-11-30",
    "上个月": "2026-10-01..2026-10-31",
    "上個月": "2026-10-01..2026-10-31",
    "上月": "2026-10-01..2026-10-31",
    "上上个月": "2026-09-01..2026-09-30",
    "本季度": "2026-10-01..2026-12-31",
    "上个季度": "2026-07-01..2026-09-30",
    "今年": "2026-01-01..2026-12-31",
    "去年": "2025-01-01..2025-12-31",
    "前年": "2024-01-01..2024-12-31",
    "最近7天": "2026-11-18..",
    "过去七天": "2026-11-18..",
    "近三个月": "2026-08-25..",
    "过去一年": "2025-11-25..",
    "3天内": "2026-11-22..",
    "半年内": "2026-05-25..",
    "3天前": "2026-11-21..2026-11-21",
    "３天前": "2026-11-21..2026-11-21",
    "三天前": "2026-11-21..2026-11-21",
    "十五天前": "2026-11-09..2026-11-09",
    "两周前": "2026-11-09..2026-11-15",
    "一个月前": "2026-10-01..2026-10-31",
    "2個月之前": "2026-09-01..2026-09-30",
    "一年前": "2025-01-01..2025-12-31",
    "3天": "2026-11-21..",
    "2周": "2026-11-10..",
    "6个月": "2026-05-24..",
    "1年": "2025-11-24..",
    "周一": "2026-11-23..2026-11-23",
    "星期三": "2026-11-18..2026-11-18",
    "礼拜天": "2026-11-22..2026-11-22",
    "上周一": "2026-11-16..2026-11-16",
    "上个星期日": "2026-11-22..2026-11-22",
    "本周五": "2026-11-27..2026-11-27",
    "3月": "2026-03-01..2026-03-31",
    "三月": "2026-03-01..2026-03-31",
    "十二月": "2025-12-01..2025-12-31",
    "去年3月": "2025-03-01..2025-03-31",
    "2024年": "2024-01-01..2024-12-31",
    "2024年3月": "2024-03-01..2024-03-31",
    "2024年3月15日": "2024-03-15..2024-03-15",
    "2024 年 3 月 15 日": "2024-03-15..2024-03-15",
    "12月24日": "2025-12-24..2025-12-24",
    "十二月二十四号": "2025-12-24..2025-12-24",
}


@pytest.mark.parametrize(
    ("phrase", "days"),
    [pair for table in (ENGLISH, GERMAN, CHINESE) for pair in table.items()],
)
def test_spoken_dates_mean_these_days(phrase: str, days: str) -> None:
    assert str(named(phrase, TODAY).period) == days
    # As a filter it is the same, whatever language the window speaks.
    (clause,) = parse(f'date:"{phrase}"', TODAY).parts
    assert isinstance(clause, query.Clause)
    assert str(clause.period) == days


@pytest.mark.parametrize(
    "text",
    [
        *("soon", "last", "", "..", "never ago", "in 3 days", "3", "2024-13", "30 February 2024"),
        *("0w", "yesterday or so", "31.11.2025", "99999d", "9999 years ago", "去", "月", "十三月"),
        *("2024-02-30", "24.13.2025", "00.01.2024", "monthly", "mayor", "x" * 5000, "1" * 5000),
    ],
)
def test_an_invalid_date_is_text(text: str) -> None:
    if text == "0w":  # this day, said oddly
        assert named(text, TODAY).turn == TODAY
        return
    with pytest.raises(BadValueError):
        period_named(text, TODAY)


def test_the_reason_explains_the_remedy() -> None:
    def notice(typed: str) -> str:
        (only,) = parse(typed, TODAY).notices
        return only

    assert "use quotes" in notice("after:last month")
    assert "write it as 2024-12-31" in notice("after:03/04/2024")
    assert "use date:" in notice("after:2024..2025")
    assert "ends before it starts" in notice("date:2025..2024")
    assert notice("after:soon") == "after:soon was searched as text (not a date)."


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2024..2025-03", "2024-01-01..2025-03-31"),
        ("2024-06 .. 2024-06", "2024-06-01..2024-06-30"),
        ("2024..", "2024-01-01.."),
        ("..2024", "..2024-12-31"),
        ("last month..today", "2026-10-01..2026-11-24"),
        ("2025..3w", "2025-01-01..2026-11-03"),
        ("2025..last 7 days", "2025-01-01..2026-11-24"),
        ("1.3...5.3.", "2026-03-01..2026-03-05"),
        ("1.3.2024..5.3", "2024-03-01..2026-03-05"),
        ("letzte Woche..gestern", "2026-11-16..2026-11-23"),
        ("去年3月..上个月", "2025-03-01..2026-10-31"),
    ],
)
def test_a_range_goes_from_the_first_day_of_one_to_the_last_of_the_other(
    text: str, days: str
) -> None:
    assert str(period_named(text, TODAY)) == days


def test_after_and_before_part_the_days_between_them() -> None:
    assert turn_named("last month", TODAY) == date(2026, 10, 1)
    # An exact day, while "in the month of two months ago" is the whole month.
    assert turn_named("2 months ago", TODAY) == date(2026, 9, 24)
    before, after = parse('before:"last week" after:"last week"', TODAY).parts
    assert isinstance(before, query.Clause)
    assert isinstance(after, query.Clause)
    assert str(before.period) == "..2026-11-15"
    assert str(after.period) == "2026-11-16.."


_FIXED = [phrase for table in (ENGLISH, GERMAN, CHINESE) for phrase in table]
_phrases = st.one_of(
    st.text(max_size=20),
    st.sampled_from(_FIXED),
    st.lists(st.sampled_from(_FIXED), min_size=2, max_size=2).map("..".join),
    st.from_regex(r"[0-9]{0,5} ?(d|w|m|y|days ago|年前|个月|Tage)", fullmatch=True),
    st.from_regex(r"[0-9]{1,4}[-./年][0-9]{1,2}([-./月][0-9]{1,4}日?)?", fullmatch=True),
    st.from_regex(
        "(last|nächsten|上) ?[0-9一二三十]{0,3} ?(days|month|march|周[一二日]|montag)",
        fullmatch=True,
    ),
)


@given(_phrases, st.dates(date(1971, 1, 1), date(2900, 1, 1)))
def test_any_text_is_days_or_none_on_any_day(text: str, today: date) -> None:
    try:
        period = period_named(text, today)
    except BadValueError:
        return
    assert period.first is not None or period.last is not None
    assert period.first is None or period.last is None or period.first <= period.last
    # Written as a calendar has them they are the same on any other day.
    assert is_plain(str(period))
    assert period_named(str(period), TODAY) == period
    assert str(period_text(period))


@given(_phrases, st.dates(date(1971, 1, 1), date(2900, 1, 1)))
def test_a_query_with_fixed_days_is_the_same_on_any_other_day(text: str, today: date) -> None:
    typed = " ".join(f'{key}:"{text}"' for key in ("date", "-modified", "after", "before"))
    parsed = parse(typed.replace("\n", " "), today)
    fixed = parse(str(parsed.fixed), today + timedelta(1000))
    assert fixed.scope == parsed.scope
    assert not fixed.readings


@given(st.dates(date(1972, 1, 1), date(2900, 1, 1)))
def test_neighbouring_units_leave_no_day_between_them(today: date) -> None:
    for unit in ("week", "month", "quarter", "year"):
        last, this, following = (
            named(f"{step} {unit}", today).period for step in ("last", "this", "next")
        )
        assert last.last is not None
        assert this.last is not None
        assert last.last + timedelta(1) == this.first
        assert this.last + timedelta(1) == following.first
        assert Period(today, today) == named("today", today).period
        assert this.holds(Period(today, today))


def test_a_saved_query_moves_along_with_the_days() -> None:
    monday, tuesday = (parse("owls date:yesterday", date(2026, 11, day)) for day in (23, 24))
    assert str(monday) == str(tuesday) == "owls date:yesterday"
    assert monday == tuesday
    assert monday.scope != tuesday.scope


def test_the_interpretation_is_reported_unless_it_is_plain() -> None:
    typed = 'owls after:"last month" -date:昨天 before:2024 (modified:3w OR ext:pdf)'
    messages = [str(one) for one in parse(typed, TODAY).readings]
    assert messages == [
        'after:"last month" means from 1 October 2026 on.',
        "date:昨天 means 23 November 2026.",
        "modified:3w means from 3 November 2026 on.",
    ]
    assert parse("after:2024-06 date:2024..2025 before:2024/06/30", TODAY).readings == []


def test_every_month_has_its_name() -> None:
    names = [str(day_text(date(2024, month, 9))) for month in range(1, 13)]
    assert [named(name, TODAY).period.first for name in names] == [
        date(2024, month, 9) for month in range(1, 13)
    ]


def test_queries_to_other_libraries_use_calendar_days() -> None:
    assert elsewhere("owls  after:2024") == "owls  after:2024"
    yesterday = dates.local_day() - timedelta(1)
    assert elsewhere("owls date:yesterday") in {
        f"owls date:{day}..{day}" for day in (yesterday, yesterday + timedelta(1))
    }


def test_the_side_bar_knows_the_days_that_words_mean() -> None:
    parsed = parse('date:"last year"', TODAY)
    year, month = PeriodChoice(Period.of_year(2025)), PeriodChoice(Period.of_month(2025, 6))
    assert period_of(parsed) == year.period
    assert (year.state(parsed), month.state(parsed)) == (Ticked.YES, Ticked.YES)
    assert str(year.toggled(parsed)) == ""
    assert str(month.toggled(parsed)) == "date:2025-06"
    week = PeriodChoice(Period(TODAY - timedelta(6)), is_recent=True)
    assert week.state(parse('date:"last 7 days"', TODAY)) is Ticked.YES


def write_documents(folder: Path) -> None:
    """Files of which the one says that it is of long ago, and was changed three days ago."""
    now = time.time()
    for name, text, days_ago in (
        ("old.md", "---\ndate: 1998-04-05\n---\nOwls hunt mice.", 3),
        ("new.txt", "Owls hunt mice.", 0),
        ("month.txt", "Owls hunt voles.", 40),
    ):
        path = folder / name
        path.write_text(text)
        os.utime(path, (now - days_ago * 86400, now - days_ago * 86400))


@pytest.fixture(scope="module")
def notes(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """An indexed library of the documents. Tests must not change it."""
    root = tmp_path_factory.mktemp("shared")
    (root / "documents").mkdir()
    write_documents(root / "documents")
    with indexed_library(encoder, root) as library:
        yield library


def found(library: Library, typed: str) -> list[str]:
    return sorted(hit.path.name for hit in library.search(typed, mode=Mode.WORDS).hits)


def test_modified_goes_by_the_file_and_date_by_the_document(notes: Library) -> None:
    assert found(notes, "owls modified:5d") == ["new.txt", "old.md"]
    assert found(notes, "owls date:5d") == ["new.txt"]
    assert found(notes, "owls date:1998") == ["old.md"]
    assert found(notes, "owls modified:1998") == []
    assert found(notes, "owls -modified:5d") == ["month.txt"]
    assert found(notes, "owls date:..1998 OR modified:60d") == ["month.txt", "new.txt", "old.md"]


def test_the_answer_reports_how_a_date_was_read(notes: Library) -> None:
    parsed = notes.search("owls after:5d", mode=Mode.WORDS)
    assert parsed.notice.startswith("after:5d means from ")
    assert notes.search("owls after:2024", mode=Mode.WORDS).notice == ""


def test_side_bar_days_are_counted_whatever_date_is_requested(notes: Library) -> None:
    counted = notes.answer(CountFacets("owls date:1998", mode=Mode.WORDS))
    assert counted.found == 1
    assert sum(counted.days.values()) == 3


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be changed here")
@pytest.mark.parametrize("zone", ["America/Sao_Paulo", "Europe/Berlin", "Pacific/Kiritimati"])
def test_days_begin_at_midnight_also_when_clocks_change(
    zone: str, library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Brazil there was no midnight on 4 November 2018: the day began at one o'clock."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        for day in ("2018-10-28", "2018-11-03", "2018-11-04", "2018-11-05"):
            for hour in (1, 23):
                path = folder / f"{day}-{hour}.txt"
                path.write_text(f"Owls hunt mice at {hour}.")
                moment = datetime.fromisoformat(day).replace(hour=hour, minute=30)
                os.utime(path, (moment.timestamp(), moment.timestamp()))
        library.add_folder(folder)
        library.sync()
        for day in ("2018-10-28", "2018-11-03", "2018-11-04"):
            assert found(library, f"owls date:{day}") == [f"{day}-1.txt", f"{day}-23.txt"]
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone cannot be changed here")
def test_today_is_the_day_where_the_person_is(monkeypatch: pytest.MonkeyPatch) -> None:
    days = {}
    try:
        for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # 25 hours apart
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            days[zone] = dates.local_day()
    finally:
        monkeypatch.undo()
        time.tzset()
    assert days["Pacific/Kiritimati"] > days["Pacific/Pago_Pago"]
