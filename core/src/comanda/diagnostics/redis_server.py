"""Checks of Redis: whether it answers, what it is, and whether it is new enough."""

import re
from typing import Any

from redis import asyncio as redis

from comanda.connection_urls import mask_password
from comanda.diagnostics.results import CheckResult, report_ok, report_problem

CONNECT_SECONDS = 5
# XAUTOCLAIM, by which a dead worker's tasks are taken over, came with this version.
MIN_VERSION = (6, 2)


async def check_redis(url: str) -> CheckResult:
    """Report what answers at the address. Raises redis's own error if nothing does."""
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
        return report_problem("redis", found, "Give Comanda one Redis, not a node of a cluster.")
    return report_ok("redis", found)
