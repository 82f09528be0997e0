/* Sets of up to 64 things, a bit each: what C can do in one instruction where the processor knows it. */
#ifndef WONDERLAND_BITS_H
#define WONDERLAND_BITS_H

#if defined(__BMI__) || defined(__BMI2__)
#include <immintrin.h>
#endif

/* The `count` lowest members. */
static inline unsigned long long wonderland_lowest(unsigned long long set, int count) {
#ifdef __BMI2__
    return _pdep_u64((1ULL << count) - 1, set);
#else
    unsigned long long others = set;
    while (count-- > 0) others &= others - 1;
    return set & ~others;
#endif
}

/* How many members there are. */
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

/* The number of the lowest member of a set; 64 if it has none. */
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
