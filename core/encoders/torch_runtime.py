"""The encoder in torch, for graphics processors and as the reference."""

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from core.encoders.folders.checkpoint import (
    Checkpoint,
    load_head,
    loading_error,
    missing_weight_error,
    shapes,
)
from core.encoders.folders.packed_weights import read_packed
from core.errors import ModelError

# Only their encoders; AutoModel would require inputs for the decoder as well.
_ENCODERS: Final = {"t5": "T5EncoderModel", "mt5": "MT5EncoderModel", "umt5": "UMT5EncoderModel"}


class ProjectedTransformer(nn.Module):
    """A transformer's encoder, followed by the checkpoint's head if it has one."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        """Load the checkpoint's weights, only from its folder.

        Raises:
            ModelError: transformers cannot load the folder.
        """
        super().__init__()
        # In full precision: the runtime chooses the precision of computation.
        self.transformer = load_transformer(checkpoint).float().eval()
        self.includes_summary = checkpoint.passages.includes_summary
        config: Any = self.transformer.config
        head = load_head(checkpoint, int(config.hidden_size))
        self.weight: nn.Parameter | None = None
        self.bias: nn.Parameter | None = None
        self.summary: nn.Parameter | None = None
        self.inner: nn.Parameter | None = None
        self.outer: nn.Parameter | None = None
        if head is not None:
            self.weight = nn.Parameter(torch.from_numpy(head.weight), requires_grad=False)
            if head.bias.any():
                self.bias = nn.Parameter(torch.from_numpy(head.bias), requires_grad=False)
            if head.summary is not None:
                self.summary = nn.Parameter(torch.from_numpy(head.summary), requires_grad=False)
            if head.inner is not None and head.outer is not None:
                self.inner = nn.Parameter(torch.from_numpy(head.inner), requires_grad=False)
                self.outer = nn.Parameter(torch.from_numpy(head.outer), requires_grad=False)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Map (b, l) ids and mask to (b, l, c) vectors, not normalised, with salience scores.

        If the model has summaries, the first of the l vectors is the summary.
        """
        hidden: torch.Tensor = self.transformer(
            input_ids=input_ids, attention_mask=attention_mask, return_dict=False
        )[0]
        if self.includes_summary:
            # Replaces the first token, whose vector is not returned.
            seen = attention_mask[:, :, None].to(hidden.dtype)
            mean = (hidden * seen).sum(dim=1, keepdim=True) / seen.sum(dim=1, keepdim=True)
            hidden = torch.cat([mean, hidden[:, 1:]], dim=1)
        if self.weight is None:
            return hidden
        projected = hidden @ self.weight
        if self.inner is not None and self.outer is not None:
            projected = projected + functional.gelu(hidden @ self.inner) @ self.outer
        if self.summary is not None:
            projected = torch.cat([hidden[:, :1] @ self.summary, projected[:, 1:]], dim=1)
        return projected if self.bias is None else projected + self.bias


def encoder_class(model_type: str) -> Any:
    """Return transformers' class for the encoder of models of this type, as `config.json` says."""
    import transformers

    return getattr(transformers, _ENCODERS.get(model_type, "AutoModel"))


def load_transformer(checkpoint: Checkpoint) -> nn.Module:
    """Return the transformer without the head, with all weights from the checkpoint's file.

    Raises:
        ModelError: transformers cannot load the folder, weights are missing, or the model does
            not run.
    """
    import transformers
    from transformers.utils import logging as transformers_logging

    # Neither has types.
    transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    folder = str(checkpoint.folder)
    if checkpoint.onnx is not None and checkpoint.onnx.is_alone:
        raise ModelError(
            "The model in {0} is an ONNX file, which torch cannot run; choose another device.",
            checkpoint.resources,
        )
    stored = None if checkpoint.packed else shapes(checkpoint.weights)
    missing: list[str] = []
    try:
        if stored is None:
            model = _unpacked(checkpoint)
        else:
            config = transformers.AutoConfig.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False
            )
            kind = encoder_class(config.model_type)
            missing = _missing_by_size(kind, config, stored)
            if not missing:
                # transformers fills missing weights with random numbers, and only logs it.
                model, loaded = kind.from_pretrained(
                    folder,
                    config=config,
                    local_files_only=True,
                    use_safetensors=True,
                    output_loading_info=True,
                )
                missing = sorted(filter(_matters, loaded["missing_keys"]))
        if not missing:
            _try(model.eval())
    # SafetensorError is a plain Exception, and invalid settings may raise anything.
    except Exception as error:
        raise loading_error(checkpoint, error) from error
    if missing:
        raise missing_weight_error(checkpoint, missing[0])
    return model


def _missing_by_size(kind: Any, config: Any, stored: Mapping[str, tuple[int, ...]]) -> list[str]:
    """Return the weights that are certainly missing, by the shapes in a file's header.

    A configuration may specify any size, and transformers would allocate it first.
    """
    if int(config.num_hidden_layers) > len(stored):
        return [f"{config.num_hidden_layers} layers"]
    with torch.device("meta"):
        empty = getattr(kind, "from_config", kind)(config)
    wanted = {name: weight.numel() for name, weight in empty.named_parameters() if _matters(name)}
    if sum(wanted.values()) > sum(math.prod(shape) for shape in stored.values()):
        return [max(wanted, key=lambda name: wanted[name])]
    return []


def _matters(name: str) -> bool:
    """Return whether a weight affects token vectors; a pooler does not."""
    return "pooler" not in name.split(".")


def _try(model: nn.Module) -> None:
    """Run a model once, because some settings are only checked then."""
    ids = torch.ones(1, 2, dtype=torch.int64)
    with torch.inference_mode():
        model(input_ids=ids, attention_mask=ids, return_dict=False)


def _unpacked(checkpoint: Checkpoint) -> nn.Module:
    """Return the transformer of packed weights: multilingual E5 is a BERT."""
    import transformers

    packed = read_packed(checkpoint.weights)
    model: nn.Module = transformers.BertModel(
        transformers.BertConfig(**packed.config), add_pooling_layer=False
    )
    weights = {name: torch.from_numpy(array) for name, array in packed.arrays().items()}
    model.load_state_dict(weights, strict=True)
    return model


class TorchRuntime:
    """Runs the encoder in torch on one device ("cuda", "cuda:1", "mps" or "cpu")."""

    def __init__(self, checkpoint: Checkpoint, device: str) -> None:
        """Load the verified weights onto `device`."""
        checkpoint.verify()
        self._device = device
        self._kind = device.partition(":")[0]
        model = ProjectedTransformer(checkpoint)
        try:
            # bf16 is the encoder's precision on every processor that has it; fp32 elsewhere.
            is_fast = self._kind == "cuda" and torch.cuda.is_bf16_supported()
            self._model = model.to(device)
        # Torch raises AssertionError without CUDA, and RuntimeError for an unknown device.
        except (AssertionError, RuntimeError) as error:
            raise ModelError(
                "Torch cannot run the model on {0}: {1}. Choose another device.", device, error
            ) from error
        self._dtype = torch.bfloat16 if is_fast else torch.float32

    @property
    def name(self) -> str:
        return f"torch on {self._device}, {str(self._dtype).removeprefix('torch.')}"

    def project(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        """Map (b, l) token ids and mask to (b, l, c) vectors, not normalised."""
        with (
            torch.inference_mode(),
            torch.autocast(self._kind, self._dtype, enabled=self._dtype != torch.float32),
        ):
            out = self._model(
                torch.from_numpy(ids).to(self._device), torch.from_numpy(mask).to(self._device)
            )
        vectors: npt.NDArray[np.float32] = out.float().cpu().numpy()
        return vectors
