"""Upkeep of databases that are distributed over nodes, or whose log tables have partitions."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import asyncpg

from comanda.contracts.data.model_sets import ModelSet


@dataclass(frozen=True, slots=True)
class DatabaseUpkeep:
    """What a plugin does for such databases beside core; it does nothing to any other database.

    ``after_migrations`` takes the address of the database and the model sets of all plugins, and puts new tables where
    they belong; it may run in several processes at once. ``check`` takes a connection and the model sets, and returns
    for ``comanda doctor`` what it found, each with advice if that is a problem. Core refuses to start on a distributed
    or partitioned database if no plugin declares this.
    """

    name: str
    after_migrations: Callable[[str, Sequence[ModelSet]], Awaitable[object]]
    check: Callable[
        ["asyncpg.Connection[asyncpg.Record]", Sequence[ModelSet]], Awaitable[Sequence[tuple[str, str | None]]]
    ]
