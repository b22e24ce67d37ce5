"""Tests of the parts of mails that repeat other mails."""

from pathlib import Path

import pytest

from core.documents.mail import message
from core.documents.mail.quotes import quotes_in

HEADERS = b"From: Jo <jo@example.org>\nTo: anna@example.org\nSubject: Re: Boat\n"
OLD = "The boat leaves the old harbour at nine."

# What introduces the old mail, in the wordings of programs; none of them marks its lines.
INTRODUCTIONS = [
    "On Fri, 3 May 2024 at 10:15, Anna Rook <anna@example.org> wrote:",
    "On Fri, 3 May 2024 at 10:15, Anna Rook\n<anna@example.org> wrote:",
    "Am 03.05.2024 um 10:15 schrieb Anna Rook <anna@example.org>:",
    "Le ven. 3 mai 2024 à 10:15, Anna Rook <anna@example.org> a écrit :",
    "El vie, 3 may 2024 a las 10:15, Anna Rook (<anna@example.org>) escribió:",
    "Anna Rook <anna@example.org> 于2024年5月3日周五 10:15写道：",
    "From: Anna Rook\nSent: Friday, 3 May 2024\nTo: Jo\nSubject: Boat\n",
    "-----Ursprüngliche Nachricht-----\nVon: Anna\nGesendet: Freitag\nAn: Jo\nBetreff: Boot\n",
    "De : Anna Rook\nEnvoyé : vendredi\nÀ : Jo\nObjet : Bateau\n",
    "De: Anna Rook\nEnviado: viernes\nPara: Jo\nAsunto: Barco\n",
    "发件人: Anna\n发送时间: 2024年5月3日\n收件人: Jo\n主题: 船\n",
    "---------- Forwarded message ---------\nFrom: Anna\nDate: 3 May\nSubject: Boat\nTo: Jo\n",
]


@pytest.mark.parametrize("introduction", INTRODUCTIONS)
def test_a_quotation_begins_where_programs_introduce_it(introduction: str) -> None:
    text = f"Fine with me.\n\n{introduction}\n{OLD}"
    assert [text[start:end] for start, end in quotes_in(text, 0)] == [f"{introduction}\n{OLD}"]


@pytest.mark.parametrize(
    "text",
    [
        "On Friday the museum opens at 9, as Anna wrote: a good time.",
        "From: Berlin\nTo: Paris\nDate: 3 May\n\nPlease book it.",
        "Temperature > 30 degrees\nand more",
    ],
)
def test_a_mail_s_own_text_is_none(text: str) -> None:
    assert quotes_in(text, 0) == ()


def test_answers_between_quotations_are_the_mail_s_own(tmp_path: Path) -> None:
    file = tmp_path / "reply.eml"
    file.write_bytes(
        HEADERS
        + f"\nOn 3 May 2024 Anna wrote:\n> {OLD}\n\nGood.\n\n> Bring bread.\n\nYes.".encode()
    )
    (page,) = message.read(file).pages
    quoted = [page.text[start:end].strip() for start, end in page.quotes]
    assert quoted == [f"On 3 May 2024 Anna wrote:\n> {OLD}", "> Bring bread."]


@pytest.mark.parametrize(
    "markup",
    [
        (
            "<div class=gmail_quote><div>On 3 May 2024, Anna wrote:<br></div>"
            f"<blockquote class=gmail_quote>{OLD}<blockquote>On 2 May 2024, Jo wrote:<br>When?"
            "</blockquote></blockquote></div>"
        ),
        (
            "<div id=divRplyFwdMsg><b>From:</b> Anna<br><b>Sent:</b> 3 May<br><b>To:</b> Jo<br>"
            f"<b>Subject:</b> Boat</div><div>{OLD}</div>"
        ),
        f'<blockquote type="cite">{OLD}</blockquote>',
    ],
)
def test_quotations_in_web_pages_are_found(tmp_path: Path, markup: str) -> None:
    file = tmp_path / "reply.eml"
    file.write_bytes(HEADERS + f"Content-Type: text/html\n\n<p>Gladly.</p>{markup}".encode())
    (page,) = message.read(file).pages
    ((start, end),) = page.quotes
    assert OLD in page.text[start:end]
    assert "Gladly" not in page.text[start:end]


def test_much_that_looks_like_quotations_takes_no_long_time() -> None:
    text = "On 3 May\n" * 20_000 + "From: a\nTo: b\nDate: c\n" * 5_000 + "> a\nb\n" * 20_000
    assert len(quotes_in(text, 0)) == 20_000


@pytest.mark.parametrize(
    ("headers", "conversation"),
    [
        ("Message-ID: <a@x>", "a@x"),
        ("Message-ID: <c@x>\nIn-Reply-To: <b@x>\nReferences: <a@x>\n <b@x>", "a@x"),
        ("Message-ID: <c@x>\nIn-Reply-To: your mail <b@x>", "b@x"),
        ("", "boat"),
    ],
)
def test_a_conversation_is_known_by_its_first_mail(
    tmp_path: Path, headers: str, conversation: str
) -> None:
    file = tmp_path / "reply.eml"
    file.write_bytes(HEADERS + headers.encode() + b"\n\nHello")
    assert message.read(file).conversation == conversation
