"""PostgreSQL itself ends a transaction in which a process has stopped doing anything."""

import subprocess
import sys

from comanda.devkit.testing.polling import MAX_WAIT_SECONDS

PROGRAM = """
import asyncio, sys
from comanda.platform.db import sql
from comanda.contracts.data.model_sets import ModelSet
from comanda.platform.db.lifecycle import open_database

MODELS = ModelSet("core", ("comanda.accounts.models",), "comanda_migrations.core")

async def main():
    limits = {"statement_timeout_seconds": 5, "idle_transaction_timeout_seconds": 0.3}
    async with open_database(sys.argv[1], [MODELS], pool_size=2, **limits):
        try:
            async with sql.transaction():
                await sql.execute("SELECT pg_advisory_xact_lock(7)")
                await asyncio.sleep(1.5)
                await sql.execute("SELECT 1")
        except Exception as error:
            print("ended", type(error).__name__)
        print("free", await sql.fetch_value("SELECT pg_try_advisory_lock(7)"))

asyncio.run(main())
"""


def test_idle_transaction_ends_and_frees_its_locks(new_database):
    url = new_database("comanda_idle")

    finished = subprocess.run(
        [sys.executable, "-c", PROGRAM, url], capture_output=True, text=True, timeout=MAX_WAIT_SECONDS, check=False
    )

    assert finished.stdout.splitlines() == ["ended InterfaceError", "free True"], finished.stderr
