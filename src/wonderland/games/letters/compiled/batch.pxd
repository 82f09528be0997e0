# C declarations for `batch.py`.
from wonderland.kernels.batch cimport GameWorker
from wonderland.games.letters.compiled.play cimport FastPlay

cdef class LettersWorker(GameWorker):
    cdef FastPlay home, play

    cdef void begin(self, unsigned long long seed, unsigned long long stream) noexcept nogil
    cdef bint decide(self, int action) noexcept nogil
    cdef int on_turn(self) noexcept nogil
    cdef int winners(self) noexcept nogil
    cdef void observe(self, signed char* into) noexcept nogil
    cdef void allow(self, signed char* into) noexcept nogil
    cdef void show_letters(self, signed char* into, int at, unsigned int cards, int colour) noexcept nogil
    cdef void show_menaces(self, signed char* into, int at) noexcept nogil
    cdef void show_removed(self, signed char* into, int at) noexcept nogil
