"""What the `config.json` of a BERT describes: whether we can build it, and its weights.

Source: Devlin et al., "BERT", section 3; names and defaults as in transformers' `BertModel`.
"""

from collections.abc import Mapping
from typing import Any, Final

# What `bert_graph` implements of transformers' `BertConfig`; missing entries have these values.
_IMPLEMENTED: Final = {
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "add_cross_attention": False,
}
EMBEDDINGS: Final = ("word_embeddings", "position_embeddings", "token_type_embeddings")


def is_bert(config: Mapping[str, Any]) -> bool:
    """Return whether `bert_graph` can build the model that a `config.json` describes.

    >>> is_bert({"model_type": "bert"}), is_bert({"model_type": "bert", "hidden_act": "relu"})
    (True, False)
    """
    return config.get("model_type") == "bert" and all(
        config.get(name, value) == value for name, value in _IMPLEMENTED.items()
    )


def weight_shapes(config: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the weights that a model needs, by transformers' names.

    Raises:
        KeyError: `config` lacks an entry.
        ValueError: an entry is not a positive number, or the heads do not divide the width.
    """
    sizes = ("vocab_size", "max_position_embeddings", "type_vocab_size")
    h, inner = int(config["hidden_size"]), int(config["intermediate_size"])
    heads = int(config["num_attention_heads"])
    rows = [int(config[name]) for name in sizes]
    if min(h, inner, heads, *rows) < 1 or h % heads:
        raise ValueError(f"{heads} attention heads for {h} dimensions")
    shapes: dict[str, tuple[int, ...]] = {
        f"embeddings.{name}.weight": (count, h)
        for name, count in zip(EMBEDDINGS, rows, strict=True)
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(int(config["num_hidden_layers"])):
        at = f"encoder.layer.{layer}"
        dense = {
            **{f"attention.self.{name}": (h, h) for name in ("query", "key", "value")},
            "attention.output.dense": (h, h),
            "intermediate.dense": (inner, h),
            "output.dense": (h, inner),
        }
        for name, shape in dense.items():
            shapes[f"{at}.{name}.weight"] = shape
            shapes[f"{at}.{name}.bias"] = shape[:1]
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
    for norm in norms:
        shapes |= {f"{norm}.weight": (h,), f"{norm}.bias": (h,)}
    return shapes
