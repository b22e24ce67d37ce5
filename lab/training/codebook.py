"""Learn a projection and a codebook from the token vectors of broad text.

Both ship with a model, so that the first search need not wait for k-means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.alignment.reduction import TokenReduction
from core.arrays import Floats
from core.documents.document import Document
from core.documents.passages import split
from core.encoders.encoder import Encoder, unit
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.runtimes import open_runtime
from core.encoders.tokens import Tokenizer
from core.errors import UsageError
from core.index.codebook import learn_codebook
from core.index.reduction import encode_reduced
from lab.training.start import bare


@dataclass(frozen=True, slots=True)
class CodebookRecipe:
    """Parameters for learning a projection and a codebook.

    Attributes:
        dimensions: of the index.
        whitening: power of the eigenvalues by which principal directions are divided: 0 is plain
            principal component analysis, 0.5 makes all directions equal.
        centroids: number of centroids; at most 65,536 including parts.
        parts: number of cells, and so inverted lists, per centroid.
        passages: maximum number encoded, taken evenly from the corpora.
        sample: maximum number of vectors for k-means.
        rounds: of k-means.
        seed: for all random choices.
        keeping: training vectors of a passage: those of all tokens, or those kept in an index.
    """

    dimensions: int = 128
    whitening: float = 0.2
    centroids: int = 1024
    parts: int = 4
    passages: int = 6000
    sample: int = 262_144
    rounds: int = 12
    seed: int = 7
    keeping: TokenReduction = field(default_factory=TokenReduction)


def learn(
    checkpoint: Checkpoint, corpora: Sequence[Iterable[Document]], recipe: CodebookRecipe
) -> dict[str, float]:
    """Learn the codebook and write it to the model's folder.

    The projection is learned first if it was not trained with the transformer (the layout of a
    Python package).

    Returns:
        Entries of the model card: `passages`, `vectors`, and for each number of bits the mean
        cosine of a decoded vector with the original, on held-out vectors.

    Raises:
        UsageError: the corpora hold too little text, or a projection would be learned from reduced
            vectors.
    """
    from safetensors.numpy import save_file

    learns_projection = not checkpoint.folder.is_relative_to(checkpoint.resources)
    if learns_projection and not recipe.keeping.is_everything:
        raise UsageError(
            f"The projection of {checkpoint.name} is learned from the vectors of all tokens; leave "
            "out --keep."
        )
    tokenizer = Tokenizer.of(checkpoint)
    texts = list(sample_passages(tokenizer, corpora, recipe.passages, recipe.seed))
    encoded = bare(checkpoint) if learns_projection else checkpoint
    vectors = _vectors(encoded, tokenizer, texts, recipe.keeping)
    if len(vectors) < 40 * recipe.centroids:
        raise UsageError(
            f"The corpora give {len(vectors)} vectors; "
            f"{40 * recipe.centroids} are needed for {recipe.centroids} centroids."
        )
    if learns_projection:
        projection = whitened_projection(vectors, recipe)
        save_file({"projection": projection}, checkpoint.projection)
        vectors = unit(vectors @ projection)
    arrays, report = learn_codebook(
        vectors,
        centroids=recipe.centroids,
        per_centroid=recipe.parts,
        sample=recipe.sample,
        rounds=recipe.rounds,
        seed=recipe.seed,
    )
    save_file(arrays, checkpoint.codebook)
    return {"passages": len(texts), "vectors": len(vectors), **report}


def whitened_projection(vectors: Floats, recipe: CodebookRecipe) -> Floats:
    """Return the (h, d) projection to the first principal directions of (t, h) unit vectors.

    Directions are divided by a power of their eigenvalues: otherwise a few directions, shared by
    all tokens, outweigh the discriminative ones. A random rotation then makes residuals similar in
    all dimensions, so that one set of buckets fits all. The scale keeps the mean length.

    Raises:
        UsageError: the vectors have fewer dimensions than d.
    """
    if vectors.shape[1] < recipe.dimensions:
        raise UsageError(
            f"The model has {vectors.shape[1]} dimensions, fewer than {recipe.dimensions}."
        )
    covariance = (vectors.T @ vectors).astype(np.float64) / len(vectors)
    values, directions = np.linalg.eigh(covariance)
    values, directions = values[::-1], directions[:, ::-1]
    scaled = directions[:, : recipe.dimensions] * values[: recipe.dimensions] ** -recipe.whitening
    scaled *= np.sqrt(recipe.dimensions) / np.linalg.norm(scaled)
    generator = np.random.default_rng(recipe.seed)
    rotation, triangle = np.linalg.qr(generator.normal(size=(recipe.dimensions, recipe.dimensions)))
    # The signs of the triangle's diagonal make the rotation the same with every LAPACK.
    projection: Floats = (scaled @ (rotation * np.sign(np.diag(triangle)))).astype(np.float32)
    return np.ascontiguousarray(projection)


def sample_passages(
    tokenizer: Tokenizer, corpora: Sequence[Iterable[Document]], most: int, seed: int
) -> Iterator[tuple[str, str]]:
    """Return context and text of up to `most` passages, evenly from the corpora, one per document.

    Args:
        tokenizer: counts tokens.
        corpora: documents.
        most: number of passages.
        seed: for all random choices.
    """
    generator = np.random.default_rng(seed)
    for corpus in corpora:
        documents = list(corpus)
        generator.shuffle(documents)
        for document in documents[: most // len(corpora)]:
            spans = split(document, tokenizer.count)
            if spans:
                span = spans[int(generator.integers(len(spans)))]
                text = document.pages[span.page - 1].text
                yield span.context, text[span.start : span.end]


def _vectors(
    checkpoint: Checkpoint,
    tokenizer: Tokenizer,
    texts: Sequence[tuple[str, str]],
    keeping: TokenReduction,
) -> Floats:
    """Return the (t, d) vectors of the texts' tokens, reduced if configured."""
    encoder = Encoder(checkpoint, tokenizer, open_runtime(checkpoint))
    reduced = encode_reduced(encoder, texts, keeping, lambda _done: None)
    return np.concatenate([one.vectors for one in reduced])
