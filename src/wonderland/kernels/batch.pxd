# C declarations for `batch.py`.
cdef class GameWorker:
    cdef unsigned char* fields
    cdef int size

    cdef void begin(self, unsigned long long seed, unsigned long long stream) noexcept nogil
    cdef bint decide(self, int action) noexcept nogil
    cdef int on_turn(self) noexcept nogil
    cdef int winners(self) noexcept nogil
    cdef void observe(self, signed char* into) noexcept nogil
    cdef void allow(self, signed char* into) noexcept nogil

cdef class Batch:
    cdef object kind, start
    cdef list spare
    cdef readonly int plays, seats, actions, features
    cdef bint attached, is_seen, is_masked
    cdef long long stride
    cdef unsigned long long seed
    cdef unsigned char[::1] rows
    cdef unsigned long long[::1] numbers
    cdef int[::1] chosen
    cdef signed char[::1] turns
    cdef float[::1] rewards
    cdef unsigned char[::1] done
    cdef unsigned char[::1] wrong
    cdef signed char[::1] observations
    cdef signed char[::1] masks

    cdef void reward(self, GameWorker worker, int at) noexcept nogil
    cdef void show(self, GameWorker worker, int at) noexcept nogil
