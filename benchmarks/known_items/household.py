"""Papers of a household: bills, statements, contracts, manuals, bookings and certificates."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta

from known_items.items import Item, PersonFile, Section
from known_items.slots import SLOTS
from known_items.words import month_before, month_name, reference

# Noun, period, request, label of the customer, label of the amount.
_BILL_TEXTS = {
    "en": (
        "Invoice",
        "for the supply of {what} from {begin} to {end}",
        "Please pay {sum} EUR by {due}.",
        "Customer number",
        "Amount",
    ),
    "de": (
        "Rechnung",
        "für {what} vom {begin} bis {end}",
        "Bitte überweisen Sie {sum} EUR bis zum {due}.",
        "Kundennummer",
        "Betrag",
    ),
    "zh": ("账单", "{begin}至{end}的{what}", "请在{due}前支付{sum}元。", "客户编号", "金额"),
}
# "of this year" and "of last year".
_YEARS = {
    "en": ("of this year", "of last year"),
    "de": ("von diesem Jahr", "vom letzten Jahr"),
    "zh": ("今年的", "去年的"),
}


def bills(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield bills of three years; those of one firm differ in date and sum only."""
    for firm, language, what, stem, yearly, called in SLOTS["billers"]:
        noun, period, pay, customer_label, amount = _BILL_TEXTS[language]
        customer = reference(chance, "######")
        months = range(12 if yearly == 12 else 36 // (12 // yearly))
        for index in months:
            day = month_before(today, (12 // yearly) * (index + 1), 3 + index % 9)
            begin, number = month_before(day, 12 // yearly, 1), reference(chance, "##-######")
            total = f"{chance.randrange(2000, 90000) / 100:.2f}"
            slots = {"what": what, "begin": f"{begin}", "end": f"{day}", "sum": total}
            slots["due"] = f"{day + timedelta(14)}"
            file = PersonFile(
                f"{stem} {number}.pdf" if language != "zh" else f"{stem}{day:%Y%m}.docx",
                "bill",
                day,
                f"{noun} {number}",
                (
                    Section("", (firm, period.format_map(slots))),
                    Section(
                        "", (pay.format_map(slots),), ((customer_label, customer), (amount, total))
                    ),
                ),
            )
            name = firm.split()[0]
            wordings = {"number or code": (chance.choice((number, f"{name} {number}")),)}
            if yearly != 2:
                wordings["topic and date"] = (_about_bill(day, today, language, called, yearly),)
            yield Item(file, wordings)


def _about_bill(day: date, today: date, language: str, called: str, yearly: int) -> str:
    """Return a question for a monthly or a yearly bill by its date."""
    if yearly > 1:
        between = "from" if language == "en" else "vom"
        return f"{called} {between} {month_name(day, language)} {day.year}"
    years = today.year - day.year
    if years < 2:
        when = _YEARS[language][years]
    else:
        when = f"{day.year}年" if language == "zh" else f"{day.year}"
    return f"{when}{called}" if language == "zh" else f"{called} {when}"


def statements(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield two years of monthly bank statements."""
    for index in range(1, 25):
        day = month_before(today, index, 28)
        rows = [("Buchung", "Empfänger", "Betrag")]
        for _ in range(14):
            payee = chance.choice(("Miete Kaiserallee", "Telnova", "Bäckerei Ruf", "Gehalt", "DM"))
            booked = day - timedelta(chance.randrange(27))
            rows.append((f"{booked}", payee, f"{chance.randrange(300, 90000) / 100:.2f}"))
        month = month_name(day, "de")
        file = PersonFile(
            f"Bank/auszug_{day:%Y_%m}.csv", "statement", day, "", (Section("", (), tuple(rows)),)
        )
        yield Item(file, {"topic and date": (f"Kontoauszug {month} {day.year}",)})


_CHAPTERS = ("Safety", "Installation", "Daily use", "Care and cleaning", "Error codes")


def manuals(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield manuals of a page per chapter, with error codes that look alike."""
    for index, (brand, device, letter, part, fault, remedy) in enumerate(SLOTS["devices"]):
        model = f"{letter}X-{reference(chance, '####')}"
        codes = chance.sample(range(10, 60), 6)
        faults = (
            (fault, remedy),
            (f"No {part} was detected", f"Check the {part} supply"),
            (f"The {part} sensor is defective", "Call the service"),
            ("The fan does not start", "Remove dust"),
            ("Voltage out of range", "Use another socket"),
            ("Time limit exceeded", "Switch off and on again"),
        )
        rows = tuple((f"E{code}", *both) for code, both in zip(codes, faults, strict=True))
        warning = "keep children away, and never open the housing while it is plugged in."
        sections = [
            Section(
                f"{position} {chapter}",
                (
                    f"Read this chapter before you use the {device} {model}.",
                    f"{chapter} of the {part}: {warning}",
                ),
                rows if chapter == "Error codes" else (),
            )
            for position, chapter in enumerate(_CHAPTERS, 1)
        ]
        name = (f"{brand.lower()}_{model}", f"manual {device}", f"doc{index:03}")[index % 3]
        file = PersonFile(
            f"manuals/{name}.pdf",
            "manual",
            month_before(today, 5 + 2 * index, 9),
            f"{brand} {device} {model}: user manual",
            tuple(sections),
        )
        code = chance.choice(codes)
        wordings = {
            "number or code": (
                model,
                f"{device} error E{code}",
                f"what does E{codes[0]} mean on the {brand}",
            ),
            "all words": (f"{brand} {fault.lower()} installation children",),
        }
        if index % 3 == 2:
            wordings["title"] = (f"{brand} {device} manual",)
        yield Item(file, wordings)


def near_copies(today: date, _chance: random.Random) -> Iterator[Item]:
    """Yield two versions each of a paper that differ in two values."""
    common = ("Both sides keep one copy of this paper.", "Changes need to be made in writing.")
    for index, (name, title, sentence, versions, question) in enumerate(SLOTS["copies"]):
        for version, slots in enumerate(versions):
            suffix = ("", " (2)", " final")[version * (1 + index % 2)]
            file = PersonFile(
                f"papers/{name}{suffix}.docx",
                "contract",
                month_before(today, 3 + index, 2 + 5 * version),
                title,
                (Section("", (sentence.format(*slots), *common)),),
            )
            yield Item(file, {"near copy": (question.format(*slots),)})


def bookings(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield bookings of hotels and trains; two towns were visited twice."""
    for index, (town, hotel) in enumerate(SLOTS["places"]):
        day = month_before(today, 2 + 3 * index, 4)
        code, train = reference(chance, "@@@###"), reference(chance, "@#@#@#")
        nights = 2 + index % 5
        month = month_name(day, "en")
        relative = "last year" if day.year == today.year - 1 else f"in {month} {day.year}"
        stay = PersonFile(
            f"travel/confirmation-{code}.html",
            "booking",
            day,
            f"Your stay at {hotel}",
            (
                Section(
                    "Booking",
                    (f"{hotel}, {town}: {nights} nights for two people.",),
                    (("Code", code), ("Arrival", f"{day + timedelta(30)}")),
                ),
                Section("Cancellation", ("Free of charge up to three days before arrival.",)),
            ),
        )
        yield Item(
            stay,
            {
                "number or code": (code,),
                "topic and date": (f"hotel in {town} {relative}",),
                "title": (f"stay at {hotel}",),
            },
        )
        ride = PersonFile(
            f"travel/tickets {train}.pdf",
            "ticket",
            day,
            f"Train to {town}",
            (
                Section(
                    "Journey",
                    (f"Two seats to {town} in the quiet carriage, coach {20 + index}.",),
                    (("Order", train),),
                ),
            ),
        )
        yield Item(
            ride,
            {
                "number or code": (f"train ticket {train}",),
                "topic and date": (f"train tickets to {town} {relative}",),
            },
        )


def certificates(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield certificates under names that a scanner gave them."""
    for index, title in enumerate(SLOTS["certificates"]):
        number = reference(chance, "@@-#####")
        day = month_before(today, 4 + 5 * index, 17)
        text = f"This certifies that the requirements were met on {day}. Register number {number}."
        file = PersonFile(
            f"scans/scan{index + 31:04}.pdf", "certificate", day, title, (Section("", (text,)),)
        )
        yield Item(file, {"title": (title.lower(),), "number or code": (f"certificate {number}",)})


def sheets(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield workbooks: budgets of four years, and lists."""
    posts = ("Rent", "Groceries", "Piano lessons", "Allotment", "Trips", "Dentist", "Presents")
    for index in range(4):
        year = today.year - index
        sections = tuple(
            Section(
                quarter,
                (),
                (("Item", "EUR"), *((post, f"{chance.randrange(90, 4000)}") for post in posts)),
            )
            for quarter in ("Spring", "Summer", "Autumn", "Winter")
        )
        words = {0: "this year's budget", 1: "last year's budget"}.get(index, f"budget {year}")
        file = PersonFile(
            f"money/Budget{year}.xlsx",
            "sheet",
            date(year, 1, 20) if index else today,
            f"Household budget {year}",
            sections,
        )
        yield Item(file, {"topic and date": (words,)})
    for name, title, head, rows in SLOTS["lists"]:
        file = PersonFile(
            f"lists/{name}.xlsx",
            "sheet",
            month_before(today, 2, 11),
            title,
            (Section(title, (), tuple(map(tuple, (head, *rows)))),),
        )
        first = rows[1][0] if len(rows[1][0]) > 2 else rows[1][1]
        yield Item(file, {"all words": (f"{title} {first}",)})
