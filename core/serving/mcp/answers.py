"""The responses of the tools: JSON without the fields that have their default."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_type_hints

from pydantic import BaseModel, Field, create_model

from core.catalog.document_fields import result_fields
from core.responses import DocumentHit


class Answer(BaseModel):
    """A response, or a part of one."""

    @property
    def compact(self) -> str:
        """All that a client gets: agents pay for each character, so defaults are left out.

        >>> CopyInfo(path="/a/owl.txt", document_id=7, is_exact=True).compact
        '{"path":"/a/owl.txt","document_id":7,"is_exact":true}'
        """
        return self.model_dump_json(exclude_defaults=True)


class FolderInfo(Answer):
    """A folder of the library."""

    path: str
    documents: int = Field(description="Number of indexed documents in the folder.")
    failed: int = Field(default=0, description="Number of files that could not be read.")
    is_there: bool = Field(description="False while its drive or network share is not connected.")
    description: str = Field(
        default="",
        description='The user\'s description of the folder, not text from a document; "" if none.',
    )


class DescribedFolder(Answer):
    """A folder with a description by the user."""

    path: str
    description: str = Field(
        default="", description="The user's description, not text from a document."
    )


class LibraryInfo(Answer):
    """Another library that is searched together with the user's own."""

    name: str = Field(description="The name used in the library field of results.")
    documents: int = Field(description="Number of documents.")
    is_there: bool = Field(description="False while it cannot be reached.")
    problem: str = Field(
        default="", description='Why the library is not available or incomplete; "" if it works.'
    )


class Folders(Answer):
    """The folders of the library."""

    folders: list[FolderInfo]
    documents: int = Field(description="Number of documents in all folders.")
    passages: int = Field(description="Number of passages in all documents.")
    waiting: int = Field(default=0, description="Number of passages not yet searchable by meaning.")
    model: str = Field(description="Name of the model for search by meaning.")
    libraries: list[LibraryInfo] = Field(
        default=[], description="Other libraries that are searched too."
    )
    next_offset: int | None = Field(
        default=None, description="Offset of the next page; null on the last page."
    )


class Match(Answer):
    """A query word and the passage word aligned with it."""

    query: str
    passage: str
    similarity: float = Field(
        description="Cosine similarity of the two words in context, at most 1."
    )


class PassageInfo(Answer):
    """A passage of a document: one or more related paragraphs."""

    passage_id: int = Field(description="ID for read_passage and explain.")
    page: int = Field(
        default=1, description="Page number, from 1; documents without pages have one page."
    )
    start: int | None = Field(
        default=None, description="Start of the passage in the page, in characters."
    )
    cite_as: str = Field(
        default="",
        description="Citation of the passage: path:12-18 with line numbers if known, else "
        "path, p. 3, else the path.",
    )
    heading: str = Field(
        default="", description="Title of the document and headings above the passage."
    )
    text: str
    is_cut: bool = Field(
        default=False,
        description="Whether the text is truncated; read_passage returns the full text.",
    )


class PassageResult(PassageInfo):
    """A passage in the search results; its heading and reasons only in detail."""

    score: float
    found_by: list[str] = Field(default=[], description="words, meaning, or both.")
    matches: list[Match] = Field(default=[], description="Aligned words, most similar first.")


class CopyInfo(Answer):
    """A copy or version of a document in the search results, or a mail that quotes it."""

    path: str
    document_id: int = Field(description="ID for read.")
    is_exact: bool = Field(description="Whether the files are identical.")
    is_quoting: bool = Field(
        default=False,
        description="Whether it is a further mail of the conversation that quotes the passage.",
    )


if TYPE_CHECKING:
    _ListedFields = Answer
else:
    _types = get_type_hints(DocumentHit)
    _ListedFields = create_model(
        "_ListedFields",
        __base__=Answer,
        **{
            name: (
                _types[name],
                Field("" if _types[name] is str else ..., description=each.about),
            )
            for name, each in result_fields(DocumentHit).items()
            if each.is_listed
        },
    )


class DocumentAnswer(_ListedFields):
    """A document in the search results, with its best passages first."""

    rank: int = Field(description="Rank from 1, counted over all pages of results.")
    path: str = Field(description="Path for read, if library is empty.")
    document_id: int = Field(description="ID for read, for documents of any library.")
    changed: str = Field(
        default="", description='Last modification of the file, ISO 8601; "" if unknown.'
    )
    copies: list[CopyInfo] = Field(
        default=[],
        description="Copies and versions of the document, which are not listed as results; search "
        "same:PATH to list them.",
    )
    passages: list[PassageResult] = Field(default=[])


class NearMissInfo(Answer):
    """What a query without results finds with one step less."""

    without: str = Field(description="The part of the query that is left out.")
    kind: str = Field(description="quotes, exclusion or filter.")
    documents: int
    query: str = Field(description="The query without it.")


class SearchAnswer(Answer):
    """One page of search results, best first."""

    notice: str = Field(default="", description='Limitations of these results; "" if none.')
    answer: str = Field(
        default="",
        description='The sentence of the first document that answers a question; "" if none is'
        " clearly best.",
    )
    documents: list[DocumentAnswer] = []
    folders: list[DescribedFolder] = Field(
        default=[], description="Folders of these documents that have a description."
    )
    files_matching_by_name: list[str] = Field(
        default=[], description="Paths of other documents whose file names match the query."
    )
    did_you_mean: str = Field(
        default="",
        description="A suggested query, with corrected spelling or with filters for a sentence"
        ' such as "pdf by anna"; "" if none.',
    )
    searched_for: str = Field(
        default="",
        description="The corrected query that was searched because the original query has nothing "
        'close in the library; "" if the original was searched.',
    )
    near_misses: list[NearMissInfo] = Field(
        default=[],
        description="If nothing was found: numbers of documents without a filter, the quotation "
        "marks of a phrase, or an excluded word of the query.",
    )
    next_offset: int | None = Field(
        default=None, description="Offset of the next page; null on the last page."
    )


class PassageText(Answer):
    """A passage with the passages before and after it."""

    path: str
    title: str
    pages: int = Field(default=1, description="Number of pages of the document.")
    passage: PassageInfo
    before: list[PassageInfo] = []
    after: list[PassageInfo] = []


class DocumentText(Answer):
    """A part of the indexed text of a page of a document."""

    path: str
    title: str
    author: str = ""
    date: str = ""
    pages: int = Field(default=1, description="Number of pages of the document.")
    page: int = 1
    offset: int = Field(default=0, description="Start of the text in the page, in characters.")
    text: str
    next_page: int | None = Field(
        default=None, description="Page to continue at; null at the end of the document."
    )
    next_offset: int | None = Field(default=None, description="Offset in that page to continue at.")


class DocumentTexts(Answer):
    """Parts of the texts of several documents."""

    documents: list[DocumentText]


class ExplainedToken(Answer):
    """A query token and its contribution to the score."""

    token: str = Field(description='The token; "" for the vector of the whole query.')
    share: float = Field(description="Weight of the token in the query, from 0 to 1.")
    aligned_with: list[str] = Field(description="Aligned words of the passage, most similar first.")
    similarity: float
    adds: float


class Explained(Answer):
    """The score of a passage for a query, by token."""

    path: str
    page: int
    passage_id: int
    tokens: list[ExplainedToken]
    words: float = Field(description="Contribution of matching words (BM25).")
    similar: float = Field(description="Contribution of the scores of similar passages.")
    of_document: float = Field(
        description="Contribution of the document's name, title, headings, folder, date and all its"
        " words."
    )
    score: float = Field(description="Sum of the contributions of tokens, words and passages.")
    alignment: str = Field(description="Rule used to align tokens.")
    is_ranking_score: bool = Field(
        description="Whether a search of its library without filters ranks the passage by this "
        "score; a search of several libraries may rescale it."
    )
