"""Records the SQL statements that the code under test runs, and whose code runs each."""

import sys
from dataclasses import dataclass
from pathlib import Path

from comanda.platform.db.connections.pooled import PooledConnection

METHODS = ("execute", "executemany", "fetch", "fetchrow", "fetchval", "prepare", "cursor")
# Frames between a statement and the code that wants it run.
BETWEEN = ("comanda.platform.db.connections.pooler", "comanda.platform.db.replica.reads", "comanda.platform.db.sql")
# Statements of tests and of their fixtures are their own business.
TESTS = str(Path(__file__).parents[1])
FIXTURES = "comanda.devkit.testing"


@dataclass(frozen=True, slots=True)
class RecordedStatement:
    """A statement and the ``module`` whose code ran it."""

    text: str
    module: str


class StatementRecorder:
    """The statements that ran on the pool's connections since the last call of ``take``, each once per process."""

    def __init__(self) -> None:
        self._known: set[RecordedStatement] = set()
        self._new: list[RecordedStatement] = []
        # How to reach the database of the latest of them.
        self.database: dict[str, object] = {}

    def record(self, text: str, frame: object, connection: PooledConnection) -> None:
        """Record a statement that runs in a frame, unless a test runs it."""
        module = _find_module(frame)
        if module is not None and (made := RecordedStatement(text, module)) not in self._known:
            self._known.add(made)
            self._new.append(made)
            self.database = _to_arguments(connection)

    def take(self) -> list[RecordedStatement]:
        """Return what is new."""
        taken, self._new = self._new, []
        return taken


recorder = StatementRecorder()


def record_statements() -> None:
    """Record every statement on the connections of the pool, for as long as the process runs."""
    for name in METHODS:
        setattr(PooledConnection, name, _recording(getattr(PooledConnection, name)))


def _recording(method):
    def call(self, query, *values, **options):
        recorder.record(query, sys._getframe(1), self)
        return method(self, query, *values, **options)

    return call


def _to_arguments(connection):
    address, parameters = connection._addr, connection._params
    # The address of a socket is its path, in a folder that asyncpg takes as the host.
    host, port = address if isinstance(address, tuple) else (str(Path(address).parent), address.rpartition(".")[2])
    names = ("user", "password", "database")
    return {"host": host, "port": int(port), **{name: getattr(parameters, name) for name in names}}


def _find_module(frame) -> str | None:
    """Return the module that wants a statement run: the first of core or of a plugin; None for a test's."""
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("comanda") and name not in BETWEEN:
            return None if name.startswith(FIXTURES) else name
        if frame.f_code.co_filename.startswith(TESTS) and name != __name__:
            return None
        frame = frame.f_back
    return None
