# The functions of `bits.py`, for compiled kernels.
cdef extern from "wonderland/kernels/bits.h" nogil:
    unsigned long long lowest "wonderland_lowest" (unsigned long long members, int how_many)
    int count "wonderland_count" (unsigned long long members)
    int first "wonderland_first" (unsigned long long members)
    int meets_each "wonderland_meets_each" (
        const unsigned long long* sets, int start, int stop, unsigned long long members
    )
    void join_marked "wonderland_join_marked" (
        unsigned long long* sets, const unsigned long long* marks, int start,
        unsigned long long members, int how_many
    )
