# The functions of `rng.py`, for compiled kernels.
cdef extern from "wonderland/kernels/rng.h" nogil:
    const unsigned long long GAMMA "WONDERLAND_GAMMA"
    unsigned long long splitmix64 "wonderland_splitmix64" (unsigned long long state)
    unsigned long long advance "wonderland_advance" (unsigned long long state)
    unsigned long long start_stream "wonderland_start_stream" (unsigned long long seed, unsigned long long stream)
    int scale "wonderland_scale" (unsigned long long output, int limit)
