"""A small folder with a document of each kind, which the tour makes when it is given none."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import xlsxwriter

from app.smoke_documents import pdf_of

QUERY = "how long does stored grain keep"
"""What is looked for in it; each document has something to say on that."""

_TEXTS = {
    "Storing grain.md": (
        "# Storing grain\n\nWheat keeps for years in a dry silo, provided that it was dry when it "
        "came in. Above fourteen percent of moisture it heats itself, and mould follows.\n\n"
        "## Oats\n\nRolled oats stay fresh for a year; whole oats keep longer.\n\n"
        "## Rye\n\nRye stored in sacks is turned each month, and aired in dry weather.\n"
    ),
    "letters/To the miller.txt": (
        "Dear Mr. Rook,\n\nthe grain that we stored in autumn has kept well. We shall bring forty "
        "sacks of it to the mill as soon as the road is dry. How long may flour be kept?\n\n"
        "Yours,\nA. Crow\n"
    ),
    "letters/An den Müller.txt": (
        "Sehr geehrter Herr Krähe,\n\ndas eingelagerte Getreide hält sich bei trockener Luft "
        "mehrere Jahre. Wir bringen vierzig Säcke zur Mühle.\n"
    ),
    "letters/给磨坊主.txt": (
        "尊敬的先生：\n\n储存的粮食在干燥的谷仓里可以保存多年。我们会把四十袋送到磨坊。\n"
    ),
    "letters/إلى الطحان.txt": (
        "السيد المحترم،\n\nالحبوب المخزنة تبقى صالحة لسنوات في صومعة جافة. سنحضر أربعين كيسا.\n"
    ),
    "silo.py": (
        '"""How long grain keeps in a silo."""\n\n\ndef keeps_for_days(moisture: float) -> int:\n'
        '    """Give for how many days stored grain keeps at this moisture."""\n'
        "    if moisture <= 0.14:\n        return 3 * 365\n    return 14\n"
    ),
    "harvest.csv": (
        "year,field,tonnes of grain,stored\n2022,north,41,yes\n2023,north,38,yes\n2024,east,44,no\n"
    ),
    "page.html": (
        "<html><head><title>Grain and mould</title></head><body><h1>Grain and mould</h1>"
        "<p>Mould spoils grain that is stored wet within two weeks.</p></body></html>"
    ),
}
_PAGES = (
    ("Report on the silos", "Before the harvest all silos were cleaned and aired."),
    (
        "How long grain keeps",
        "Stored dry, grain keeps for three years and longer.",
        "Wet grain heats itself and is lost within two weeks.",
    ),
)


def make_folder(folder: Path) -> None:
    """Write the documents below `folder`, a file that cannot be read among them."""
    for name, text in _TEXTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "Report.pdf").write_bytes(pdf_of(_PAGES))
    (folder / "Broken.pdf").write_bytes(b"%PDF-1.4 and no more")
    (folder / "~$lock.docx").write_bytes(b"")
    (folder / "Question.eml").write_bytes(bytes(_mail()))
    with xlsxwriter.Workbook(folder / "Grain.xlsx") as book:
        sheet = book.add_worksheet("Stored grain")
        for number, row in enumerate(
            [("Grain", "Keeps", "Unit"), ("Wheat", 3, "years"), ("Oats", 1, "year")]
        ):
            sheet.write_row(number, 0, row)


def _mail() -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Ada Crow <ada@example.org>"
    mail["To"] = "Ben Rook <ben@example.org>"
    mail["Date"] = "Tue, 5 Mar 2024 09:30:00 +0100"
    mail["Subject"] = "How long does grain keep?"
    mail.set_content(
        "Ben,\n\nhow long does the grain keep that we stored in the old silo?\n\nAda\n"
    )
    mail.add_attachment("Grain is turned once a month.", filename="note.txt")
    return mail
