from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document
from core.documents.text_formats import latex


@pytest.fixture
def read(tmp_path: Path):
    def read_source(source: str) -> Document:
        path = tmp_path / "paper.tex"
        path.write_bytes(source.encode())
        return latex.read(path)

    return read_source


def _text(document: Document) -> str:
    (page,) = document.pages
    return page.text


def test_the_preamble_contains_title_authors_and_date_and_is_no_text(read) -> None:
    document = read(
        "\\documentclass[12pt]{article}\n\\usepackage{x}\n\\newcommand{\\R}[1]{\\mathbb{R}}\n"
        "\\title[Short]{On \\emph{Crows}\\thanks{Paid}}\n\\date{June 30, 2024}\n"
        "\\author{Ann Rook\\\\Oxford \\and Bob Crow}\n"
        "\\begin{document}\n\\maketitle\nText.\n\\end{document}\nmore"
    )
    assert (document.title, document.author, document.date) == (
        "On Crows",
        "Ann Rook; Bob Crow",
        "2024-06-30",
    )
    assert _text(document) == "On Crows\n\nAnn Rook; Bob Crow\n\nText."


def test_a_letter_after_a_line_break_is_no_macro(read) -> None:
    source = "\\newcommand{\\R}{real}\\R{} first\\\\R second\\\\def\\q{crow} third \\\\\\R"
    assert _text(read(source)) == "real first\nR second\ndefcrow third\nreal"


def test_a_chapter_of_its_own_is_read(read) -> None:
    document = read("\\chapter{One}\\label{c}\nText.\n\\section*{Two}\nMore.\n")
    assert document.title == "One"
    headings = document.pages[0].headings
    assert [heading.text for heading in headings] == ["One", "Two"]
    assert headings[0].level < headings[1].level


def test_commands_are_removed_and_their_words_are_there(read) -> None:
    text = _text(
        read(
            "A \\textbf{bold {\\em soft}} word~\\cite[p.~3]{x,y}, 50\\% of \\$3 --- ``quoted''"
            " \\verb|a_{b}|.\\footnote{A \\emph{note}.} % gone\nNa\\\"ive r\\'{e}sum\\'e, \\c{c}a,"
            " \\ss, \\href{http://a.b}{a link}, $\\alpha_1 \\leq 2$ and \\(x\\).\n% gone\n\n"
            "\\input{/etc/passwd}New \\LaTeX{} par.\\\\Line"
        )
    )
    assert text == (
        "A bold soft word , 50% of $3 — “quoted” a_{b}. (A note.) Naïve résumé, ça, ß, a link,"
        " α_1 ≤ 2 and x.\n\nNew LaTeX par.\nLine\n\nhttp://a.b"
    )


def test_environments(read) -> None:
    text = _text(
        read(
            "Intro\n\\begin{itemize}\n\\item One\n\\item Two\n\\end{itemize}\nThen\n"
            "\\begin{equation}\\label{e}\nE = mc^2\n\\end{equation}\n"
            "\\begin{lstlisting}[language=C]\nint f() {\n  return 1 % 2;\n}\n\\end{lstlisting}\n"
            "\\begin{figure}[ht]\\includegraphics[width=3cm]{a}\\caption{The \\emph{crow}}"
            "\\end{figure}\n\\begin{tabular}{ll}\n\\hline a & b \\\\ 1 & 2 \\\\\n\\end{tabular}\n"
            "\\begin{comment}\nno\n\\end{comment}\nEnd"
        )
    )
    assert text == (
        "Intro\n\nOne\nTwo\n\nThen\n\nE = mc^2\n\nint f() {\n  return 1 % 2;\n}\n\nThe crow\n\n"
        "a | b\n1 | 2\n\nEnd"
    )


@given(st.text(alphabet=st.sampled_from("\\{}[]$%&~-'`\n ab\"")))
def test_any_source_keeps_the_promises_of_a_page(source: str) -> None:
    walk = latex._LatexText(source)
    walk.body()
    text, headings = walk.page.finish()
    assert text == text.strip()
    assert all(text.startswith(heading.text, heading.start) for heading in headings)


@pytest.mark.parametrize(
    "unit",
    ["{", "\\footnote{", "$", "\\(", "[", "\\begin{a}", "\\begin{verbatim}", "\\'{", "\n ", "%\n"],
)
def test_long_runs_of_marks_take_no_long_time(read, unit: str) -> None:
    read(unit * (300_000 // len(unit)))


@pytest.mark.parametrize(
    ("preamble", "body", "expected"),
    [
        ("\\usepackage[ngerman]{babel}", '"Uber Stra"sen', "Über Straßen"),
        ("\\usepackage[ngerman]{babel}", '"`Bu"-chen"\' f"ur Gro"z', "„Buchen“ für Groß"),
        ("\\usepackage[english,dutch]{babel}", 'Belgi"e, co"operatie', "België, coöperatie"),
        ("\\documentclass[naustrian,12pt]{article}", 'J"anner', "Jänner"),
        ("\\usepackage[english]{babel}", 'the "apple" and 5" of "one"', None),
        # Not after a backslash, where it is an accent anyway.
        ("\\usepackage{german}", '\\"Ol', "Öl"),
    ],
)
def test_shorthands_of_a_language_are_letters(
    read, preamble: str, body: str, expected: str | None
) -> None:
    source = f"{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}"
    assert _text(read(source)) == (expected or body)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("\\newcommand{\\uni}{Uni de Málaga}La \\uni{} abre.", "La Uni de Málaga abre."),
        ("\\def\\ort{Łódź}W \\ort, \\emph{\\ort}.", "W Łódź, Łódź."),
        ("\\newcommand*\\duo[2]{#2 et #1}\\duo{Zoé}{Léa}", "Léa et Zoé"),
        ("\\newcommand{\\cum}[2][Ann]{#1, #2}\\cum{Bo}; \\cum[Eve]{Bo}", "Ann, Bo; Eve, Bo"),
        ("\\def\\a#1{(#1)}\\newcommand\\b{\\a{Бор}}\\b", "(Бор)"),
        # A command of LaTeX, and a macro without its arguments or its end.
        ("\\renewcommand{\\section}{x}\\section{Teil}", "Teil"),
        ("\\newcommand{\\kurz}[1]{[#1]}\\kurz", "[]"),
    ],
)
def test_own_macros_are_expanded(read, source: str, expected: str) -> None:
    assert _text(read(source)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('\\begin{verbatim}\n"auto" \\ort\n\\end{verbatim}', '"auto" \\ort'),
        ("\\begin{lstlisting}\n\\def\\x{1}\n\\end{lstlisting}", "\\def\\x{1}"),
        ('Mit \\verb|"a"| und \\lstinline!\\ort! in \\ort', 'Mit "a" und \\ort in Łódź'),
        ('\\begin{verbatim}\n"ort', "ört"),
    ],
)
def test_verbatim_text_is_read_as_it_is(read, source: str, expected: str) -> None:
    preamble = "\\usepackage[ngerman]{babel}\\def\\ort{Łódź}\n\\begin{document}\n"
    assert _text(read(f"{preamble}{source}\n\\end{{document}}")) == expected


def test_macros_that_never_end_are_not_expanded_for_ever(read) -> None:
    body = "".join(f"\\def\\{a}{{{f'{chr(92)}{b}' * 20}}}" for a, b in ("xy", "yz", "zx"))
    assert len(_text(read(f"{body}Text \\x"))) < 1_000_000
