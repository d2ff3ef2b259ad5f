"""Checks of Redis: availability, version and mode."""

import re
from typing import Any

from redis import asyncio as redis

from comanda.basics.connection_urls import mask_password
from comanda.operations.diagnostics.results import CheckResult, report_ok, report_problem

CONNECT_SECONDS = 5
# The first version with XAUTOCLAIM, which takes over the tasks of a dead worker.
MIN_VERSION = (6, 2)


async def check_redis(url: str) -> CheckResult:
    """Check the server at the URL. Raises the error of redis-py if it does not answer."""
    async with redis.from_url(url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=CONNECT_SECONDS) as client:
        info: dict[str, Any] = await client.info("server")
    protocol = str(info.get("redis_version", ""))
    valkey = info.get("valkey_version")
    found = f"Valkey {valkey}, compatible with Redis {protocol}" if valkey else f"Redis {protocol}"
    mode = info.get("redis_mode") or info.get("server_mode") or "unknown mode"
    found += f" ({mode}) at {mask_password(url)}"
    if tuple(int(part) for part in re.findall(r"\d+", protocol)[:2]) < MIN_VERSION:
        return report_problem("redis", found, f"Comanda needs Redis {'.'.join(map(str, MIN_VERSION))} or newer.")
    if mode == "cluster":
        return report_problem("redis", found, "Use a single Redis server instead of a cluster node.")
    return report_ok("redis", found)
