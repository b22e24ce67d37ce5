"""Notes, logs, recipes, code and reading of a person's folder."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date

from known_items.items import Item, PersonFile, Section
from known_items.slots import SLOTS, TOPICS
from known_items.words import month_before, reference


def notes(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield the notes written by hand in `topics.toml`, in several formats."""
    suffixes = (".md", ".docx", ".txt", ".html")
    for index, topic in enumerate(TOPICS):
        name = topic["name"] if index % 3 else f"note {reference(chance, '####')}"
        sections = tuple(Section(heading, tuple(texts)) for heading, *texts in topic["sections"])
        file = PersonFile(
            f"notes/{name}{suffixes[index % len(suffixes)]}",
            "note",
            month_before(today, 1 + index, 14),
            topic["title"],
            sections,
        )
        wordings = {"paraphrase": (topic["paraphrase"],), "another language": (topic["foreign"],)}
        if not index % 3:
            wordings["title"] = (topic["title"],)
        yield Item(file, wordings)


def house_logs(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield long logs of a house; three subjects together occur in one of them only."""
    combinations: set[frozenset[str]] = set()
    for index in range(26):
        while True:
            chosen = chance.sample(SLOTS["subjects"], 5)
            words = frozenset(word for word, _ in chosen[:3])
            if not any(words <= other for other in combinations):
                break
        combinations.add(frozenset(word for word, _ in chosen))
        sections = tuple(
            Section(
                f"Week {1 + 2 * position}",
                (
                    " ".join(chance.choices(SLOTS["filler"], k=5)),
                    sentence,
                    # Said often in some of the logs that lack another word of the question.
                    *([f"More about the {word}: {sentence}"] * chance.randrange(3)),
                    " ".join(chance.choices(SLOTS["filler"], k=6)),
                ),
            )
            for position, (word, sentence) in enumerate(chosen)
        )
        file = PersonFile(
            f"house/log {index + 1:02}.docx" if index % 2 else f"house/log {index + 1:02}.md",
            "log",
            month_before(today, 1 + index, 26),
            f"House log {index + 1}",
            sections,
        )
        first, second, third = (word for word, _ in chosen[:3])
        yield Item(file, {"all words": (f"{first} {second} {third}",)})


def recipes(today: date, _chance: random.Random) -> Iterator[Item]:
    """Yield recipes as short notes."""
    labels = {
        "en": ("Ingredients", "Method"),
        "de": ("Zutaten", "Zubereitung"),
        "zh": ("用料", "做法"),
    }
    for index, (language, title, parts, method) in enumerate(SLOTS["recipes"]):
        first, second = labels[language]
        name = title if index % 2 else f"recipe {index + 1}"
        file = PersonFile(
            f"recipes/{name}{('.md', '.txt', '.html')[index % 3]}",
            "recipe",
            month_before(today, 3 + index, 3),
            title,
            (Section(first, (parts,)), Section(second, (method,))),
        )
        yield Item(file, {} if index % 2 else {"title": (title,)})


def code(today: date, _chance: random.Random) -> Iterator[Item]:
    """Yield modules with one function of interest and one that all have."""
    for index, (module, function, purpose, body) in enumerate(SLOTS["functions"]):
        sections = (
            Section("", (f'def {function}(values):\n    """{purpose}."""\n    return {body}',)),
            Section("", ('def main():\n    """Run the script."""\n    print(sys.argv)',)),
        )
        file = PersonFile(
            f"code/{module}.py",
            "code",
            month_before(today, 2 + index, 12),
            f"Script: {module}",
            sections,
        )
        wordings = {"number or code": (function,), "all words": (f"python {purpose.lower()}",)}
        yield Item(file, wordings)


def reading(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield notes on articles, under names of downloads."""
    for index, (title, fact, second) in enumerate(SLOTS["reading"]):
        sections = (
            Section("Summary", (f"The author shows that {fact}.", chance.choice(SLOTS["filler"]))),
            Section(
                f"Open questions about {second}", (f"More on {second} is in chapter {index + 2}.",)
            ),
        )
        file = PersonFile(
            f"reading/download({index + 1}).{('pdf', 'md')[index % 2]}",
            "reading",
            month_before(today, 1 + 2 * index, 6),
            title,
            sections,
        )
        yield Item(file, {"title": (title.lower(),)})


def small_papers(today: date, chance: random.Random) -> Iterator[Item]:
    """Yield lists of things to do, newsletters, findings of doctors and applications."""
    for index in range(22):
        day = month_before(today, index + 1, 1 + index)
        chosen = chance.sample(SLOTS["todo"], 5)
        todo = PersonFile(
            f"todo/todo {day}.txt",
            "list",
            day,
            f"To do, week of {day}",
            (Section("", tuple(chosen)),),
        )
        yield Item(todo, {"topic and date": (f"to-do list of {day}",)} if index % 4 == 0 else {})
    for index, title in enumerate(SLOTS["news"]):
        day = month_before(today, index + 1, 15)
        others = chance.sample(SLOTS["news"], 3)
        also = f"Also in this issue: {', '.join(others)}."
        text = f"{title}: the town invites everyone at {index + 3} o'clock. {also}"
        news = PersonFile(
            f"newsletters/issue {index + 40}.html",
            "newsletter",
            day,
            f"Town news: {title}",
            (Section(title, (text,)),),
        )
        yield Item(news, {"title": (f"town news {title.lower()}",)})
    for index, part in enumerate(SLOTS["visits"]):
        day, number = month_before(today, 2 + 3 * index, 19), reference(chance, "#######")
        text = f"Examination of the {part} on {day}. No operation is needed."
        visit = PersonFile(
            f"Gesundheit/befund{number}.pdf",
            "finding",
            day,
            f"Medical report: {part}",
            (
                Section("Finding", (text,)),
                Section("Therapy", (f"Exercises for the {part} twice a day.",)),
            ),
        )
        yield Item(
            visit, {"title": (f"medical report {part}",), "number or code": (f"befund {number}",)}
        )
    for index, place in enumerate(
        (
            "Maritime Museum",
            "City Archive",
            "Botanical Garden",
            "National Library",
            "Radio Station",
            "Opera House",
        )
    ):
        day = month_before(today, 5 + index, 25)
        text = f"I apply for the post at the {place}. I have catalogued collections for years."
        letter = PersonFile(
            f"applications/{place}/cover letter.docx",
            "application",
            day,
            f"Application to the {place}",
            (Section("", (text, "My references are enclosed.")),),
        )
        yield Item(letter, {"title": (f"application {place}",)})
