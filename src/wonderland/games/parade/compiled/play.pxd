# C declarations for `play.py`.
import cython
from wonderland.games.parade.compiled.position cimport Position

cdef class FastPlay(Position):
    cdef unsigned char apart[128]  # padding against false sharing between threads

    @cython.final
    cdef inline unsigned long long leaving(self, unsigned long long present, int card) noexcept nogil
    @cython.final
    cdef inline void _enter(self, int card, int slot) noexcept nogil
    @cython.final
    cdef inline void _play(self, int place) noexcept nogil
    @cython.final
    cdef inline void _drop(self, int place) noexcept nogil
    @cython.final
    cdef inline void _pass_on(self) noexcept nogil
    @cython.final
    cdef inline void _draw(self, int place, int at) noexcept nogil
    @cython.final
    cdef inline int cost(self, unsigned long long leaving) noexcept nogil
    @cython.final
    cdef inline int _fewest_points(self, unsigned long long present, int seat) noexcept nogil
    @cython.final
    cdef inline int _cheaper(
        self, unsigned long long present, int seat, unsigned long long chosen
    ) noexcept nogil
    @cython.final
    cdef int _last_card(self, unsigned long long present, int seat) noexcept nogil
    @cython.final
    cdef inline int _choose(
        self, int policy, unsigned long long present, int seat, unsigned long long chosen
    ) noexcept nogil
    @cython.final
    cdef int run(self, int* policies) noexcept nogil
    @cython.final
    cdef int _play_until_last_round(self, int* policies) noexcept nogil
    @cython.final
    cdef int _play_last_round(self, int* policies) noexcept nogil
    @cython.final
    cdef void deal(self) noexcept nogil
    @cython.final
    cdef void _decide(self, int at) noexcept nogil
    @cython.final
    cdef void take_turn(self, int place) noexcept nogil
