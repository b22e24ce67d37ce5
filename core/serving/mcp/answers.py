"""The responses of the tools; their output schemas are made from these fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_type_hints

from pydantic import BaseModel, Field, create_model

from core.catalog.document_fields import result_fields
from core.responses import DocumentHit


class FolderInfo(BaseModel):
    """A folder of the library."""

    path: str
    documents: int = Field(description="Number of indexed documents in the folder.")
    failed: int = Field(description="Number of files that could not be read.")
    is_there: bool = Field(description="False while its drive or network share is not connected.")
    description: str = Field(
        description='The user\'s description of the folder, not text from a document; "" if none.'
    )


class DescribedFolder(BaseModel):
    """A folder with a description by the user."""

    path: str
    description: str = Field(description="The user's description, not text from a document.")


class LibraryInfo(BaseModel):
    """Another library that is searched together with the user's own."""

    name: str = Field(description="The name used in the library field of results.")
    documents: int = Field(description="Number of documents.")
    is_there: bool = Field(description="False while it cannot be reached.")
    problem: str = Field(
        description='Why the library is not available or incomplete; "" if it works.'
    )


class Folders(BaseModel):
    """The folders of the library."""

    folders: list[FolderInfo]
    documents: int = Field(description="Number of documents in all folders.")
    passages: int = Field(description="Number of passages in all documents.")
    waiting: int = Field(description="Number of passages not yet searchable by meaning.")
    model: str = Field(description="Name of the model for search by meaning.")
    libraries: list[LibraryInfo] = Field(description="Other libraries that are searched too.")
    next_offset: int | None = Field(description="Offset of the next page; null on the last page.")


class Match(BaseModel):
    """A query word and the passage word aligned with it."""

    query: str
    passage: str
    similarity: float = Field(
        description="Cosine similarity of the two words in context, at most 1."
    )


class PassageInfo(BaseModel):
    """A passage of a document: one or more related paragraphs."""

    passage_id: int = Field(description="ID for read_passage and explain.")
    page: int = Field(description="Page number, from 1; documents without pages have one page.")
    start: int = Field(description="Start of the passage in the page, in characters.")
    cite_as: str = Field(
        description="Citation of the passage: path:12-18 with line numbers if known, else "
        "path, p. 3, else the path."
    )
    heading: str = Field(description="Title of the document and headings above the passage.")
    text: str
    is_cut: bool = Field(
        description="Whether the text is truncated; read_passage returns the full text."
    )


class PassageResult(PassageInfo):
    """A passage in the search results, with the reasons for the match."""

    score: float
    found_by: list[str] = Field(description="words, meaning, or both.")
    matches: list[Match] = Field(description="Aligned words, most similar first.")


class CopyInfo(BaseModel):
    """A copy or version of a document in the search results."""

    path: str
    document_id: int = Field(description="ID for read_document.")
    is_exact: bool = Field(description="Whether the files are identical.")


if TYPE_CHECKING:
    _ListedFields = BaseModel
else:
    _types = get_type_hints(DocumentHit)
    _ListedFields = create_model(
        "_ListedFields",
        **{
            name: (_types[name], Field(description=each.about))
            for name, each in result_fields(DocumentHit).items()
            if each.is_listed
        },
    )


class DocumentAnswer(_ListedFields):
    """A document in the search results, with its best passages first."""

    rank: int = Field(description="Rank from 1, counted over all pages of results.")
    path: str = Field(description="Path for read_document, if library is empty.")
    document_id: int = Field(description="ID for read_document, for documents of any library.")
    changed: str = Field(description='Last modification of the file, ISO 8601; "" if unknown.')
    copies: list[CopyInfo] = Field(
        description="Copies and versions of the document, which are not listed as results; search "
        "same:PATH to list them."
    )
    passages: list[PassageResult]


class NearMissInfo(BaseModel):
    """What a query without results finds with one step less."""

    without: str = Field(description="The part of the query that is left out.")
    kind: str = Field(description="quotes, exclusion or filter.")
    documents: int
    query: str = Field(description="The query without it.")


class SearchAnswer(BaseModel):
    """One page of search results, best first."""

    documents: list[DocumentAnswer]
    folders: list[DescribedFolder] = Field(
        description="Folders of these documents that have a description."
    )
    files_matching_by_name: list[str] = Field(
        description="Paths of other documents whose file names match the query."
    )
    notice: str = Field(description='Limitations of these results; "" if none.')
    did_you_mean: str = Field(
        description="A suggested query, with corrected spelling or with filters for a sentence"
        ' such as "pdf by anna"; "" if none.'
    )
    searched_for: str = Field(
        description="The corrected query that was searched because the original query has nothing "
        'close in the library; "" if the original was searched.'
    )
    near_misses: list[NearMissInfo] = Field(
        description="If nothing was found: numbers of documents without a filter, the quotation "
        "marks of a phrase, or an excluded word of the query."
    )
    next_offset: int | None = Field(description="Offset of the next page; null on the last page.")


class PassageText(BaseModel):
    """A passage with the passages before and after it."""

    path: str
    title: str
    pages: int = Field(description="Number of pages of the document.")
    passage: PassageInfo
    before: list[PassageInfo]
    after: list[PassageInfo]


class DocumentText(BaseModel):
    """A part of the indexed text of a page of a document."""

    path: str
    title: str
    author: str
    date: str
    pages: int = Field(description="Number of pages of the document.")
    page: int
    offset: int = Field(description="Start of the text in the page, in characters.")
    text: str
    next_page: int | None = Field(
        description="Page to continue at; null at the end of the document."
    )
    next_offset: int | None = Field(description="Offset in that page to continue at.")


class ExplainedToken(BaseModel):
    """A query token and its contribution to the score."""

    token: str = Field(description='The token; "" for the vector of the whole query.')
    share: float = Field(description="Weight of the token in the query, from 0 to 1.")
    aligned_with: list[str] = Field(description="Aligned words of the passage, most similar first.")
    similarity: float
    adds: float


class Explained(BaseModel):
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
