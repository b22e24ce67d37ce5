"""A model that reads query and passage together, initialised from one that reads them apart.

It begins as plain late interaction: query and passage go through the transformer separately, and
the score is the mean of maxima of their tokens' vectors (ALIGNER, eq. 1-2 with top-1). In the last
layers of the transformer, tokens of each text can also attend to the other's. At first, each of
those counts e^-3 as much as a token of the same text; the factor is learned for each layer and
head. A linear term from the query's first vector, initialised to zero, is added to the score. The
first step therefore ranks exactly as the start does, whereas a transformer with a new output over
[CLS] starts from scratch.

Sources: MacAvaney et al., "Efficient Document Re-Ranking for Transformers by Precomputing Term
Representations" (PreTTR), 2020, for layers that are separate below and joined above; Nogueira and
Cho, "Passage Re-ranking with BERT", 2019, for the task. ColBERTv2, section 3.2, uses such models as
teachers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from core.encoders.folders.checkpoint import load_arrays
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

# File that a cross-encoder's folder has in addition to those of a Winnow model.
WEIGHTS_FILE: Final = "cross.safetensors"
# Initial bias of the attention logits between the two texts.
_INITIAL_BIAS: Final = -3.0
# Bias of the attention logits at padding.
_PADDING_BIAS: Final = -1e9
# Pairs per forward pass on the CPU, of similar lengths to limit padding.
_BATCH_SIZE: Final = 24


class CrossEncoder(LateInteractionModel):
    """Scores pairs of a query and a passage, and encodes each alone as its start does.

    The embeddings and the layers below the joined ones keep the start's weights.
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
    ) -> None:
        """Load the start's weights.

        Args:
            start: a BERT, with a projection.
            salience: its query head weights the query's tokens; None for equal weights.
            layers: number of last layers with attention between query and passage, at least 1.
            summary_weight: weight of the query's summary relative to all its tokens.
            dropout: in the transformer.
            seed: for random initialisation.
            device: to run on.

        Raises:
            UsageError: the start is not a BERT, or has fewer layers.
            ModelError: the transformer cannot be loaded.
        """
        super().__init__(
            start,
            salience,
            dropout=dropout,
            summary_weight=summary_weight,
            seed=seed,
            device=device,
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
        # Fused attention does not propagate gradients to the bias of its logits.
        self.transformer.set_attn_implementation("eager")
        self._separate_layers = len(blocks) - layers
        heads = self.transformer.config.num_attention_heads
        self.cross_attention_bias = nn.Parameter(torch.full((layers, heads), _INITIAL_BIAS))
        self.cls_head = nn.Linear(start.hidden, 1)
        with torch.no_grad():
            for weight in self.cls_head.parameters():
                weight.zero_()
        self.transformer.embeddings.requires_grad_(False)
        for block in blocks[: self._separate_layers]:
            block.requires_grad_(False)

    def pair_scores(self, queries: Texts, passages: Texts) -> Tensor:
        """Return how well each passage answers its query.

        Args:
            queries: b queries, framed by `Collator.queries`.
            passages: b passages.

        Returns:
            (b,) float32.
        """
        if queries.ids.device.type != "cpu":
            return self._scores(queries, passages)
        lengths = torch.tensor(passages.lengths)
        order = lengths.argsort(descending=True, stable=True)
        parts = [
            self._scores(queries.chosen(rows), passages.chosen(rows))
            for rows in torch.split(order, _BATCH_SIZE)
        ]
        return torch.cat(parts)[order.argsort()]

    def _scores(self, queries: Texts, passages: Texts) -> Tensor:
        query, passage = self._encode_jointly(queries, passages)
        with torch.autocast(query.device.type, enabled=False):
            query_vectors = functional.normalize(self.project(query), dim=2)
            passage_vectors = functional.normalize(self.project(passage), dim=2)
            pairs = (query_vectors @ passage_vectors.transpose(1, 2)).masked_fill(
                ~_own_token_mask(passages)[:, None], -1.0
            )
            weights = self._weights(query, _own_token_mask(queries))
            total = weights.sum(dim=1).clamp(min=1e-6)
            scores = (pairs.amax(dim=2) * weights).sum(dim=1) / total
            if self.summary is not None:
                summary_similarity = functional.cosine_similarity(
                    mean_of(query, queries.mask) @ self.summary,
                    mean_of(passage, passages.mask) @ self.summary,
                )
                scores = (scores + self.summary_weight * summary_similarity) / (
                    1 + self.summary_weight
                )
            cls_score: Tensor = self.cls_head(query[:, 0])[:, 0]
        return scores + cls_score

    def _weights(self, query: Tensor, own: Tensor) -> Tensor:
        """Return (b, n) weights of the query's own tokens; equal if none is salient."""
        uniform = own.float()
        if "query" not in self.salience:
            return uniform
        head = self.salience["query"]
        assert isinstance(head, Salience)
        weights = functional.relu(head.linear(query)[..., 0]) * uniform
        return torch.where(weights.sum(dim=1, keepdim=True) == 0, uniform, weights)

    def _encode_jointly(self, queries: Texts, passages: Texts) -> tuple[Tensor, Tensor]:
        """Return (b, l, h) and (b, m, h) float32 outputs of the transformer, frames included."""
        blocks = self.transformer.encoder.layer
        separate = []
        with torch.no_grad():  # these layers are frozen
            for texts in (queries, passages):
                states = self.transformer.embeddings(input_ids=texts.ids)
                for block in blocks[: self._separate_layers]:
                    states = _layer_output(block(states, _padding_bias(texts.mask)))
                separate.append(states)
        states = torch.cat(separate, dim=1)
        length = queries.ids.shape[1]
        is_cross = torch.zeros(states.shape[1], states.shape[1], device=states.device)
        is_cross[:length, length:] = 1
        is_cross[length:, :length] = 1
        padding = _padding_bias(torch.cat([queries.mask, passages.mask], dim=1))
        for block, cross_attention_bias in zip(
            blocks[self._separate_layers :], self.cross_attention_bias, strict=True
        ):
            states = _layer_output(
                block(states, padding + is_cross * cross_attention_bias[None, :, None, None])
            )
        states = states.float()
        return states[:, :length], states[:, length:]


class WinnowCrossEncoderTeacher(Teacher):
    """A cross-encoder trained by `winnow train`, as a teacher."""

    def __init__(
        self, model: CrossEncoder, collator: Collator, device: str, precision: str
    ) -> None:
        """Take the model on its device and its collator."""
        self._model = model
        self._collator = collator
        self._device = device
        self._precision = precision

    def prepare(
        self, queries: Sequence[str], passages: Sequence[Sequence[Passage]]
    ) -> Callable[[], Tensor]:
        """Return a function that computes the model's scores."""
        pairs = [
            (query, passage)
            for query, own in zip(queries, passages, strict=True)
            for passage in own
        ]
        query_texts = self._collator.queries([query for query, _ in pairs])
        passage_texts = self._collator.passages([(one.context, one.text) for _, one in pairs])
        counts = [len(own) for own in passages]

        def score() -> Tensor:
            was_training = self._model.training
            self._model.eval()
            with torch.inference_mode(), autocast(self._device, self._precision):
                found = self._model.pair_scores(
                    query_texts.to(self._device), passage_texts.to(self._device)
                )
            self._model.train(was_training)
            return rows_of(found, counts)

        return score


def build_cross_encoder(
    start: Start, config: ModelConfig, salience: SalienceConfig, run: RunConfig, device: str
) -> CrossEncoder:
    """Return the initial cross-encoder of a run, on its device.

    Raises:
        UsageError: the start is unsuitable, or the run's texts are too long for it.
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
    )
    freeze(model, run.frozen)
    return model.to(device)


def save_cross(model: CrossEncoder, folder: Path) -> None:
    """Add the cross-encoder's weights to the folder of a Winnow model.

    Raises:
        WinnowError: the file cannot be written.
    """
    from safetensors.torch import save_file

    tensors = {
        name: tensor.detach().cpu().contiguous()
        for name, tensor in _extra_parameters(model).items()
    }
    temporary = folder / f".making-{WEIGHTS_FILE}"
    try:
        save_file(tensors, temporary)
        temporary.chmod(0o644)
        temporary.replace(folder / WEIGHTS_FILE)
    except OSError as error:
        raise WinnowError(f"The cross-encoder cannot be written to {folder}: {error}.") from error


def load_cross_teacher(folder: Path, run: RunConfig, device: str) -> WinnowCrossEncoderTeacher:
    """Return the cross-encoder in a folder written by `winnow train`, as a teacher.

    Args:
        folder: a Winnow model with `cross.safetensors`.
        run: its maximum lengths and precision are used.
        device: to run on.

    Raises:
        ModelError: the folder's files are missing or damaged.
        UsageError: the run's texts are longer than the model takes.
    """
    try:
        tensors = load_arrays(folder / WEIGHTS_FILE)
        settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        config = ModelConfig(
            start=str(folder),
            dimensions=settings["dimensions"],
            projection="start",
            summary_weight=settings["summary_weight"],
            cross_layers=len(tensors["openness"]),
        )
        kind = SalienceKind.ENTROPY if settings["has_salience"] else "none"
        start = find_start(config, run.seed)
        model = build_cross_encoder(start, config, SalienceConfig(kind=kind), run, device)
        with torch.no_grad():
            for name, tensor in _extra_parameters(model).items():
                tensor.copy_(torch.from_numpy(tensors[name]))
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise ModelError(f"The cross-encoder in {folder} is damaged: {error}") from error
    return WinnowCrossEncoderTeacher(
        model, Collator(Tokenizer.of(start.checkpoint), start, run), device, run.precision
    )


def _extra_parameters(model: CrossEncoder) -> dict[str, Tensor]:
    return {
        "openness": model.cross_attention_bias,
        "first.weight": model.cls_head.weight,
        "first.bias": model.cls_head.bias,
    }


def _padding_bias(mask: Tensor) -> Tensor:
    """Return (b, 1, 1, n) biases of the attention logits that mask padding."""
    return (mask[:, None, None].float() - 1) * -_PADDING_BIAS


def _own_token_mask(texts: Texts) -> Tensor:
    """Return (b, l) bool, true for a text's own tokens, without its frame.

    >>> mask = torch.tensor([[True, True, True, True], [True, True, True, False]])
    >>> _own_token_mask(Texts(mask.long(), mask, 1, 1, (4, 3))).long().tolist()
    [[0, 1, 1, 0], [0, 1, 0, 0]]
    """
    places = torch.arange(texts.ids.shape[1], device=texts.ids.device)
    ends = texts.mask.sum(dim=1, keepdim=True) - texts.after
    return (places >= texts.before) & (places < ends)


def _layer_output(output: Tensor | tuple[Tensor, ...]) -> Tensor:
    """Return the output of a layer; older versions of transformers wrap it in a tuple."""
    return output if isinstance(output, Tensor) else output[0]
