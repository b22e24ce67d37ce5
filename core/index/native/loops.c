/* The hot loops of a search.
 *
 * Their arguments, and the same computations in numpy, are described in `arrays.py`; `loops.py`
 * compiles this file, loads it and calls it. Each loop takes one row for each argument: the address
 * and the shape of an array, or a number. Nothing checks bounds here. The constructors of the
 * arrays check immutable data; a mapped file may be changed by others at any time, so its offsets
 * are clamped to the arrays that they point into.
 *
 * The file includes itself once for each level of x86-64 processors, and `level` returns the highest
 * that this processor has. Sixteen sums, for sixteen tokens, stay in registers.
 *
 * Source of the scores by signs: Gao and Long, "RaBitQ", 2024, section 3.3.2, with bits of the token
 * instead of bytes.
 */

#ifndef LEVEL

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) || defined(_M_X64)
#define IS_X86 1
#include <immintrin.h>
#else
#define IS_X86 0
#endif

typedef int64_t row[5];

/* An argument's array, or its length along a dimension. */
#define ARRAY(type, number) ((type *)(intptr_t)rows[number][0])
#define LENGTH(number, dimension) (rows[number][1 + (dimension)])

#define LANES 16
/* Below any score: the initial value. */
#define LOWEST (-1e4f)
/* Bins of the histogram of a token's scores with lists. */
#define BINS 256

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static inline float larger(float a, float b) {
#if IS_X86
    /* By an instruction: compilers tend to branch, and branches here are mispredicted. */
    return _mm_cvtss_f32(_mm_max_ss(_mm_set_ss(a), _mm_set_ss(b)));
#else
    return a > b ? a : b;
#endif
}

static inline uint64_t word(const uint8_t *bytes) {
    uint64_t found;
    memcpy(&found, bytes, sizeof found);
    return found;
}

#define LEVEL 0
#include "loops.c"
#undef LEVEL

#if IS_X86
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,popcnt")
#endif
#define LEVEL 1
#include "loops.c"
#undef LEVEL
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(                                                                  \
    __attribute__((target("avx2,fma,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl"))),    \
    apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx2,fma,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")
#endif
#define LEVEL 2
#include "loops.c"
#undef LEVEL
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

/* The highest level of instructions that this processor has. */
int64_t level(void) {
#if IS_X86
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
    if (!__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2")) return 0;
    int is_wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return is_wide ? 2 : 1;
#else
    return 0;
#endif
}

#else /* once for each level */

#define JOIN(name, level) name##_##level
#define JOINED(name, level) JOIN(name, level)
#define NAMED(name) JOINED(name, LEVEL)

/* A register of floats, and how many of them hold LANES. */
#if LEVEL == 2
#define WIDTH 16
#elif LEVEL == 1
#define WIDTH 8
#else
#define WIDTH 4
#endif
#define PARTS (LANES / WIDTH)
typedef float NAMED(floats) __attribute__((vector_size(4 * WIDTH), aligned(4), may_alias));
typedef int32_t NAMED(ints) __attribute__((vector_size(4 * WIDTH), aligned(4), may_alias));
#define floats NAMED(floats)
#define ints NAMED(ints)

static inline floats NAMED(maximum)(floats a, floats b) {
    ints is_above = a > b;
    return (floats)(((ints)a & is_above) | ((ints)b & ~is_above));
}

static inline float NAMED(highest)(const float *values, int64_t count) {
    float found = values[0];
    int64_t place = 0;
    if (count >= 2 * WIDTH) {
        floats first = *(const floats *)values, second = *(const floats *)(values + WIDTH);
        for (place = 2 * WIDTH; place + 2 * WIDTH <= count; place += 2 * WIDTH) {
            first = NAMED(maximum)(*(const floats *)(values + place), first);
            second = NAMED(maximum)(*(const floats *)(values + place + WIDTH), second);
        }
        first = NAMED(maximum)(first, second);
        for (int lane = 0; lane < WIDTH; lane++) found = first[lane] > found ? first[lane] : found;
    }
    for (; place < count; place++) found = values[place] > found ? values[place] : found;
    return found;
}

static inline float NAMED(lowest)(const float *values, int64_t count) {
    float found = values[0];
    int64_t place = 0;
    if (count >= 2 * WIDTH) {
        /* The maximum of the negated values. */
        floats first = -*(const floats *)values, second = -*(const floats *)(values + WIDTH);
        for (place = 2 * WIDTH; place + 2 * WIDTH <= count; place += 2 * WIDTH) {
            first = NAMED(maximum)(-*(const floats *)(values + place), first);
            second = NAMED(maximum)(-*(const floats *)(values + place + WIDTH), second);
        }
        first = NAMED(maximum)(first, second);
        for (int lane = 0; lane < WIDTH; lane++) found = -first[lane] < found ? -first[lane] : found;
    }
    for (; place < count; place++) found = values[place] < found ? values[place] : found;
    return found;
}

/* The sum of the magnitudes, each at most 127, of the 128 dimensions in which a code's bits differ
 * from the signs. */
static inline int64_t NAMED(sum_where_unlike)(const uint8_t *code, const uint8_t *signs,
                                              const uint8_t *magnitudes) {
    const uint64_t bits[2] = {word(code) ^ word(signs), word(code + 8) ^ word(signs + 8)};
#if LEVEL == 2
    /* Two magnitudes fit into a byte. */
    __m512i both = _mm512_add_epi8(
        _mm512_maskz_loadu_epi8(bits[0], magnitudes),
        _mm512_maskz_loadu_epi8(bits[1], magnitudes + 64));
    return _mm512_reduce_add_epi64(_mm512_sad_epu8(both, _mm512_setzero_si512()));
#elif LEVEL == 1
    const __m256i byte_of_bit = _mm256_setr_epi64x(
        0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit_of_byte = _mm256_set1_epi64x((int64_t)0x8040201008040201);
    __m256i sums = _mm256_setzero_si256();
    for (int word = 0; word < 2; word++) {
        __m256i chosen[2];
        for (int half = 0; half < 2; half++) {
            __m256i spread = _mm256_set1_epi32((int32_t)(bits[word] >> (32 * half)));
            spread = _mm256_and_si256(_mm256_shuffle_epi8(spread, byte_of_bit), bit_of_byte);
            chosen[half] = _mm256_and_si256(
                _mm256_cmpeq_epi8(spread, bit_of_byte),
                _mm256_loadu_si256((const __m256i *)(magnitudes + 64 * word + 32 * half)));
        }
        sums = _mm256_add_epi64(sums, _mm256_sad_epu8(_mm256_add_epi8(chosen[0], chosen[1]),
                                                      _mm256_setzero_si256()));
    }
    __m128i low = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return _mm_cvtsi128_si64(_mm_add_epi64(low, _mm_unpackhi_epi64(low, low)));
#else
    int64_t sum = 0;
    for (int dimension = 0; dimension < 128; dimension++)
        sum += (bits[dimension / 64] >> (dimension % 64) & 1) * magnitudes[dimension];
    return sum;
#endif
}

int64_t NAMED(visit)(const row *rows) {
    const int64_t *probes = ARRAY(int64_t, 0), *starts = ARRAY(int64_t, 1);
    const float *products = ARRAY(float, 2), *tables = ARRAY(float, 3);
    const uint8_t *signs = ARRAY(uint8_t, 4), *magnitudes = ARRAY(uint8_t, 5);
    const float *bases = ARRAY(float, 6), *slopes = ARRAY(float, 7);
    const float *missing_scores = ARRAY(float, 8);
    const uint32_t *lists = ARRAY(uint32_t, 9);
    const uint16_t *owners = ARRAY(uint16_t, 10);
    const uint8_t *residuals = ARRAY(uint8_t, 11), *scales = ARRAY(uint8_t, 12);
    const float *scale_values = ARRAY(float, 13);
    const uint8_t *is_allowed = ARRAY(uint8_t, 14);
    float *restrict best = ARRAY(float, 15), *restrict totals = ARRAY(float, 16);
    uint16_t *restrict seen = ARRAY(uint16_t, 17);
    const int64_t last_list = LENGTH(9, 0) - 2, every = LENGTH(10, 0);
    const int64_t width = LENGTH(11, 1), bytes = smaller(width, LENGTH(3, 1));
    const int is_by_tables = LENGTH(3, 0) > 0;
    int64_t count = 0;
    for (int64_t token = 0; token < LENGTH(8, 0); token++) {
        const float missing_score = missing_scores[token];
        const uint8_t *sign = signs + 16 * token, *magnitude = magnitudes + 128 * token;
        const float *table = tables + LENGTH(3, 1) * 256 * token;
        /* Both are empty if tables are used. */
        const float base = is_by_tables ? 0 : bases[token];
        const float slope = is_by_tables ? 0 : slopes[token];
        for (int64_t probe = starts[token]; probe < starts[token + 1]; probe++) {
            const int64_t number = smaller(probes[probe], last_list);
            const int64_t begin = smaller(lists[number], every);
            const int64_t end = smaller(lists[number + 1], every);
            const float with_centroid = products[probe];
            if (is_by_tables) {
                for (int64_t slot = begin; slot < end; slot++) {
                    const uint16_t owner = owners[slot];
                    const uint8_t *code = residuals + width * slot;
                    if (!is_allowed[owner]) continue;
                    float score = 0;
                    for (int64_t byte = 0; byte < bytes; byte++)
                        score += table[256 * byte + code[byte]];
                    score = with_centroid + score * scale_values[scales[slot]];
                    best[owner] = larger(score, best[owner]);
                }
                continue;
            }
            for (int64_t slot = begin; slot < end; slot++) {
                const uint16_t owner = owners[slot];
                const int64_t unlike = NAMED(sum_where_unlike)(residuals + 16 * slot, sign, magnitude);
                float score = base + slope * (float)unlike;
                score = with_centroid + score * scale_values[scales[slot]];
                best[owner] = larger(is_allowed[owner] ? score : LOWEST, best[owner]);
            }
        }
        /* A second pass over the owners, to sum and to clear: far fewer than all passages. */
        for (int64_t probe = starts[token]; probe < starts[token + 1]; probe++) {
            const int64_t number = smaller(probes[probe], last_list);
            const int64_t begin = smaller(lists[number], every);
            const int64_t end = smaller(lists[number + 1], every);
            for (int64_t slot = begin; slot < end; slot++) {
                const uint16_t owner = owners[slot];
                /* Without a branch, which would be mispredicted as often as not. */
                const float above = larger(best[owner] - missing_score, 0);
                seen[count] = owner;
                count += (above > 0) & (totals[owner] == 0);
                totals[owner] += above;
                best[owner] = LOWEST;
            }
        }
    }
    return count;
}

/* Raise the best scores of a block of LANES tokens by those of one vector. */
static inline void NAMED(raise_best)(const uint8_t *code, int64_t bytes, const float *table,
                                     const float *products, float scale, float *best) {
    floats low[PARTS] = {{0}}, high[PARTS] = {{0}};
    for (int64_t byte = 0; byte < bytes; byte++) {
        const float *of_low = table + LANES * (32 * byte + (code[byte] & 15));
        const float *of_high = table + LANES * (32 * byte + 16 + (code[byte] >> 4));
        for (int part = 0; part < PARTS; part++) {
            low[part] += *(const floats *)(of_low + WIDTH * part);
            high[part] += *(const floats *)(of_high + WIDTH * part);
        }
    }
    for (int part = 0; part < PARTS; part++) {
        floats *held = (floats *)(best + WIDTH * part);
        const floats score =
            *(const floats *)(products + WIDTH * part) + scale * (low[part] + high[part]);
        *held = NAMED(maximum)(score, *held);
    }
}

int64_t NAMED(compare)(const row *rows) {
    const int64_t *places = ARRAY(int64_t, 0);
    const uint32_t *starts = ARRAY(uint32_t, 1), *slots = ARRAY(uint32_t, 2);
    const uint16_t *list_ids = ARRAY(uint16_t, 3);
    const uint32_t *lists = ARRAY(uint32_t, 4);
    const uint16_t *owners = ARRAY(uint16_t, 5);
    const uint8_t *residuals = ARRAY(uint8_t, 6), *scales = ARRAY(uint8_t, 7);
    const float *scale_values = ARRAY(float, 8), *products = ARRAY(float, 9);
    const float *tables = ARRAY(float, 10);
    const uint16_t *centroid_of = ARRAY(uint16_t, 11);
    uint32_t *held_slots = ARRAY(uint32_t, 12);
    float *best = ARRAY(float, 13), *values = ARRAY(float, 14);
    const int64_t passages = LENGTH(0, 0), every = LENGTH(3, 0), tokens = LENGTH(9, 1);
    /* Without owners, the vectors are stored passage by passage. */
    const int is_by_passage = LENGTH(5, 0) == 0, has_slots = LENGTH(2, 0) > 0;
    const int64_t last_centroid = LENGTH(11, 0) - 1;
    const int64_t last_list =
        is_by_passage ? last_centroid : smaller(LENGTH(4, 0) - 2, last_centroid);
    const int64_t last_slot = LENGTH(6, 0) - 1, width = LENGTH(6, 1), most = LENGTH(12, 1);
    const int64_t blocks = LENGTH(10, 0), halves = LENGTH(10, 1);
    const int64_t bytes = smaller(width, halves / 2);
    /* Where the vectors of two successive passages begin and end. Read once: a mapped file may
     * change between the two steps of a passage, and slots are only set for these. */
    int64_t firsts[2], ends[2];
    /* The vectors of a passage are far apart. They are prefetched while the passage before is
     * compared, and the owners among which they are found while those are prefetched. */
    for (int64_t passage = 0; passage <= passages; passage++) {
        if (passage + 1 < passages && !has_slots && !is_by_passage) {
            const int64_t place = places[passage + 1];
            const int64_t end = smaller(starts[place + 1], every);
            for (int64_t vector = starts[place]; vector < end; vector++) {
                const int64_t number = smaller(list_ids[vector], last_list);
                __builtin_prefetch(owners + (((int64_t)lists[number] + lists[number + 1]) >> 1));
            }
        }
        if (passage < passages) {
            const int64_t place = places[passage], first = starts[place];
            const int64_t end = smaller(smaller(starts[place + 1], every), first + most);
            firsts[passage & 1] = first;
            ends[passage & 1] = end;
            uint32_t *where = held_slots + most * (passage & 1);
            int64_t before = -1, slot = 0;
            for (int64_t vector = first; vector < end; vector++) {
                if (is_by_passage) {
                    slot = vector;
                } else if (has_slots) {
                    slot = slots[vector];
                } else {
                    const int64_t number = smaller(list_ids[vector], last_list);
                    if (number == before) {
                        slot += 1; /* several in one list follow each other */
                    } else {
                        int64_t stop = smaller(lists[number + 1], last_slot + 1);
                        slot = lists[number];
                        while (slot < stop) {
                            const int64_t middle = (slot + stop) >> 1;
                            if (owners[middle] < place)
                                slot = middle + 1;
                            else
                                stop = middle;
                        }
                        before = number;
                    }
                }
                slot = smaller(slot, last_slot);
                where[vector - first] = (uint32_t)slot;
                __builtin_prefetch(residuals + width * slot);
                __builtin_prefetch(scales + slot);
            }
        }
        if (passage == 0) continue;
        const int64_t first = firsts[(passage - 1) & 1], end = ends[(passage - 1) & 1];
        const uint32_t *where = held_slots + most * ((passage - 1) & 1);
        for (int64_t token = 0; token < tokens; token++) best[token] = LOWEST;
        for (int64_t vector = first; vector < end; vector++) {
            const int64_t slot = where[vector - first];
            const int64_t centroid = centroid_of[smaller(list_ids[vector], last_list)];
            for (int64_t block = 0; block < blocks; block++)
                NAMED(raise_best)(residuals + width * slot, bytes,
                                  tables + halves * 16 * LANES * block,
                                  products + tokens * centroid + LANES * block,
                                  scale_values[scales[slot]], best + LANES * block);
        }
        float sum = 0;
        for (int64_t token = 0; token < tokens; token++) sum += best[token];
        values[passage - 1] = sum;
    }
    return 0;
}

/* Set the products of a block of LANES tokens with four centroids. */
static inline void NAMED(multiply_four)(const float *by_dimension, int64_t tokens,
                                        const float *centroids, int64_t dimensions,
                                        float *products) {
    floats sums[4][PARTS] = {{{0}}};
    for (int64_t dimension = 0; dimension < dimensions; dimension++) {
        const float *of = by_dimension + tokens * dimension;
        for (int number = 0; number < 4; number++)
            for (int part = 0; part < PARTS; part++)
                sums[number][part] += *(const floats *)(of + WIDTH * part) *
                                      centroids[dimensions * number + dimension];
    }
    for (int number = 0; number < 4; number++)
        for (int part = 0; part < PARTS; part++)
            *(floats *)(products + tokens * number + WIDTH * part) = sums[number][part];
}

int64_t NAMED(multiply_centroids)(const row *rows) {
    const float *by_dimension = ARRAY(float, 0), *centroids = ARRAY(float, 1);
    float *products = ARRAY(float, 2), *by_token = ARRAY(float, 3);
    const int64_t dimensions = LENGTH(0, 0), tokens = LENGTH(0, 1), count = LENGTH(1, 0);
    for (int64_t block = 0; block < tokens / LANES; block++)
        for (int64_t next = 0; next < count; next += 4) {
            const int64_t first = smaller(next, count - 4);
            NAMED(multiply_four)(by_dimension + LANES * block, tokens,
                                 centroids + dimensions * first, dimensions,
                                 products + tokens * first + LANES * block);
        }
    for (int64_t first = 0; first < count; first += LANES)
        /* So many at once as one line of the cache has. */
        for (int64_t token = 0; token < LENGTH(3, 0); token++)
            for (int64_t centroid = first; centroid < smaller(first + LANES, count); centroid++)
                by_token[count * token + centroid] = products[tokens * centroid + token];
    return 0;
}

int64_t NAMED(interleave)(const row *rows) {
    const float *by_dimension = ARRAY(float, 0), *weights = ARRAY(float, 1);
    float *tables = ARRAY(float, 2);
    const int64_t tokens = LENGTH(0, 1), each = LENGTH(1, 1);
    for (int64_t block = 0; block < LENGTH(2, 0); block++)
        for (int64_t half = 0; half < LENGTH(2, 1); half++)
            for (int64_t number = 0; number < each; number++) {
                const float *of = by_dimension + tokens * (half * each + number) + LANES * block;
                float *table = tables + 16 * LANES * (LENGTH(2, 1) * block + half);
                for (int value = 0; value < 16; value++)
                    for (int lane = 0; lane < LANES; lane++)
                        table[LANES * value + lane] += weights[each * value + number] * of[lane];
            }
    return 0;
}

/* The bin of a score; NaN is in the lowest. */
static inline int32_t NAMED(bin_of)(float score, float lowest, float scale) {
    float height = (score - lowest) * scale;
    height = height > 0 ? height : 0;
    return (int32_t)(height < BINS - 1 ? height : BINS - 1);
}

static inline float NAMED(bins_per_unit)(float lowest, float highest) {
    const float range = highest - lowest;
    return (BINS - 1) / (range > 1e-9f ? range : 1e-9f);
}

int64_t NAMED(select_lists)(const row *rows) {
    const float *query = ARRAY(float, 0), *with_centroids = ARRAY(float, 1);
    const int64_t *few = ARRAY(int64_t, 2), *offsets = ARRAY(int64_t, 3);
    const float *centroids = ARRAY(float, 4);
    const uint8_t *residuals = ARRAY(uint8_t, 5), *scales = ARRAY(uint8_t, 6);
    const float *scale_values = ARRAY(float, 7);
    const uint8_t *signs = ARRAY(uint8_t, 8), *magnitudes = ARRAY(uint8_t, 9);
    const float *bases = ARRAY(float, 10), *slopes = ARRAY(float, 11);
    const int64_t *sizes = ARRAY(int64_t, 12), *wanted = ARRAY(int64_t, 13);
    const int64_t least = rows[14][0];
    const int64_t *enough = ARRAY(int64_t, 15);
    uint8_t *bins = ARRAY(uint8_t, 16);
    int64_t *numbers = ARRAY(int64_t, 17);
    float *scores = ARRAY(float, 18);
    int64_t *probes = ARRAY(int64_t, 19), *counts = ARRAY(int64_t, 20);
    float *missing_scores = ARRAY(float, 21);
    const int64_t dimensions = LENGTH(0, 1), count = LENGTH(1, 1), width = LENGTH(5, 1);
    int64_t held[BINS], lists[BINS], filled = 0;
    for (int64_t token = 0; token < LENGTH(0, 0); token++) {
        const float *vector = query + dimensions * token, *products = with_centroids + count * token;
        float lowest = NAMED(lowest)(products, count);
        float scale = NAMED(bins_per_unit)(lowest, NAMED(highest)(products, count));
        /* Loops that do one thing each, so that several centroids are taken at once. */
        for (int64_t centroid = 0; centroid < count; centroid++)
            bins[centroid] = (uint8_t)NAMED(bin_of)(products[centroid], lowest, scale);
        memset(held, 0, sizeof held);
        memset(lists, 0, sizeof lists);
        for (int64_t centroid = 0; centroid < count; centroid++) {
            held[bins[centroid]] += offsets[centroid + 1] - offsets[centroid];
            lists[bins[centroid]] += 1;
        }
        int64_t last = BINS - 1, total = held[last], many = lists[last];
        while (last > 0 && total < enough[token] && many < few[token]) {
            last -= 1;
            total += held[last];
            many += lists[last];
        }
        int64_t found = 0;
        for (int64_t centroid = 0; centroid < count; centroid++) {
            if (bins[centroid] < last) continue;
            for (int64_t number = offsets[centroid]; number < offsets[centroid + 1]; number++)
                if (sizes[number] > 0) {
                    numbers[found] = number;
                    scores[found] = products[centroid];
                    found += 1;
                }
        }
        for (int64_t place = 0; place < found; place++) {
            const int64_t number = numbers[place];
            if (LENGTH(8, 0) > 0) {
                const int64_t unlike = NAMED(sum_where_unlike)(
                    residuals + width * number, signs + 16 * token, magnitudes + 128 * token);
                const float score = bases[token] + slopes[token] * (float)unlike;
                scores[place] += score * scale_values[scales[number]];
            } else {
                const float *centroid = centroids + dimensions * number;
                float score = 0;
                for (int64_t dimension = 0; dimension < dimensions; dimension++)
                    score += vector[dimension] * centroid[dimension];
                scores[place] = score;
            }
        }
        counts[token] = 0;
        missing_scores[token] = LOWEST;
        if (found == 0) continue;
        lowest = NAMED(lowest)(scores, found);
        scale = NAMED(bins_per_unit)(lowest, NAMED(highest)(scores, found));
        memset(held, 0, sizeof held);
        memset(lists, 0, sizeof lists);
        for (int64_t place = 0; place < found; place++) {
            const int32_t bin = NAMED(bin_of)(scores[place], lowest, scale);
            held[bin] += sizes[numbers[place]];
            lists[bin] += 1;
        }
        last = BINS - 1;
        total = held[last];
        many = lists[last];
        while (last > 0 && (total < wanted[token] || many < least)) {
            last -= 1;
            total += held[last];
            many += lists[last];
        }
        float missing_score = LOWEST;
        for (int64_t place = 0; place < found; place++) {
            if (NAMED(bin_of)(scores[place], lowest, scale) >= last) {
                probes[filled] = numbers[place];
                filled += 1;
                counts[token] += 1;
            } else if (scores[place] > missing_score) {
                missing_score = scores[place];
            }
        }
        missing_scores[token] = many < found ? missing_score : lowest;
    }
    return 0;
}

#undef floats
#undef ints
#undef WIDTH
#undef PARTS
#undef JOIN
#undef JOINED
#undef NAMED

#endif
