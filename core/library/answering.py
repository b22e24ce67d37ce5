"""Answers requests with an open catalog and its index."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from core import requests, responses
from core.alignment.pairwise import AlignmentStrategy
from core.catalog import manifest, passages
from core.catalog.catalog import Catalog
from core.catalog.files import folders
from core.catalog.files.folders import Folder
from core.catalog.scope import DocumentCounts, document_counts
from core.documents.document import Box, Page, PageImage
from core.documents.reader import Reader
from core.errors import Message, ModelError
from core.index.generation import IndexGeneration
from core.index.probing import ProbeParams
from core.indexing.build.generations import Generations
from core.indexing.views import Views
from core.progress import Job
from core.requests import OptionalAnswerer, Request, Response
from core.search.caches import SearchCaches
from core.search.explanation import Explainer
from core.search.facets.scope_masks import ScopeMasks
from core.search.meaning_ranker import MeaningRanker
from core.search.pipeline import Pipeline, Ranker
from core.search.ranking import RankingConfig
from core.search.stored_texts import StoredTexts
from core.search.teaching import adopted
from core.search.word_ranker import WordRanker
from core.token_comparison import Explanation


@dataclass(slots=True)
class Answering:
    """The part of an open library that answers requests; thread-safe.

    Attributes:
        catalog: the library's.
        generations: its index, and the models that belong to it.
        drawer: draws pages of documents.
        caches: shared by all searches.
        alignment: how query tokens are aligned; None for the strategy adopted by the library.
        probe_params: how much of the index a search visits.
        service: answers searches and explanations first, while it is running.
    """

    catalog: Catalog
    generations: Generations
    drawer: Reader
    caches: SearchCaches
    alignment: AlignmentStrategy | None
    probe_params: ProbeParams
    service: OptionalAnswerer | None

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        """Return the response to a request.

        Raises:
            WinnowError: a person can act on its message.
            Cancelled: the job was cancelled.
        """
        return cast("Response", _ANSWERS[type(request)](self, request, job))

    def pipeline(self, ranker: Ranker) -> Pipeline:
        """Return the search with a ranker."""
        return Pipeline(self.catalog, self.caches.vocabulary, ranker)

    def ranker(self, wanted: responses.Mode) -> tuple[Ranker, responses.Mode, str]:
        """Return a ranker, the mode in use, and a notice if it is not the requested one."""
        if wanted is not responses.Mode.WORDS:
            try:
                return self.meaning_ranker(self.generations.answering()), wanted, ""
            except ModelError as error:
                return self.word_ranker, responses.Mode.WORDS, error.message
        return self.word_ranker, responses.Mode.WORDS, ""

    @property
    def word_ranker(self) -> WordRanker:
        """Ranks by words."""
        return WordRanker(self.caches.vocabulary, ScopeMasks(self.catalog, self.caches.columns))

    def meaning_ranker(self, generation: IndexGeneration) -> MeaningRanker:
        """Return a ranker with one generation of the index."""
        strategy = self.strategy_of(generation)
        return MeaningRanker(self.word_ranker, generation, strategy, self.probe_params, self.caches)

    def strategy_of(self, generation: IndexGeneration) -> AlignmentStrategy:
        """Return the alignment given in the options, else the one adopted for the model."""
        return self.alignment or adopted(self.catalog, generation)

    @property
    def explainer(self) -> Explainer:
        """An explainer that uses the live model.

        Raises:
            ModelError: the model cannot be loaded.
        """
        return self.meaning_ranker(self.generations.answering()).explainer

    @property
    def texts(self) -> StoredTexts:
        """The stored text of documents and passages."""
        return StoredTexts(self.catalog)

    @property
    def views(self) -> Views:
        """The pages of documents."""
        return Views(self.catalog, self.drawer)

    def _by_service(self, request: Request[Response], job: Job | None) -> Response | None:
        return None if self.service is None else self.service.answer_if_running(request, job)

    def _search(self, request: requests.Search, job: Job | None) -> responses.SearchResults:
        if (response := self._by_service(request, job)) is not None:
            return response
        for _ in range(2):
            ranker, mode, notice = self.ranker(request.mode)
            results = self.pipeline(ranker).search(replace(request, mode=mode), job)
            # Otherwise another model went live during the search.
            if not isinstance(ranker, MeaningRanker) or self._is_current(ranker.generation):
                break
        return replace(results, notice=Message.joined(filter(None, [notice, results.notice])))

    def _is_current(self, generation: IndexGeneration) -> bool:
        """Return whether a generation is still live."""
        with self.catalog.reading() as db:
            row = manifest.live(db)
        return row is None or row.codec == generation.row.codec

    def _facets(self, request: requests.CountFacets, job: Job | None) -> responses.Facets:
        ranker, mode, _ = self.ranker(request.mode)
        pipeline = self.pipeline(ranker)
        return pipeline.facets(replace(request, mode=mode), self.caches.counter, job)

    def _explain(self, request: requests.Explain, job: Job | None) -> Explanation:
        if (response := self._by_service(request, job)) is not None:
            return response
        ranker = self.meaning_ranker(self.generations.answering())
        return ranker.explain_passage(self.catalog, request, job)

    def _align(self, request: requests.Align, job: Job | None) -> responses.ExactAlignments:
        return self.explainer.align(self.catalog, request.query, request.passage_ids, job)

    def _salient_words(
        self, request: requests.GetSalientWords, _job: Job | None
    ) -> tuple[str, ...]:
        return self.explainer.salient_words(self.catalog, request.passage_id, request.count)

    def _scale(
        self, _request: requests.GetScoreScale, _job: Job | None
    ) -> responses.ScoreScale | None:
        with contextlib.suppress(ModelError):
            generation = self.generations.answering()
            strategy = self.strategy_of(generation)
            words = RankingConfig.of_model(generation.checkpoint.resources).words
            return responses.ScoreScale(generation.row.spec.model, words, str(strategy))
        return None

    def _passage(self, request: requests.ReadPassage, _job: Job | None) -> responses.Reading:
        return self.texts.passage(request.passage_id, request.before, request.after)

    def _page(self, request: requests.ReadPage, _job: Job | None) -> str:
        texts = self.texts
        return texts.page(texts.numbered(request.document_id), request.page)

    def _pages(self, request: requests.ReadPages, _job: Job | None) -> tuple[Page, ...]:
        with self.catalog.reading() as db:
            texts = passages.page_texts(db, request.document_id)
            gaps = passages.gaps(db, request.document_id)
        return tuple(
            Page(page_number, text, unread=gaps if index == 0 else "")
            for index, (page_number, text) in enumerate(sorted(texts.items()))
        )

    def _image(self, request: requests.DrawPage, job: Job | None) -> PageImage:
        document, page, width = request.document_id, request.page, request.width
        return self.views.image(document, page, width, request.spans, job)

    def _boxes(self, request: requests.LocateSpans, job: Job | None) -> tuple[tuple[Box, ...], ...]:
        size = request.width, request.height
        return self.views.boxes(request.document_id, request.page, size, request.spans, job)

    def _folders(self, _request: requests.ListFolders, _job: Job | None) -> tuple[Folder, ...]:
        with self.catalog.reading() as db:
            return folders.describe(db)

    def _descriptions(
        self, _request: requests.ListDescriptions, _job: Job | None
    ) -> dict[Path, str]:
        with self.catalog.reading() as db:
            return folders.descriptions(db)

    def _count(self, request: requests.CountDocuments, _job: Job | None) -> DocumentCounts:
        with self.catalog.reading() as db:
            return document_counts(db, request.scope)


_ANSWERS: Final[Mapping[type[Request[Any]], Callable[[Answering, Any, Job | None], Any]]] = {
    requests.Search: Answering._search,  # noqa: SLF001 - of this module, here and below
    requests.CountFacets: Answering._facets,  # noqa: SLF001
    requests.Explain: Answering._explain,  # noqa: SLF001
    requests.Align: Answering._align,  # noqa: SLF001
    requests.GetSalientWords: Answering._salient_words,  # noqa: SLF001
    requests.GetScoreScale: Answering._scale,  # noqa: SLF001
    requests.ReadPassage: Answering._passage,  # noqa: SLF001
    requests.LocateLines: lambda self, request, _job: self.texts.lines(request.passage_ids),
    requests.GetDocument: lambda self, request, _job: self.texts.numbered(request.document_id),
    requests.GetDocumentAt: lambda self, request, _job: self.texts.document(request.path),
    requests.ReadPage: Answering._page,  # noqa: SLF001
    requests.ReadPages: Answering._pages,  # noqa: SLF001
    requests.DrawPage: Answering._image,  # noqa: SLF001
    requests.LocateSpans: Answering._boxes,  # noqa: SLF001
    requests.MeasurePages: lambda self, request, job: self.views.sizes(request.document_id, job),
    requests.ReadMarkup: lambda self, request, job: self.views.pages(request.document_id, job),
    requests.ListInner: lambda self, request, _job: self.views.inside(request.document_id),
    requests.ListFolders: Answering._folders,  # noqa: SLF001
    requests.ListDescriptions: Answering._descriptions,  # noqa: SLF001
    requests.CountDocuments: Answering._count,  # noqa: SLF001
    requests.GetModelName: lambda self, _request, _job: self.generations.name(),
    requests.ListLibraries: lambda _self, _request, _job: (),
}
