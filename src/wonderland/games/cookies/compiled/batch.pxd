# C types of `batch.py`.
from wonderland.kernels.batch cimport GameWorker
from wonderland.games.cookies.compiled.play cimport FastPlay

cdef enum:
    IN_WORDS = 20
    WALKING = 24
    ALL = 34

cdef class CookiesWorker(GameWorker):
    cdef FastPlay home, play

    cdef void begin(self, unsigned long long seed, unsigned long long stream) noexcept nogil
    cdef bint decide(self, int action) noexcept nogil
    cdef int on_turn(self) noexcept nogil
    cdef int winners(self) noexcept nogil
    cdef void observe(self, signed char* into) noexcept nogil
    cdef void allow(self, signed char* into) noexcept nogil
    cdef int meant_by(self, int action) noexcept nogil
    cdef void show_hands(self, signed char* into, int shown) noexcept nogil
    cdef void show_seats(self, signed char* into, int at) noexcept nogil
