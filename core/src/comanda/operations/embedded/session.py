"""The embedded PostgreSQL for the time of one command."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from comanda.operations.embedded.server import EmbeddedPostgres
from comanda.operations.embedded.watch import kept_up

_running: Final[list[EmbeddedPostgres]] = []


@contextmanager
def run_embedded(folder: Path, start_seconds: float | None) -> Iterator[str]:
    """Run the server of a data folder while the block runs, start it again when it dies, and yield its URL."""
    postgres = EmbeddedPostgres(folder, start_seconds=start_seconds) if start_seconds else EmbeddedPostgres(folder)
    with postgres as server, kept_up(server):
        _running.append(server)
        try:
            yield server.url
        finally:
            _running.remove(server)


def stop_embedded() -> None:
    """Stop what ``run_embedded`` runs, for a process that ends without leaving its blocks."""
    for server in _running:
        server.stop()
