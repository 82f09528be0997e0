# C declarations for `position.py`; the constants must match `layout.py`.
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
    HAND_SIZE = 5

cdef extern from *:
    """
    #define PARADE_HAND 0xFFFFFFFFFFULL
    #define PARADE_HALF 0xFFFFFFFFULL
    """
    const unsigned long long HAND "PARADE_HAND"
    const unsigned long long HALF "PARADE_HALF"

cdef class PlayState:  # only numbers and arrays of numbers, so that `fields.h` can copy it as raw memory
    cdef unsigned long long sets[20]
    cdef unsigned long long present
    cdef unsigned long long zones[6]
    cdef unsigned long long taken[6]
    cdef unsigned long long kept[6]
    cdef int held[6]
    cdef int points[6]
    cdef unsigned char hands[48]
    cdef unsigned char deck[72]
    cdef unsigned char cards[72]
    cdef int pile, entered, stage, seat, begins, seats, turns_left, ends
    cdef unsigned long long random

cdef extern from "wonderland/kernels/fields.h" nogil:
    void copy_fields "wonderland_copy_fields" (PlayState target, PlayState source)
    unsigned char* fields "wonderland_fields" (PlayState state)
    int fields_size "wonderland_fields_size" (PlayState state)

cdef class Position(PlayState):
    @cython.final
    cdef void reseed(self, unsigned long long seed, unsigned long long stream) noexcept nogil
    @cython.final
    cdef inline unsigned long long _number(self) noexcept nogil
    @cython.final
    cdef inline int below(self, int limit) noexcept nogil
    @cython.final
    cdef void copy(self, Position other) noexcept nogil
    @cython.final
    cdef void restart(self, Position home, unsigned long long seed, unsigned long long stream) noexcept nogil
    @cython.final
    cdef inline unsigned long long hand(self, int seat) noexcept nogil
    @cython.final
    cdef inline void _fill_zones(self) noexcept nogil
    @cython.final
    cdef int _finish(self, int* policies) noexcept nogil
    @cython.final
    cdef inline void _keep_any(self, int seat) noexcept nogil
    @cython.final
    cdef void _keep(self, int seat, int one, int other) noexcept nogil
    @cython.final
    cdef void _reveal(self) noexcept nogil
    @cython.final
    cdef int who_won(self) noexcept nogil
