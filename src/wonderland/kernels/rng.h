/* Random numbers for kernels: splitmix64 (Steele, Lea and Flood 2014), with 64 bits of state. */
#ifndef WONDERLAND_RNG_H
#define WONDERLAND_RNG_H

#define WONDERLAND_GAMMA 0x9E3779B97F4A7C15ULL

/* The output for a state: a 64-bit permutation that makes neighbours look unrelated. */
static inline unsigned long long wonderland_splitmix64(unsigned long long state) {
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9ULL;
    state = (state ^ (state >> 27)) * 0x94D049BB133111EBULL;
    return state ^ (state >> 31);
}

/* The next state. */
static inline unsigned long long wonderland_advance(unsigned long long state) {
    return state + WONDERLAND_GAMMA;
}

/* The initial state of a stream of a seed. */
static inline unsigned long long wonderland_start_stream(unsigned long long seed, unsigned long long stream) {
    return wonderland_splitmix64(seed + wonderland_splitmix64(stream));
}

/* A number from 0 to limit - 1, from the upper half of an output. */
static inline int wonderland_scale(unsigned long long output, int limit) {
    return (int)(((output >> 32) * (unsigned long long)limit) >> 32);
}
#endif
