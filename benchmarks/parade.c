/* Random plays of Parade, hand-tuned C: the yardstick for the kernel in `kernels.py`.
 *
 *     cc -O3 -march=native -o parade benchmarks/parade.c && ./parade SEATS PLAYS SEED
 *
 * Prints seconds, decisions, and what tells that it is the same game: mean score, endings, wins by seat.
 * It knows nothing but this: no records, no states to look at, no options, no policies.
 */
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
enum { FIELD = 10 };
static const u64 ONE = 0x0004010040100401ULL, COUNTS = 0x003C0F03C0F03C0FULL;
static u64 added[67]; /* the last of them: no card */
static _Alignas(64) u64 marks[11][16];
static uint8_t deck_of_all[72], value_of[66], colour_of[66];

typedef struct {
    _Alignas(64) u64 at_most[16];
    u64 colours[8];
    u64 zones[8];
    uint8_t hands[6][8];
    uint8_t deck[72];
    uint8_t cards[72]; /* by slot; the slot behind the last has no card */
} Play;

static inline u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static void prepare(void) {
    for (int card = 0; card < 66; card++) {
        int value = card % 11, colour = card / 11;
        deck_of_all[card] = card, value_of[card] = value, colour_of[card] = colour;
        added[card] = (1ULL + 16 * value) << (FIELD * colour);
        for (int v = 0; v < 16; v++) marks[value][v] = v < 11 && value <= v ? ~0ULL : 0;
    }
}

static inline void enter(Play *p, int card, int slot) {
    u64 bit = 1ULL << slot;
    p->cards[slot] = card;
    p->colours[colour_of[card]] |= bit;
    const u64 *mark = marks[value_of[card]];
    for (int v = 0; v < 12; v++) p->at_most[v] |= bit & mark[v];
}

/* A zone with the cards of these slots: mostly up to three, or none, which takes no branch. */
static inline u64 join(const Play *p, u64 zone, u64 leaving) {
    for (int i = 0; i < 3; i++, leaving = _blsr_u64(leaving)) zone += added[p->cards[_tzcnt_u64(leaving)]];
    for (; leaving; leaving = _blsr_u64(leaving)) zone += added[p->cards[_tzcnt_u64(leaving)]];
    return zone;
}

static inline int worth(u64 zone, int colour, int needed) {
    int has = zone >> (FIELD * colour) & 15;
    return has >= needed ? has : (int)(zone >> (FIELD * colour + 4) & 63);
}

static inline __attribute__((always_inline)) int play(
    Play *p, const int seats, u64 *random, int *scores, int *ending, int *winners) {
#define NEXT (mix(*random += 0x9E3779B97F4A7C15ULL))
    memset(p, 0, offsetof(Play, deck));
    memcpy(p->deck, deck_of_all, 72);
    p->cards[64] = 66;
    int pile = 66, slot = 63, decisions = 0;
    int seat = (int)((NEXT >> 32) * seats >> 32);
    for (int owner = 0; owner < seats; owner++) {
        u64 z = 0;
        for (int place = 0; place < 5; place++) {
            z = place & 1 ? z << 32 : NEXT;
            int at = (int)((z >> 32) * pile >> 32);
            p->hands[owner][place] = p->deck[at];
            p->deck[at] = p->deck[--pile];
        }
    }
    for (int place = 0; place < 6; place++) {
        int at = (int)((NEXT >> 32) * pile >> 32);
        enter(p, p->deck[at], slot--);
        p->deck[at] = p->deck[--pile];
    }
    u64 present = ~0ULL << 58;
    int ends = 0, turns_left = -1;
    while (turns_left) {
        u64 z = NEXT;
        uint8_t *hand = p->hands[seat];
        int last_round = turns_left > 0;
        int place = (int)((z >> 32) * 5 >> 32);
        int card = hand[place], value = value_of[card];
        u64 leaving = present & ~_pdep_u64((1ULL << value) - 1, present);
        leaving &= p->colours[colour_of[card]] | p->at_most[value];
        present &= ~leaving;
        u64 zone = p->zones[seat] = join(p, p->zones[seat], leaving);
        ends |= !ends & ((((zone & COUNTS) + COUNTS) & (ONE << 4)) == ONE << 4);
        present |= 1ULL << slot;
        enter(p, card, slot--);
        decisions++;
        if (!last_round) {
            int at = (int)((z & 0xFFFFFFFF) * pile >> 32);
            hand[place] = p->deck[at];
            p->deck[at] = p->deck[--pile];
            if (!pile) ends |= 2;
            if (ends) turns_left = seats;
        } else {
            hand[place] = hand[4];
            turns_left--;
        }
        seat = seat + 1 == seats ? 0 : seat + 1;
    }
    for (int owner = 0; owner < seats; owner++, decisions++) {
        u64 z = NEXT;
        int one = z >> 62, other = (one + 1 + (int)((z & 0xFFFFFFFF) * 3 >> 32)) & 3;
        p->zones[owner] += added[p->hands[owner][one]] + added[p->hands[owner][other]];
        scores[owner] = 0;
    }
    for (int colour = 0; colour < 6; colour++) {
        int needed = 1;
        if (seats == 2) {
            int a = p->zones[0] >> (FIELD * colour) & 15, b = p->zones[1] >> (FIELD * colour) & 15;
            needed = (a < b ? a : b) + 2;
        } else
            for (int owner = 0; owner < seats; owner++) {
                int has = p->zones[owner] >> (FIELD * colour) & 15;
                needed = has > needed ? has : needed;
            }
        for (int owner = 0; owner < seats; owner++) scores[owner] += worth(p->zones[owner], colour, needed);
    }
    int best = 1 << 30;
    *winners = 0;
    for (int owner = 0; owner < seats; owner++) {
        int all = 64 * scores[owner] + (int)(((p->zones[owner] & COUNTS) * ONE) >> 50 & 63);
        if (all < best) best = all, *winners = 0;
        if (all == best) *winners |= 1 << owner;
    }
    *ending = ends;
    return decisions;
}

#ifndef SEARCHING
#define SEATS(n) case n: decisions += play(&p, n, &random, scores, &ending, &winners); break;

int main(int argc, char **argv) {
    int seats = argc > 1 ? atoi(argv[1]) : 2;
    long plays = argc > 2 ? atol(argv[2]) : 1000000;
    u64 seed = argc > 3 ? strtoull(argv[3], 0, 10) : 1, random;
    static Play p;
    long decisions = 0, endings[4] = {0}, wins[64] = {0}, points = 0;
    struct timespec a, b;
    prepare();
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long i = 0; i < plays; i++) {
        int scores[6], ending, winners;
        random = mix(seed + mix(i + 1));
        switch (seats) { SEATS(2) SEATS(3) SEATS(4) SEATS(5) SEATS(6) }
        endings[ending]++, wins[winners]++, points += scores[0];
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%.6f %ld %.3f %ld %ld %ld %ld\n", (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9, decisions,
           (double)points / plays, endings[1], endings[2], endings[3], wins[1]);
    return 0;
}
#endif
