"""Say as JSON which tables models expect: ``python -m comanda_migrations.expected`` with ``{app: [module]}`` on stdin.

A process of its own, because initialising Tortoise binds model classes that the caller may be using.
"""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence

from tortoise.context import TortoiseContext
from tortoise.utils import get_schema_sql

# Tortoise wants an address though nothing connects to it; this one could not be connected to.
NOWHERE = "postgres://nobody@/nowhere?host=/nonexistent"


async def describe(apps: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """Return ``sql`` that creates every table, and ``db_defaults``: the columns of each table whose model has one."""
    async with TortoiseContext() as context:
        await context.init(db_url=NOWHERE, modules={app: list(modules) for app, modules in apps.items()})
        defaults: dict[str, list[str]] = {}
        for models in (context.apps or {}).values():
            for model in models.values():
                meta = model._meta
                columns = meta.fields_db_projection.items()
                defaults[meta.db_table] = [column for name, column in columns if meta.fields_map[name].has_db_default()]
        sql = get_schema_sql(context.connections.get("default"), safe=False)
    return {"sql": sql, "db_defaults": defaults}


if __name__ == "__main__":
    json.dump(asyncio.run(describe(json.load(sys.stdin))), sys.stdout)
