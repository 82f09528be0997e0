"""Many play-outs of one position: the loop that the kernels of all games share, compiled to C.

A game's `kernel.py` has a subclass that plays one of them, and writes its row.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.kernels.kernel import ROW
else:
    from wonderland.kernels.kernel import ROW

COMPILED = cython.compiled


class Simulation:
    """A position, and the policies by which the seats play on from it."""

    def play_out(
        self, seed: cython.ulonglong, stream: cython.ulonglong, row: cython.p_int
    ) -> cython.void:
        """Play once from the position to the end, with these random numbers, and fill the row."""

    def restore(self) -> cython.void:
        """Go back to the position."""

    def run(self, rows: cython.int[::1], seed: int, first: int, count: cython.long) -> None:
        """Play `count` games to the end, as `KernelState.simulate` in `kernels.kernel` specifies."""
        at: cython.long
        key: cython.ulonglong = seed & 0xFFFFFFFFFFFFFFFF
        stream: cython.ulonglong = first & 0xFFFFFFFFFFFFFFFF
        if len(rows) < ROW * count:
            raise ValueError(f"{count} plays need {ROW * count} numbers, and there are {len(rows)}")
        with cython.nogil:
            for at in range(count):
                if cython.compiled:
                    self.play_out(key, stream + at, cython.address(rows[ROW * at]))
                else:
                    self.play_out(key, stream + at, memoryview(rows)[ROW * at : ROW * (at + 1)])
            self.restore()
