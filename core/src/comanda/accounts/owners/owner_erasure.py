"""Erasure of an owner: everything of theirs is deleted but the books that the law requires to be kept.

The row of the owner stays without a name, because those books refer to it, as does the entry of the erasure in the
audit log. Backups keep what they had.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Final

import structlog

from comanda.accounts.administration import OPERATOR, suspend_owner
from comanda.accounts.models import Owner
from comanda.accounts.services import find_owner
from comanda.basics.errors import Conflict
from comanda.contracts.erasure import ERASED
from comanda.platform import runtime
from comanda.platform.audit_log.entries import record_action
from comanda.platform.db import sql
from comanda.platform.plugin_calls import call_plugin

log = structlog.get_logger(__name__)

# Partitions and shards are deleted from through their tables.
SELECT_OWNED_TABLES: Final = """
    SELECT c.relname::text AS name FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'owner_id' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1
"""
SELECT_FOREIGN_KEYS: Final = """
    SELECT conrelid::regclass::text AS referring, confrelid::regclass::text AS referred FROM pg_constraint
    WHERE contype = 'f' AND conrelid <> confrelid
"""
ANONYMIZE_OWNER: Final = f"""
    UPDATE core_owner SET email = '{ERASED}-' || id, name = '{ERASED}', plan = NULL, password_hash = NULL,
        password_version = password_version + 1, suspend_reason = '{ERASED}'
    WHERE id = $1
"""


@dataclass(frozen=True, slots=True)
class OwnerErasurePlan:
    """What the erasure of an owner deletes and keeps, in rows by table without empty ones, and what prevents it."""

    owner_id: int
    email: str
    deleted: Mapping[str, int]
    kept: Mapping[str, int]
    obstacles: tuple[str, ...]


async def plan_owner_erasure(email: str) -> OwnerErasurePlan:
    """Return what the erasure of an owner would do. Raises ``NotFound``."""
    return await _plan(await find_owner(email))


async def erase_owner(email: str) -> OwnerErasurePlan:
    """Erase an owner with stores, orders, customers and staff, and return what was deleted and kept.

    The owner is suspended first, so that nothing new begins, and stays so. Raises ``NotFound``, and ``Conflict`` if
    orders, payments or subscriptions are open.
    """
    owner = await find_owner(email)
    _check_obstacles(await _plan(owner))
    await suspend_owner(owner.id, ERASED)
    async with sql.transaction():
        plan = await _plan(owner)
        _check_obstacles(plan)
        for eraser in runtime.registry().erasers:
            if eraser.erase_owner is not None:
                await call_plugin(eraser, "erase_owner", eraser.erase_owner, owner.id)
        kept = _list_kept_tables()
        for table in await _list_deletions():
            if table not in kept:
                await sql.execute(f'DELETE FROM "{table}" WHERE owner_id = $1', owner.id)
        await sql.execute(ANONYMIZE_OWNER, owner.id)
        await record_action(owner.id, "account/erase", actor_kind=OPERATOR, actor_id=0)
    log.info("owner_erased", owner_id=owner.id, rows=sum(plan.deleted.values()))
    return plan


def _check_obstacles(plan: OwnerErasurePlan) -> None:
    if plan.obstacles:
        raise Conflict(" ".join(plan.obstacles), extras={"reason": "in_use"})


async def _plan(owner: Owner) -> OwnerErasurePlan:
    rows = {
        row["name"]: await sql.fetch_value(f'SELECT count(*) FROM "{row["name"]}" WHERE owner_id = $1', owner.id)
        for row in await sql.fetch(SELECT_OWNED_TABLES)
    }
    filled = {table: number for table, number in rows.items() if number}
    kept = _list_kept_tables()
    return OwnerErasurePlan(
        owner.id,
        owner.email,
        deleted={table: number for table, number in filled.items() if table not in kept},
        kept={table: number for table, number in filled.items() if table in kept},
        obstacles=(*await _list_obstacles(owner), *_list_absent_plugins(filled)),
    )


def _list_kept_tables() -> set[str]:
    return {table for eraser in runtime.registry().erasers for table in eraser.kept_tables}


async def _list_deletions() -> list[str]:
    """List the tables to delete from, each after those that refer to it; these again, as triggers may fill them."""
    referring: dict[str, list[str]] = {row["name"]: [] for row in await sql.fetch(SELECT_OWNED_TABLES)}
    for row in await sql.fetch(SELECT_FOREIGN_KEYS):
        if row["referring"] in referring and row["referred"] in referring:
            referring[row["referred"]].append(row["referring"])
    return [each for table in TopologicalSorter(referring).static_order() for each in (*referring[table], table)]


async def _list_obstacles(owner: Owner) -> list[str]:
    found = (
        ["The owner is an administrator of the installation. `comanda owner revoke-admin` changes that."]
        if owner.is_administrator
        else []
    )
    for eraser in runtime.registry().erasers:
        if eraser.list_obstacles is not None:
            found += await call_plugin(eraser, "list_obstacles", eraser.list_obstacles, owner.id)
    return found


def _list_absent_plugins(tables: Collection[str]) -> list[str]:
    """List the tables of plugins that are not loaded: they could keep books, or files elsewhere."""
    apps = tuple(f"{models.app}_" for models in runtime.registry().models)
    return [
        f"The plugin of the table {table} is not installed. Install it, or delete its data with "
        "`comanda plugins remove`."
        for table in sorted(tables)
        if not table.startswith(apps)
    ]
