"""Detecting the East Asian encoding of short texts by the share of common characters."""

import codecs
from collections import Counter
from collections.abc import Iterable
from typing import Final

# Characters that are counted at most.
_MOST_COUNTED: Final = 2_000
# Share of common characters below which the encoding is uncertain.
_LEAST_SHARE: Final = 0.9
_ASCII_END: Final = 0x80
# By encoding: first bytes of the characters that its standard sorted in as the common ones, as
# ranges, and the lowest second byte of these. In the order of preference for equal shares.
_COMMON: Final[dict[str, tuple[tuple[tuple[int, int], ...], int]]] = {
    "gb18030": (((0xB0, 0xD7),), 0xA1),
    "cp949": (((0xB0, 0xC8),), 0xA1),
    "big5": (((0xA4, 0xC6),), 0x40),
    "cp932": (((0x82, 0x83), (0x88, 0x98)), 0x40),
    "euc_jp": (((0xA4, 0xA5), (0xB0, 0xCF)), 0xA1),
}
EAST_ASIAN: Final = frozenset(_COMMON)
# First bytes of punctuation, which all languages share.
_PUNCTUATION: Final = {"cp932": frozenset({0x81})}
_USUAL_PUNCTUATION: Final = frozenset({0xA1, 0xA2, 0xA3})
# Frequent syllables of Korean: in other languages, bytes that happen to be Hangul are rare ones.
_SYLLABLES: Final = frozenset(
    "이다의가는을하고에를은지로사기도한어자리서나인대시아일그해수있것정보제부라들과장상전주여원구만안무성으"
    "니공적비신동소조국미학유오경우분생회간요세마관연방위선실행화진영용교단중내모계명면때문통개결발약견증음금"
    "산날년월합체외물민당속양강차치표편식업각점초급등법권불론말두심작송추러저운록새폴더력료청"
)


def east_asian_encoding(data: bytes, candidates: Iterable[str]) -> str:
    """Return the one of the `candidates` in which most characters are common, or "".

    >>> east_asian_encoding("发票和合同".encode("gbk"), ["cp949", "big5", "gb18030"])
    'gb18030'
    >>> east_asian_encoding("계약서".encode("cp949"), ["gb18030", "cp949"])
    'cp949'
    """
    allowed = frozenset(candidates)
    shares = {name: _common_share(data, name) for name in _COMMON if name in allowed}
    best = max(shares, key=lambda name: shares[name], default="")
    if not best or shares[best] < _LEAST_SHARE:
        return ""
    # The common characters of Korean are a part of those of Chinese.
    if best == "gb18030" and shares.get("cp949", 0) == shares[best] and _is_korean(data):
        return "cp949"
    return best


def _common_share(data: bytes, encoding: str) -> float:
    """Return the share of common characters, or 0 if the bytes are not in this encoding."""
    ranges, least_trail = _COMMON[encoding]
    punctuation = _PUNCTUATION.get(encoding, _USUAL_PUNCTUATION)
    common = counted = 0
    for character, count in Counter(_beyond_ascii(data, encoding)).items():
        lead, *rest = character.encode(encoding, errors="ignore") or b"\0"
        if lead in punctuation and rest:
            continue
        counted += count
        is_common = any(first <= lead <= last for first, last in ranges)
        common += count * (is_common and len(rest) == 1 and rest[0] >= least_trail)
    return common / counted if counted else 0


def _beyond_ascii(data: bytes, encoding: str) -> str:
    """Return the first characters that are not ASCII; "" if the bytes are not in this encoding."""
    try:
        # Not final: the data may be a sample that ends within a character.
        text = codecs.getincrementaldecoder(encoding)().decode(data)
    except UnicodeDecodeError:
        return ""
    return "".join(character for character in text if ord(character) >= _ASCII_END)[:_MOST_COUNTED]


def _is_korean(data: bytes) -> bool:
    syllables = _beyond_ascii(data, "cp949")
    return 2 * sum(syllable in _SYLLABLES for syllable in syllables) > len(syllables)
