"""How large a theme may be."""

from typing import Final

MOST_FILES: Final = 200
MOST_BYTES: Final = 1_000_000
# The largest themes have half as many; each costs some 50 microseconds.
MOST_TOKENS: Final = 60_000
LONGEST_SECONDS: Final = 10.0
