"""The encoder in torch: on a graphics processor where there is one, and as the reference."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from core.encoders.checkpoint import Checkpoint, load_arrays
from core.errors import ModelError


class ProjectedTransformer(nn.Module):
    """A BERT-like transformer, followed by the projection where the checkpoint has one."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        """Load the checkpoint's weights from its folder, and from nowhere else.

        Raises:
            ModelError: transformers cannot make a model of the folder.
        """
        super().__init__()
        from transformers import AutoModel
        from transformers.utils import logging as transformers_logging

        # Neither has types.
        transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            self.transformer = AutoModel.from_pretrained(
                str(checkpoint.folder), local_files_only=True, use_safetensors=True
            ).eval()
        except (OSError, ValueError) as error:
            raise ModelError(
                f"The model in {checkpoint.folder} cannot be loaded: {error}"
            ) from error
        self.projection: nn.Parameter | None = None
        if checkpoint.has_projection:
            matrix = load_arrays(checkpoint.projection)["projection"]
            self.projection = nn.Parameter(torch.from_numpy(matrix), requires_grad=False)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """(b, l) ids and mask to (b, l, d) vectors, not normalised."""
        hidden: torch.Tensor = self.transformer(
            input_ids=input_ids, attention_mask=attention_mask, return_dict=False
        )[0]
        return hidden if self.projection is None else hidden @ self.projection


class TorchRuntime:
    """Runs the encoder in torch on one device ("cuda", "mps" or "cpu")."""

    def __init__(self, checkpoint: Checkpoint, device: str) -> None:
        """Load the verified weights onto `device`."""
        checkpoint.verify()
        self._device = device
        # bf16 is the encoder's precision on every processor that has it; fp32 elsewhere.
        is_fast = device == "cuda" and torch.cuda.is_bf16_supported()
        self._dtype = torch.bfloat16 if is_fast else torch.float32
        self._model = ProjectedTransformer(checkpoint).to(device)

    @property
    def name(self) -> str:
        return f"torch on {self._device}, {str(self._dtype).removeprefix('torch.')}"

    def project(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        """(b, l) ids and mask to (b, l, d) vectors, not normalised."""
        with (
            torch.inference_mode(),
            torch.autocast(self._device, self._dtype, enabled=self._dtype != torch.float32),
        ):
            out = self._model(
                torch.from_numpy(ids).to(self._device), torch.from_numpy(mask).to(self._device)
            )
        vectors: npt.NDArray[np.float32] = out.float().cpu().numpy()
        return vectors
