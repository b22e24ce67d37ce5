"""Encode the texts of a run's next steps for its sentence teacher, while the run trains."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from core.encoders.tokens import Tokenizer
from core.errors import UsageError
from core.progress import Job
from lab.training import checkpoints
from lab.training.config import TrainingConfig
from lab.training.loop import CHECKPOINTS, Say
from lab.training.model import choose_device, use_threads
from lab.training.sentence_teacher import passage_text
from lab.training.start import find_start
from lab.training.stream import Prefetcher
from lab.training.teacher_loading import open_sentence_vectors
from lab.training.training_data import read_training_data

# The shard of these vectors.
_SHARD: Final = "ahead"


def encode_ahead(
    config: TrainingConfig, data: Path, output: Path, say: Say, job: Job | None = None
) -> int:
    """Encode and store the vectors of a run's sentence teacher, from its next step to its last.

    The run can be trained at the same time: it reads these vectors, and encodes missing ones
    itself. The steps that it has already prefetched are therefore skipped.

    Args:
        config: the configuration of the run.
        data: parent of data folders with relative paths.
        output: the run's folder.
        say: called with progress lines.
        job: to cancel.

    Returns:
        The number of vectors in the run's folder.

    Raises:
        UsageError: the configuration names no sentence teacher, or data or model are unusable.
        ModelError: a model is damaged.
        Cancelled: the job was cancelled; the same call resumes.
    """
    run, job = config.run, job or Job()
    if not config.loss.sentence_teacher:
        raise UsageError("The recipe names no sentence_teacher in [loss]; nothing can be encoded.")
    use_threads(run.threads)
    tokenizer = Tokenizer.of(find_start(config.model, run.seed).checkpoint)
    stream = read_training_data(config, data, tokenizer.count, output, job).stream
    encoder, stored = open_sentence_vectors(config, output, choose_device(run.device), _SHARD)
    last = run.repeat_after or run.steps
    done = checkpoints.last_step(output / CHECKPOINTS)
    first = done + Prefetcher.AHEAD if done else 0
    for step in range(first, last):
        job.checkpoint()
        examples = stream.batch(step)
        passages = [one for example in examples for one in (example.passage, *example.negatives)]
        texts = [one.query for one in examples] + list(map(passage_text, passages))
        stored.of(list(dict.fromkeys(texts)), encoder.encode)
        if (step + 1) % run.log_every == 0:
            say(f"step {step + 1:,} of {last:,}: {len(stored):,} vectors")
    return len(stored)
