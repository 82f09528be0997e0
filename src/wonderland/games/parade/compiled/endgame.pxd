# C declarations for `endgame.py`.
import cython
from wonderland.games.parade.compiled.play cimport FastPlay
from wonderland.games.parade.compiled.search cimport Search

cdef enum:
    SIDE = 64
    ALL = 262144
    PAIRS = 6

cdef extern from *:
    """
    #define PARADE_MOST (1LL << 40)
    """
    const long long MOST "PARADE_MOST"

cdef int tally(unsigned long long zone, unsigned long long other) noexcept nogil

@cython.final
cdef class Endgame:
    cdef Search search
    cdef FastPlay after
    cdef unsigned short costs[262144]
    cdef int times[262144]
    cdef unsigned long long zones[64]
    cdef int hand[8]
    cdef double wins[1920]
    cdef unsigned char pool[64]
    cdef int seat, held, pooled
    cdef bint plays

    cpdef void load(self, FastPlay table, int seat, unsigned long long random)
    cdef int _options(self, FastPlay root) noexcept nogil
    cdef void _solve_after(self, int option, FastPlay play) noexcept nogil
    cdef void _reckon(self, FastPlay play) noexcept nogil
    cdef unsigned long long _kept(self, int card, int one, int two) noexcept nogil
    cdef inline long long _entry(self, int card, int one, int two) noexcept nogil
    cdef void _go_through(self, int chosen, int start, long long cheapest) noexcept nogil
    cdef void _count_wins(self, int option, FastPlay play) noexcept nogil
    cdef void _add_wins(
        self, int option, int card, FastPlay play, unsigned long long theirs, int times
    ) noexcept nogil
