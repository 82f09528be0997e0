# C declarations and constants for `tree.py`.
import cython

from wonderland.games.letters.compiled.play cimport FastPlay

cdef enum:
    SIZE = 524288
    CAPACITY = 400000
    NEW = 31  # the choice of a card never turned; any other choice is the number of a card
    MOST = 32

@cython.final
cdef class Tree:
    cdef FastPlay home, play
    cdef unsigned long long seed, tried
    cdef int used, steps, ways, chosen
    cdef double boldness
    cdef int caution
    cdef int root[MOST]
    cdef int won[MOST]
    cdef int options[MOST]
    cdef int slots[MOST]
    cdef int path[256]
    cdef int movers[256]
    cdef unsigned long long keys[SIZE]
    cdef int visits[SIZE]
    cdef int wins[SIZE]

    cdef int careful(self, FastPlay play) noexcept nogil
    cdef bint completes(self, FastPlay play, int seat, unsigned int up) noexcept nogil
    cdef void turn(self, FastPlay play, int choice) noexcept nogil
    cdef void play_through(self, FastPlay play) noexcept nogil
    cdef int list_choices(self, FastPlay play) noexcept nogil
    cdef int select(self, FastPlay play) noexcept nogil
    cdef unsigned long long key(self, FastPlay play) noexcept nogil
    cdef int find(self, unsigned long long key) noexcept nogil
    cdef void learn(self, FastPlay play) noexcept nogil
