# The types of `rabbit.py` for C.
from wonderland.games.cookies.compiled.play cimport Play

cdef enum:
    POINT = 64
    TURNED = 64
    STUCK = 64
    KEPT_JOKER = 48
    SPIN = 8
    STEP = 2

cdef int mean_cookie(Play play) noexcept nogil
cdef int mean_spin(Play play) noexcept nogil
cdef int worth_of_journey(Play play, int target, int steps) noexcept nogil
cdef int worth_of_card(Play play, int action) noexcept nogil
cdef int mean_climb(Play play) noexcept nogil
cdef int white_rabbit(Play play) noexcept nogil
cdef int best_card(Play play) noexcept nogil
cdef int play_on(Play play, int policies) noexcept nogil
cdef int winners_of(Play play) noexcept nogil
cdef int lead_of(Play play, int seat) noexcept nogil
