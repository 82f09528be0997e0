/* Bit sets of up to 64 members, using single instructions if the processor has them. */
#ifndef WONDERLAND_BITS_H
#define WONDERLAND_BITS_H

#if defined(__BMI__) || defined(__BMI2__) || defined(__AVX2__)
#include <immintrin.h>
#endif

/* The `count` lowest members of a set. */
static inline unsigned long long wonderland_lowest(unsigned long long set, int count) {
#ifdef __BMI2__
    return _pdep_u64((1ULL << count) - 1, set);
#else
    /* Without a branch for the first ten: a loop that ends after an unpredictable number of steps takes longer. */
    unsigned long long others = set;
    int at;
    for (at = 0; at < 10; at++) others &= others - (at < count);
    for (; at < count; at++) others &= others - 1;
    return set & ~others;
#endif
}

/* The number of members of a set. */
static inline int wonderland_count(unsigned long long set) {
#if defined(__POPCNT__) || !(defined(__GNUC__) || defined(__clang__))
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_popcountll(set);
#else
    int count = 0;
    for (; set; set &= set - 1) count++;
    return count;
#endif
#else
    set -= (set >> 1) & 0x5555555555555555ULL;
    set = (set & 0x3333333333333333ULL) + ((set >> 2) & 0x3333333333333333ULL);
    set = (set + (set >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return (int)((set * 0x0101010101010101ULL) >> 56);
#endif
}

/* Sets that lie side by side are read and written as vectors, always the same ones: a read that overlaps two recent
writes would have to wait for both. */
#if defined(__GNUC__) || defined(__clang__)
#ifdef __AVX2__
#define WONDERLAND_LANES 4
#else
#define WONDERLAND_LANES 2
#endif
typedef unsigned long long wonderland_vector
    __attribute__((vector_size(8 * WONDERLAND_LANES), aligned(8), may_alias));
#endif

/* Add members to those of the first sets whose mark, from `start` on, has all bits, not none; the number of sets is a multiple of four. */
static inline void wonderland_join_marked(
    unsigned long long *sets, const unsigned long long *marks, int start, unsigned long long members,
    int how_many) {
    int at;
#ifdef WONDERLAND_LANES
    for (at = 0; at < how_many; at += WONDERLAND_LANES)
        *(wonderland_vector *)(sets + at) |= *(const wonderland_vector *)(marks + start + at) & members;
#else
    for (at = 0; at < how_many; at++) sets[at] |= members & marks[start + at];
#endif
}

/* Whether a set has a member in common with each of the sets from `start` to `stop - 1`. */
static inline int wonderland_meets_each(
    const unsigned long long *sets, int start, int stop, unsigned long long members) {
    int at;
#ifdef __AVX2__
    __m256i missing = _mm256_setzero_si256();
    for (at = start / 4 * 4; at < stop; at += 4) {
        __m256i none = _mm256_cmpeq_epi64(
            _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(sets + at)), _mm256_set1_epi64x((long long)members)),
            _mm256_setzero_si256());
        __m256i wanted = _mm256_setr_epi64x(
            at >= start && at < stop ? -1 : 0, at + 1 >= start && at + 1 < stop ? -1 : 0,
            at + 2 >= start && at + 2 < stop ? -1 : 0, at + 3 >= start && at + 3 < stop ? -1 : 0);
        missing = _mm256_or_si256(missing, _mm256_and_si256(none, wanted));
    }
    return _mm256_testz_si256(missing, missing);
#else
    int all = 1;
    for (at = start; at < stop; at++) all &= (sets[at] & members) != 0;
    return all;
#endif
}

/* The index of the lowest member of a set; 64 if it is empty. */
static inline int wonderland_first(unsigned long long set) {
#ifdef __BMI__
    return (int)_tzcnt_u64(set);
#elif defined(__GNUC__) || defined(__clang__)
    return set ? __builtin_ctzll(set) : 64;
#else
    return wonderland_count((set & (0 - set)) - 1);
#endif
}
#endif
