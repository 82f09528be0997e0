# The types of `tree.py` for C.
import cython
from wonderland.games.parade.play cimport Play
from wonderland.games.parade.search cimport Search

@cython.final
cdef class Tree:
    cdef Search search
    cdef unsigned long long keys[262144]
    cdef int visits[262144]
    cdef int open[262144]
    cdef float gains[262144]
    cdef int path[64]
    cdef int movers[64]
    cdef double shares[6]
    cdef int length, chosen, used, depth
    cdef double boldness

    cpdef void load(self, Play table, int seat, unsigned long long random)
    cdef void _grow(self, int iterations, Search search, Play root, Play world) noexcept nogil
    cdef void _descend(self, Play play) noexcept nogil
    cdef int _select(self, int node, Play play) noexcept nogil
    cdef int _find(self, int node, int card) noexcept nogil
    cdef void _learn(self, Play play) noexcept nogil
