"""The tour's example folder, with a document of each kind."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import Final

import xlsxwriter

from tools.tour.pdf import pdf

QUERY = "how do bees survive the winter"
"""The default query; many of the documents answer it, others do not."""

_TEXTS: Final = {
    "Garden/Hive notes.md": (
        "# Hive notes\n\nTwo colonies stand at the fence, one below the pear tree.\n\n"
        "## Before the frost\n\n- Weigh each hive in September: twenty kilograms of honey carry a "
        "strong colony to the first willow.\n- Narrow the entrances, or mice move in.\n"
        "- Give no sugar once the nights are cold.\n\n"
        "## Cold months\n\nThe bees hang in a dense ball around the queen and shiver to keep warm. "
        "Opening the hive now would kill them. An ear against the wall is enough: a soft hum is "
        "good news.\n\n> Moisture does more harm than cold.\n\n"
        "## Spring\n\nThe first pollen comes from hazel and willow. Clean the floors on a mild "
        "day, and add a frame of honey wherever one feels light.\n"
    ),
    "Garden/Roses.md": (
        "# Roses\n\nPrune them when the forsythia is in bloom. Heap earth over the graft in "
        "November, so that frost does not reach it.\n"
    ),
    "Garden/hive weights.csv": (
        "month,hive by the fence (kg),hive below the pear tree (kg)\n"
        "September,41,38\nNovember,37,35\nJanuary,33,30\nMarch,26,22\n"
    ),
    "Letters/Letter to Anna.txt": (
        "Dear Anna,\n\nthe snow came early this year, and the hives at the fence have white roofs. "
        "I knocked on each of them on Sunday and heard all three answer. You asked how they live "
        "through the cold with nothing in bloom: on what they stored in summer, and on each "
        "other's warmth.\n\nCome in March, when they fly again.\n\nYours,\nBen\n"
    ),
    "Letters/An den Imkerverein.txt": (
        "Sehr geehrte Damen und Herren,\n\nunsere Bienen haben den Winter gut überstanden. Von "
        "drei Völkern leben drei, und das Futter reichte bis zur Weidenblüte.\n"
    ),
    "Letters/给养蜂人.txt": (
        "尊敬的先生：\n\n蜜蜂靠夏天储存的蜂蜜过冬。它们聚成一团，互相取暖。\n"
    ),
    "Letters/إلى النحال.txt": (
        "السيد المحترم،\n\nيعيش النحل في الشتاء على العسل المخزون، ويتدفأ بعضه ببعض.\n"
    ),
    "Reading/How honeybees keep warm.html": (
        "<html><head><title>How honeybees keep warm</title></head><body>"
        "<h1>How honeybees keep warm</h1><p>Insects cannot make heat as mammals do, and yet a "
        "honeybee colony stays active all winter. The workers uncouple their wings and let the "
        "flight muscles tremble; so each of them is a small stove.</p><p>They take turns: who was "
        "outside moves in, and who was warm moves out. Around the queen it is "
        "hardly ever colder than twenty degrees.</p></body></html>"
    ),
    "Reading/Owls.md": (
        "# Owls\n\nAn owl hears a mouse below half a metre of snow. Its feathers make no sound.\n"
    ),
    "Work/hive_scale.py": (
        '"""Read the hive scale and warn when a colony runs out of food."""\n\n'
        "LEAST_FOOD_KG = 5.0\n\n\n"
        "def food_left(weight_kg: float, empty_hive_kg: float, crew_kg: float = 1.5) -> float:\n"
        '    """Give how much honey is left in a hive, in kilograms."""\n'
        "    return max(0.0, weight_kg - empty_hive_kg - crew_kg)\n\n\n"
        "def lasts_for_weeks(food_kg: float, is_winter: bool) -> float:\n"
        '    """Give for how long that feeds a colony, which eats less in winter."""\n'
        "    return food_kg / (0.4 if is_winter else 1.2)\n"
    ),
    "Work/Minutes of the allotment society.txt": (
        "Minutes of 12 March\n\n1. The rent rises by two euros a year.\n2. Water is turned on in "
        "April, when the risk of frost is over.\n3. Hives may stand along the northern fence "
        "only, as bees fly low in spring.\n"
    ),
}
_REPORT: Final = (
    (
        "# Beekeeping through the year\n\n## Before winter\n\nA colony lives or dies by what it "
        "stores in late summer. Weigh the hive in September: twenty kilograms of honey carry a "
        "strong colony to the first willow. What is missing is fed as thick sugar syrup, in the "
        "evening and inside the hive, so that neighbouring colonies are not tempted to rob "
        "it.\n\nNarrow the entrance against mice once the nights are cold. A mouse that nests "
        "between the combs will not kill the bees, but its restlessness breaks the winter "
        "cluster, and the queen rarely survives that.\n\n## During the frost\n\nThe bees hang in "
        "a dense ball and shiver to keep warm. At its heart it is hardly ever colder than twenty "
        "degrees, even when the snow lies on the roof. Do not open the hive now. Put an ear to "
        "the wall instead: a soft even hum is good news, a loud roar means that the queen is "
        "lost.\n\nMoisture does more harm than cold. Their breath condenses under the lid and "
        "drips back on them; a little air at the top of the hive lets it out."
    ),
    (
        "## First flights\n\nOn the first mild day the bees leave the hive to cleanse "
        "themselves. Yellow spots on the snow are a sign of health. Clean the floor, look for "
        "brood on a warm noon, and give a frame of honey from the shed to any colony that feels "
        "light.\n\n## Swarming\n\nIn May a crowded colony divides. The old queen leaves with "
        "half of the workers and hangs in a tree while scouts look for a cavity. Give them room "
        "in time, or make an artificial swarm and keep both halves."
    ),
)
_WEIGHTS: Final = (
    ("Month", "By the fence (kg)", "Below the pear tree (kg)", "Food for the bees"),
    ("September", 41, 38, "enough for the winter"),
    ("November", 37, 35, "enough"),
    ("January", 33, 30, "enough"),
    ("March", 26, 22, "one frame of honey added"),
)


def make_folder(folder: Path) -> None:
    """Write the documents below `folder`, including an unreadable file."""
    for name, text in _TEXTS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "Garden" / "Beekeeping through the year.pdf").write_bytes(pdf(_REPORT))
    (folder / "Garden" / "Broken.pdf").write_bytes(b"%PDF-1.4 truncated")
    (folder / "Letters" / "~$lock.docx").write_bytes(b"")
    (folder / "Letters" / "Your hives.eml").write_bytes(bytes(_mail()))
    with xlsxwriter.Workbook(folder / "Garden" / "Hive weights.xlsx") as book:
        sheet = book.add_worksheet("Hive weights")
        sheet.set_column(0, 3, 22)
        for number, row in enumerate(_WEIGHTS):
            sheet.write_row(number, 0, row)


def _mail() -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Ada Crow <ada@example.org>"
    mail["To"] = "Anna Rook <anna@example.org>"
    mail["Date"] = "Tue, 5 Mar 2024 09:30:00 +0100"
    mail["Subject"] = "Your hives"
    mail.set_content(
        "Anna,\n\ndid your bees come through the winter? Ours had eaten all of their honey by "
        "February, and we fed them fondant on the frames.\n\nAda\n"
    )
    mail.add_attachment("Fondant: four parts of sugar, one part of honey.", filename="fondant.txt")
    return mail
