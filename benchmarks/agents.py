"""Count the calls and tokens that a scripted agent needs, with Winnow's tools and with grep.

    python3 dev.py bench agents [--seed 0] [--files 400]

This is a simulation: both agents follow a fixed strategy, without a language model. The folders are
generated from the seed: notes, mails, reports and source code, with fifty questions that have one
relevant document each, half of them phrased in different words. Each agent makes calls until a
tool's output contains the answer, at most ten times. Tokens are characters divided by four.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from _machine import Machine

from core.library.library import Library
from core.responses import Mode
from core.serving.mcp.tools import Extent, Tools

_MOST_CALLS: Final = 10
# Characters of a file or document per call, the default of `read`.
_READ: Final = 10_000
# Files that a grep lists; agents truncate longer output.
_LISTED: Final = 50

# Kind, sentence with a gap for the answer, and its question. PLACE is a name; the same sentence
# occurs elsewhere with other names, so that many documents are similar.
_SAME_WORDS: Final = (
    (
        "notes",
        "The cabin at Lake PLACE is booked from {}.",
        "When is the cabin at Lake PLACE booked?",
    ),
    (
        "notes",
        "The spare key for PLACE hangs behind {}.",
        "Where does the spare key for PLACE hang?",
    ),
    ("notes", "The plumber for PLACE is called {}.", "What is the plumber for PLACE called?"),
    ("notes", "The password hint for the PLACE router is {}.", "password hint of the PLACE router"),
    (
        "notes",
        "Vaccination of our dog PLACE is due on {}.",
        "When is the vaccination of our dog PLACE due?",
    ),
    (
        "notes",
        "Recipe from PLACE: bake the bread for {} minutes.",
        "How many minutes to bake the bread from PLACE?",
    ),
    (
        "mail",
        "The invoice of PLACE Ltd comes to {} euros.",
        "To how many euros does the invoice of PLACE Ltd come?",
    ),
    (
        "mail",
        "The meeting with PLACE was moved to {}.",
        "To when was the meeting with PLACE moved?",
    ),
    ("mail", "Our contact at PLACE is now {}.", "Who is our contact at PLACE now?"),
    (
        "mail",
        "The parcel for PLACE has the tracking number {}.",
        "tracking number of the parcel for PLACE",
    ),
    (
        "mail",
        "The deposit for the flat in PLACE is {} euros.",
        "How high is the deposit for the flat in PLACE?",
    ),
    ("mail", "The conference in PLACE ends on {}.", "When does the conference in PLACE end?"),
    (
        "reports",
        "The bridge at PLACE carries {} vehicles a day.",
        "How many vehicles a day does the bridge at PLACE carry?",
    ),
    (
        "reports",
        "Nitrate in the well of PLACE rose to {} milligrams.",
        "nitrate in the well of PLACE",
    ),
    ("reports", "The audit of PLACE was led by {}.", "Who led the audit of PLACE?"),
    (
        "reports",
        "Visitors to the museum of PLACE numbered {}.",
        "How many visitors had the museum of PLACE?",
    ),
    ("reports", "The turbine at PLACE failed on {}.", "When did the turbine at PLACE fail?"),
    (
        "reports",
        "The roof of PLACE school will cost {} euros.",
        "What will the roof of PLACE school cost?",
    ),
    (
        "code",
        "PLACE_TIMEOUT_S = {}  # until the connection is closed",
        "after how many seconds does PLACE_TIMEOUT_S close the connection",
    ),
    ("code", "PLACE_RETRIES = {}  # of an upload", "How many PLACE_RETRIES of an upload?"),
    (
        "code",
        "PLACE_PORT = {}  # where the service listens",
        "PLACE_PORT where the service listens",
    ),
    (
        "code",
        "PLACE_OWNER = '{}'  # who answers for this module",
        "Who is PLACE_OWNER and answers for the module?",
    ),
    (
        "code",
        "PLACE_BATCH = {}  # rows in one insert",
        "How many rows are in one insert of PLACE_BATCH?",
    ),
    (
        "code",
        "PLACE_SINCE = '{}'  # the first release with this format",
        "PLACE_SINCE first release with the format",
    ),
    (
        "code",
        "PLACE_LIMIT = {}  # requests a minute",
        "How many requests a minute does PLACE_LIMIT allow?",
    ),
)
_OTHER_WORDS: Final = (
    (
        "notes",
        "Poured the foundation of the shed on {}.",
        "When was the concrete base of the garden hut laid?",
    ),
    (
        "notes",
        "Grandma's ring went to {} after the funeral.",
        "Who inherited the jewellery of my grandmother?",
    ),
    (
        "notes",
        "The physician wants me back on {} about my blood pressure.",
        "When is my next doctor's appointment for hypertension?",
    ),
    (
        "notes",
        "Lent the ladder to {}, who has not brought it back.",
        "Which neighbour still has something I borrowed out to climb with?",
    ),
    (
        "notes",
        "The hens laid {} eggs over the winter.",
        "How productive was our poultry in the cold months?",
    ),
    (
        "notes",
        "Our landlord raises the rent to {} from spring on.",
        "What will we pay monthly for the apartment?",
    ),
    ("notes", "The kid's first tooth fell out on {}.", "When did our child lose a milk incisor?"),
    (
        "mail",
        "I am handing in my notice; my last day is {}.",
        "When does the colleague who resigned leave the company?",
    ),
    (
        "mail",
        "The flight was cancelled, so we take the ferry on {}.",
        "On what day do we travel by ship instead of by plane?",
    ),
    ("mail", "Please wire the money to {} by tonight.", "Who is to receive the bank transfer?"),
    ("mail", "The burglars came in through {}.", "How did the thieves enter the house?"),
    ("mail", "The wedding will be held at {}.", "Where do they get married?"),
    (
        "mail",
        "The lawyer advises us to settle for {} euros.",
        "Which amount does our attorney recommend to end the dispute?",
    ),
    (
        "reports",
        "Sales of umbrellas fell by {} units in the drought.",
        "What did the dry summer do to rain gear revenue?",
    ),
    (
        "reports",
        "The ship ran aground because {} had fallen asleep at the helm.",
        "Whose fatigue caused the vessel to be stranded?",
    ),
    (
        "reports",
        "Of the patients, {} suffered from nausea.",
        "How many people in the trial felt sick?",
    ),
    ("reports", "The fire began in {} and spread to the attic.", "Where did the blaze originate?"),
    (
        "reports",
        "Bats were counted in the tunnel: {} of them.",
        "How large is the colony of flying mammals underground?",
    ),
    ("reports", "The glacier retreated by {} metres.", "How much did the ice shrink?"),
    (
        "code",
        "BACKOFF_BEGIN = {}  # milliseconds before the second try",
        "How long is the initial delay between attempts?",
    ),
    (
        "code",
        "EVICT_AFTER = {}  # entries, oldest first",
        "How big may the cache grow before items are dropped?",
    ),
    (
        "code",
        "SALT_ROUNDS = {}  # of the hash of what people type to log in",
        "How often is the user's password digest iterated?",
    ),
    (
        "code",
        "THUMB_EDGE = {}  # pixels of the small preview",
        "What is the size of an image's miniature?",
    ),
    (
        "code",
        "QUIET_HOURS = '{}'  # no notifications then",
        "During which time are alerts suppressed?",
    ),
    (
        "code",
        "TAX_SHARE = {}  # added to the price at checkout",
        "What VAT rate does the shop charge?",
    ),
)
# Other sentences of the documents, none of them an answer.
_FILLING: Final = {
    "notes": (
        "Bought paint for the fence and two brushes.",
        "Rain again, so the tomatoes can wait.",
        "Called the bank about the old account.",
        "The neighbours were loud until late.",
        "Read half of the book on rivers.",
        "Must remember to oil the bicycle's chain.",
        "The soup needs less salt next time.",
        "Repaired the lamp in the hall.",
        "Mother came for coffee and stayed for dinner.",
        "The garden gate squeaks.",
    ),
    "mail": (
        "Thank you for your message of last week.",
        "Please find the papers attached.",
        "I shall be out of the office tomorrow.",
        "Could you look over the draft once more?",
        "The printer on the second floor is out of order.",
        "Kind regards to your family.",
        "We have not heard from the supplier yet.",
        "Let me know whether that suits you.",
        "The room is booked for all of us.",
        "I have put the minutes into the folder.",
    ),
    "reports": (
        "The figures were gathered over a year and checked twice.",
        "Details are in the appendix to this report.",
        "The method is that of the year before.",
        "No change of staff took place in the period.",
        "Costs stayed within the budget.",
        "The committee met four times.",
        "Further study is advised before a decision is made.",
        "The region has few roads and one railway.",
        "Interviews were held with the people concerned.",
        "Weather hampered the work in autumn.",
    ),
    "code": (
        "# Keeps the interface as it was for older callers.",
        "import json",
        "import logging",
        "# Called once for each row of the table.",
        "DEBUG = False",
        "ENCODING = 'utf-8'",
        "# The caller holds the lock.",
        "VERBOSE = True",
        "# See the manual for the format.",
        "# Nothing is written before all was read.",
    ),
}
_SUFFIXES: Final = {"notes": ".md", "mail": ".eml", "reports": ".txt", "code": ".py"}
_SYLLABLES: Final = (
    "ba",
    "dor",
    "el",
    "fin",
    "gar",
    "hol",
    "ki",
    "lun",
    "mar",
    "no",
    "per",
    "quil",
)
_MONTHS: Final = ("January", "March", "May", "June", "August", "October", "November")
_STOP_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by did do does for from had has have how i in is it its many me much"
        " my of on or our s something still that the their them they this to was we what when where"
        " which who whose will with",
    )
)


@dataclass(frozen=True)
class Question:
    """A question, the one document that answers it, and the answer."""

    text: str
    document: Path
    answer: str
    is_in_other_words: bool


@dataclass
class Run:
    """The cost of one question for an agent; `calls` is 0 if it found nothing."""

    calls: int = 0
    tokens: int = 0
    attempts: int = 0

    def sees(self, output: str, answer: str) -> bool:
        """Count a tool's output; return whether it contains the answer or the calls are used up."""
        self.attempts += 1
        self.tokens += len(output) // 4
        if answer in output:
            self.calls = self.attempts
        return self.calls > 0 or self.attempts >= _MOST_CALLS


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--files", type=int, default=400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve() / "files"
        questions = make(root, random.Random(options.seed), options.files)
        files = sorted(path for path in root.rglob("*") if path.is_file())
        with Library.open(Path(place) / "library") as library:
            library.add_folder(root)
            library.sync()
            library.warm_up()
            tools = Tools(library)
            agents: dict[str, Callable[[Question], Run]] = {
                "Winnow": lambda question: with_winnow(tools, question),
                "grep": lambda question: with_grep(files, question),
            }
            runs = {name: [agent(one) for one in questions] for name, agent in agents.items()}
    print(f"{len(questions)} questions over {options.files} files; {Machine.this().line()}")
    print("\n| questions | agent | found | calls, mean | tokens, median | tokens, mean |")
    print("|---|---|---|---|---|---|")
    kinds = {"in the same words": {False}, "in other words": {True}, "all": {False, True}}
    for kind, wanted in kinds.items():
        for name, every in runs.items():
            some = [
                run
                for run, question in zip(every, questions, strict=True)
                if question.is_in_other_words in wanted
            ]
            found = [run for run in some if run.calls]
            print(
                f"| {kind} | {name} | {len(found)} of {len(some)} "
                f"| {statistics.mean(run.attempts for run in some):.1f} "
                f"| {statistics.median(run.tokens for run in some):,.0f} "
                f"| {statistics.mean(run.tokens for run in some):,.0f} |"
            )


def with_winnow(tools: Tools, question: Question) -> Run:
    """Search once, then open the documents found, best first."""
    run = Run()
    found = tools.search(question.text, (), Mode.HYBRID, Extent())
    if run.sees(found.compact, question.answer):
        return run
    for one in found.documents:
        text = tools.read([one.document_id], 1, 0, _READ)
        if run.sees(text.compact, question.answer):
            break
    return run


def with_grep(files: Sequence[Path], question: Question) -> Run:
    """List the files with each keyword, then read those with the rarest, most keywords first."""
    run = Run()
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    holding: dict[str, list[Path]] = {}
    for word in keywords(question.text):
        pattern = re.compile(re.escape(word), re.IGNORECASE)
        holding[word] = [path for path in files if pattern.search(texts[path])]
        listed = holding[word][:_LISTED]
        if run.sees("".join(f"{path}\n" for path in listed), question.answer):
            return run
    read: set[Path] = set()
    for word in sorted(holding, key=lambda held_word: len(holding[held_word])):
        for path in sorted(
            holding[word][:_LISTED],
            key=lambda path: -sum(path in held for held in holding.values()),
        ):
            if path not in read:
                read.add(path)
                if run.sees(texts[path][:_READ], question.answer):
                    return run
    return run


def keywords(question: str) -> list[str]:
    """Return the keywords of a question, without duplicates."""
    words = re.findall(r"\w+", question)
    return list(dict.fromkeys(word for word in words if word.lower() not in _STOP_WORDS))


def make(root: Path, draw: random.Random, count: int) -> list[Question]:
    """Write files to a folder; return the questions that they answer."""
    written: list[tuple[str, str]] = []  # kind and the sentence with the answer
    questions: list[tuple[str, int, str, bool]] = []
    names = _names(draw)
    seen: set[str] = set()
    for is_other, facts in ((False, _SAME_WORDS), (True, _OTHER_WORDS)):
        for kind, sentence, question in facts:
            # The same sentence about other names, so that its words alone do not identify it.
            for _ in range(0 if is_other else 2):
                other = _answer(draw, sentence, seen)
                written.append((kind, _named(kind, sentence, next(names)).format(other)))
            name, answer = next(names), _answer(draw, sentence, seen)
            questions.append((_named(kind, question, name), len(written), answer, is_other))
            written.append((kind, _named(kind, sentence, name).format(answer)))
    while len(written) < count:
        kind = draw.choice(list(_FILLING))
        written.append((kind, draw.choice(_FILLING[kind])))
    # A random order, so that the position of a file does not reveal its purpose.
    order = draw.sample(range(len(written)), len(written))
    paths = [Path()] * len(written)
    for number, place in enumerate(order):
        kind, sentence = written[place]
        paths[place] = root / kind / f"{kind}-{number:03}{_SUFFIXES[kind]}"
        paths[place].parent.mkdir(parents=True, exist_ok=True)
        paths[place].write_text(_document(draw, kind, sentence), encoding="utf-8")
    return [Question(text, paths[at], answer, other) for text, at, answer, other in questions]


def _document(draw: random.Random, kind: str, sentence: str) -> str:
    """Return a document of this kind with a sentence at a random position."""
    # Different numbers in each line: otherwise all documents would be versions of one text.
    form = "{} # {}" if kind == "code" else "{} ({})"
    lines = [
        form.format(line, draw.randrange(10**6))
        for line in draw.choices(_FILLING[kind], k=draw.randrange(20, 80))
    ]
    lines.insert(draw.randrange(len(lines)), sentence)
    if kind == "code":
        return "\n".join(lines) + "\n"
    body = "\n\n".join(" ".join(lines[at : at + 5]) for at in range(0, len(lines), 5)) + "\n"
    if kind == "mail":
        person = draw.choice(_SYLLABLES)
        head = f"From: {person}@example.org\nTo: me@example.org\nSubject: Our matter\n"
        return f"{head}Date: Mon, 2 Mar 2026 10:00:00 +0000\n\n{body}"
    return f"# {draw.choice(('Week', 'Part', 'Paper'))} {draw.randrange(99)}\n\n{body}"


def _named(kind: str, text: str, name: str) -> str:
    return text.replace("PLACE", name.upper() if kind == "code" else name)


def _names(draw: random.Random) -> Iterator[str]:
    """Yield unused names, without duplicates."""
    seen: set[str] = set()
    while True:
        name = "".join(draw.sample(_SYLLABLES, 3)).capitalize()
        if name not in seen:
            seen.add(name)
            yield name


def _answer(draw: random.Random, sentence: str, seen: set[str]) -> str:
    """Return an unused answer that fits the gap of a sentence."""
    before, _, behind = sentence.partition("{}")
    while True:
        if before.endswith((" on ", "from ", "moved to ", "is ")) and behind == ".":
            answer = f"{draw.randint(1, 28)} {draw.choice(_MONTHS)} {draw.randint(2021, 2039)}"
        elif behind[:1] == "." or behind[:2] in {" h", " a"} or behind[:1] in {",", "'"}:
            answer = "".join(draw.sample(_SYLLABLES, 4)).capitalize()
        else:
            # Longer than the numbers in the filling.
            answer = str(draw.randrange(10**7, 10**8))
        if answer not in seen:
            seen.add(answer)
            return answer


if __name__ == "__main__":
    main()
