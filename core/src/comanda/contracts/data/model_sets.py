"""The tables of a plugin, their migrations and encrypted columns, and statements that a cluster runs on one node."""

from dataclasses import dataclass

from comanda.contracts.data.log_tables import LogTable


@dataclass(frozen=True, slots=True)
class NodeStatement:
    """A statement about the rows of one owner, as a single server runs it, that Citus runs in slow steps by itself.

    On a cluster it becomes a function, which ``comanda.platform.db.cluster.node_functions`` creates and calls.
    ``tables`` are all that it names, distributed by owner or reference tables. ``parameters`` are their types; the
    first is the owner's id. ``columns`` are the names and types of what it returns. The ids of new rows must be
    parameters, since a node would draw them from a range of its own.
    """

    name: str
    text: str
    tables: tuple[str, ...]
    parameters: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class EncryptedColumn:
    """A text column whose values are encrypted at rest, bound to their row by its primary key of integers.

    Empty values and NULL are stored as they are.
    """

    table: str
    column: str
    row_key: tuple[str, ...] = ("owner_id", "id")

    def associated_data(self, row: tuple[int, ...]) -> bytes:
        """Return what binds a value to its place. Raises ``ValueError`` for a key of another length."""
        if len(row) != len(self.row_key):
            raise ValueError(f"{self.table} has the primary key {self.row_key}, not {row}")
        return f"{self.table}.{self.column}:{':'.join(map(str, row))}".encode()


@dataclass(frozen=True, slots=True)
class ModelSet:
    """One app's Tortoise models and the history that makes their tables.

    ``app`` is the plugin's name and the prefix of its tables, ``modules`` are dotted names of the modules that hold the
    models, ``migrations`` is the dotted name of the package whose files aerich numbers, such as
    ``comanda_florist.migrations``. ``encrypted`` are columns whose values ``comanda.platform.encryption`` encrypts,
    ``node_statements`` statements that a cluster runs as functions, ``logs`` tables that ``comanda partitions`` may
    divide.
    """

    app: str
    modules: tuple[str, ...]
    migrations: str
    encrypted: tuple[EncryptedColumn, ...] = ()
    node_statements: tuple[NodeStatement, ...] = ()
    logs: tuple[LogTable, ...] = ()
