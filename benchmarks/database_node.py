"""A PostgreSQL of its own on the machine on which this program runs, until it is stopped.

Called with a data folder whose server already listens on TCP; asked for anything, it answers once the server runs.
"""

import sys
from pathlib import Path
from typing import Any

from comanda.operations.embedded.server import EmbeddedPostgres

from benchmarks import lines


async def answer(_question: dict[str, Any]) -> dict[str, Any]:
    """Answer that the server runs."""
    return {}


if __name__ == "__main__":
    with EmbeddedPostgres(Path(sys.argv[1])):
        lines.answer(answer)
