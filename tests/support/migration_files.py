"""Migrations that tests write, and processes that apply them."""

import asyncio
import importlib
import os
import sys
import zlib
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
from comanda.contracts.data.model_sets import ModelSet

MIGRATION = '''\
async def upgrade(db):
    {before}
    return """{sql}"""


MODELS_STATE = "{state}"
'''
# A process that migrates and says what it applied.
MIGRATE = """
import asyncio, sys
from comanda.contracts.data.model_sets import ModelSet
from comanda_migrations.runner import migrate
histories = [ModelSet(app, (), f"{app}.migrations") for app in sys.argv[2:]]
for step in asyncio.run(migrate(sys.argv[1], histories)):
    print(step.app, step.version)
"""


def write_file(apps: Path, app: str, version: str, sql: str, *, before: str = "pass") -> None:
    """Add a migration by hand to an app, making the app if it is new."""
    folder = apps / app / "migrations"
    folder.mkdir(parents=True, exist_ok=True)
    state = b64encode(zlib.compress(b'{"made": "by hand"}')).decode()
    (folder / version).write_text(MIGRATION.format(sql=sql, before=before, state=state))
    importlib.invalidate_caches()


def app_of(name: str) -> ModelSet:
    return ModelSet(name, (), f"{name}.migrations")


@asynccontextmanager
async def connected(database: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(database)
    try:
        yield connection
    finally:
        await connection.close()


async def start_migrate(database: str, *names: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", MIGRATE, database, *names),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
