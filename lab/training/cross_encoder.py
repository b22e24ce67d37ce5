"""A model that reads query and passage together, grown from one that reads them apart.

It begins as late interaction and nothing else: query and passage go through the transformer each
by itself, and the score is the mean of maxima of their tokens' vectors (ALIGNER, eq. 1-2 with
top-1). In the transformer's last layers a token of the one may look at the tokens of the other as
well, each of which counts at first as e^-3 of a token of its own text; how much it counts is
learned for each layer and head, and so is what they say to each other. What is added to the score,
a line from the query's first vector, begins at zero. So from its first step such a model finds
what its start finds, where a transformer with a new output over [CLS] begins at nothing.

Sources: MacAvaney et al., "Efficient Document Re-Ranking for Transformers by Precomputing Term
Representations" (PreTTR), 2020, for layers that are apart below and joined above; Nogueira and Cho,
"Passage Re-ranking with BERT", 2019, for the task. ColBERTv2, section 3.2, has such a model teach.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.encoders.checkpoint import load_arrays
from core.encoders.tokens import Tokenizer
from core.errors import ModelError, UsageError, WinnowError
from lab.training.batches import Collator, Texts
from lab.training.config import RunConfig
from lab.training.corpus import Passage
from lab.training.model import (
    LateInteractionModel,
    autocast,
    freeze,
    mean_of,
    refuse_long_texts,
)
from lab.training.model_config import ModelConfig, SalienceConfig
from lab.training.salience import Salience, SalienceKind
from lab.training.start import Start, find_start
from lab.training.teachers import Teacher, rows_of

CROSS: Final = "cross.safetensors"
"""What a folder of such a model has beside what Winnow's models have."""
_CLOSED: Final = -3.0
"""What is added at first to the logit with which a token looks at one of the other text."""
_LOWEST: Final = -1e9
"""Added to the logit with which one looks where there is no token."""
_TOGETHER: Final = 24
"""Pairs that the processor is given at once; those of like lengths, so that little is padded."""


class CrossEncoder(LateInteractionModel):
    """Scores pairs of a query and a passage; also gives vectors of each alone, as its start does.

    Embeddings and the layers below those that are joined stay as the start has them.
    """

    def __init__(
        self,
        start: Start,
        salience: SalienceConfig,
        layers: int,
        *,
        summary_weight: float = 0.0,
        dropout: float = 0.0,
        seed: int = 7,
        device: str = "cpu",
        half_start: bool = False,
    ) -> None:
        """Load the start's weights.

        Args:
            start: a BERT, with a projection.
            salience: its query head weighs the query's tokens; without one all count alike.
            layers: in how many of the last ones query and passage see each other, at least 1.
            summary_weight: how much the query's summary counts relative to all its tokens.
            dropout: in the transformer.
            seed: of what is drawn.
            device: that it is to run on.
            half_start: whether the transformer's weights are rounded to half precision.

        Raises:
            UsageError: the start is no BERT, or has fewer layers.
            ModelError: the transformer cannot be loaded.
        """
        super().__init__(
            start,
            salience,
            dropout=dropout,
            summary_weight=summary_weight,
            seed=seed,
            device=device,
            half_start=half_start,
        )
        blocks = getattr(getattr(self.transformer, "encoder", None), "layer", None)
        if not isinstance(blocks, nn.ModuleList) or not hasattr(self.transformer, "embeddings"):
            raise UsageError(
                f"{start.checkpoint.name} is no BERT, of which alone a cross-encoder is grown; set "
                "cross_layers to 0, or name another start."
            )
        if layers > len(blocks):
            raise UsageError(
                f"{start.checkpoint.name} has {len(blocks)} layers; set cross_layers to as many "
                "at most."
            )
        # The fused attention takes no gradient into what is added to its logits.
        self.transformer.set_attn_implementation("eager")
        self._apart = len(blocks) - layers
        heads = self.transformer.config.num_attention_heads
        self.openness = nn.Parameter(torch.full((layers, heads), _CLOSED))
        self.first = nn.Linear(start.hidden, 1)
        with torch.no_grad():
            for weight in self.first.parameters():
                weight.zero_()
        self.transformer.embeddings.requires_grad_(False)
        for block in blocks[: self._apart]:
            block.requires_grad_(False)

    def pair_scores(self, queries: Texts, passages: Texts) -> Tensor:
        """Return how well each passage answers the query beside it.

        Args:
            queries: b of them, as framed by `Collator.queries`.
            passages: as many.

        Returns:
            (b,) float32.
        """
        if queries.ids.device.type != "cpu":
            return self._scores(queries, passages)
        lengths = torch.tensor(passages.lengths)
        order = lengths.argsort(descending=True, stable=True)
        parts = [
            self._scores(queries.chosen(rows), passages.chosen(rows))
            for rows in torch.split(order, _TOGETHER)
        ]
        return torch.cat(parts)[order.argsort()]

    def _scores(self, queries: Texts, passages: Texts) -> Tensor:
        query, passage = self._read_together(queries, passages)
        with torch.autocast(query.device.type, enabled=False):
            vectors = functional.normalize(self.project(query), dim=2)
            others = functional.normalize(self.project(passage), dim=2)
            pairs = (vectors @ others.transpose(1, 2)).masked_fill(~_own(passages)[:, None], -1.0)
            weights = self._weights(query, _own(queries))
            total = weights.sum(dim=1).clamp(min=1e-6)
            scores = (pairs.amax(dim=2) * weights).sum(dim=1) / total
            if self.summary is not None:
                about = functional.cosine_similarity(
                    mean_of(query, queries.mask) @ self.summary,
                    mean_of(passage, passages.mask) @ self.summary,
                )
                scores = (scores + self.summary_weight * about) / (1 + self.summary_weight)
            added: Tensor = self.first(query[:, 0])[:, 0]
        return scores + added

    def _weights(self, query: Tensor, own: Tensor) -> Tensor:
        """(b, n) how much the query's own tokens count; alike where none is salient."""
        alike = own.float()
        if "query" not in self.salience:
            return alike
        head = self.salience["query"]
        assert isinstance(head, Salience)
        weights = functional.relu(head.linear(query)[..., 0]) * alike
        return torch.where(weights.sum(dim=1, keepdim=True) == 0, alike, weights)

    def _read_together(self, queries: Texts, passages: Texts) -> tuple[Tensor, Tensor]:
        """(b, l, h) and (b, m, h) float32, the transformer's vectors, those of frames included."""
        blocks = self.transformer.encoder.layer
        apart = []
        with torch.no_grad():  # these layers are not trained
            for texts in (queries, passages):
                states = self.transformer.embeddings(input_ids=texts.ids)
                for block in blocks[: self._apart]:
                    states = _output(block(states, _shut(texts.mask)))
                apart.append(states)
        states = torch.cat(apart, dim=1)
        place = queries.ids.shape[1]
        other = torch.zeros(states.shape[1], states.shape[1], device=states.device)
        other[:place, place:] = 1
        other[place:, :place] = 1
        shut = _shut(torch.cat([queries.mask, passages.mask], dim=1))
        for block, openness in zip(blocks[self._apart :], self.openness, strict=True):
            states = _output(block(states, shut + other * openness[None, :, None, None]))
        states = states.float()
        return states[:, :place], states[:, place:]


class CrossTeacher(Teacher):
    """A cross-encoder that `winnow train` made, as a teacher."""

    def __init__(
        self, model: CrossEncoder, collator: Collator, device: str, precision: str
    ) -> None:
        """Take the model, on its device, and what frames texts for it."""
        self._model = model
        self._collator = collator
        self._device = device
        self._precision = precision

    def prepare(
        self, queries: Sequence[str], passages: Sequence[Sequence[Passage]]
    ) -> Callable[[], Tensor]:
        """Return what gives the model's scores."""
        pairs = [
            (query, passage)
            for query, own in zip(queries, passages, strict=True)
            for passage in own
        ]
        asked = self._collator.queries([query for query, _ in pairs])
        texts = self._collator.passages([(one.context, one.text) for _, one in pairs])
        counts = [len(own) for own in passages]

        def score() -> Tensor:
            was_training = self._model.training
            self._model.eval()
            with torch.inference_mode(), autocast(self._device, self._precision):
                found = self._model.pair_scores(asked.to(self._device), texts.to(self._device))
            self._model.train(was_training)
            return rows_of(found, counts)

        return score


def build_cross_encoder(
    start: Start, config: ModelConfig, salience: SalienceConfig, run: RunConfig, device: str
) -> CrossEncoder:
    """Return the cross-encoder that a run begins with, on its device.

    Raises:
        UsageError: it cannot be grown of this start, or cannot take texts as long as the run's.
        ModelError: the transformer cannot be loaded.
    """
    refuse_long_texts(start, run)
    model = CrossEncoder(
        start,
        salience,
        config.cross_layers,
        summary_weight=config.summary_weight,
        dropout=config.dropout,
        seed=run.seed,
        device=device,
        half_start=config.half_start,
    )
    freeze(model, run.frozen)
    return model.to(device)


def save_cross(model: CrossEncoder, folder: Path) -> None:
    """Write what a cross-encoder has beside a model of Winnow's into the folder of that.

    Raises:
        WinnowError: it cannot be written.
    """
    from safetensors.torch import save_file

    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in _beside(model).items()}
    making = folder / f".making-{CROSS}"
    try:
        save_file(tensors, making)
        making.chmod(0o644)
        making.replace(folder / CROSS)
    except OSError as error:
        raise WinnowError(f"The cross-encoder cannot be written to {folder}: {error}.") from error


def load_cross_teacher(folder: Path, run: RunConfig, device: str) -> CrossTeacher:
    """Return the cross-encoder in a folder that `winnow train` wrote, as a teacher.

    Args:
        folder: with `cross.safetensors` beside a model of Winnow's.
        run: its lengths cut texts, its precision is worked with.
        device: to run on.

    Raises:
        ModelError: the folder's files are missing or damaged.
        UsageError: the run's texts are longer than the model takes.
    """
    try:
        tensors = load_arrays(folder / CROSS)
        described = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        config = ModelConfig(
            start=str(folder),
            dimensions=described["dimensions"],
            projection="start",
            summary_weight=described["summary_weight"],
            cross_layers=len(tensors["openness"]),
        )
        kind = SalienceKind.ENTROPY if described["has_salience"] else "none"
        start = find_start(config, run.seed)
        model = build_cross_encoder(start, config, SalienceConfig(kind=kind), run, device)
        with torch.no_grad():
            for name, tensor in _beside(model).items():
                tensor.copy_(torch.from_numpy(tensors[name]))
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise ModelError(f"The cross-encoder in {folder} is damaged: {error}") from error
    return CrossTeacher(
        model, Collator(Tokenizer.of(start.checkpoint), start, run), device, run.precision
    )


def _beside(model: CrossEncoder) -> dict[str, Tensor]:
    return {
        "openness": model.openness,
        "first.weight": model.first.weight,
        "first.bias": model.first.bias,
    }


def _shut(mask: Tensor) -> Tensor:
    """(b, 1, 1, n) what is added to logits, so that nobody looks where there is no token."""
    return (mask[:, None, None].float() - 1) * -_LOWEST


def _own(texts: Texts) -> Tensor:
    """(b, l) bool, true for a text's own tokens, without its frame.

    >>> mask = torch.tensor([[True, True, True, True], [True, True, True, False]])
    >>> _own(Texts(mask.long(), mask, 1, 1, (4, 3))).long().tolist()
    [[0, 1, 1, 0], [0, 1, 0, 0]]
    """
    places = torch.arange(texts.ids.shape[1], device=texts.ids.device)
    ends = texts.mask.sum(dim=1, keepdim=True) - texts.after
    return (places >= texts.before) & (places < ends)


def _output(made: Tensor | tuple[Tensor, ...]) -> Tensor:
    """What a layer made; older transformers wrap it."""
    return made if isinstance(made, Tensor) else made[0]
