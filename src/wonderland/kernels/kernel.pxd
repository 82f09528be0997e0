# The constants of `kernel.py` in C.
cdef enum:
    CHANCE = -1
    OVER = -2

cdef enum:
    WINNERS, FIRST, DECISIONS, ENDING, SCORES
    ROW = 10
    SEATS = 6
