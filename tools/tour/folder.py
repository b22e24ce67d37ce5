"""A small folder with a document of each kind, which the tour makes when it is given none."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import xlsxwriter

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


def make_folder(folder: Path) -> None:
    """Write the documents below `folder`, a file that cannot be read among them."""
    for name, text in _TEXTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "Report.pdf").write_bytes(_pdf())
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


def _pdf() -> bytes:
    """A PDF of two pages, by hand: nothing that the program does not need draws it."""
    pages = (
        ("Report on the silos", "Before the harvest all silos were cleaned and aired."),
        ("How long grain keeps", "Stored dry, grain keeps for three years and longer.",
         "Wet grain heats itself and is lost within two weeks."),
    )  # fmt: skip
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
    ]
    kids = []
    for lines in pages:
        drawn = [
            f"BT /F1 {24 if not place else 14} Tf 72 {700 - 36 * place} Td ({line}) Tj ET"
            for place, line in enumerate(lines)
        ]
        stream = "\n".join(drawn).encode("ascii")
        number = len(bodies) + 1
        kids.append(f"{number} 0 R")
        bodies.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (number + 1)
        )
        bodies.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    bodies[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    file = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        file
        + b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
        + table
        + b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(bodies) + 1)
        + b"startxref\n%d\n%%%%EOF\n" % len(file)
    )
