"""The terms of a score that documents add to those of the words and the meaning of a passage."""

from typing import Final, NamedTuple

from core.errors import Message


class DocumentEvidence(NamedTuple):
    """The evidence for a passage's document.

    Attributes:
        named: how well the file's name, the title or a heading matches the query; 1 if one is the
            query.
        in_document: the share of a short query's words, by rarity, that the whole document has, to
            the power of their number; 0 for a longer query.
        in_passage: share in the passage, from the best passage of the document on: 0 or less.
            Words in the name and title do not decide among a document's passages. 0 for a longer
            query in a search by words.
        in_folder: the share of the query's words that are the name of a folder of the file.
        dated: 1 for a document of a time that the query names, otherwise 0.
        quoted: 1 for a passage that repeats another mail of its conversation, which is among the
            candidates, too; otherwise 0.
    """

    named: float = 0.0
    in_document: float = 0.0
    in_passage: float = 0.0
    in_folder: float = 0.0
    dated: float = 0.0
    quoted: float = 0.0


class EvidenceTerm(NamedTuple):
    """The term of a score for one kind of evidence."""

    name: str
    label: Message
    weight: float


EVIDENCE: Final = (
    EvidenceTerm("name", Message("Name, title or heading"), 0.9),
    EvidenceTerm("document", Message("Words of the document"), 0.35),
    EvidenceTerm("passage", Message("Words of the passage"), 0.1),
    EvidenceTerm("folder", Message("Folder"), 0.2),
    EvidenceTerm("date", Message("Date of the document"), 0.3),
    EvidenceTerm("quoted", Message("Quoted from another mail"), -0.2),
)
"""A term for each column of `DocumentEvidence`."""
