"""The reading process: answers requests to read or draw one document after another.

A request is JSON: `{"do": "read", "reader": "module:function", "path": …}` or `{"do": "draw",
"path": …, "number": …, "width": …, "spans": …}`. An answer is JSON with the result, or with
`failure`; after the answer to "draw" comes a message with the pixels.
"""

from __future__ import annotations

import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from core.documents import confinement, wire
from core.documents.files import check_file
from core.documents.formats import load_reader
from core.documents.limits import Limits
from core.errors import DocumentError

# Beyond this the process has grown for good, for Python gives little back.
_GROWN_BYTES = 700_000_000
# How much later than the parent's clock the process's own one rings.
_ALARM_DELAY_S = 5.0


def serve(requests: Connection, answers: Connection, limits: Limits) -> None:
    """Answer requests until there are no more; the target of the process."""
    confinement.confine(limits.memory_bytes)
    answers.send_bytes(wire.pack({"ready": True}))
    while True:
        try:
            request = wire.unpack(requests.recv_bytes())
        except EOFError:
            return
        confinement.set_alarm(limits.timeout_s + _ALARM_DELAY_S)
        fields, rgb = _answer(request, limits)
        confinement.set_alarm(0)
        fields["is_spent"] = confinement.memory_bytes() > _GROWN_BYTES
        try:
            answers.send_bytes(wire.pack(fields))
            if rgb is not None:
                answers.send_bytes(rgb)
        except BrokenPipeError:
            return


def _answer(request: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes | None]:
    """Return the answer to one request: its fields, and pixels if it was to draw."""
    try:
        path = Path(request["path"])
        check_file(path)
        if request["do"] == "draw":
            from core.documents.drawing import draw_page

            spans = [(start, end) for start, end in request["spans"]]
            image = draw_page(path, request["number"], request["width"], spans)
            return wire.image_fields(image), image.rgb
        document = load_reader(request["reader"])(path)
        if sum(len(page.text) for page in document.pages) > limits.characters:
            millions = limits.characters / 1e6
            raise DocumentError(f"holds more than {millions:g} million characters of text")
        return wire.document_fields(document), None
    except DocumentError as error:
        return {"failure": str(error)}, None
    except MemoryError:
        return {"failure": "needs too much memory"}, None
    except Exception as error:  # noqa: BLE001 - the boundary round one document
        trace = traceback.format_exc(limit=-20)
        return {"failure": f"could not be read ({type(error).__name__})", "trace": trace}, None
