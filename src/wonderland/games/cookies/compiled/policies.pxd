# C types of `policies.py`.
from wonderland.games.cookies.compiled.play cimport FastPlay

cdef enum:
    POINT = 64
    TURNED = 64
    STUCK = 64
    KEPT_JOKER = 48
    SPIN = 8
    STEP = 2

cdef int mean_cookie(FastPlay play) noexcept nogil
cdef int mean_spin(FastPlay play) noexcept nogil
cdef int value_of_journey(FastPlay play, int target, int steps) noexcept nogil
cdef int value_of_card(FastPlay play, int action) noexcept nogil
cdef int mean_climb(FastPlay play) noexcept nogil
cdef int white_rabbit(FastPlay play) noexcept nogil
cdef int best_card(FastPlay play) noexcept nogil
cdef int play_on(FastPlay play, int policies) noexcept nogil
cdef int winners_of(FastPlay play) noexcept nogil
cdef int lead_of(FastPlay play, int seat) noexcept nogil
