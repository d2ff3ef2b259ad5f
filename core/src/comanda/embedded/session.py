"""The embedded PostgreSQL for the time of one command."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from comanda.embedded.server import EmbeddedPostgres
from comanda.embedded.watch import kept_up


@contextmanager
def run_embedded(folder: Path, start_seconds: float | None) -> Iterator[str]:
    """Run the server of a data folder while the block runs, start it again when it dies, and yield its URL."""
    postgres = EmbeddedPostgres(folder, start_seconds=start_seconds) if start_seconds else EmbeddedPostgres(folder)
    with postgres as server, kept_up(server):
        yield server.url
