/* Random plays of Parade, hand-tuned C: the yardstick for the kernel in `kernels.py`.
 *
 *     cc -O3 -march=x86-64-v3 -o parade benchmarks/parade.c && ./parade SEATS PLAYS SEED [each]
 *
 * Prints seconds, decisions, and what tells that it is the same game: mean score, endings, wins by seat.
 * It knows nothing but this: no records, no states to look at, no options, no policies.
 *
 * With `each`, it takes its random numbers in the kernel's order (one for every card dealt or kept) and prints
 * a row for each play: winners, first seat, decisions, ending, scores. They must be those of the kernel.
 *
 * A card in the parade is a bit, its slot. A player's cards are a word of such bits: taking cards is one OR, and
 * a colour is there if its word and the player's have a bit in common. Points are counted once, at the end.
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef u64 Four __attribute__((vector_size(32), may_alias)); /* read and written alike, or the words would wait */
#ifdef SEARCHING
enum { SETS = 20 }; /* with one for each bit of a value */
#else
enum { SETS = 16 };
#endif
enum { FIELD = 10, AT_MOST = 0, COLOURS = 10, VALUES = 16, ANY = SETS };
static const u64 ONE = 0x0004010040100401ULL, COUNTS = 0x003C0F03C0F03C0FULL;
static const u64 ABOVE = 16 * 0x0004010040100401ULL, SUMS = 63 * 0x0004010040100401ULL;
static _Alignas(64) u64 marks[66][SETS]; /* by card: all ones for each set that it belongs to */
static u64 added[66];                    /* what a card adds to a zone: by colour, a count and a sum */
static uint8_t deck_of_all[72], value_of[66], lower_of[66], colour_of[66];

typedef struct {
    _Alignas(64) u64 sets[SETS + 4]; /* slots of the values up to 0 ... 9, of the six colours, and of any card */
    u64 own[8];
    uint8_t hands[6][8];
    uint8_t deck[72];
} Play;

static inline u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static void prepare(void) {
    for (int card = 0; card < 66; card++) {
        int value = card % 11, colour = card / 11;
        deck_of_all[card] = card, value_of[card] = value;
        lower_of[card] = value < 10 ? AT_MOST + value : ANY, colour_of[card] = COLOURS + colour;
        added[card] = (1ULL + 16 * value) << (FIELD * colour);
        for (int v = value; v < 10; v++) marks[card][AT_MOST + v] = ~0ULL;
        marks[card][COLOURS + colour] = ~0ULL;
        for (int b = 0; VALUES + b < SETS; b++) marks[card][VALUES + b] = value >> b & 1 ? ~0ULL : 0;
    }
}

static inline void enter(u64 *sets, int card, u64 bit) {
    for (int set = 0; set < SETS; set += 4) *(Four *)&sets[set] |= *(const Four *)&marks[card][set] & bit;
}

static inline int has_six_colours(const u64 *sets, u64 own) {
    Four some = *(const Four *)&sets[8] & own, others = *(const Four *)&sets[12] & own;
    Four missing = ((Four)(some == 0) & (Four){0, 0, ~0ULL, ~0ULL}) | (Four)(others == 0);
    return _mm256_testz_si256((__m256i)missing, (__m256i)missing);
}

/* The slots of the cards that leave if this one is played. */
static inline u64 leaving(const u64 *sets, u64 present, int card) {
    u64 safe = _pdep_u64((1ULL << value_of[card]) - 1, present);
    return present & ~safe & (sets[colour_of[card]] | sets[lower_of[card]]);
}

/* A player's cards by colour: how many, and what is printed on them. Odd values are 1, 3 ... 9, and so on. */
static inline u64 zone_of(const u64 *sets, u64 own) {
    const u64 *v = sets + AT_MOST;
    u64 ones = v[0] ^ v[1] ^ v[2] ^ v[3] ^ v[4] ^ v[5] ^ v[6] ^ v[7] ^ v[8] ^ v[9];
    u64 twos = v[1] ^ v[3] ^ v[5] ^ v[7] ^ ~v[9], fours = v[3] ^ v[7], eights = ~v[7], zone = 0;
    for (int colour = 0; colour < 6; colour++) {
        u64 of = own & sets[COLOURS + colour];
        u64 sum = __builtin_popcountll(of & ones) + 2 * __builtin_popcountll(of & twos) +
                  4 * __builtin_popcountll(of & fours) + 8 * __builtin_popcountll(of & eights);
        zone |= (__builtin_popcountll(of) + 16 * sum) << (FIELD * colour);
    }
    return zone;
}

static inline u64 larger(u64 one, u64 other) {
    u64 is = (one + ABOVE - other) & ABOVE, mine = is - (is >> 4);
    return (one & mine) | (other & ~mine);
}

static inline int points_in(u64 zone, u64 needed) {
    u64 most = ((zone & COUNTS) + ABOVE - needed) & ABOVE;
    u64 printed = (zone >> 4) & SUMS & ~((most << 2) - (most >> 4));
    return ((zone & (most - (most >> 4))) + printed) * ONE >> 50 & 1023;
}

#define NEXT (mix(random += 0x9E3779B97F4A7C15ULL))
#define TAKE(number) (at = (int)((number) * pile >> 32), card = p->deck[at], p->deck[at] = p->deck[--pile], card)
#define TURN                                                      \
    u64 z = NEXT;                                                 \
    uint8_t *hand = p->hands[seat];                               \
    int place = (int)((z >> 32) * 5 >> 32), played = hand[place]; \
    u64 taken = leaving(p->sets, present, played);                \
    p->own[seat] |= taken;                                        \
    present = (present & ~taken) | bit;                           \
    enter(p->sets, played, bit);                                  \
    decisions++, bit >>= 1;

static inline __attribute__((always_inline)) int play(
    Play *p, const int seats, const int exact, u64 random, int *scores, int *first, int *ending, int *winners) {
    memset(p->sets, 0, sizeof p->sets);
    memset(p->own, 0, sizeof p->own);
    memcpy(p->deck, deck_of_all, 72);
    p->sets[ANY] = ~0ULL;
    int pile = 66, decisions = 0, at, card, ends = 0, seat = *first = (int)((NEXT >> 32) * seats >> 32);
    u64 bit = 1ULL << 63, present = ~0ULL << 58, zones[6], z = 0;
    for (int owner = 0; owner < seats; owner++)
        for (int place = 0; place < 5; place++) {
            z = place & 1 && !exact ? z << 32 : NEXT;
            p->hands[owner][place] = TAKE(z >> 32);
        }
    for (int place = 0; place < 6; place++, bit >>= 1) {
        z = place & 1 && !exact ? z << 32 : NEXT;
        enter(p->sets, TAKE(z >> 32), bit);
    }
    do {
        TURN
        hand[place] = TAKE(z & 0xFFFFFFFF);
        ends = has_six_colours(p->sets, p->own[seat]) | (pile ? 0 : 2);
        seat = seat + 1 == seats ? 0 : seat + 1;
    } while (!ends);
    for (int left = seats; left; left--) {
        TURN
        hand[place] = hand[4];
        seat = seat + 1 == seats ? 0 : seat + 1;
    }
    for (int owner = 0; owner < seats; owner++, decisions++) {
        u64 number = NEXT;
        int one = number >> 62, other = exact ? (int)((NEXT >> 32) * 3 >> 32) : (int)((number & 0xFFFFFFFF) * 3 >> 32);
        other = (one + 1 + other) & 3;
        zones[owner] = zone_of(p->sets, p->own[owner]) + added[p->hands[owner][one]] + added[p->hands[owner][other]];
    }
    int best = 1 << 30;
    *winners = 0, *ending = ends;
    for (int owner = 0; owner < seats; owner++) {
        u64 needed = seats == 2 ? (zones[1 - owner] & COUNTS) + 2 * ONE : ONE;
        for (int other = 0; other < seats && seats > 2; other++)
            if (other != owner) needed = larger(needed, zones[other] & COUNTS);
        scores[owner] = points_in(zones[owner], needed);
        int all = 64 * scores[owner] + (int)(((zones[owner] & COUNTS) * ONE) >> 50 & 63);
        *winners = all < best ? 1 << owner : *winners | (all == best) << owner;
        best = all < best ? all : best;
    }
    return decisions;
}

#ifndef SEARCHING
#define SEATS(n) \
    case n: decisions = play(&p, n, each, random, scores, &first, &ending, &winners); break;

int main(int argc, char **argv) {
    int seats = argc > 1 ? atoi(argv[1]) : 2, each = argc > 4 && !strcmp(argv[4], "each");
    long plays = argc > 2 ? atol(argv[2]) : 1000000;
    u64 seed = argc > 3 ? strtoull(argv[3], 0, 10) : 1;
    static Play p;
    long all = 0, endings[4] = {0}, wins[64] = {0}, points = 0;
    struct timespec a, b;
    prepare();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    for (long i = 0; i < plays; i++) {
        int scores[6] = {0}, decisions = 0, first = 0, ending = 0, winners = 0;
        u64 random = mix(seed + mix(i + 1));
        switch (seats) { SEATS(2) SEATS(3) SEATS(4) SEATS(5) SEATS(6) }
        all += decisions, endings[ending]++, wins[winners]++, points += scores[0];
        if (each)
            printf("%d %d %d %d %d %d %d %d %d %d\n", winners, first, decisions, ending - 1, scores[0], scores[1],
                   scores[2], scores[3], scores[4], scores[5]);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    if (!each)
        printf("%.6f %ld %.3f %ld %ld %ld %ld\n", (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9, all,
               (double)points / plays, endings[1], endings[2], endings[3], wins[1]);
    return 0;
}
#endif
