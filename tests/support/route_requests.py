"""Requests to routes with ids filled in, and dumps of the rows of an owner."""

import re

from comanda.platform.db import sql

NOBODYS = 987_654_321_000


def called(route):
    return f"{route.method} {route.path}"


def filled(route, ids):
    numbers = iter(ids)
    return re.sub(r"\{\w+\}", lambda _: str(next(numbers)), route.full_path)


async def everything_of(owner, *, but=()):
    """Return all rows of an owner by table; ``but`` names tables to leave out."""
    tables, statement = await _everything()
    found = {name: [] for name in tables if name not in but}
    for row in await sql.fetch(statement, owner.id):
        if row["name"] in found:
            found[row["name"]].append(row["row"])
    return {name: sorted(rows) for name, rows in found.items()}


async def _everything():
    """Return the tables with owners and the statement that selects the rows of an owner from all of them."""
    if not _cached:
        tables = await sql.fetch(
            """SELECT c.table_name AS name FROM information_schema.columns c
               JOIN information_schema.tables t USING (table_schema, table_name)
               WHERE c.table_schema = 'public' AND c.column_name = 'owner_id' AND t.table_type = 'BASE TABLE'
               ORDER BY 1"""
        )
        keys = {"core_owner": "id"} | {table["name"]: "owner_id" for table in tables}
        parts = [f"SELECT '{name}' AS name,to_jsonb(t)::text AS row FROM {name} t WHERE {key}=$1"
                 for name, key in keys.items()]  # fmt: skip
        _cached.append((list(keys), " UNION ALL ".join(parts)))
    return _cached[0]


# Looked up once: no test of what routes change makes tables.
_cached: list[tuple[list[str], str]] = []


async def send(client, route, ids, headers, body):
    options = {} if body is None else {"json": body}
    response = await client.open(filled(route, ids), method=route.method, headers=headers, **options)
    return response.status_code, await response.get_json()


def list_mixtures(own_ids, ids):
    """List every mixture of own ids in front and foreign ones behind, and of foreign ones in front of own."""
    mixtures = {(*own_ids[:place], *ids[place:]) for place in range(len(ids))}
    mixtures |= {(*ids[:place], *own_ids[place:]) for place in range(1, len(ids))}
    # A name such as that of a language is nobody's: where both owners' are the same, nothing is mixed.
    return sorted(mixtures - {tuple(own_ids)})


def get_code(answer):
    """Return the code of a refusal, or None for another answer."""
    return answer.get("code") if isinstance(answer, dict) else None
