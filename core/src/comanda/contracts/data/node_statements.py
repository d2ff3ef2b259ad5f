"""Statements that a cluster runs on the node that has their owner's rows."""

from dataclasses import dataclass


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
