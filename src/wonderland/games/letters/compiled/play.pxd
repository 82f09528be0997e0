# C declarations and constants for `play.py`.
import cython

cdef enum:
    STARTING, CHOOSING, TURNING, ENDED

cdef enum:
    TURNED, CLAIMED_AFTER, CLAIMED_FIRST

cdef enum:
    DUCHESS_COUNTS = 1
    CLAIM_FIRST = 2
    OPEN_MEMORY = 4
    CARDS = 27

cdef extern from *:
    """
    #define LETTERS_ONE 1U
    #define LETTERS_WORD 31U
    #define LETTERS_DUCHESS (1U << 20)
    #define LETTERS_MENACES (127U << 20)
    """
    const unsigned int ONE "LETTERS_ONE"
    const unsigned int WORD "LETTERS_WORD"
    const unsigned int DUCHESS "LETTERS_DUCHESS"
    const unsigned int MENACES "LETTERS_MENACES"

cdef int PLAYABLE[32]

# Only numbers and arrays of numbers, so that `fields.h` can copy it as raw memory; two cache lines.
cdef class PlayState:
    cdef int colours[4]  # for each seat, the card number of the A of its colour
    cdef int rails[4]
    cdef unsigned long long random
    cdef unsigned int in_play  # all letters of the colours in play
    cdef unsigned int unseen, removed, up, down, never
    cdef int seat
    cdef unsigned char stage, seats, options, space, ended, began
    cdef unsigned char space_of[27]  # for cards that are face up or were turned down again
    cdef unsigned char lies[27]  # the card on each space

cdef extern from "wonderland/kernels/fields.h" nogil:
    void copy_fields "wonderland_copy_fields" (PlayState target, PlayState source)
    unsigned char* fields "wonderland_fields" (PlayState state)
    int fields_size "wonderland_fields_size" (PlayState state)

@cython.final
cdef class FastPlay(PlayState):
    # For playouts only, which refill them: not copied.
    cdef unsigned int pile[27]  # the cards never turned, one bit each; only the first `left` are valid
    cdef int left
    cdef unsigned char apart[128]  # padding against false sharing between threads

    cdef void copy(self, FastPlay other) noexcept nogil
    cdef void restart(self, FastPlay home, unsigned long long seed, unsigned long long stream) noexcept nogil
    cdef void reseed(self, unsigned long long seed, unsigned long long stream) noexcept nogil
    cdef int below(self, int limit) noexcept nogil
    cdef int one_of(self, unsigned int members) noexcept nogil
    cdef void settle(self) noexcept nogil
    cdef unsigned int face_down(self) noexcept nogil
    cdef unsigned int possible(self) noexcept nogil
    cdef void turn(self) noexcept nogil
    cdef void lay_open(self, int card) noexcept nogil
    cdef void turn_up(self, unsigned int card) noexcept nogil
    cdef bint is_complete(self) noexcept nogil
    cdef void shuffle(self) noexcept nogil
    cdef unsigned int draw(self, int number) noexcept nogil
    cdef unsigned int chosen_by_dodo(self) noexcept nogil
    cdef unsigned int chosen_by_elephant(self) noexcept nogil
    cdef int play_on(self, int policies) noexcept nogil
    cdef void settle_spaces(self, unsigned int turned) noexcept nogil
