"""Repeated playouts of one position: the loop that all kernels share, compiled to C.

A subclass in a game's `kernel.py` implements a single playout.
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


class PlayoutLoop:
    """A position, and the policies of the seats."""

    def play_out(
        self, seed: cython.ulonglong, stream: cython.ulonglong, row: cython.p_int
    ) -> cython.void:
        """Play the position to the end once, with this random stream, and fill the row."""

    def restore(self) -> cython.void:
        """Reset the state to the position."""

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
