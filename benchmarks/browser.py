"""How soon a page of results is there whole, for a browser that asks the service.

Asks the service of the library that WINNOW_HOME names, which runs and answers browsers, for the
first page of each question, with a connection of its own as each page has: with meaning, the same
once more, and by words. Tells also how long the service's threads work for a page, all together,
which says something where other programs are at work.

    WINNOW_HOME=HOME python3 dev.py bench browser FILE

FILE has a question a line.
"""

from __future__ import annotations

import argparse
import http.client
import statistics
import time
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import psutil
from _machine import Machine

from core import paths
from core.browser.address import HOST, BrowserAddress
from core.browser.switch import state_of
from core.service import client

WAYS: Final[dict[str, dict[str, str]]] = {
    "with meaning": {},
    "with meaning, once more": {},
    "by words": {"mode": "words"},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("questions", type=Path)
    options = parser.parse_args()
    questions = options.questions.read_text(encoding="utf-8").split("\n")
    questions = [question.strip() for question in questions if question.strip()]
    state = state_of(paths.home())
    if state.address is None or not state.is_open:
        raise SystemExit("No browser is answered: winnow service on, winnow service browser on.")
    print(Machine.this().line(), flush=True)
    took_ms, size = fetched(state.address, "warm", {})
    print(f"the first page of all: {took_ms:.0f} ms, {size:,} bytes")
    print(f"{len(questions)} questions; milliseconds: median, 95th, of processor; bytes: median")
    process = psutil.Process(client.ask(paths.home(), "status")["process"])
    for name, fields in WAYS.items():
        before_s = worked_s(process)
        pages = [fetched(state.address, question, fields) for question in questions]
        times = sorted(took_ms for took_ms, _ in pages)
        size = round(statistics.median(size for _, size in pages))
        late = times[int(0.95 * len(times))]
        worked_ms = 1000 * (worked_s(process) - before_s) / len(questions)
        print(
            f"  {name:<24}{statistics.median(times):6.0f} {late:6.0f} {worked_ms:6.0f} {size:9,}",
            flush=True,
        )


def worked_s(process: psutil.Process) -> float:
    """Return how long a process has worked, on all processors together."""
    times = process.cpu_times()
    return float(times.user + times.system)


def fetched(here: BrowserAddress, question: str, fields: dict[str, str]) -> tuple[float, int]:
    """Return how many milliseconds a page takes, and its bytes."""
    began_s = time.perf_counter()
    asking = http.client.HTTPConnection(HOST, here.port)
    asking.request("GET", f"{here.path('search')}?{urlencode({'q': question, **fields})}")
    answer = asking.getresponse()
    text = answer.read()
    took_ms = 1000 * (time.perf_counter() - began_s)
    asking.close()
    if answer.status != HTTPStatus.OK:
        raise SystemExit(f"The page for {question!r} was answered with {answer.status}.")
    return took_ms, len(text)


if __name__ == "__main__":
    main()
