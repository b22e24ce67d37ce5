"""Descriptions of pictures (alternative text): which of them a person, or at least a look, gave."""

from __future__ import annotations

import re
from typing import Final

from core.documents.text import one_line
from core.documents.titles import real_title

# What Office adds where a program looked at the picture, in some of its languages.
_ADDED: Final = re.compile(
    r"\s*(?:description automatically generated(?: with \w+ confidence)?"
    r"|(?:mit \w+er zuverlässigkeit )?automatisch generierte beschreibung"
    r"|description (?:générée|generee) automatiquement|descripción generada automáticamente"
    r"|descrizione generata automaticamente|automatisch gegenereerde beschrijving"
    r"|descrição gerada automaticamente|已自动生成说明|描述已自动生成|自動的に生成された説明"
    r"|ai-generated content may be incorrect|ki-generierte inhalte können fehlerhaft sein"
    r"|le contenu généré par l[’']ia peut être incorrect)[.。]?",
    re.IGNORECASE,
)
_PICTURE_FILE: Final = re.compile(
    r"\.(?:gif|bmp|svgz?|emf|wmf|webp|heic|jfif|avif)$|^cid:", re.IGNORECASE
)
_NOTHING_SAID: Final = re.compile(
    r"(?:a |an )?(?:picture|image|graphic|photo|shape|diagram|chart|logo|icon|object|grafik|bild"
    r"|abbildung|imagen?|immagine|afbeelding|obraz|figura?|изображение|рисунок|图片|画像|図)"
    r"[ _-]*\d*",
    re.IGNORECASE,
)


def described(*texts: str | None) -> str:
    r"""Return what is said of a picture, "" for names of files and other words of programs.

    >>> described("A crow on a nest\n\nDescription automatically generated", "A crow on a nest")
    'A crow on a nest'
    >>> described("image1.png"), described("Picture 3"), described("Nests", "Where crows nest")
    ('', '', 'Nests: Where crows nest')
    """
    said = []
    for text in texts:
        if not text:
            continue
        line = real_title(_ADDED.sub("", one_line(text)).rstrip(", "))
        if line and not _PICTURE_FILE.search(line) and not _NOTHING_SAID.fullmatch(line):
            said.append(line)
    return ": ".join(dict.fromkeys(said))
