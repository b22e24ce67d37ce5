"""The compiled loops: for each level of processors, the same results as numpy's."""

from __future__ import annotations

import contextlib
import ctypes
import os
import subprocess
import sys
from dataclasses import replace
from importlib.machinery import PathFinder
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from core.catalog.catalog import Catalog
from core.catalog.manifest import GenerationRow, IndexSpec
from core.encoders.encoder import unit
from core.index import probing, scoring
from core.index.codebook import learn_library_lists, with_library_lists
from core.index.codec import ResidualCodec, with_centroids
from core.index.index_searcher import IndexSearcher
from core.index.index_writer import IndexWriter
from core.index.inverted_lists import InvertedLists, build_inverted_lists
from core.index.native import arrays, loops
from core.index.native.compiler import LIBRARY, SOURCE, compile_library, compiled_library
from core.index.probing import EVERYTHING, ProbeParams
from core.index.quantisation import buckets
from core.index.reduction import ReducedPassage
from core.index.scoring import VectorComparison
from core.index.segment_store import SegmentStore
from core.progress import Job
from tests.core.index.conftest import (
    FORMS,
    add_document,
    compressed,
    loops_in_form,
    small_codec,
    vectors_of,
)

Floats = npt.NDArray[np.float32]
PASSAGES = 300
COMPILED = [form for form in FORMS if form is not None]


def test_the_compiled_library_hides_no_module(tmp_path: Path) -> None:
    """A file named like a module with the suffix of a library would be imported instead."""
    for path in [*SOURCE.parent.glob("*.py"), SOURCE.with_name(LIBRARY)]:
        (tmp_path / path.name).touch()
    for path in SOURCE.parent.glob("*.py"):
        spec = PathFinder.find_spec(path.stem, [str(tmp_path)])
        assert spec
        assert spec.origin == str(tmp_path / path.name)


def codec_of(bits: int) -> ResidualCodec:
    """For vectors of the length at which codes are compared by signs."""
    sample = vectors_of(2, 600, 128)
    centroids = unit(np.random.default_rng(3).normal(size=(64, 128)).astype(np.float32))
    residuals = sample - centroids[np.argmax(sample @ centroids.T, axis=1)]
    codec = ResidualCodec.plain(centroids, *buckets(residuals, bits))
    codes = codec.encode(sample)
    return with_library_lists(codec, learn_library_lists(codec, codes, 20_000))


def segment_of(codec: ResidualCodec) -> InvertedLists:
    vectors = {number: vectors_of(number, 8, 128) for number in range(1, PASSAGES + 1)}
    return build_inverted_lists(compressed(codec, vectors), codec.lists)


def sizes_of(segment: InvertedLists) -> npt.NDArray[np.int64]:
    return np.diff(segment.list_offsets.astype(np.int64))


def query_of(tokens: int) -> Floats:
    return vectors_of(77, tokens, 128) * np.linspace(0.5, 2, tokens, dtype=np.float32)[:, None]


def test_the_loops_are_compiled_here() -> None:
    """Development needs a C compiler; without one, nothing below would be tested."""
    assert COMPILED


@pytest.mark.parametrize("form", COMPILED)
def test_searches_pass_the_arrays_that_the_loops_take(catalog: Catalog, form: int) -> None:
    codec = small_codec()
    codes = codec.encode(vectors_of(5, 600))
    codec = with_library_lists(codec, learn_library_lists(codec, codes, len(codes)))
    row = GenerationRow(IndexSpec("m", "f", codec.bits), "m")
    numbers = add_document(catalog, "a", 6)
    reduced = [ReducedPassage(vectors_of(one, 12), np.arange(12), tokens=12) for one in numbers]
    folder = catalog.path.parent / "index"
    with (
        contextlib.closing(SegmentStore(folder, catalog, codec, row)) as store,
        loops_in_form(form),
    ):
        IndexWriter(store).publish(list(zip(numbers, reduced, strict=True)))
        searcher = IndexSearcher(store)
        assert len(searcher.probe(vectors_of(9, 4), ProbeParams(t_prime=1, n_probe=1)).totals)
        assert len(searcher.score(vectors_of(9, 4), np.array(numbers)).passages)


@pytest.mark.parametrize("form", COMPILED)
def test_arrays_of_another_type_or_order_are_refused(form: int) -> None:
    square = np.zeros((4, 16), np.float32)
    weights, tables = np.zeros((16, 4), np.float32), np.zeros((1, 1, 16, 16), np.float32)
    read_only = tables.copy()
    read_only.flags.writeable = False
    with loops_in_form(form):
        loops.interleave(square, weights, tables)
        for other in (
            square.astype(np.float64),
            np.zeros((16, 4), np.float32).T,
            square.astype(np.int32),
            square[None],
        ):
            with pytest.raises(TypeError, match="interleave takes"):
                loops.interleave(other, weights, tables)
        with pytest.raises(TypeError, match="interleave takes"):
            loops.interleave(square, weights, read_only)
        with pytest.raises(ValueError, match="zip"):
            loops.interleave(square, weights)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("bits", [1, 2, 4])
def test_tokens_are_laid_out_side_by_side(bits: int, form: int | None) -> None:
    query = query_of(19)
    codec = codec_of(bits)
    with loops_in_form(form):
        products, tables = VectorComparison(query, codec)._tables
    np.testing.assert_allclose(products[:, :19], codec.with_centroids(query).T, atol=1e-5)
    assert not products[:, 19:].any()
    of_bytes = codec.tables(query)
    for token in range(19):
        block, lane = divmod(token, 16)
        halves = tables[block, :, :, lane]
        value = np.arange(256)
        both = halves[0::2][:, value & 15] + halves[1::2][:, value >> 4]
        np.testing.assert_allclose(both, of_bytes[token], atol=1e-5)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("centroids", [3, 4, 5, 64])
@pytest.mark.parametrize("tokens", [1, 16, 19])
def test_a_query_meets_the_centroids_in_both_orders(
    tokens: int, centroids: int, form: int | None
) -> None:
    codec = ResidualCodec.plain(
        vectors_of(3, centroids, 128), np.zeros(1, np.float32), np.array([-1, 1], np.float32)
    )
    query = query_of(tokens)
    with loops_in_form(form):
        by_token, side_by_side = with_centroids(codec, query)
        assert side_by_side.shape == (centroids, 16 if tokens <= 16 else 32)
        np.testing.assert_allclose(by_token, query @ codec.centroids.T, atol=1e-5)
        np.testing.assert_allclose(side_by_side[:, :tokens], by_token.T, atol=1e-6)
        assert not side_by_side[:, tokens:].any()
        # The products of the last query are kept.
        assert with_centroids(codec, query)[0] is by_token
        assert with_centroids(codec, 2 * query)[0] is not by_token


@pytest.mark.parametrize("form", COMPILED)
@pytest.mark.parametrize("width", [1, 2, 9, 16])
def test_the_best_of_each_token_are_summed(width: int, form: int) -> None:
    """Also where a damaged file has longer codes than tables exist, or shorter ones."""
    generator = np.random.default_rng(width)
    vectors, halves = 9, 18
    residuals = generator.integers(0, 256, (vectors, width)).astype(np.uint8)
    scales = generator.integers(0, 256, vectors).astype(np.uint8)
    scale_values = generator.uniform(0.1, 1, 256).astype(np.float32)
    tables = generator.normal(size=(2, halves, 16, 16)).astype(np.float32)
    products = generator.normal(size=(5, 32)).astype(np.float32)
    list_ids = np.sort(generator.integers(0, 5, vectors)).astype(np.uint16)
    slots = np.arange(vectors, dtype=np.uint32)
    values = np.empty(1, np.float32)
    with loops_in_form(form):
        loops.compare(
            np.zeros(1, np.int64),
            np.array([0, vectors], np.uint32),
            slots,
            list_ids,
            np.zeros(6, np.uint32),
            np.zeros(vectors, np.uint16),
            residuals,
            scales,
            scale_values,
            products,
            tables,
            np.arange(5, dtype=np.uint16),
            np.empty((2, vectors), np.uint32),
            np.empty(32, np.float32),
            values,
        )
    best = np.full(32, arrays.LOWEST, np.float64)
    for place, code in enumerate(residuals):
        for lane in range(32):
            entries = tables[lane // 16, :, :, lane % 16]
            total = sum(
                entries[2 * byte, value & 15] + entries[2 * byte + 1, value >> 4]
                for byte, value in enumerate(code.tolist()[: halves // 2])
            )
            score = products[list_ids[place], lane] + scale_values[scales[place]] * total
            best[lane] = max(best[lane], score)
    np.testing.assert_allclose(values[0], best.sum(), rtol=1e-5, atol=1e-4)


def by_signs(form: int, patch: pytest.MonkeyPatch, *, sums_signs: bool = True) -> None:
    """Score by signs, also at the level of processors for which tables are faster."""
    assert form in COMPILED
    patch.setattr(loops, "sums_signs", lambda: sums_signs)


@pytest.mark.parametrize("form", COMPILED)
def test_magnitudes_of_unlike_signs_are_summed(form: int) -> None:
    """Up to the most that there can be: two magnitudes are added in a byte."""
    generator = np.random.default_rng(5)
    codes = generator.integers(0, 256, (40, 16)).astype(np.uint8)
    codes[0], codes[1] = 0, 255
    sign = generator.integers(0, 256, (2, 16)).astype(np.uint8)
    sign[0, :2] = 0, 255
    sign[1] = 0
    magnitudes = generator.integers(0, 128, (2, 128)).astype(np.uint8)
    magnitudes[1] = arrays.MOST_MAGNITUDE
    count = len(codes)
    for token in range(2):
        totals = np.zeros(65_536, np.float32)
        ones = np.ones(1, np.float32)
        with loops_in_form(form):
            loops.visit(
                np.arange(count),
                np.array([0, count]),
                np.zeros(count, np.float32),
                np.zeros((0, 16, 256), np.float32),
                sign[token : token + 1],
                magnitudes[token : token + 1],
                np.zeros(1, np.float32),
                ones,
                np.full(1, -1, np.float32),
                np.arange(count + 1, dtype=np.uint32),
                np.arange(count, dtype=np.uint16),
                codes,
                np.zeros(count, np.uint8),
                np.ones(256, np.float32),
                np.ones(65_536, np.bool_),
                np.full(65_536, arrays.LOWEST, np.float32),
                totals,
                np.zeros(65_537, np.uint16),
            )
        unlike = np.unpackbits(codes, axis=1, bitorder="little") != np.unpackbits(
            sign[token], bitorder="little"
        )
        expected = unlike @ magnitudes[token].astype(np.int64)
        np.testing.assert_array_equal(totals[:count] - 1, expected)


@pytest.mark.parametrize("form", COMPILED)
def test_estimates_by_signs_are_those_by_tables(form: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Except for the rounding of magnitudes."""
    codec = codec_of(1)
    segment = segment_of(codec)
    assert codec.has_signs
    assert not codec_of(2).has_signs
    query = query_of(5)
    plan = probing.plan(query, codec, sizes_of(segment), EVERYTHING)
    found = []
    for sums_signs in (False, True):
        with loops_in_form(form):
            by_signs(form, monkeypatch, sums_signs=sums_signs)
            places, totals = probing.approximate_scores(plan, segment, np.ones(PASSAGES, np.bool_))
        every = np.zeros(PASSAGES)
        every[places] = totals
        found.append((every + plan.missing_scores.sum()) / 5)
    exact = scoring.exact(segment, np.arange(PASSAGES), codec.scorer(query), Job())
    np.testing.assert_allclose(found[0], exact, atol=1e-4)
    assert 0 < np.abs(found[1] - exact).max() < 0.01
    assert np.corrcoef(found[1], exact)[0, 1] > 0.999


@pytest.mark.parametrize("form", COMPILED)
def test_lists_are_chosen_by_the_codes_of_their_centroids(
    form: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    codec = codec_of(1)
    sizes = np.random.default_rng(1).integers(0, 200, codec.lists)
    query = query_of(4)
    plans = []
    for sums_signs in (False, True):
        with loops_in_form(form):
            by_signs(form, monkeypatch, sums_signs=sums_signs)
            plans.append(probing.plan(query, codec, sizes, ProbeParams(100, 1)))
    by_vectors, by_codes = plans
    np.testing.assert_allclose(by_codes.missing_scores, by_vectors.missing_scores, atol=0.15)
    for token in range(4):
        one, other = (plan.probes[plan.starts[token] : plan.starts[token + 1]] for plan in plans)
        assert len(np.intersect1d(one, other)) >= 0.7 * len(one)


@pytest.mark.parametrize("form", COMPILED)
def test_a_segment_of_another_codec_is_not_read(form: int) -> None:
    codec = codec_of(1)
    segment = segment_of(codec)
    short = replace(segment, residuals=np.ascontiguousarray(segment.residuals[:, :7]))
    with loops_in_form(form):
        plan = probing.plan(query_of(3), codec, sizes_of(segment), EVERYTHING)
        with pytest.raises(ValueError, match="another codec"):
            probing.approximate_scores(plan, short, np.ones(PASSAGES, np.bool_))
        with pytest.raises(ValueError, match="another codec"):
            VectorComparison(query_of(3), codec).some_of(short, np.arange(3), Job())
    narrow = np.ascontiguousarray(query_of(3)[:, :64])
    with pytest.raises(ValueError, match="a query of"):
        VectorComparison(narrow, codec)


def test_a_library_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path))
    path = loops._compiled()
    monkeypatch.setenv("CC", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert loops._compiled() == path


@pytest.mark.parametrize("is_broken", [False, True])
def test_without_a_compiler_searches_use_numpy(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    is_broken: bool,
) -> None:
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path))
    monkeypatch.setenv("CC", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    if is_broken:
        compiler = tmp_path / "cc"
        compiler.write_text("#!/bin/sh\necho no headers >&2\nexit 1\n", encoding="ascii")
        compiler.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
        with pytest.raises(subprocess.CalledProcessError):
            compile_library(tmp_path)
    monkeypatch.setattr(loops, "_loaded", {})
    monkeypatch.setattr(loops, "_level", 0)
    monkeypatch.setattr(loops, "find_library", loops.find_library.__wrapped__)
    loops.load()
    assert not loops.is_loaded()
    assert ("no headers" if is_broken else "no C compiler") in caplog.text


@pytest.mark.parametrize("damage", ["cut off", "empty", "changed"])
def test_a_damaged_library_is_compiled_again(tmp_path: Path, damage: str) -> None:
    good = compiled_library(tmp_path)
    data = good.read_bytes()
    assert compiled_library(tmp_path) == good
    damages = {"cut off": data[:4096], "empty": b"", "changed": data[:-1] + b"!"}
    good.write_bytes(damages[damage])
    again = compiled_library(tmp_path)
    assert ctypes.CDLL(str(again)).level() >= 0
    assert [path.name for path in tmp_path.iterdir()] == [again.name]


def test_a_library_is_flushed_to_disk_before_it_gets_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []
    flush, rename = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda number: [flush(number), steps.append("flush")])
    monkeypatch.setattr(
        Path, "replace", lambda path, new: [steps.append("rename"), rename(path, new)][1]
    )
    compiled_library(tmp_path)
    assert steps == ["flush", "rename", "rename"]


@pytest.mark.skipif(sys.platform == "win32", reason="has other permissions")
@pytest.mark.parametrize("way", ["writable", "link", "owner"])
def test_no_library_is_loaded_from_a_folder_that_others_may_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    folder = tmp_path / "loops"
    folder.mkdir(mode=0o700)
    compiled_library(folder)
    if way == "writable":
        folder.chmod(0o777)
    elif way == "link":
        folder.rename(tmp_path / "elsewhere")
        folder.symlink_to(tmp_path / "elsewhere")
    else:
        owner = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    with pytest.raises(PermissionError, match="other users may write to it"):
        compiled_library(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="the compiler is a shell script")
def test_a_compiler_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "hangs"
    compiler.write_text("#!/bin/sh\nexec tail -f /dev/null\n", encoding="ascii")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", str(compiler))
    with pytest.raises(subprocess.TimeoutExpired):
        compile_library(tmp_path, timeout_s=0.1)
    monkeypatch.setattr(
        compile_library, "__kwdefaults__", {**compile_library.__kwdefaults__, "timeout_s": 0.1}
    )
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path))
    monkeypatch.setattr(loops, "find_library", loops.find_library.__wrapped__)
    assert loops.find_library() is None
