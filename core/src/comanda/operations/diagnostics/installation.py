"""Checks of an installation that is running, for the pages of administrators: those of `comanda doctor` that apply."""

import asyncio
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlsplit

from comanda.basics.lazy_imports import LazyModule
from comanda.contracts.registry import Registry
from comanda.operations.diagnostics.configuration import check_plugins, check_public_url, check_variables
from comanda.operations.diagnostics.database import check_database
from comanda.operations.diagnostics.database_pooler import check_pooler
from comanda.operations.diagnostics.database_replica import check_replica
from comanda.operations.diagnostics.distributions import check_distributions
from comanda.operations.diagnostics.results import CheckResult, report_not_checked, report_problem
from comanda.operations.diagnostics.storage import check_storage
from comanda.platform.db.errors import TRANSIENT_ERRORS
from comanda.platform.settings import Settings

if TYPE_CHECKING:
    import redis

    from comanda.operations.diagnostics import redis_server
else:
    # The driver takes 6 MiB of memory, which installations without Redis are spared.
    redis, redis_server = LazyModule("redis"), LazyModule("comanda.operations.diagnostics.redis_server")

TIMEOUT_SECONDS: Final = 10.0


async def check_installation(settings: Settings, registry: Registry) -> list[CheckResult]:
    """Check versions, settings, disk, database and Redis. A check that cannot be made is a result that says so."""
    return [
        *await asyncio.to_thread(_check_process, settings, registry),
        *await _check_database(settings, registry),
        await _check_redis(settings.redis_url),
    ]


def _check_process(settings: Settings, registry: Registry) -> list[CheckResult]:
    return [
        *check_distributions(),
        check_public_url(settings),
        *check_storage(_without_embedded_url(settings)),
        check_plugins(registry),
        *check_variables(settings, registry),
    ]


def _without_embedded_url(settings: Settings) -> Settings:
    """Return the settings as they were given: a running process knows the address of its embedded database, too."""
    hosts = parse_qs(urlsplit(settings.database_url or "").query).get("host", [])
    is_embedded = any(host.startswith("/") for host in hosts) and (settings.data / "postgres").exists()
    return settings.model_copy(update={"database_url": None}) if is_embedded else settings


async def _check_database(settings: Settings, registry: Registry) -> list[CheckResult]:
    if settings.session_url is None:
        return [report_not_checked("database", "its address is not known to this process")]
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            return [
                *[result async for result in check_database(settings.session_url, registry)],
                *[result async for result in check_pooler(settings)],
                *[result async for result in check_replica(settings)],
            ]
    except TRANSIENT_ERRORS as error:
        return [report_problem("database", "cannot be checked", str(error) or type(error).__name__)]


async def _check_redis(url: str | None) -> CheckResult:
    if url is None:
        return report_not_checked("redis", "REDIS_URL is not set; a single process with limits and tasks in memory")
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            return await redis_server.check_redis(url)
    except (redis.RedisError, OSError, TimeoutError) as error:
        return report_problem("redis", "cannot be used", str(error) or type(error).__name__)
