"""What choices of the settings are called, and the sentences on what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

from app import texts

if TYPE_CHECKING:
    from core.encoders.devices import Device
    from core.indexing.choosing import Choices, Way
    from core.indexing.estimates import Cost

_UNCOMPRESSED = 32
_HARDLY = 0.5
"""Points: smaller differences tell nothing (docs/decisions/0005-codec.md)."""


def bits(count: int) -> str:
    if count == _UNCOMPRESSED:
        return _tr("32 bits, uncompressed")
    return _tr("1 bit a dimension") if count == 1 else _tr("{0} bits a dimension").format(count)


def share(kept: float) -> str:
    return _tr("All vectors") if kept == 1 else _tr("{0} % of the vectors").format(_percent(kept))


def way(made: Way) -> str:
    """Give how an index is made."""
    kept = _tr("all vectors") if made.share == 1 else share(made.share)
    return _tr("{0}, {1}, {2}").format(made.model, bits(made.bits), kept)


def priced(name: str, cost: Cost | None, *, is_best: bool) -> str:
    """Give a choice with its price: the size of the index, and what is lost."""
    parts = [_tr("{0} (recommended)").format(name) if is_best else name]
    if cost is not None and cost.index_bytes:
        parts.append(texts.size(cost.index_bytes))
    if cost is not None and cost.points_lost is not None:
        parts.append(_lost(cost.points_lost))
    return " · ".join(parts)


def expected(choices: Choices, cost: Cost | None, source_bytes: int) -> str:
    """Say what the chosen way costs."""
    if cost is None:
        return ""
    lines = []
    if cost.index_bytes:
        each = QLocale().toString(cost.bytes_per_token, "f", 1)
        size = texts.size(cost.index_bytes)
        if source_bytes:
            sentence = _tr("The index takes about {0}, {1} bytes a token, for {2} of files.")
            lines.append(sentence.format(size, each, texts.size(source_bytes)))
        else:
            lines.append(_tr("The index takes about {0}, {1} bytes a token.").format(size, each))
    if cost.points_lost is None:
        lines.append(_tr("How well it finds then was not measured."))
    elif cost.points_lost < _HARDLY:
        lines.append(
            _tr("It finds as well as with all vectors, uncompressed, as far as can be told.")
        )
    else:
        points = QLocale().toString(cost.points_lost, "f", 1)
        sentence = _tr("It finds a little less well: {0} of 67.3 points of nDCG@10 are lost.")
        lines.append(sentence.format(points))
    if choices.asked.model != "winnow-mini":
        lines.append(_tr("That was measured with winnow-mini; with another model it may be more."))
    return " ".join(lines)


def duration(seconds: float | None, passages: int) -> str:
    """Say how long making the index again takes; None while that is being measured."""
    if seconds is None:
        return _tr("How long that takes is being measured…")
    sentence = _tr(
        "{0} are encoded again, which takes {1} at the speed measured just now. It goes on in the "
        "background; until it is done the present index answers."
    )
    return sentence.format(texts.passages(passages), texts.duration(seconds))


def device(one: Device) -> str:
    """Give what a person calls a device."""
    place = one.place.partition(".")[0].partition(":")[0].upper()
    kind = {
        "CPU": _tr("processor"),
        "GPU": _tr("graphics"),
        "NPU": _tr("neural processor"),
        "CUDA": _tr("graphics, CUDA"),
        "MPS": _tr("graphics, Metal"),
    }.get(place, one.place)
    runtime = "OpenVINO" if one.runtime == "openvino" else "Torch"
    name = f"{runtime}, {kind}"
    return f"{name} · {one.name}" if one.name else name


def _lost(points: float) -> str:
    if points < _HARDLY:
        return _tr("finds as well")
    return _tr("−{0} points").format(QLocale().toString(points, "f", 1))


def _percent(part: float) -> str:
    return QLocale().toString(part * 100, "g", 3)


def _tr(text: str) -> str:
    return QCoreApplication.translate("settings", text)
