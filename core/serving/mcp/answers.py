"""The responses of the tools; their output schemas are made from these fields."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class FolderInfo(BaseModel):
    """A folder of the library."""

    path: str
    documents: int = Field(description="How many documents in it are in the library.")
    failed: int = Field(description="How many could not be read.")
    is_there: bool = Field(description="False while its drive or network share is away.")
    description: str = Field(
        description="What the person who keeps the folder says of it: their own words, and no "
        'document\'s; "" for nothing.'
    )


class DescribedFolder(BaseModel):
    """A folder that the person who keeps it said something of."""

    path: str
    description: str = Field(description="That person's own words, and no document's.")


class LibraryInfo(BaseModel):
    """Another library that is searched, too: of the same person, or of somebody else."""

    name: str = Field(description="As results have it in their library.")
    documents: int = Field(description="How many documents it holds.")
    is_there: bool = Field(description="False while it cannot be reached.")
    problem: str = Field(description='A sentence on why it does not answer as it should; "".')


class Folders(BaseModel):
    """The folders of the library."""

    folders: list[FolderInfo]
    documents: int = Field(description="How many documents were read, in all folders.")
    passages: int = Field(description="How many passages they were cut into.")
    waiting: int = Field(description="Passages that can be found by their words only, as yet.")
    model: str = Field(description="The model by which passages are found by meaning.")
    libraries: list[LibraryInfo] = Field(
        description="Other libraries that are searched beside these folders."
    )
    next_offset: int | None = Field(description="The offset of the next page; null: no more.")


class Match(BaseModel):
    """A word of the query and what it is aligned with in the passage."""

    query: str
    passage: str
    similarity: float = Field(description="Of the two words in their contexts, at most 1.")


class PassageInfo(BaseModel):
    """A passage of a document: a paragraph or some that belong together."""

    passage_id: int = Field(description="For read_passage and explain.")
    page: int = Field(description="Numbered from 1; documents without pages have one.")
    start: int = Field(description="Where the passage begins in its page, in characters.")
    cite_as: str = Field(
        description="Where it stands, to cite it by: path:12-18 by the lines of the file as it "
        "was read, where they are known; else path, p. 3; else the path."
    )
    heading: str = Field(description="The document's title and the headings above the passage.")
    text: str
    is_cut: bool = Field(description="Whether the text goes on; read_passage gives all of it.")


class FoundPassage(PassageInfo):
    """A passage that was found, and why."""

    score: float
    found_by: list[str] = Field(description="words, meaning or both.")
    matches: list[Match] = Field(description="What made the match, most similar first.")


class CopyInfo(BaseModel):
    """A document that is a copy of one that was found, or a version of its text."""

    path: str
    document_id: int = Field(description="For read_document.")
    is_exact: bool = Field(description="Whether the files are the same, byte by byte.")


class DocumentAnswer(BaseModel):
    """A document that was found, with its best passages, best first."""

    # A listed field of a hit reaches agents also if it is not described below.
    model_config = ConfigDict(extra="allow")

    rank: int = Field(description="From 1, over all pages of results.")
    path: str = Field(description="For read_document, where library is empty.")
    library: str = Field(description='Whose document it is; "" for one in the folders here.')
    document_id: int = Field(description="For read_document, whatever library it is of.")
    title: str
    author: str = Field(description='What the document says of its author; "" for nothing.')
    date: str = Field(description='When it says it was written, ISO 8601; "" for nothing.')
    is_likely: bool = Field(
        description="False: any query finds as much by chance; cite no such document as an answer."
    )
    changed: str = Field(description='When its file was last changed, ISO 8601; "" for unknown.')
    copies: list[CopyInfo] = Field(
        description="Copies and versions of it, which are no results of their own; same:PATH in a "
        "query lists them as results."
    )
    passages: list[FoundPassage]


class SearchAnswer(BaseModel):
    """One page of the documents that were found, best first."""

    documents: list[DocumentAnswer]
    folders: list[DescribedFolder] = Field(
        description="Folders that these documents lie in, of which the person who keeps them says "
        "what they hold."
    )
    files_named_so: list[str] = Field(
        description="Paths of other documents whose file names fit the query."
    )
    notice: str = Field(description='A sentence where the answer is not all that was asked; "".')
    did_you_mean: str = Field(
        description="The query with words that the library lacks as it spells the nearest that it"
        ' has; "" where there is nothing to mend.'
    )
    searched_for: str = Field(
        description="The mended query that these documents are of, because the library has no word"
        ' of the one that was asked; "" where they are of that.'
    )
    next_offset: int | None = Field(description="The offset of the next page; null: no more.")


class PassageText(BaseModel):
    """A passage with its neighbours in the document."""

    path: str
    title: str
    pages: int = Field(description="Of the document.")
    passage: PassageInfo
    before: list[PassageInfo]
    after: list[PassageInfo]


class DocumentText(BaseModel):
    """A piece of the text of one page of a document, as it was read."""

    path: str
    title: str
    author: str
    date: str
    pages: int = Field(description="How many pages the document has.")
    page: int
    offset: int = Field(description="Where the text begins in the page, in characters.")
    text: str
    next_page: int | None = Field(description="Where to read on; null: this is the end.")
    next_offset: int | None = Field(description="Where in that page to read on.")


class ExplainedToken(BaseModel):
    """A token of the query and what it adds to the score."""

    token: str = Field(description='"" stands for the query as a whole.')
    share: float = Field(description="How much of the query it decides, of 1.")
    aligned_with: list[str] = Field(description="Words of the passage, most similar first.")
    similarity: float
    adds: float


class Explained(BaseModel):
    """How the score of one passage for a query is added up."""

    path: str
    page: int
    passage_id: int
    tokens: list[ExplainedToken]
    words: float = Field(description="What the query's words that occur add (BM25).")
    score: float = Field(description="The sum of all that tokens and words add.")
    alignment: str = Field(description="The rule by which tokens are aligned.")
    is_ranking_score: bool = Field(
        description="Whether search ranks the passage by this score, where no filter is given."
    )
