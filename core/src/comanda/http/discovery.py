"""What the API says about itself: the index, the OpenAPI description, health, metrics."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import asyncpg
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

import comanda
from comanda import runtime
from comanda.db import sql
from comanda.errors import Unavailable
from comanda.events import dispatcher
from comanda.http.answers import to_json
from comanda.http.call import Answer, Call
from comanda.http.openapi import api_routes, document
from comanda.http.routes import API_PREFIX, PUBLIC, Routes

if TYPE_CHECKING:
    # Core's own routes are part of the registry, so its module cannot be imported while they are.
    from comanda.registry import Registry

routes = Routes("Discovery", callers=PUBLIC)
operations = Routes("Operations", callers=PUBLIC, prefix="", is_documented=False)

# An event that waits this long means that no worker runs.
QUEUE_TOO_OLD_SECONDS = 300


@routes.get("", cors=True, answers=dict[str, Any])
async def index(call: Call) -> Answer:
    """List what there is, without a token."""
    return _cacheable(call, _index(runtime.registry(), runtime.settings().site_url))


@routes.get("/openapi.json", cors=True, answers=dict[str, Any])
async def openapi(call: Call) -> Answer:
    """Describe every operation in OpenAPI 3.1."""
    return _cacheable(call, _openapi(runtime.registry(), runtime.settings().site_url))


@operations.get("/healthz")
async def healthz() -> dict[str, str]:
    """Tell that the process answers."""
    return {"status": "ok"}


@operations.get("/readyz")
async def readyz() -> dict[str, Any]:
    """Tell whether the database answers and events are being worked off."""
    try:
        await sql.fetch_value("SELECT 1")
        waiting, age = await dispatcher.queue_age()
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise Unavailable("The database does not answer.") from error
    if age > QUEUE_TOO_OLD_SECONDS:
        raise Unavailable(f"Events have been waiting for {age:.0f} seconds; is a worker running?")
    return {"status": "ok", "database": "ok", "outbox": {"waiting": waiting, "oldest_seconds": round(age, 1)}}


@operations.get("/metrics")
async def metrics() -> Answer:
    """Give Prometheus its numbers."""
    await dispatcher.queue_age()
    return Answer(generate_latest(), content_type=CONTENT_TYPE_LATEST)


@lru_cache(maxsize=4)
def _index(registry: Registry, site_url: str) -> bytes:
    endpoints: defaultdict[str, list[str]] = defaultdict(list)
    for route in api_routes(registry):
        endpoints[route.tag].append(f"{route.method} {route.full_path}")
    return to_json(
        {
            "name": "Comanda",
            "version": "v1",
            "release": comanda.__version__,
            "base_url": site_url + API_PREFIX,
            "authentication": "Send Authorization: Bearer <API_TOKEN>; `comanda token create` makes one.",
            "docs": f"{site_url}/docs",
            "openapi": f"{site_url}{API_PREFIX}/openapi.json",
            "endpoints": endpoints,
        }
    )


@lru_cache(maxsize=4)
def _openapi(registry: Registry, site_url: str) -> bytes:
    return to_json(document(registry, site_url))


def _cacheable(call: Call, body: bytes) -> Answer:
    etag = f'W/"{sha256(body).hexdigest()[:24]}"'
    headers = {"ETag": etag, "Cache-Control": "public, max-age=0, must-revalidate"}
    if etag in call.headers.get("if-none-match", ""):
        return Answer(status=304, headers=headers)
    return Answer(body, headers=headers)
