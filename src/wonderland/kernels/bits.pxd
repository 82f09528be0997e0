# The functions of `bits.py`, for compiled kernels.
cdef extern from "wonderland/kernels/bits.h" nogil:
    unsigned long long lowest "wonderland_lowest" (unsigned long long members, int how_many)
    int count "wonderland_count" (unsigned long long members)
    int first "wonderland_first" (unsigned long long members)
