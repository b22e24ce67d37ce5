"""A second model, larger than the library's own, which compares the best of what is found anew.

An index is made by a small model, since each passage goes through it. What a search has found is a
few passages; a model that takes several times as long for each can afford to read these. It
compares all tokens of the query with all of a passage, as the first one does (`Searcher._refined`),
and its say is a term of the score (`Ranking.looked_at`). Nothing of it is stored.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.alignment.pairwise import AlignmentStrategy
from core.catalog.passages import StoredPassage
from core.encoders.encoder import Encoder
from core.encoders.layouts import load_checkpoint
from core.encoders.tokens import Tokenizer
from core.errors import Message, ModelError
from core.index.generation import open_encoder
from core.progress import Job
from core.search.encodings import EncodedQuery, Recent, RecentPassages
from core.settings import Settings

LOOKED_AT: Final = 20
"""So many passages are looked at, the best of as many documents."""
_QUERIES_CACHED: Final = 8
_BYTES_CACHED: Final = 64 << 20
"""Of encoded passages: some 250 of a model of 384 dimensions."""
_BEST_OF_EACH: Final = AlignmentStrategy()


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A model, and what it has encoded lately."""

    encoder: Encoder
    queries: Recent[str, EncodedQuery]
    passages: RecentPassages


class SecondLook:
    """The model of one library's second looks; for any number of threads at once."""

    def __init__(self, source: str | None = None) -> None:
        """Begin without a model: it is loaded by `warm_up`, or when there is something to look at.

        Args:
            source: a built-in model's name or a model's folder, "" for none, whatever the settings
                say; None for theirs.
        """
        self._asked = source
        self._chosen = (source or "", "")
        self._loaded: _Loaded | None = None
        self._problem = ""
        self._guard = threading.Lock()
        self._loading = threading.Lock()

    def take(self, settings: Settings) -> None:
        """Have the model that is set look from now on, on the device that is set."""
        source = settings.second_model if self._asked is None else self._asked
        with self._guard:
            if (source, settings.device) != self._chosen:
                self._chosen = (source, settings.device)
                self._loaded = None
                self._problem = ""

    @property
    def is_chosen(self) -> bool:
        """Whether there is to be a second look."""
        return bool(self._chosen[0])

    @property
    def notice(self) -> str:
        """Why there was none the last time though a model is chosen; "" where there was one."""
        return Message("There is no second look. {0}", self._problem) if self._problem else ""

    def warm_up(self) -> None:
        """Load the model, if one is chosen; where it cannot be, `notice` says why."""
        with self._loading:
            self._load()

    def similarities(
        self, query: str, passages: Sequence[StoredPassage], job: Job | None = None
    ) -> list[float] | None:
        """Return how similar each passage is to a query: the mean of its tokens' best.

        None where no model is chosen, or it cannot be loaded, or reads nothing of the query; and
        while another thread is loading it, for which nobody who types is to wait.

        Raises:
            Cancelled: the job was cancelled.

        Source: ALIGNER, eq. 1, with the best of each token aligned.
        """
        model = self._loaded
        if model is None and self._loading.acquire(blocking=False):
            try:
                model = self._load()
            finally:
                self._loading.release()
        if model is None:
            return None
        encoded = model.queries.known([query]).get(query)
        if encoded is None:
            encoded = EncodedQuery.of(query, model.encoder)
            model.queries.remember({query: encoded})
        if not len(encoded):
            return None
        seen = model.passages.by(model.encoder, "", passages, job=job)
        return [float(encoded.scores(one.vectors.vectors, [_BEST_OF_EACH])[0]) for one in seen]

    def _load(self) -> _Loaded | None:
        """Return the chosen model, which is loaded if it is not; to be called by one at a time."""
        while (model := self._loaded) is None and (chosen := self._chosen)[0]:
            source, device = chosen
            problem = ""
            try:
                checkpoint = load_checkpoint(source)
                tokenizer = Tokenizer.of(checkpoint)
                encoder = open_encoder(checkpoint, tokenizer, device, threads=1)
                model = _Loaded(encoder, Recent(_QUERIES_CACHED), RecentPassages(_BYTES_CACHED))
            except ModelError as error:
                # Tried anew at the next look: the folder may have been away.
                problem = error.message
            with self._guard:
                # Else another was chosen meanwhile.
                if chosen == self._chosen:
                    self._loaded, self._problem = model, problem
                    break
        return model
