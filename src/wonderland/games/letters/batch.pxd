# The types of `batch.py` for C.
from wonderland.core.batch cimport Worker

cdef enum:
    CARDS = 27
    WORD = 31
    DUCHESS = 0x100000
    MENACES = 0x7F00000

cdef extern from *:
    """
    #define LETTERS_FULL 0xFFFFFFFFFFFFFFFFULL
    #define LETTERS_STEP 0x9E3779B97F4A7C15ULL
    #define LETTERS_FIRST_MIX 0xBF58476D1CE4E5B9ULL
    #define LETTERS_SECOND_MIX 0x94D049BB133111EBULL
    """
    const unsigned long long FULL "LETTERS_FULL"
    const unsigned long long STEP "LETTERS_STEP"
    const unsigned long long FIRST_MIX "LETTERS_FIRST_MIX"
    const unsigned long long SECOND_MIX "LETTERS_SECOND_MIX"

cdef unsigned long long mixed(unsigned long long number) noexcept nogil

cdef class Desk(Worker):
    cdef int span, seats, options
    cdef int colours[4]
    cdef unsigned int in_play
    # What is kept of each play, from here to the end
    cdef unsigned long long random
    cdef int seat, over, ending
    cdef int rails[4]
    cdef unsigned int unseen, removed, up, down, never
    cdef unsigned char space_of[27]
    cdef unsigned char lies[27]

    cdef int size(self) noexcept nogil
    cdef void fetch(self, unsigned char* row) noexcept nogil
    cdef void store(self, unsigned char* row) noexcept nogil
    cdef void begin(self, unsigned long long seed, unsigned long long stream) noexcept nogil
    cdef bint decide(self, int action) noexcept nogil
    cdef int on_turn(self) noexcept nogil
    cdef int winners(self) noexcept nogil
    cdef void observe(self, signed char* into) noexcept nogil
    cdef void allow(self, signed char* into) noexcept nogil
    cdef int below(self, int limit) noexcept nogil
    cdef int one_of(self, unsigned int members) noexcept nogil
    cdef unsigned int face_down(self) noexcept nogil
    cdef void turn_up(self, unsigned int card) noexcept nogil
    cdef bint play_exposed(self) noexcept nogil
    cdef void show_letters(self, signed char* into, int at, unsigned int cards, int colour) noexcept nogil
    cdef void show_menaces(self, signed char* into, int at) noexcept nogil
    cdef void show_removed(self, signed char* into, int at) noexcept nogil
