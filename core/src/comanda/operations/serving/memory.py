"""Memory of processes that run for months: what is not looked through for garbage, and what is given back.

Source of the allocator's parameters: mallopt(3) of the GNU C library.
"""

import ctypes
import gc
from typing import Final

# Allocations before the garbage collector examines the youngest generation; the default of Python is 700.
GARBAGE_THRESHOLD: Final = 20_000

M_TRIM_THRESHOLD: Final = -1
M_MMAP_THRESHOLD: Final = -3
M_ARENA_MAX: Final = -8
# Blocks from this size on have pages of their own, which the system gets back as soon as they are freed.
MIN_MAPPED_BYTES: Final = 1 << 20
# Of the smaller ones, freed memory at the end of the heap is kept for the next requests up to this size.
MAX_KEPT_BYTES: Final = 16 << 20
MAX_ARENAS: Final = 2


def tune_garbage_collector() -> None:
    """Exclude permanent objects, such as modules, routes and schemas, from garbage collection.

    Requests leave hardly any cycles, yet at the default threshold the collector takes 6 % of the time of an order.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD)


def limit_free_memory() -> None:
    """Limit the freed memory that the C library keeps; other libraries than GNU's have no such parameters.

    By default it learns from the first big block that is freed, such as the 19 MiB of a password's hash, to keep such
    blocks, in an arena of each thread: 20 to 40 MiB that a thread holds until the process ends.
    """
    set_parameter = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_parameter is not None:
        set_parameter(M_MMAP_THRESHOLD, MIN_MAPPED_BYTES)
        set_parameter(M_TRIM_THRESHOLD, MAX_KEPT_BYTES)
        set_parameter(M_ARENA_MAX, MAX_ARENAS)
