"""Limits of themes and of their checks."""

from typing import Final

MAX_FILES: Final = 200
MAX_BYTES: Final = 1_000_000
# Twice as many as the largest themes have; each takes about 50 microseconds.
MAX_TOKENS: Final = 60_000
MAX_CHECK_SECONDS: Final = 10.0
# Limits of the checking process. The check itself stops after MAX_CHECK_SECONDS with what it has found; these kill one
# that does not stop. The memory is address space, of which Python and its libraries take about 200 MB.
MAX_WALL_SECONDS: Final = 20.0
MAX_CPU_SECONDS: Final = 15
MAX_MEMORY_BYTES: Final = 1024 * 1024 * 1024
