# C declarations for `batch.py`.
from wonderland.kernels.batch cimport GameWorker
from wonderland.games.parade.compiled.play cimport FastPlay

cdef enum:
    CARDS = 66
    LARGEST = 127

cdef class ParadeWorker(GameWorker):
    cdef FastPlay home, play

    cdef void begin(self, unsigned long long seed, unsigned long long stream) noexcept nogil
    cdef bint decide(self, int action) noexcept nogil
    cdef int on_turn(self) noexcept nogil
    cdef int winners(self) noexcept nogil
    cdef void observe(self, signed char* into) noexcept nogil
    cdef void allow(self, signed char* into) noexcept nogil
    cdef int lowest_place(self) noexcept nogil
    cdef bint keep(self, int action) noexcept nogil
    cdef int card_at(self, int rank) noexcept nogil
    cdef void show_cards(self, signed char* into) noexcept nogil
    cdef int show_seats(self, signed char* into, int at) noexcept nogil
    cdef void show_choices(self, signed char* into, int at) noexcept nogil
