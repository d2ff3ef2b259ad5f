"""How large a theme may be."""

from typing import Final

MAX_FILES: Final = 200
MAX_BYTES: Final = 1_000_000
# The largest themes have half as many; each costs some 50 microseconds.
MAX_TOKENS: Final = 60_000
MAX_CHECK_SECONDS: Final = 10.0
# Of the process that checks. The check itself stops after LONGEST_SECONDS with what it has found until then; these end
# one that cannot stop. The memory is address space, of which Python and its libraries take some 200 MB.
MAX_WALL_SECONDS: Final = 20.0
MAX_CPU_SECONDS: Final = 15
MAX_MEMORY_BYTES: Final = 1024 * 1024 * 1024
