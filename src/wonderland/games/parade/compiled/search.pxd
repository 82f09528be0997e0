# C declarations for `search.py`.
import cython
from wonderland.games.parade.compiled.play cimport FastPlay

@cython.final
cdef class Search:
    cdef FastPlay root, world, work
    cdef int seat, pooled, candidates
    cdef long long worlds
    cdef unsigned long long random
    cdef unsigned char pool[66]
    cdef int places[15]
    cdef int others[15]
    cdef double wins[15]
    cdef int policies[6]

    cpdef void load(self, FastPlay table, int seat, unsigned long long random)
    cdef void _list_candidates(self) noexcept
    cdef void _run(self, int worlds, FastPlay root, FastPlay world, FastPlay work) noexcept nogil
    cdef void determinize(self, FastPlay root, FastPlay world) noexcept nogil
    cdef double _try(self, int which, FastPlay world, FastPlay play) noexcept nogil
