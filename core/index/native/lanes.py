"""The innermost steps of a search's loops, written for SIMD registers.

Each function has a plain Python form, which defines the result, and an LLVM form: numba compiles
short loops to code that loads and stores every sum, while the LLVM form keeps sixteen sums, or 64
bytes, in a register. `register_intrinsics` makes numba use the LLVM form in compiled loops.

For codes of one bit per dimension, the product with a token needs no table: it is the sum of the
token's magnitudes where the bit equals the token's sign, minus the others.

Source: Gao and Long, "RaBitQ", 2024, section 3.3.2, with bits of the token instead of bytes.
"""

from __future__ import annotations

import platform
from importlib import import_module
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Floats

# Tokens whose sums are held in one register.
LANES: Final = 16
# Bytes of a code (one bit per dimension) that can be summed by signs.
SIGN_BYTES: Final = 16
# Largest magnitude; two are added in a byte.
MOST_MAGNITUDE: Final = 127

Bytes = npt.NDArray[np.uint8]
Place = int | np.integer[Any]


def sums_signs() -> bool:
    """Return whether `sum_where_unlike` is faster than tables: measured for x86-64 alone."""
    return platform.machine().lower() in {"x86_64", "amd64"}


def sum_where_unlike(codes: Bytes, place: Place, signs: Bytes, magnitudes: Bytes) -> int:
    """Return the sum of the magnitudes of the dimensions in which a code's bits differ from signs.

    Args:
        codes: (t, 16), a bit a dimension, the first in the lowest.
        place: of the code.
        signs: (16,) likewise.
        magnitudes: (128,) each at most 127.

    >>> sum_where_unlike(np.full((1, 16), 3, np.uint8), 0, np.ones(16, np.uint8),
    ...                  np.arange(128, dtype=np.uint8))
    976
    """
    bits = np.unpackbits(codes[place] ^ signs, bitorder="little")
    return int(magnitudes[bits == 1].astype(np.int64).sum())


def take_best(
    codes: Bytes,
    place: Place,
    tables: Floats,
    block: int,
    products: Floats,
    centroid: Place,
    scale: np.float32,
    best: Floats,
) -> None:
    """Update a block of sixteen tokens' best scores with those of one vector.

    Args:
        codes: (t, b) packed residuals.
        place: of the vector.
        tables: (n / 16, 2 b, 16, 16) what each half of a byte, the lower first, adds to the product
            with each token of a block.
        block: its number.
        products: (C, n) of the centroids with the tokens.
        centroid: the vector's.
        scale: the vector's.
        best: (n,) set here.
    """
    total = np.zeros(LANES, np.float32)
    for byte in range(min(codes.shape[1], tables.shape[1] // 2)):
        code = int(codes[place, byte])
        total += tables[block, 2 * byte, code & 15] + tables[block, 2 * byte + 1, code >> 4]
    lanes = slice(LANES * block, LANES * (block + 1))
    best[lanes] = np.maximum(best[lanes], products[centroid, lanes] + scale * total)


def take_products(
    tokens: Floats, centroids: Floats, first: Place, block: int, products: Floats
) -> None:
    """Set the products of a block of sixteen tokens with four centroids.

    Args:
        tokens: (d, n), dimension by dimension.
        centroids: (C, d).
        first: of the four.
        block: its number.
        products: (C, n) set here.
    """
    lanes = slice(LANES * block, LANES * (block + 1))
    products[first : first + 4, lanes] = centroids[first : first + 4] @ tokens[:, lanes]


def prefetch(rows: npt.NDArray[Any], place: Place) -> None:
    """Prefetch a row. Does nothing when not compiled."""


def register_intrinsics() -> None:
    """Register the LLVM forms of the functions above with numba."""
    # Partly typed modules, which are no help to a type checker.
    ir: Any = import_module("llvmlite.ir")
    cgutils: Any = import_module("numba.core.cgutils")
    types: Any = import_module("numba.core.types")
    extending: Any = import_module("numba.extending")

    byte, word, long = ir.IntType(8), ir.IntType(32), ir.IntType(64)
    one = ir.FloatType()
    lanes, half = ir.VectorType(one, LANES), ir.VectorType(byte, 64)

    def constant(number: int) -> Any:
        return ir.Constant(long, number)

    def address(context: Any, builder: Any, kind: Any, array: Any, offset: Any) -> Any:
        """Return the address of a byte of a contiguous array."""
        data = context.make_array(kind)(context, builder, array).data
        return builder.gep(builder.bitcast(data, byte.as_pointer()), [offset])

    def load(builder: Any, at: Any, kind: Any, align: int) -> Any:
        loaded = builder.load(builder.bitcast(at, kind.as_pointer()))
        loaded.align = align
        return loaded

    def row_of(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
        view = context.make_array(kind)(context, builder, array)
        stride = cgutils.unpack_tuple(builder, view.strides, kind.ndim)[0]
        return address(context, builder, kind, array, builder.mul(place, stride))

    def type_unlike(_context: Any, codes: Any, place: Any, signs: Any, magnitudes: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            of_codes, _, of_signs, of_magnitudes = signature.args
            code = row_of(context, builder, of_codes, args[0], args[1])
            sign = address(context, builder, of_signs, args[2], constant(0))
            sums = []
            for part in range(2):
                at = constant(8 * part)
                bits = builder.xor(
                    load(builder, builder.gep(code, [at]), long, 1),
                    load(builder, builder.gep(sign, [at]), long, 1),
                )
                own = address(context, builder, of_magnitudes, args[3], constant(64 * part))
                is_unlike = builder.bitcast(bits, ir.VectorType(ir.IntType(1), 64))
                none = ir.Constant(half, [0] * 64)
                sums.append(builder.select(is_unlike, load(builder, own, half, 1), none))
            # Two fit into a byte; the compiler knows an instruction that adds up bytes.
            wide = ir.VectorType(word, 64)
            added = builder.zext(builder.add(*sums), wide)
            adding = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(word, [wide]), "llvm.vector.reduce.add.v64i32"
            )
            return builder.sext(builder.call(adding, [added]), long)

        return types.int64(codes, types.int64, signs, magnitudes), write

    def type_raised(
        _context: Any,
        codes: Any,
        place: Any,
        tables: Any,
        block: Any,
        products: Any,
        centroid: Any,
        scale: Any,
        best: Any,
    ) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            of_codes, _, of_tables, _, of_products, _, _, of_best = signature.args
            code = row_of(context, builder, of_codes, args[0], args[1])
            table = row_of(context, builder, of_tables, args[2], args[3])
            views = [
                context.make_array(kind)(context, builder, array)
                for kind, array in ((of_codes, args[0]), (of_tables, args[2]))
            ]
            widths = [
                cgutils.unpack_tuple(builder, each.shape, kind.ndim)[1]
                for each, kind in zip(views, (of_codes, of_tables), strict=True)
            ]
            halves = builder.lshr(widths[1], constant(1))
            fewer = builder.icmp_signed("<", widths[0], halves)
            count = builder.select(fewer, widths[0], halves)
            row, of_half = 4 * LANES, 4 * LANES * 16
            sums = [
                cgutils.alloca_once_value(builder, ir.Constant(lanes, [0.0] * LANES))
                for _ in range(2)
            ]
            with cgutils.for_range(builder, count, intp=long) as loop:
                read = builder.zext(builder.load(builder.gep(code, [loop.index])), long)
                begin = builder.mul(loop.index, constant(2 * of_half))
                parts = builder.and_(read, constant(15)), builder.lshr(read, constant(4))
                for number, part in enumerate(parts):
                    at = builder.add(begin, builder.mul(part, constant(row)))
                    at = builder.add(at, constant(number * of_half))
                    entry = load(builder, builder.gep(table, [at]), lanes, 4)
                    builder.store(builder.fadd(builder.load(sums[number]), entry), sums[number])
            total = builder.fadd(builder.load(sums[0]), builder.load(sums[1]))
            undefined = ir.Constant(lanes, ir.Undefined)
            scale = builder.insert_element(undefined, args[6], ir.Constant(word, 0))
            zeros = ir.Constant(ir.VectorType(word, LANES), [0] * LANES)
            scale = builder.shuffle_vector(scale, undefined, zeros)
            begin = builder.mul(args[3], constant(row))
            with_centroid = builder.gep(
                row_of(context, builder, of_products, args[4], args[5]), [begin]
            )
            score = builder.fadd(
                load(builder, with_centroid, lanes, 4),
                builder.fmul(scale, total, flags=("contract",)),
                flags=("contract",),
            )
            highest = address(context, builder, of_best, args[7], begin)
            before = load(builder, highest, lanes, 4)
            highest_score = builder.select(builder.fcmp_ordered(">", score, before), score, before)
            stored = builder.store(highest_score, builder.bitcast(highest, lanes.as_pointer()))
            stored.align = 4
            return context.get_dummy_value()

        signature = types.void(
            codes, types.int64, tables, types.int64, products, types.int64, types.float32, best
        )
        return signature, write

    def type_multiplied(
        _context: Any, tokens: Any, centroids: Any, first: Any, block: Any, products: Any
    ) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            of_tokens, of_centroids, _, _, of_products = signature.args
            view = context.make_array(of_tokens)(context, builder, args[0])
            dimensions = cgutils.unpack_tuple(builder, view.shape, 2)[0]
            lane = builder.mul(args[3], constant(4 * LANES))
            sums = [
                cgutils.alloca_once_value(builder, ir.Constant(lanes, [0.0] * LANES))
                for _ in range(4)
            ]
            places = [builder.add(args[2], constant(number)) for number in range(4)]
            rows = [row_of(context, builder, of_centroids, args[1], place) for place in places]
            undefined = ir.Constant(lanes, ir.Undefined)
            zeros = ir.Constant(ir.VectorType(word, LANES), [0] * LANES)
            with cgutils.for_range(builder, dimensions, intp=long) as loop:
                token = row_of(context, builder, of_tokens, args[0], loop.index)
                of = load(builder, builder.gep(token, [lane]), lanes, 4)
                at = builder.mul(loop.index, constant(4))
                for row, total in zip(rows, sums, strict=True):
                    number = load(builder, builder.gep(row, [at]), one, 4)
                    every = builder.insert_element(undefined, number, ir.Constant(word, 0))
                    every = builder.shuffle_vector(every, undefined, zeros)
                    product = builder.fmul(of, every, flags=("contract",))
                    added = builder.fadd(builder.load(total), product, flags=("contract",))
                    builder.store(added, total)
            for place, total in zip(places, sums, strict=True):
                row = row_of(context, builder, of_products, args[4], place)
                at = builder.bitcast(builder.gep(row, [lane]), lanes.as_pointer())
                stored = builder.store(builder.load(total), at)
                stored.align = 4
            return context.get_dummy_value()

        return types.void(tokens, centroids, types.int64, types.int64, products), write

    def type_prefetch(_context: Any, rows: Any, place: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            at = row_of(context, builder, signature.args[0], args[0], args[1])
            kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), word, word, word])
            fetching = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            # Arguments: for reading, highest locality, data cache.
            builder.call(fetching, [at, *(ir.Constant(word, each) for each in (0, 3, 1))])
            return context.get_dummy_value()

        return types.void(rows, types.int64), write

    unlike, raised, multiplied, prefetched = (
        extending.intrinsic(typed)
        for typed in (type_unlike, type_raised, type_multiplied, type_prefetch)
    )

    # numba calls these with argument types, and compiles the functions they return.
    def of_unlike(codes: Any, place: Any, signs: Any, magnitudes: Any) -> Any:
        return lambda codes, place, signs, magnitudes: unlike(codes, place, signs, magnitudes)

    def of_best(
        codes: Any,
        place: Any,
        tables: Any,
        block: Any,
        products: Any,
        centroid: Any,
        scale: Any,
        best: Any,
    ) -> Any:
        return lambda codes, place, tables, block, products, centroid, scale, best: raised(
            codes, place, tables, block, products, centroid, scale, best
        )

    def of_products(tokens: Any, centroids: Any, first: Any, block: Any, products: Any) -> Any:
        return lambda tokens, centroids, first, block, products: multiplied(
            tokens, centroids, first, block, products
        )

    def of_prefetch(rows: Any, place: Any) -> Any:
        return lambda rows, place: prefetched(rows, place)

    for plain, typed_form in (
        (sum_where_unlike, of_unlike),
        (take_best, of_best),
        (take_products, of_products),
        (prefetch, of_prefetch),
    ):
        extending.overload(plain, strict=False, inline="always")(typed_form)
