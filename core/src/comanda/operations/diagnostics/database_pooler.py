"""Checks of a pooler in transaction mode: that it leads to the same database, and sets the limits of statements."""

from collections.abc import AsyncIterator
from typing import Final

import asyncpg

from comanda.operations.diagnostics.results import CheckResult, report_ok, report_problem
from comanda.platform.db.connections.single import connect
from comanda.platform.settings import Settings

IDENTIFY_DATABASE: Final = """
    SELECT (SELECT system_identifier FROM pg_control_system()) AS cluster, current_database() AS name
"""
SELECT_UNLIMITED: Final = """
    SELECT array_agg(name ORDER BY name) FROM pg_settings
    WHERE name IN ('lock_timeout', 'statement_timeout') AND setting = '0'
"""


async def check_pooler(settings: Settings) -> AsyncIterator[CheckResult]:
    """Check the pooler of DATABASE_URL if there is one. Raises the error of asyncpg if it cannot be reached."""
    if settings.database_direct_url is None or settings.database_url is None:
        return
    async with connect(settings.database_direct_url) as direct:
        behind = await direct.fetchrow(IDENTIFY_DATABASE)
    async with connect(settings.database_url, statement_cache_size=0) as connection:
        yield await _check_pooler(connection, behind)


async def _check_pooler(connection: "asyncpg.Connection[asyncpg.Record]", behind: asyncpg.Record | None) -> CheckResult:
    if await connection.fetchrow(IDENTIFY_DATABASE) != behind:
        return report_problem(
            "pooler",
            "DATABASE_URL and DATABASE_DIRECT_URL lead to different databases",
            "DATABASE_DIRECT_URL must be the address of the PostgreSQL behind the pooler of DATABASE_URL.",
        )
    unlimited = await connection.fetchval(SELECT_UNLIMITED)
    if unlimited:
        return report_problem(
            "pooler",
            f"it sets no {' and no '.join(unlimited)}",
            "Set them where the pooler connects, for PgBouncer with connect_query.",
        )
    return report_ok("pooler", "leads to the same database, and limits statements")
