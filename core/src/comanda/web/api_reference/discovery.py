"""What the API says about itself: the index, the OpenAPI description, health, metrics."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import Any

import asyncpg
from prometheus_client import CONTENT_TYPE_LATEST
from tortoise.exceptions import BaseORMException

import comanda
from comanda.basics.build_version import get_build_version
from comanda.basics.encoding import to_json
from comanda.basics.errors import Unauthenticated, Unavailable
from comanda.contracts.registry import Registry
from comanda.contracts.requests.calls import Answer, Call
from comanda.contracts.requests.routes import API_PREFIX, PUBLIC, Routes
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.events import dispatcher, lanes
from comanda.platform.http.answers import cacheable_answer
from comanda.platform.plugin_circuits import list_paused
from comanda.platform.queue.leases import measure_queues
from comanda.platform.shared_metrics import render_metrics
from comanda.web.api_reference.details_access import may_see_details
from comanda.web.api_reference.openapi import api_routes, document, documented_pages, split_document

routes = Routes("Discovery", callers=PUBLIC)
site_routes = Routes("Discovery", callers=PUBLIC, prefix="", is_documented=False)
operations = Routes("Operations", callers=PUBLIC, prefix="", is_documented=False)

# An event that is due for so long without being taken means that no worker runs.
QUEUE_TOO_OLD_SECONDS = 300
UNREACHABLE = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, BaseORMException)


@routes.get("", cors=True, answers=dict[str, Any])
async def index(call: Call) -> Answer:
    """List what there is, without a token."""
    return _tagged(call, build_index(runtime.registry(), runtime.settings().site_url))


@routes.get("/openapi.json", cors=True, answers=dict[str, Any])
async def openapi(call: Call) -> Answer:
    """Describe every operation of the API in OpenAPI 3.1."""
    return _tagged(call, _describe(runtime.registry(), runtime.settings().site_url)[0])


@site_routes.get("/openapi.json", cors=True, answers=dict[str, Any])
async def site_openapi(call: Call) -> Answer:
    """Describe the operations outside the API's prefix in OpenAPI 3.1."""
    return _tagged(call, _describe(runtime.registry(), runtime.settings().site_url)[1])


@operations.get("/healthz")
async def healthz() -> dict[str, str]:
    """Return ok: the process answers."""
    return {"status": "ok"}


@operations.get("/readyz")
async def readyz(call: Call) -> dict[str, Any]:
    """Return whether the database answers and events are being worked off, and more to those who may see details."""
    try:
        details = await _readiness()
    except Unavailable:
        if may_see_details(call):
            raise
        raise Unavailable("This process is not ready.") from None
    return {"status": "ok", **(details if may_see_details(call) else {})}


async def _readiness() -> dict[str, Any]:
    try:
        await sql.fetch_value("SELECT 1")
        waiting, overdue = await dispatcher.measure_queue()
        states = await lanes.measure_lanes()
    except UNREACHABLE as error:
        raise Unavailable("The database does not answer.") from error
    if overdue > QUEUE_TOO_OLD_SECONDS:
        raise Unavailable(f"Events have been due for {overdue:.0f} seconds; is a worker running?")
    return {
        "version": get_build_version(),
        "database": "ok",
        "outbox": {"waiting": waiting, "overdue_seconds": round(overdue, 1)},
        # What a plugin's step costs is refused or left out meanwhile; the rest is served.
        "paused_steps": [{"plugin": plugin, "step": step} for plugin, step in list_paused()],
        # A handler that fails delays its own events, and makes no process unready.
        "handlers": {
            state.handler: {
                "status": "degraded" if state.is_degraded else "ok",
                "waiting": state.waiting,
                "oldest_seconds": round(state.oldest_seconds, 1),
            }
            for state in states
        },
    }


@operations.get("/metrics")
async def metrics(call: Call) -> Answer:
    """Return numbers for Prometheus; without a database they are those that processes keep themselves."""
    if not may_see_details(call):
        raise Unauthenticated("Metrics need the token of COMANDA_METRICS_TOKEN.")
    with suppress(*UNREACHABLE):
        await dispatcher.measure_queue()
        await lanes.measure_lanes()
        await measure_queues(runtime.registry().queues)
    # Reading the files of many processes takes a while.
    return Answer(await asyncio.to_thread(render_metrics), content_type=CONTENT_TYPE_LATEST)


@lru_cache(maxsize=4)
def build_index(registry: Registry, site_url: str) -> bytes:
    """Return the index of the installed plugins."""
    listed = [(route.tag, route.method, route.full_path) for route in api_routes(registry)]
    listed += [(page.tag, "GET", page.path) for page in documented_pages(registry)]
    endpoints: defaultdict[str, list[str]] = defaultdict(list)
    site_endpoints: defaultdict[str, list[str]] = defaultdict(list)
    for tag, method, path in listed:
        (endpoints if path.startswith(API_PREFIX) else site_endpoints)[tag].append(f"{method} {path}")
    return to_json(
        {
            "name": "Comanda",
            "version": "v1",
            "release": comanda.__version__,
            "base_url": site_url + API_PREFIX,
            "authentication": "Send Authorization: Bearer <API_TOKEN>; `comanda token create` makes one.",
            "docs": f"{site_url}/docs",
            "openapi": f"{site_url}{API_PREFIX}/openapi.json",
            "mcp_servers": [
                {"name": server.name, "title": server.title, "url": site_url + server.path}
                for server in registry.mcp_servers.values()
            ],
            "endpoints": endpoints,
            "site_endpoints": site_endpoints,
            "site_openapi": f"{site_url}/openapi.json",
        }
    )


@lru_cache(maxsize=4)
def _describe(registry: Registry, site_url: str) -> tuple[bytes, bytes]:
    api, site = split_document(document(registry, site_url), site_url)
    return to_json(api), to_json(site)


def _tagged(call: Call, body: bytes) -> Answer:
    return cacheable_answer(call, body, f'W/"{sha256(body).hexdigest()[:24]}"')
