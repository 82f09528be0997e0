# The types of `search.py` for C.
import cython
from wonderland.games.parade.compiled.play cimport Play

@cython.final
cdef class Search:
    cdef Play root, world, work
    cdef int seat, pooled, candidates
    cdef long long worlds
    cdef unsigned long long random
    cdef unsigned char pool[66]
    cdef int places[15]
    cdef int others[15]
    cdef double wins[15]
    cdef int policies[6]

    cpdef void load(self, Play table, int seat, unsigned long long random)
    cdef void _list_candidates(self) noexcept
    cdef void _run(self, int worlds, Play root, Play world, Play work) noexcept nogil
    cdef void imagine(self, Play root, Play world) noexcept nogil
    cdef double _try(self, int which, Play world, Play play) noexcept nogil
