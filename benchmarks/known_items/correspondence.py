"""Mails in threads, letters, minutes, appointments and contacts of a person's folder."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta

from known_items.items import Item, Mail, PersonFile, Section
from known_items.slots import SLOTS
from known_items.words import month_before, month_name, reference

_QUESTIONS = {
    "en": (
        "mail from {name} about {topic}",
        "what did {name} write about {topic}",
        "{name} {subject}",
    ),
    "de": ("Mail von {name} über {topic}", "was schrieb {name} über {topic}", "{name} {subject}"),
    "zh": ("{name}写的关于{topic}的邮件", "{name} {subject}"),
}
_GREETINGS = {
    "en": ("Hi all,", "Best,"),
    "de": ("Hallo zusammen,", "Viele Grüße"),
    "zh": ("大家好：", "祝好"),
}


def mails(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield threads of three mails by different people."""
    for index, (language, subject, sentences, topic) in enumerate(SLOTS["threads"]):
        people = chance.sample(SLOTS["people"], 3)
        first = month_before(today, 1 + index, 4)
        hello, bye = _GREETINGS[language]
        for turn, (sentence, (name, address, _)) in enumerate(zip(sentences, people, strict=True)):
            reply = {"en": "Re: ", "de": "AW: ", "zh": "回复："}[language] if turn else ""
            quoted = tuple(f"> {before}" for before in sentences[:turn])
            file = PersonFile(
                f"mail/{index:02}{turn}-{reference(chance, '######')}.eml",
                "mail",
                first + timedelta(2 * turn),
                reply + subject,
                (Section("", (hello, sentence, bye, name.split()[0], *quoted)),),
                Mail(name, address, "mara@example.org"),
            )
            forms = _QUESTIONS[language]
            form = forms[(index + turn) % len(forms)]
            slots = {"name": name.split()[0], "topic": topic, "subject": subject.lower()}
            yield Item(file, {"sender and topic": (form.format_map(slots),)})


def minutes(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield the minutes of a club's monthly meetings over two years."""
    for index in range(1, 25):
        day = month_before(today, index, 8)
        chosen = chance.sample(SLOTS["agenda"], 3)
        sections = [Section("Present", ("Owen, Nadia, Sabine and six members.",))]
        sections += [Section(heading, (text,)) for heading, text in chosen]
        month, years = month_name(day, "en"), today.year - day.year
        when = {1: f"in {month} last year", 0: f"in {month} this year"}.get(
            years, f"in {month} {day.year}"
        )
        file = PersonFile(
            f"club/minutes {day}.docx",
            "minutes",
            day,
            f"Minutes of the board meeting, {day.day} {month} {day.year}",
            tuple(sections),
        )
        yield Item(
            file, {"topic and date": (f"board meeting {when}", f"minutes of the club {when}")}
        )


def letters(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield letters to offices and firms, half of them under names without meaning."""
    close = {
        "de": ("Sehr geehrte Damen und Herren,", "Mit freundlichen Grüßen"),
        "en": ("Dear Sir or Madam,", "Yours faithfully"),
        "zh": ("尊敬的负责人：", "此致敬礼"),
    }
    for index, (language, office, subject, text) in enumerate(SLOTS["letters"]):
        hello, bye = close[language]
        number = reference(chance, "##/###/####")
        name = (
            f"letters/Document{index}.docx"
            if index % 2
            else f"letters/{office} {subject.lower()}.docx"
        )
        file = PersonFile(
            name,
            "letter",
            month_before(today, 2 + 2 * index, 21),
            f"{office}: {subject}",
            (Section(subject, (f"{hello} {number}", text, bye)),),
        )
        wordings = {"number or code": (number,)}
        if index % 2:
            wordings["title"] = (f"{office} {subject}" if language != "zh" else subject,)
        yield Item(file, wordings)


def appointments(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield appointments, each twice, a year apart."""
    for index, (title, place, notes) in enumerate(SLOTS["appointments"]):
        for years in (0, 1):
            day = month_before(today, 1 + index % 4 + 12 * years, 2 + index)
            time = f"{8 + index % 9:02}:{15 * (index % 4):02}"
            file = PersonFile(
                f"calendar/{reference(chance, '########')}.ics",
                "appointment",
                day,
                title,
                (Section("", (notes,), (("time", time), ("place", place))),),
            )
            when = (
                "last year" if day.year == today.year - 1 else f"{month_name(day, 'en')} {day.year}"
            )
            yield Item(file, {"topic and date": (f"{title} appointment {when}",)} if years else {})


def contacts(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield the contacts of people and craftsmen."""
    for name, address, job in SLOTS["people"]:
        phone = reference(chance, "+49 1## #######")
        file = PersonFile(
            f"contacts/{reference(chance, '####')}.vcf",
            "contact",
            month_before(today, 7, 7),
            name,
            (Section("", (), (("TEL", phone), ("EMAIL", address), ("ROLE", job))),),
        )
        yield Item(
            file,
            {
                "number or code": (phone.replace("+49 ", "0"),),
                "all words": (f"{name.split()[0]} {job} phone number",),
            },
        )
