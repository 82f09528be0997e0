/* Bit sets of up to 64 members, using single instructions if the processor has them. */
#ifndef WONDERLAND_BITS_H
#define WONDERLAND_BITS_H

#if defined(__BMI__) || defined(__BMI2__)
#include <immintrin.h>
#endif

/* The `count` lowest members of a set. */
static inline unsigned long long wonderland_lowest(unsigned long long set, int count) {
#ifdef __BMI2__
    return _pdep_u64((1ULL << count) - 1, set);
#else
    unsigned long long others = set;
    while (count-- > 0) others &= others - 1;
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
