# C declarations for `zones.py`; the constants must match `layout.py`.
cdef enum:
    FIELD = 10
    NO_SLOT = 64
    NO_CARD = 66
    SETS = 20
    COLOURS = 8
    EIGHT = 14
    NINE = 15
    ODD = 16
    TWOS = 17
    ANY = 18

cdef extern from *:
    """
    #define PARADE_ONE_IN_EACH 0x0004010040100401ULL
    #define PARADE_COUNTS 0x003C0F03C0F03C0FULL
    #define PARADE_SUMS 0xfc3f0fc3f0fc3fULL
    #define PARADE_ABOVE 0x40100401004010ULL
    #define PARADE_MASK 0xFFFFFFFFFFFFFFFFULL
    """
    const unsigned long long ONE_IN_EACH "PARADE_ONE_IN_EACH"
    const unsigned long long COUNTS "PARADE_COUNTS"
    const unsigned long long SUMS "PARADE_SUMS"
    const unsigned long long ABOVE "PARADE_ABOVE"
    const unsigned long long MASK "PARADE_MASK"

cdef unsigned char VALUE[66]
cdef unsigned char COLOUR[66]
cdef unsigned char LOWER[66]
cdef unsigned long long MARKS[1320]
cdef unsigned long long ADDED[67]

cdef unsigned long long joined(
    unsigned long long zone, unsigned char* cards, unsigned long long slots
) noexcept nogil
cdef unsigned long long larger(unsigned long long one, unsigned long long other) noexcept nogil
cdef int points_in(unsigned long long zone, unsigned long long needed) noexcept nogil
cdef unsigned long long needed_by(unsigned long long* zones, int seats, int seat) noexcept nogil
cdef int best_two(
    unsigned long long zone, unsigned long long hand, unsigned long long needed
) noexcept nogil
cdef void score(unsigned long long* zones, int seats, int* points) noexcept nogil
cdef int lowest_scores(unsigned long long* zones, int seats, int* points) noexcept nogil
