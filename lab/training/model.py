"""The trained model: transformer, projection, and two salience heads."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from core.encoders.folders.model_folder import ModelFolder, most_tokens
from core.encoders.torch_runtime import encoder_class
from core.errors import ModelError, UsageError
from lab.training.batches import Texts
from lab.training.config import RunConfig
from lab.training.model_config import ModelConfig, SalienceConfig
from lab.training.salience import Salience, SalienceKind
from lab.training.saving import SalienceHeads
from lab.training.start import Start

# Texts per forward pass on the CPU.
_GROUP = 16


# Configuration keys of the dropout probabilities: two in BERT, one in T5.
_DROPOUTS = ("hidden_dropout_prob", "attention_probs_dropout_prob", "dropout_rate")

# torch's functions that report bfloat16 multiplication, in tiles or in vector registers.
_MULTIPLY_BF16 = ("_is_amx_tile_supported", "_is_avx512_bf16_supported")


class Encoded(NamedTuple):
    """Encoded texts, without special tokens and prefix.

    If the model has summaries, the first vector of each text is its summary: the mean of all the
    transformer's vectors, with a separate projection.
    """

    vectors: Tensor
    """(b, m, d) float32, of unit length."""
    mask: Tensor
    """(b, m) bool, true where there is a token."""
    salience: Tensor | None
    """(b, m) float32, at least 0, the tokens' weights; None for equal weights."""
    penalty: Tensor
    """() penalty on the salience."""
    pooled: Tensor
    """(b, h) float32, the mean of the transformer's vectors, frame included."""
    ungated: Tensor | None = None
    """(b, m) float32, the salience without its gate, as in a saved model; 1 for a summary. None if
    the model has no salience.
    """


class States(NamedTuple):
    """Output of the transformer."""

    hidden: Tensor
    """(b, n, h) float32, of the texts' own tokens."""
    mask: Tensor
    """(b, n) bool, true where there is one."""
    pooled: Tensor
    """(b, h) float32, the mean of all vectors, frame included."""


class LateInteractionModel(nn.Module):
    """Encodes texts as unit vectors of their tokens and, optionally, saliences.

    Saliences are computed from the transformer's vectors before projection, since the importance of
    a token may depend on other features than its similarity.
    """

    def __init__(
        self,
        start: Start,
        salience: SalienceConfig,
        *,
        dropout: float = 0.0,
        summary_weight: float = 0.0,
        projection_hidden: int = 0,
        seed: int = 7,
        device: str = "cpu",
    ) -> None:
        """Load the start's weights; missing heads are initialised with `seed`.

        Raises:
            ModelError: the transformer cannot be loaded.
        """
        super().__init__()
        self.salience_config = salience
        self.summary_weight = summary_weight
        # torch's fused attention has a slow backward pass on the CPU: 4.0 s instead of 3.4 s for 64
        # texts of 150 tokens, one thread with bf16.
        self._attention = "eager" if device == "cpu" else "sdpa"
        self.transformer: Any = _transformer(start, dropout, self._attention)
        self.projection = nn.Parameter(torch.from_numpy(start.projection.copy()))
        self.inner: nn.Parameter | None = None
        self.outer: nn.Parameter | None = None
        if projection_hidden:
            layer = start.hidden_layer
            if layer is None:
                # A zero output layer makes training start from the projection alone.
                generator = np.random.default_rng([seed, 10])
                inner = generator.normal(size=(start.hidden, projection_hidden))
                layer = (
                    (inner / np.sqrt(start.hidden)).astype(np.float32),
                    np.zeros((projection_hidden, start.projection.shape[1]), np.float32),
                )
            self.inner, self.outer = (nn.Parameter(torch.from_numpy(one.copy())) for one in layer)
        self.summary: nn.Parameter | None = None
        if summary_weight:
            self.summary = nn.Parameter(torch.from_numpy(start.summary.copy()))
        self.salience = nn.ModuleDict()
        if not salience.is_on:
            return
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            kind = SalienceKind(salience.kind)
            for column, (side, alpha) in enumerate(_shares(salience).items()):
                head = Salience(
                    start.hidden,
                    alpha,
                    kind,
                    salience.epsilon,
                    salience.iterations,
                    salience.epsilon_of_spread,
                )
                if start.saliences is not None:
                    own = torch.from_numpy(start.saliences[:, column].copy())
                    with torch.no_grad():
                        head.linear.weight.copy_(own[None, :-1])
                        head.linear.bias.copy_(own[-1:])
                self.salience[side] = head

    def set_shares(self, step: int, seed: int) -> None:
        """Set the shares that the gates keep in a training step, falling linearly from 1.

        `alpha_least` and `alpha_query_least` have shares drawn for each step from the seed.
        """
        steps = self.salience_config.warm_up_steps
        salience = self.salience_config
        leasts = {"query": salience.alpha_query_least, "passage": salience.alpha_least}
        generator = np.random.default_rng([seed, 6, step])
        done = min(step / steps, 1.0) if steps else 1.0
        for side, alpha in _shares(self.salience_config).items():
            if side in self.salience:
                head = self.salience[side]
                assert isinstance(head, Salience)
                head.step_alpha = 1 + (alpha - 1) * done
                if leasts[side]:
                    # Log-uniform: halving a share is the same step everywhere.
                    drawn = done * generator.random()
                    head.step_alpha *= (leasts[side] / head.step_alpha) ** drawn

    @contextlib.contextmanager
    def encoding(self) -> Iterator[None]:
        """Disable gradients and dropout, and use the faster attention, while the context lasts."""
        was_training = self.training
        self.eval()
        self.transformer.set_attn_implementation("sdpa")
        try:
            with torch.inference_mode():
                yield
        finally:
            self.transformer.set_attn_implementation(self._attention)
            self.train(was_training)

    def encode_queries(self, texts: Texts) -> Encoded:
        """Encode queries framed by `Collator.queries`."""
        return self.encoded(self.states(texts), "query")

    def encode_passages(self, texts: Texts) -> Encoded:
        """Encode passages framed by `Collator.passages`."""
        return self.encoded(self.states(texts), "passage")

    def forward(self, queries: Texts, passages: Texts) -> tuple[Encoded, Encoded]:
        return self.encode_queries(queries), self.encode_passages(passages)

    def states(self, texts: Texts) -> States:
        """Return the transformer's own vectors."""
        hidden = self._hidden(texts)
        # A text of n tokens has n ones in the mask plus the length of its frame. Shifted by as many
        # places, the mask has n ones, one for each of the text's own tokens.
        frame = texts.before + texts.after
        pooled = mean_of(hidden, texts.mask)
        hidden = hidden[:, texts.before : hidden.shape[1] - texts.after].float()
        return States(hidden, texts.mask[:, frame:], pooled)

    def project(self, hidden: Tensor) -> Tensor:
        """Return (…, d) token vectors, not normalised, from the transformer's (…, h)."""
        projected = hidden @ self.projection
        if self.inner is not None and self.outer is not None:
            projected = projected + functional.gelu(hidden @ self.inner) @ self.outer
        return projected

    def encoded(self, states: States, side: str) -> Encoded:
        """Return the encoded texts, given the transformer's output.

        Args:
            states: the transformer's output.
            side: "query" or "passage".
        """
        hidden, mask, pooled = states
        values: Tensor | None = None
        ungated: Tensor | None = None
        penalty = hidden.new_zeros(())
        if side in self.salience:
            values, penalty, ungated = self.salience[side](hidden, mask)
            if not self.salience_config.weights_scores:
                # Forward: 0 or 1. Backward: identity.
                values = values + ((values > 0).float() - values).detach()
            if side == "query":
                # As in a search: a query without salience uses all its tokens.
                is_silent = values.sum(dim=1, keepdim=True) == 0
                values = torch.where(is_silent, mask.float(), values)
        if self.summary_weight:
            is_query = side == "query"
            values = self._with_summary(mask.float() if values is None else values, is_query)
            if ungated is not None:
                ungated = functional.pad(ungated, (1, 0), value=1.0)
            mask = torch.cat([mask.any(dim=1, keepdim=True), mask], dim=1)
        with torch.autocast(hidden.device.type, enabled=False):
            projected = self.project(hidden)
            if self.summary is not None:
                projected = torch.cat([(pooled @ self.summary)[:, None], projected], dim=1)
            vectors = functional.normalize(projected, dim=2)
        return Encoded(vectors, mask, values, penalty, pooled.detach(), ungated)

    def _with_summary(self, values: Tensor, is_query: bool) -> Tensor:
        """Return weights with the summary's, which is never gated, inserted first."""
        if is_query:
            first = self.summary_weight * values.sum(dim=1, keepdim=True)
        else:
            first = torch.ones_like(values[:, :1])
        return torch.cat([first, values], dim=1)

    def _hidden(self, texts: Texts) -> Tensor:
        """Return (b, l, h) output of the transformer.

        On the CPU, texts are grouped by length: a random batch, cut at 180 tokens, is four tenths
        padding. A GPU gets the whole batch at once.
        """
        if texts.ids.device.type != "cpu":
            return self._transformed(texts.ids, texts.mask)
        lengths = torch.tensor(texts.lengths)
        order = lengths.argsort(descending=True, stable=True)
        parts = []
        for rows in torch.split(order, _GROUP):
            longest = texts.lengths[int(rows[0])]
            part = self._transformed(texts.ids[rows, :longest], texts.mask[rows, :longest])
            parts.append(functional.pad(part, (0, 0, 0, texts.ids.shape[1] - longest)))
        return torch.cat(parts)[order.argsort()]

    def _transformed(self, ids: Tensor, mask: Tensor) -> Tensor:
        vectors: Tensor = self.transformer(
            input_ids=ids, attention_mask=mask.long(), return_dict=False
        )[0]
        return vectors


def build_model(
    start: Start, config: ModelConfig, salience: SalienceConfig, run: RunConfig, device: str
) -> LateInteractionModel:
    """Return the initial model of a run on its device, with frozen parts.

    Raises:
        UsageError: the transformer cannot process passages of the run's length.
        ModelError: the transformer cannot be loaded.
    """
    refuse_long_texts(start, run)
    model = LateInteractionModel(
        start,
        salience,
        dropout=config.dropout,
        summary_weight=config.summary_weight,
        projection_hidden=config.projection_hidden,
        seed=run.seed,
        device=device,
    )
    freeze(model, run.frozen)
    return model.to(device)


def freeze(model: LateInteractionModel, frozen: str) -> None:
    """Disable the gradients of a run's frozen parts.

    Args:
        model: the model whose transformer is frozen, wholly or partly.
        frozen: "none", "embeddings" or "encoder".
    """
    if frozen == "encoder":
        model.transformer.requires_grad_(False)
    elif frozen == "embeddings":
        # T5 has token embeddings only, under another name.
        own = getattr(model.transformer, "embeddings", None)
        (own or model.transformer.get_input_embeddings()).requires_grad_(False)
    # Unused in late interaction, so the optimiser would never get a gradient for it.
    pooler = getattr(model.transformer, "pooler", None)
    if pooler is not None:
        pooler.requires_grad_(False)


def mean_of(hidden: Tensor, mask: Tensor) -> Tensor:
    """Return (b, h) means of the (b, n, h) vectors where the (b, n) mask is true.

    >>> mean_of(torch.tensor([[[1.0], [3.0], [9.0]]]), torch.tensor([[True, True, False]])).tolist()
    [[2.0]]
    """
    seen = mask[:, :, None]
    return (hidden.float() * seen).sum(dim=1) / seen.sum(dim=1).clamp(min=1)


def refuse_long_texts(start: Start, run: RunConfig) -> None:
    """Raise an error if the run's queries or passages are too long for the start's transformer.

    Raises:
        UsageError: the maximum length is exceeded.
    """
    room = most_tokens(ModelFolder(start.checkpoint.folder, "").json("config.json")) - 4
    if max(run.query_tokens, run.passage_tokens) > room:
        raise UsageError(
            f"The model takes texts of {room} tokens; query_tokens and passage_tokens must be at "
            "most as many."
        )


def hidden_layer(model: LateInteractionModel) -> tuple[Tensor, Tensor] | None:
    """Return the hidden layer as saved; None if the model has none."""
    if model.inner is None or model.outer is None:
        return None
    return model.inner.detach(), model.outer.detach()


def salience_heads(model: LateInteractionModel) -> SalienceHeads | None:
    """Return the salience heads as saved; None if the model has none."""
    if not model.salience_config.is_on:
        return None
    weights, biases = {}, {}
    for side, head in model.salience.items():
        assert isinstance(head, Salience)
        weights[side] = head.linear.weight.detach().reshape(-1)
        biases[side] = float(head.linear.bias.detach())
    return SalienceHeads(weights["query"], biases["query"], weights["passage"], biases["passage"])


def choose_device(wanted: str) -> str:
    """Return the device to train on.

    Raises:
        UsageError: the requested device is not available.
    """
    is_there = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if wanted == "auto":
        return next(name for name, there in is_there.items() if there)
    if not is_there[wanted]:
        raise UsageError(f"There is no device {wanted} here; set device to auto or cpu.")
    return wanted


def use_threads(wanted: int) -> None:
    """Set the number of torch's CPU threads; 0 for all that this process may use.

    torch's default comes from the environment (OMP_NUM_THREADS), which may be set for other
    programs.
    """
    may_use = getattr(os, "sched_getaffinity", None)
    there = len(may_use(0)) if may_use is not None else os.cpu_count()
    torch.set_num_threads(wanted or there or 1)


def has_fast_bf16(device: str) -> bool:
    """Return whether bfloat16 is faster than float32, on the CPU: if it has instructions for it.

    Two cores of an EPYC with AVX-512 and bf16 train a MiniLM of 6 layers at 4,640 tokens per second
    in bfloat16, 2,120 in float32.
    """
    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    if device != "cpu":
        return False
    # Private functions of torch; if they are missing, float32 is always correct.
    checks = (getattr(torch.cpu, name, None) for name in _MULTIPLY_BF16)
    return any(one is not None and one() for one in checks)


def autocast(device: str, precision: str) -> contextlib.AbstractContextManager[object]:
    """Return the transformer's autocast context: "bf16", "float32", or "auto" for the faster."""
    is_on = precision == "bf16" or (precision == "auto" and has_fast_bf16(device))
    return torch.autocast(device, torch.bfloat16) if is_on else contextlib.nullcontext()


def _shares(salience: SalienceConfig) -> dict[str, float]:
    return {"query": salience.alpha_query, "passage": salience.alpha_passage}


def _transformer(start: Start, dropout: float, attention: str) -> Any:
    from transformers import AutoConfig
    from transformers.utils import logging as transformers_logging

    transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        config = AutoConfig.from_pretrained(str(start.checkpoint.folder), local_files_only=True)
        for name in _DROPOUTS:
            if hasattr(config, name):
                setattr(config, name, dropout)
        model = encoder_class(config.model_type).from_pretrained(
            str(start.checkpoint.folder),
            config=config,
            local_files_only=True,
            use_safetensors=True,
            dtype=torch.float32,
            attn_implementation=attention,
        )
    except (OSError, ValueError) as error:
        folder = start.checkpoint.folder
        raise ModelError(f"The model in {folder} cannot be loaded: {error}") from error
    return model.train()
