# C declarations for `simulation.py`.
cdef class PlayoutLoop:
    cdef void play_out(self, unsigned long long seed, unsigned long long stream, int* row) noexcept nogil
    cdef void restore(self) noexcept nogil
