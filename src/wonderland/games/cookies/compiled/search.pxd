# C types of `search.py`.
import cython
from wonderland.games.cookies.compiled.play cimport FastPlay

cdef enum:
    NODES = 65536
    WIN = 1000
    LEAD = 20
    CURIOSITY = 250000
    RABBITS = 15

@cython.final
cdef class Search:
    cdef FastPlay home, play
    cdef unsigned long long seed
    cdef int seat, ways, tried, nodes
    cdef int child[65536]
    cdef int sibling[65536]
    cdef int choice[65536]
    cdef int visits[65536]
    cdef long long total[65536]
    cdef int path[128]
    cdef double wins[32]

    cdef void _determinize(self, FastPlay play) noexcept nogil
    cdef void _play_through(self, FastPlay play, int root, int depth) noexcept nogil
    cdef int _next(self, FastPlay play, int node) noexcept nogil
    cdef int _key(self, FastPlay play, int way) noexcept nogil
    cdef int _find(self, FastPlay play, int node, int way) noexcept nogil
    cdef int _grow(self, FastPlay play, int node, int skipped) noexcept nogil
    cdef void _clear(self, int node) noexcept nogil
