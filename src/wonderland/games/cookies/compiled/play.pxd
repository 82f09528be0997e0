# C types and constants of `play.py`.
import cython

cdef enum:
    STARTING, DEALING, TURNING_FIRST, PLAYING, CLIMBING, DECIDING
    SPINNING, TAKING, TAKING_DOWN, TURNING_UP, DRAWING, ENDED

cdef enum:
    TEA_PARTY, SMALL_COOKIES, CATERPILLAR, CHESHIRE_CAT, RABBIT_HOLE

cdef enum:
    NOBODY = 4
    JOKER = 6
    RIGHT = 10
    PLUS = 20
    WALK = 40
    UP = 60
    DOWN = 61
    ACCEPT = 62
    AGAIN = 63

cdef extern from *:
    """
    #define COOKIES_ONE 1ULL
    #define COOKIES_ONE_THING (1ULL << 32)
    """
    const unsigned long long ONE "COOKIES_ONE"
    const unsigned long long ONE_THING "COOKIES_ONE_THING"

cdef int cards_in(int hand) noexcept nogil
cdef int right_card(int hand) noexcept nogil
cdef int steps_of(int action) noexcept nogil

cdef class PlayState:  # numbers and arrays of numbers only, as `fields.h` requires
    cdef int stage, seat, first, spins, large, stuck, spinner, last, face_up, small_left
    cdef int cats_used, seats, size, hand_size, hands_open, kind_hole, spin_total
    cdef int pawns[4]
    cdef int hands[4]
    cdef unsigned long long random, stack, cats
    cdef unsigned long long taken[4]
    cdef unsigned long long piles[4]
    cdef unsigned long long cat_order[4]
    cdef unsigned long long board[6]

cdef extern from "wonderland/kernels/fields.h" nogil:
    void copy_fields "wonderland_copy_fields" (PlayState target, PlayState source)
    unsigned char* fields "wonderland_fields" (PlayState state)
    int fields_size "wonderland_fields_size" (PlayState state)

@cython.final
cdef class FastPlay(PlayState):
    cdef unsigned char apart[128]  # padding: threads must not share a cache line

    cdef void copy(self, FastPlay other) noexcept nogil
    cdef void restart(self, FastPlay home, unsigned long long seed, unsigned long long stream) noexcept nogil
    cdef void reseed(self, unsigned long long seed, unsigned long long stream) noexcept nogil
    cdef int below(self, int number) noexcept nogil
    cdef int pick(self, unsigned long long pile) noexcept nogil
    cdef int kind_at(self, int space) noexcept nogil
    cdef int number_at(self, int space) noexcept nogil
    cdef int free_from(self, int seat, int target) noexcept nogil
    cdef void take(self, int cookie) noexcept nogil
    cdef void travel(self, int target) noexcept nogil
    cdef void arrive(self) noexcept nogil
    cdef void move_on(self, int cat) noexcept nogil
    cdef void end_turn(self) noexcept nogil
    cdef void play_card(self, int action) noexcept nogil
    cdef int climbing_to(self) noexcept nogil
    cdef void answer(self, int action) noexcept nogil
    cdef void draw(self, int card) noexcept nogil
    cdef void turn_cookie(self, int cookie) noexcept nogil
    cdef void spin(self, int space) noexcept nogil
    cdef int chance_outcome(self) noexcept nogil
    cdef void apply(self, int action) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef bint is_asking(self) noexcept nogil
    cdef int more(self) noexcept nogil
    cdef int choices(self) noexcept nogil
    cdef int choice(self, int way) noexcept nogil
    cdef int any_choice(self) noexcept nogil
