# C declarations for `tree.py`.
import cython
from wonderland.games.parade.compiled.play cimport FastPlay
from wonderland.games.parade.compiled.search cimport Search

cdef enum:
    SIZE = 524288
    CAPACITY = 400000
    ROOT = 524288

@cython.final
cdef class Tree:
    cdef Search search
    cdef unsigned long long keys[524288]
    cdef int visits[524288]
    cdef int open[524288]
    cdef float gains[524288]
    cdef int path[64]
    cdef int movers[64]
    cdef unsigned long long stamp
    cdef int steps, chosen, used, caution, evenly
    cdef double boldness

    cpdef void load(self, FastPlay table, int seat, unsigned long long random)
    cdef void _grow(self, int turns, Search search, FastPlay root, FastPlay world) noexcept nogil
    cdef void _descend(self, FastPlay play) noexcept nogil
    cdef int _select(self, int node, FastPlay play) noexcept nogil
    cdef void _add(self, int slot, int node, int card) noexcept nogil
    cdef inline unsigned long long _key(self, int node, int card) noexcept nogil
    cdef inline int _find(self, int node, int card) noexcept nogil
    cdef void _learn(self, FastPlay play) noexcept nogil
