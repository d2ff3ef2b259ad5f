"""An installation of many owners, each with one store: copies of a store with a short menu."""

from collections.abc import Mapping

import asyncpg
from comanda.accounts.tokens import generate_token, hash_token

from benchmarks.world import Shop, World

SEED_SECONDS = 300
# The tables of a store, and which column refers to which of them.
TABLES: Mapping[str, Mapping[str, str]] = {
    "core_owner": {},
    "core_store": {"owner_id": "core_owner"},
    "core_menu_category": {"owner_id": "core_owner", "store_id": "core_store"},
    "core_menu_item": {"owner_id": "core_owner", "store_id": "core_store", "category_id": "core_menu_category"},
    "core_variant": {"owner_id": "core_owner", "store_id": "core_store", "item_id": "core_menu_item"},
    "core_extra_group": {"owner_id": "core_owner", "store_id": "core_store", "item_id": "core_menu_item"},
    "core_extra": {"owner_id": "core_owner", "store_id": "core_store", "group_id": "core_extra_group"},
}
# Values of which there is one in an installation.
OWN_VALUES = {"email": "'owner' || n || '@example.com'", "slug": "'store-' || n"}
COPY = """
    INSERT INTO {table} (id, {columns})
    SELECT t.id + n * {step}, {values} FROM {table} t, generate_series(1, {stores}) AS n WHERE {found}
"""
SEED_TOKEN = """
    INSERT INTO core_access_token (owner_id, kind, token_hash, name, scopes, created_at)
    SELECT o.id, 'owner', o.hash, 'bench', '{*}', now() FROM unnest($1::bigint[], $2::bytea[]) AS o (id, hash)
"""


async def copy_store(url: str, world: World, shop: Shop, stores: int, prefix: str) -> list[World]:
    """Copy a store so many times, each with an owner and a token of its own, in seconds; return each as a world.

    ``prefix`` is that of owners' tokens.
    """
    connection = await asyncpg.connect(url)
    try:
        # Ids of copies are so many more than those of the originals that no two are the same.
        steps = {table: await connection.fetchval(f"SELECT max(id) FROM {table}") for table in TABLES}
        async with connection.transaction():
            await connection.execute("SET LOCAL session_replication_role = replica")
            for table, references in TABLES.items():
                await _copy(connection, table, references, steps, world, shop, stores)
        tokens = {
            world.owner_id + number * steps["core_owner"]: generate_token(prefix) for number in range(1, stores + 1)
        }
        await connection.execute(SEED_TOKEN, list(tokens), [hash_token(token) for token in tokens.values()])
        await connection.execute("DELETE FROM core_outbox")
    finally:
        await connection.close()
    await _vacuum(url)
    return [
        World(token, owner_id, [_to_copy(shop, number, steps)])
        for number, (owner_id, token) in enumerate(tokens.items(), 1)
    ]


async def _copy(
    connection: asyncpg.Connection,
    table: str,
    references: Mapping[str, str],
    steps: Mapping[str, int],
    world: World,
    shop: Shop,
    stores: int,
) -> None:
    rows = await connection.fetch(
        """SELECT column_name AS name FROM information_schema.columns
           WHERE table_name = $1 AND is_generated = 'NEVER' AND column_name <> 'id'""",
        table,
    )
    values = {row["name"]: OWN_VALUES.get(row["name"], f't."{row["name"]}"') for row in rows}
    values |= {column: f"t.{column} + n * {steps[referred]}" for column, referred in references.items()}
    found = {"core_owner": f"t.id = {world.owner_id}", "core_store": f"t.id = {shop.id}"}
    columns = ", ".join(f'"{name}"' for name in values)
    await connection.execute(
        COPY.format(
            table=table,
            columns=columns,
            step=steps[table],
            values=", ".join(values.values()),
            stores=stores,
            found=found.get(table, f"t.store_id = {shop.id}"),
        ),
        timeout=SEED_SECONDS,
    )
    await connection.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")


async def _vacuum(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute("VACUUM (ANALYZE)", timeout=SEED_SECONDS)
    finally:
        await connection.close()


def _to_copy(shop: Shop, number: int, steps: Mapping[str, int]) -> Shop:
    """Return what an order names in a copy."""
    tables = {"item_id": "core_menu_item", "variation": "core_variant"}
    lines = []
    for line in shop.lines:
        copied = {
            name: value + number * steps[tables[name]] if name in tables else value for name, value in line.items()
        }
        if "extras" in line:
            copied["extras"] = [extra + number * steps["core_extra"] for extra in line["extras"]]
        lines.append(copied)
    return Shop(shop.id + number * steps["core_store"], lines)
