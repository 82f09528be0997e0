/* Flat search for Parade, hand-tuned C: the yardstick for the search in `playouts.py`.
 *
 *     cc -O3 -march=x86-64-v3 -o search benchmarks/parade_search.c && ./search SEATS PLAYS WORLDS GREEDY SEED
 *
 * Plays at random; before each turn it tries every card of the hand in many sampled states and plays on to
 * the end, either greedily or at random, and chooses the two cards to keep with care. Prints the seconds that
 * the searches took, their play-outs, and the mean share of wins, which tells that it is the same search.
 */
#define SEARCHING
#include "parade.c"

typedef struct {
    Play p;
    u64 present, random;
    int pile, slot, seat, ends, left;
} Table;

static inline u64 next(Table *t) { return mix(t->random += 0x9E3779B97F4A7C15ULL); }

static inline void lay(Table *t, int card) {
    u64 bit = 1ULL << t->slot--;
    enter(t->p.sets, card, bit);
    t->present |= bit;
}

static inline int cheapest(const Table *t) {
    const uint8_t *hand = t->p.hands[t->seat];
    int best = 0, least = 1 << 30;
    for (int place = 0; place < 5; place++) {
        u64 out = leaving(t->p.sets, t->present, hand[place]);
        if (!out) return place;
        int cost = __builtin_popcountll(out);
        for (int b = 0; b < 4; b++) cost += __builtin_popcountll(out & t->p.sets[VALUES + b]) << (5 + b);
        if (cost < least) least = cost, best = place;
    }
    return best;
}

static inline void turn(Table *t, const int seats, int place, u64 z) {
    uint8_t *hand = t->p.hands[t->seat];
    int card = hand[place];
    u64 out = leaving(t->p.sets, t->present, card);
    t->present &= ~out;
    t->p.own[t->seat] |= out;
    if (!t->ends) t->ends = has_six_colours(t->p.sets, t->p.own[t->seat]);
    lay(t, card);
    if (t->left < 0) {
        int at = (int)((z & 0xFFFFFFFF) * t->pile >> 32);
        hand[place] = t->p.deck[at];
        t->p.deck[at] = t->p.deck[--t->pile];
        if (!t->pile) t->ends |= 2;
        if (t->ends) t->left = seats;
    } else {
        hand[place] = hand[4];
        t->left--;
    }
    t->seat = t->seat + 1 == seats ? 0 : t->seat + 1;
}

static inline u64 needed_by(const u64 *zones, const int seats, int seat) {
    if (seats == 2) return (zones[1 - seat] & COUNTS) + 2 * ONE;
    u64 most = ONE;
    for (int other = 0; other < seats; other++)
        if (other != seat) most = larger(most, zones[other] & COUNTS);
    return most;
}

static inline int finish(Table *t, const int seats) {
    u64 zones[6], kept[6];
    for (int seat = 0; seat < seats; seat++) zones[seat] = zone_of(t->p.sets, t->p.own[seat]);
    for (int seat = 0; seat < seats; seat++) {
        u64 needed = needed_by(zones, seats, seat);
        const uint8_t *hand = t->p.hands[seat];
        int least = 1 << 30;
        for (int one = 0; one < 3; one++)
            for (int other = one + 1; other < 4; other++) {
                u64 two = added[hand[one]] + added[hand[other]];
                int cost = points_in(zones[seat] + two, needed);
                if (cost < least) least = cost, kept[seat] = two;
            }
    }
    for (int seat = 0; seat < seats; seat++) zones[seat] += kept[seat];
    int best = 1 << 30, winners = 0;
    for (int seat = 0; seat < seats; seat++) {
        u64 zone = zones[seat];
        int all = 64 * points_in(zone, needed_by(zones, seats, seat)) + (int)((zone & COUNTS) * ONE >> 50 & 63);
        if (all < best) best = all, winners = 0;
        if (all == best) winners |= 1 << seat;
    }
    return winners;
}

static inline __attribute__((always_inline)) double search(
    const Table *root, Table *world, Table *t, const int seats, const int greedy, int worlds, u64 seed) {
    uint8_t pool[66];
    int pooled = root->pile;
    memcpy(pool, root->p.deck, pooled);
    for (int other = 0; other < seats; other++)
        if (other != root->seat) {
            int held = root->left < 0 || (root->seat - other + seats) % seats > seats - root->left ? 5 : 4;
            memcpy(pool + pooled, root->p.hands[other], held);
            pooled += held;
        }
    double share = 0;
    for (int number = 0; number < worlds; number++) {
        int left = pooled;
        *world = *root;
        world->random = mix(seed + mix(number + 1));
        memcpy(world->p.deck, pool, pooled);
        for (int other = 0; other < seats; other++) {
            int held = root->left < 0 || (root->seat - other + seats) % seats > seats - root->left ? 5 : 4;
            for (int place = 0; other != root->seat && place < held; place++) {
                int at = (int)((next(world) >> 32) * left >> 32);
                world->p.hands[other][place] = world->p.deck[at];
                world->p.deck[at] = world->p.deck[--left];
            }
        }
        for (int tried = 0; tried < 5; tried++) {
            *t = *world;
            turn(t, seats, tried, next(t));
            while (t->left) {
                u64 z = next(t);
                turn(t, seats, greedy ? cheapest(t) : (int)((z >> 32) * 5 >> 32), z);
            }
            int winners = finish(t, seats);
            if (winners >> root->seat & 1) share += 1.0 / __builtin_popcount(winners);
        }
    }
    return share;
}

static void deal(Table *t, int seats) {
    u64 random = t->random;
    memset(t, 0, sizeof *t);
    t->random = random, t->pile = 66, t->slot = 63, t->left = -1;
    memcpy(t->p.deck, deck_of_all, 72);
    t->p.sets[ANY] = ~0ULL;
    t->seat = (int)((next(t) >> 32) * seats >> 32);
    for (int number = 0; number < 5 * seats + 6; number++) {
        int at = (int)((next(t) >> 32) * t->pile >> 32), card = t->p.deck[at];
        t->p.deck[at] = t->p.deck[--t->pile];
        if (number < 5 * seats) t->p.hands[number / 5][number % 5] = card;
        else lay(t, card);
    }
}

#define SEARCH(n) case n: share += greedy ? search(&root, &world, &work, n, 1, worlds, next(&root)) \
                                          : search(&root, &world, &work, n, 0, worlds, next(&root)); break;

int main(int argc, char **argv) {
    if (argc < 6) return fprintf(stderr, "Five numbers, please: SEATS PLAYS WORLDS GREEDY SEED.\n"), 2;
    int seats = atoi(argv[1]), plays = atoi(argv[2]), worlds = atoi(argv[3]), greedy = atoi(argv[4]);
    static Table root, world, work;
    double seconds = 0, share = 0;
    long playouts = 0;
    struct timespec a, b;
    prepare();
    for (int number = 0; number < plays; number++) {
        root.random = mix(strtoull(argv[5], 0, 10) + mix(number + 1));
        for (deal(&root, seats); root.left;) {
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
            switch (seats) { SEARCH(2) SEARCH(3) SEARCH(4) SEARCH(5) SEARCH(6) }
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
            seconds += (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9;
            playouts += 5L * worlds;
            u64 z = next(&root);
            turn(&root, seats, (int)((z >> 32) * 5 >> 32), z);
        }
    }
    printf("%.6f %ld %.4f\n", seconds, playouts, share / playouts);
    return 0;
}
