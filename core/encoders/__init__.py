"""From text to token vectors: checkpoints, tokenizers, runtimes."""
