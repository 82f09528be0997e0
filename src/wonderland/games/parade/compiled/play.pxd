# C declarations for `play.py`; the constants must match `layout.py`.
import cython

cdef enum:
    HEADER = 0
    UNSEEN = 1
    HANDS = 3
    KEPT = 9
    TAKEN = 15
    PRESENT = 21
    SLOTS = 22
    WORDS = 30
    STARTING = 0
    DEALING = 1
    FORMING = 2
    PLAYING = 3
    DRAWING = 4
    KEEPING = 5
    ENDED = 6
    SIXTH_COLOUR = 1
    EMPTY_PILE = 2
    CHOSEN = 0x10000
    PAIRS = 128
    RANDOM = 0
    GREEDY = 1
    CARELESS = 2
    DECENT = 3
    FIELD = 10
    AT_MOST = 4
    NO_SLOT = 64
    NO_CARD = 66

cdef extern from *:
    """
    #define PARADE_ONE_IN_EACH 0x0004010040100401ULL
    #define PARADE_COUNTS 0x003C0F03C0F03C0FULL
    #define PARADE_SUMS 0xfc3f0fc3f0fc3fULL
    #define PARADE_ABOVE 0x40100401004010ULL
    #define PARADE_HAND 0xFFFFFFFFFFULL
    #define PARADE_MASK 0xFFFFFFFFFFFFFFFFULL
    #define PARADE_HALF 0xFFFFFFFFULL
    """
    const unsigned long long ONE_IN_EACH "PARADE_ONE_IN_EACH"
    const unsigned long long COUNTS "PARADE_COUNTS"
    const unsigned long long SUMS "PARADE_SUMS"
    const unsigned long long ABOVE "PARADE_ABOVE"
    const unsigned long long HAND "PARADE_HAND"
    const unsigned long long MASK "PARADE_MASK"
    const unsigned long long HALF "PARADE_HALF"

cdef unsigned char VALUE[66]
cdef unsigned char COLOUR[66]
cdef unsigned long long ADDED[67]
cdef unsigned long long MARKS[176]

cdef unsigned long long larger(unsigned long long one, unsigned long long other) noexcept nogil
cdef int worth(unsigned long long zone, unsigned long long needed) noexcept nogil

cdef class PlayState:  # only numbers and arrays of numbers, so that `fields.h` can copy it as raw memory
    cdef unsigned long long present
    cdef unsigned long long sets[16]
    cdef unsigned long long colours[6]
    cdef unsigned long long zones[6]
    cdef unsigned long long hands[6]
    cdef unsigned long long taken[6]
    cdef unsigned long long kept[6]
    cdef int held[6]
    cdef int points[6]
    cdef unsigned char deck[72]
    cdef unsigned char cards[72]
    cdef int pile, entered, stage, seat, begins, seats, turns_left, ends
    cdef unsigned long long random

cdef extern from "wonderland/kernels/fields.h" nogil:
    void copy_fields "wonderland_copy_fields" (PlayState target, PlayState source)
    unsigned char* fields "wonderland_fields" (PlayState state)
    int fields_size "wonderland_fields_size" (PlayState state)

cdef class FastPlay(PlayState):
    cdef unsigned char apart[128]  # padding against false sharing between threads

    @cython.final
    cdef void reseed(self, unsigned long long seed, unsigned long long stream) noexcept nogil
    @cython.final
    cdef inline unsigned long long _number(self) noexcept nogil
    @cython.final
    cdef inline int below(self, int limit) noexcept nogil
    @cython.final
    cdef void copy(self, FastPlay other) noexcept nogil
    @cython.final
    cdef void restart(self, FastPlay home, unsigned long long seed, unsigned long long stream) noexcept nogil
    @cython.final
    cdef inline unsigned long long leaving(self, int card) noexcept nogil
    @cython.final
    cdef inline void _enter(self, int card) noexcept nogil
    @cython.final
    cdef inline void _play(self, int place, unsigned long long leaving) noexcept nogil
    @cython.final
    cdef inline unsigned long long joined(
        self, unsigned long long zone, unsigned long long leaving
    ) noexcept nogil
    @cython.final
    cdef inline void _drop(self, int place) noexcept nogil
    @cython.final
    cdef inline void _pass_on(self) noexcept nogil
    @cython.final
    cdef inline void _draw(self, int place, int at) noexcept nogil
    @cython.final
    cdef inline unsigned long long _needed(self, int seat) noexcept nogil
    @cython.final
    cdef void _count(self) noexcept nogil
    @cython.final
    cdef int who_won(self) noexcept nogil
    @cython.final
    cdef void _keep(self, int seat, int one, int other) noexcept nogil
    @cython.final
    cdef inline int cost(self, unsigned long long leaving) noexcept nogil
    @cython.final
    cdef inline int _fewest_points(self) noexcept nogil
    @cython.final
    cdef inline int _cheaper(self, unsigned long long chosen) noexcept nogil
    @cython.final
    cdef int _last_card(self) noexcept nogil
    @cython.final
    cdef inline int _best_two(
        self, unsigned long long zone, unsigned long long hand, unsigned long long needed
    ) noexcept nogil
    @cython.final
    cdef int run(self, int* policies) noexcept nogil
    @cython.final
    cdef int _finish(self, int* policies) noexcept nogil
    @cython.final
    cdef void _keep_any(self, int seat) noexcept nogil
    @cython.final
    cdef void _decide(self, int at) noexcept nogil
    @cython.final
    cdef void _fill_zones(self) noexcept
    @cython.final
    cdef void take_turn(self, int place) noexcept nogil
