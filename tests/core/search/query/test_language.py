"""Every input is a query; invalid filters are text, and reported."""

from __future__ import annotations

import unicodedata
from datetime import date
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.catalog.scope import Scope
from core.catalog.text.normalisation import any_of, fold, quoted
from core.errors import BadValueError, UsageError
from core.search.query.language import LONGEST, Clause, Either, Query, Term, checked, clause, parse
from core.search.query.operators import OPERATORS, filters
from core.search.words.fts import contains, demanded, possible, terms

_PIECES = (
    *(
        "a",
        "b",
        "OR",
        "OR",
        "(",
        ")",
        "-",
        "-(",
        "f(x",
        "x)",
        "&",
        "--",
        "or",
        ":",
        "12:30",
        "東京",
    ),
    *("http://x.y/z", "C:\\x", "foo:bar", "ext:pdf", "-ext:.md", "EXT:PDF", "type:code", "in:docs"),
    *("type:films", "before:2024-06", "after:soon", "size:>1mb", "size:1mb", "in:", "name:*.txt"),
)
_typed = st.one_of(
    st.text(st.characters(), max_size=100),
    st.lists(
        st.sampled_from([*_PIECES, " ", " ", " ", '"', "“", "”", "»", 'in:"', '""', "\x00", "\n"]),
        max_size=16,
    ).map("".join),
    st.lists(st.sampled_from(_PIECES), max_size=12).map(" ".join),
)
_words = st.sampled_from(["wing", "jet", "f(x", "e-mail", "京都", "c++"])
_values = {
    "ext": st.sampled_from(["pdf", ".md", "tar.gz"]),
    "type": st.sampled_from(["pdf", "word", "py"]),
    "in": st.text(min_size=1).filter(str.strip),
    "name": st.text(min_size=1).filter(str.strip),
    "after": st.dates(date(1000, 1, 1), date(2999, 1, 1)).map(str),
    "before": st.sampled_from(["2024", "2024-6", "2024/06/30"]),
    "date": st.sampled_from(["last month", "昨天", "2024..2025", "24. Dezember"]),
    "modified": st.sampled_from(["3w", "vorgestern", "2024"]),
    "size": st.sampled_from([">1mb", "<=2.5GB", ">0", "< 7 k"]),
}
_beginnings = st.sampled_from(["win", "jets", "пче"]).map(
    lambda text: Term(text, pattern=f"{text}*")
)
_wanted = st.one_of(st.builds(Term, _words, st.booleans()), _beginnings)
_terms = st.one_of(st.builds(Term, _words, st.booleans(), st.booleans()), _beginnings)


def _readable(key: str, value: str, *, is_excluded: bool) -> Clause | None:
    try:
        return clause(key, value, is_excluded=is_excluded)
    except BadValueError:
        return None


_clauses = st.one_of(
    st.builds(_readable, st.just(key), values, is_excluded=st.booleans())
    for key, values in _values.items()
).filter(lambda built: built is not None)


def _either(
    parts: st.SearchStrategy[Term] | st.SearchStrategy[Clause],
) -> st.SearchStrategy[Either]:
    ways = st.lists(st.lists(parts, min_size=1, max_size=3).map(tuple), min_size=2, max_size=3)
    return ways.map(tuple).map(Either)


_queries = st.lists(
    st.one_of(_terms, _clauses, _either(_wanted), _either(_clauses)), max_size=6
).map(lambda parts: Query(tuple(parts)))


@given(_typed)
@example('in:"a""b" (a OR f(x b) OR (c d')
def test_any_text_is_a_query_that_can_be_written_down(typed: str) -> None:
    query = parse(typed)
    written = str(query)
    assert parse(written) == query
    written.encode()  # text that every part behind can take
    assert "\x00" not in written
    query.scope.condition()
    for phrase in query.phrases:
        assert any(map(str.isalnum, phrase))
        assert '"' not in phrase
        assert phrase == " ".join(phrase.split())


@given(_queries)
def test_any_query_equals_its_parsed_text(query: Query) -> None:
    assert parse(str(query)) == query
    assert parse(str(query)).notices == ()


def test_every_operator_of_the_table_is_understood_as_its_example_writes_it() -> None:
    assert filters().keys() >= {"type", "ext", "in", "name", "after", "before", "size"}
    for operator in OPERATORS:
        query = parse(operator.example)
        assert query.notices == ()
        assert str(query) == operator.example
        assert any(not isinstance(part, Term) or str(part) != part.text for part in query.parts)
        if operator.key:
            assert Scope() != query.scope
            assert operator.form.startswith(f"{operator.key}:")


def test_a_hyphen_behind_a_quotation_mark_is_of_a_compound_and_excludes_nothing() -> None:
    query = parse("„Model C“-Schulen -Klassen")
    assert query == parse('"Model C" Schulen -Klassen')
    assert query.text == "Model C Schulen"


@pytest.mark.parametrize(
    ("typed", "scope"),
    [
        ("ext:pdf", Scope(suffixes=(".pdf",))),
        ("EXT:.PDF", Scope(suffixes=(".PDF",))),
        ("type:org", Scope(suffixes=(".org",))),
        ("in:notes", Scope(folders=("notes",))),
        ('in:"/srv/tax 2024"', Scope(paths=(Path("/srv/tax 2024"),))),
        ("in:/", Scope(paths=(Path("/"),))),
        ("name:rep*", Scope(names=("rep*",))),
        ("after:2024-06", Scope(since=date(2024, 6, 1))),
        ("before:2024-06", Scope(until=date(2024, 5, 31))),
        ("before:2024", Scope(until=date(2023, 12, 31))),
        ("after:2024/6/3", Scope(since=date(2024, 6, 3))),
        ("size:>1mb", Scope(least_bytes=1_000_001)),
        ("size:>=1.5k", Scope(least_bytes=1500)),
        ("size:<2GB", Scope(most_bytes=1_999_999_999)),
        ("size:<=10", Scope(most_bytes=10)),
        ("-ext:pdf", Scope(neither=(Scope(suffixes=(".pdf",)),))),
        ("-draft -plan", Scope(without_words=("draft", "plan"))),
        # A file has one suffix, and many words in its name.
        ("ext:a ext:b", Scope(either=(Scope(suffixes=(".a",)), Scope(suffixes=(".b",))))),
        ("ext:a OR ext:b", Scope(either=(Scope(suffixes=(".a",)), Scope(suffixes=(".b",))))),
        ("name:a name:b", Scope(every=(Scope(names=("a",)), Scope(names=("b",))))),
        (
            "(after:2024 size:>1k) OR ext:b",
            Scope(
                either=(
                    Scope(every=(Scope(since=date(2024, 1, 1)), Scope(least_bytes=1001))),
                    Scope(suffixes=(".b",)),
                )
            ),
        ),
    ],
)
def test_filters_become_the_scope(typed: str, scope: Scope) -> None:
    query = parse(f"wing {typed} flow")
    assert query.scope == scope
    assert query.text == "wing flow"
    assert query.notices == ()


@pytest.mark.parametrize(
    ("typed", "text", "notice"),
    [
        ("before:soon", "before:soon", "before:soon was searched as text (not a date)."),
        ("after:2024-13", "after:2024-13", "after:2024-13 was searched as text (not a date"),
        ("after:9999-12-31", "after:9999-12-31", "not a date"),
        ("size:1mb", "size:1mb", "size:1mb was searched as text (not a size"),
        ("size:>big", "size:>big", "not a size"),
        (
            "type:films",
            "type:films",
            "type:films was searched as text (not a file type (use text, code",
        ),
        ('ext:""', "ext:", "has no value"),
        ("colour:red", "colour:red", "colour:red was searched as text (not a filter)."),
        (
            'colour:"dark red"',
            "colour: dark red",
            "colour:dark red was searched as text (not a filter",
        ),
        ("wing OR ext:pdf", "wing or", "OR joins words or filters"),
        ("wing OR -flow", "wing or", "OR joins words or filters"),
        # Not everything with a colon was meant as a filter.
        ("http://a.b/c", "http://a.b/c", ""),
        ("std::vector", "std::vector", ""),
        ("C:\\Users", "C:\\Users", ""),
        ("12:30", "12:30", ""),
        ("note: this", "note: this", ""),
        ("OR gate", "or gate", ""),
        ("the AND gate OR", "the AND gate or", ""),
        ("well-known - really", "well-known - really", ""),
        ("(see (above) :)", "see above :", ""),
        ("f(x)", "f(x)", ""),
        ('no "end', "no end", ""),
    ],
)
def test_invalid_filters_are_text_and_reported(typed: str, text: str, notice: str) -> None:
    query = parse(typed)
    assert query.text == text
    assert notice in " ".join(query.notices)
    assert bool(query.notices) is bool(notice)


def test_or_joins_words_and_groups_of_words() -> None:
    def ways(typed: str) -> list[list[str]]:
        (either,) = parse(typed).alternatives
        return [[term.text for term in way] for way in either]

    assert ways("report solar OR wind") == [["solar"], ["wind"]]
    assert ways("(solar panel) OR wind OR (jet engine)") == [
        ["solar", "panel"],
        ["wind"],
        ["jet", "engine"],
    ]
    assert ways("report (solar OR wind) 2024") == [["solar"], ["wind"]]
    assert ways("((a b) OR c) OR d") == [["a", "b"], ["c"], ["d"]]
    assert ways('"a b" OR c') == [["a b"], ["c"]]
    assert parse("report solar OR wind").text == "report solar wind"


def test_the_query_for_the_word_index() -> None:
    assert demanded(parse("a b -c ext:pdf")) == ""
    assert demanded(parse('a "b c" d OR e')) == '"b c" AND (("d") OR ("e"))'
    assert demanded(parse('a "b c" d OR e'), of_phrases=True) == '"b c"'
    assert demanded(parse('"a" OR ("b" "c")'), of_phrases=True) == '(("a") OR ("b" AND "c"))'


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("jaguar -(car OR auto)", "jaguar -car -auto"),
        ("jaguar -(car auto", "jaguar -car -auto"),
        ("-( car )", "-car"),
        ('jaguar -("big car" OR (aut* & -van))', 'jaguar -"big car" -aut* -van'),
        ("a -(type:pdf OR (b OR c) after:2024)", "a -type:pdf -b -c -after:2024"),
        ("(a) -(b -(c OR", "a -b -c"),
        ("a -() -(?) (b OR -(c))", "a b or -c"),
    ],
)
def test_a_minus_before_brackets_leaves_out_all_that_is_in_them(typed: str, written: str) -> None:
    query = parse(typed)
    assert str(query) == written
    assert parse(written) == query
    assert query.alternatives == ()


def test_a_folder_of_the_home_is_found_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/srv/me")
    monkeypatch.setenv("USERPROFILE", "/srv/me")
    assert parse("in:~/docs").scope.paths == (Path("/srv/me/docs"),)
    assert parse("in:~nobody-of-this-name/docs").scope.folders == ("~nobody-of-this-name/docs",)


@pytest.mark.parametrize(
    ("typed", "normalised"),
    [
        # As macOS names files; direction marks precede text copied from elsewhere.
        ("re\u0301sume\u0301 -cafe\u0301", "résumé -café"),
        ('"Tie\u0302\u0301ng Vie\u0323\u0302t"', '"Tiếng Việt"'),
        ("\u200fשלום \u200etype:pdf -\u00adcar", "שלום type:pdf -car"),
        ('"\u202aco\u00adoperate\u202c"', '"cooperate"'),
        ("\ufb01nal a\u200b OR\u200b b\u2060", "final a OR b"),
        ("\u200b -\ufeff", "-"),
    ],
)
def test_words_are_searched_in_the_stored_normal_form(typed: str, normalised: str) -> None:
    assert parse(typed) == parse(normalised)
    assert str(parse(typed)) == normalised


def test_a_filter_value_stays_as_it_is_written() -> None:
    path = "/srv/re\u0301sume\u0301/\u200fשלום"
    assert parse(f'in:"{path}"').scope.paths == (Path(path),)


@pytest.mark.parametrize(
    ("typed", "phrases"),
    [
        ('"boundary layer" wing', ("boundary layer",)),
        ('"a b" "c d"', ("a b", "c d")),
        ("„deutsche Zeichen“ and «français»", ("deutsche Zeichen", "français")),
        ("“curly quotes”", ("curly quotes",)),
        ('" spaced \n out "', ("spaced out",)),
        ('"" "?!" word', ()),
        ('no "end', ()),
        ('"a\x00b"', ("a b",)),
        ('"\ud800a"', ("a",)),
        ('-"a b" "c d"', ("c d",)),
    ],
)
def test_quoted_words_are_a_phrase(typed: str, phrases: tuple[str, ...]) -> None:
    assert parse(typed).phrases == phrases


@pytest.mark.parametrize("typed", ["", "   ", "\n"])
def test_nothing_to_look_for_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match=r"empty. Type some words"):
        checked(typed)


@pytest.mark.parametrize("typed", ['""', "?!", "\x00", "\ud800", "🦉", "()", "- -"])
def test_signs_alone_are_refused(typed: str) -> None:
    with pytest.raises(UsageError, match=r"no letters or digits. Type some words"):
        checked(typed)


def test_an_enormous_query_is_refused() -> None:
    checked("a" * LONGEST)
    with pytest.raises(UsageError, match="10,001 characters; the limit is 10,000"):
        checked("a" * (LONGEST + 1))


@pytest.mark.parametrize(
    ("text", "phrase", "is_there"),
    [
        ("The boundary\n layer", "BOUNDARY LAYER", True),
        ("Ein Résumé", "resume", True),
        ("resume", "résumé", True),
        ("walking", "walk", False),
        ("a sidewalk", "walk", False),
        ("C++ and C", "c++", True),
        ("C++11", "c++", True),
        ("the (very) end", "(very)", True),
        ("a.b", "a+b", False),
        ("", "a", False),
        ("straße", "STRASSE", True),
        ("私は東京に住む", "東京", True),
        ("私は東京に住む", "京東", False),
        ("서울에서", "서울", True),
        ("각", "가", False),
        # As word processors set them, and as they are typed.
        ("Don\u2019t panic", "don't panic", True),
        ("don't panic", "Don\u2019t panic", True),
        ("state\u2011of\u2011the\u2011art", "state-of-the-art", True),
        ("pages 3\u20135", "pages 3-5", True),
        ("dont", "don't", False),
    ],
)
def test_a_phrase_occurs_but_for_case_accents_and_white_space(
    text: str, phrase: str, is_there: bool
) -> None:
    assert contains(text, phrase) is is_there


@given(st.text(max_size=40))
def test_a_text_contains_itself_however_it_is_written(text: str) -> None:
    if fold(text):
        assert contains(text, text)
        assert contains(f"before  {text}\n after", unicodedata.normalize("NFD", text))
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=60))
def test_terms_are_words_once_each_and_quoted_they_hold_no_operators(text: str) -> None:
    found = terms(text)
    assert len(set(found)) == len(found)
    for term in found:
        assert quoted(term).count('"') == 2


def test_expressions_of_nothing_are_empty() -> None:
    assert any_of([]) == ""
    assert any_of(["a", "b c"]) == '"a" OR "b c"'
    assert possible("b c", {}) == '"b c"'


def test_a_run_of_unspaced_characters_is_searched_by_bigrams() -> None:
    assert terms("Python入門書 京") == ["python", "入門", "門書", "京"]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("zinnober NOT lampion", "zinnober -lampion"),
        ("zinnober AND NOT lampion", "zinnober -lampion"),
        ('zinnober NOT "der lampion"', 'zinnober -"der lampion"'),
        ("dogs NOT type:pdf", "dogs -type:pdf"),
        ("zinnober AND lampion AND lack", '"zinnober" "lampion" "lack"'),
        ("(a OR b) AND c", 'a OR b "c"'),
        ("x NOT (a b)", "x not a b"),
        ("where a IS NOT NULL", "where a IS NOT NULL"),
        ("TERMS AND CONDITIONS", "TERMS AND CONDITIONS"),
        ("NOT now", "NOT now"),
        ("now and not then", "now and not then"),
        ("a AND b OR c", "a AND b OR c"),
    ],
)
def test_and_and_not_in_capitals_between_words_are_operators(typed: str, read: str) -> None:
    query = parse(typed)
    assert str(query) == read
    assert parse(read).parts == query.parts
    is_changed = read != typed
    assert bool(query.notices) == is_changed
