"""No body that anybody can send makes a route fail, or answer outside the envelope.

The bodies are bound and handled in the process; some go over HTTP, as all of ``python -m benchmarks fuzz`` do.
"""

import copy
import json
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import cycle

import pytest
import pytest_asyncio
from bound_requests import BoundRequest, capture_request, check_refusal
from comanda.contracts.requests.calls import Call
from comanda.contracts.requests.routes import API_PREFIX, Route
from comanda.devkit.testing.client import CheckedClient
from comanda.platform.db import sql
from holders import Holder, get_kind
from hypothesis import given, settings
from hypothesis import strategies as st
from installed_plugins import get_registry
from route_requests import called, filled

REGISTRY = get_registry()
# The test clock is not there while it is off; its own tests send it wrong bodies.
ROUTES = [
    route
    for route in REGISTRY.routes
    if route.binding.body is not None and get_kind(route) and not route.path.startswith("/test-clock")
]
PLUGINS = sorted({REGISTRY.plugin_of(route) for route in ROUTES})
# About thirty, of all plugins with more than a few.
SAMPLE = ROUTES[::5]
# Of the bodies that are bound with one invalid value, one of so many is handled: that takes thirty times as long.
HANDLED_STEP = 5

HUGE = 10**400
NASTY = [
    None, True, False, 0, -1, 1, 2**31, 2**53, 2**53 + 1, 2**63, -(2**63) - 1, 2**64, HUGE, -HUGE, 0.1, -0.0, 1e-320,
    1.7e308, float("nan"), float("inf"), float("-inf"), "", " ", "0", "-1", "1e999", "NaN", "true", "null", "\x00",
    "a\x00b", "\ud800", "\udfff\ud800", "\u202e", "\ufeff", "é" * 300, "x" * 5000, "2026-02-30", "9999-12-31T23:59:59Z",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
    "2026-01-01T00:00:00", "'; DROP TABLE core_owner; --", "%s%n{0}", [], [[]], [None], {},
    {"": ""}, {"\x00": 1}, {"__proto__": {"a": 1}}, [{}] * 50, {"a": {"b": {"c": []}}},
]  # fmt: skip
values = st.recursive(
    st.sampled_from(NASTY) | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
BREAKERS = [
    b"[" * 100_000,
    b"[" * 100_000 + b"]" * 100_000,
    b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    b'{"name": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    b'{"price": ' + b"9" * 100_000 + b"}",
    b'{"price": 1e999999999}',
    b'{"price": NaN, "tip_amount": -Infinity}',
    b'{"name": "\xff\xfe"}',
    b'{"name": "\xed\xa0\x80"}',
    b'{"name": "\\ud800"}',
    b'{"name": "a", "name": "b", "price": 1, "price": 2}',
    b'\xef\xbb\xbf{"name": "x"}',
    '{"name": "x"}'.encode("utf-16"),
    b"\x00" * 1000,
    b"\x1f\x8b\x08\x00",
]


def encoded(document):
    """Encode as the most careless client does: with NaN, Infinity and lone surrogates."""
    return json.dumps(document).encode()


ENCODED = [encoded(value) for value in NASTY]


def places(document, path=()):
    """List the paths of all values within a document."""
    found = [path] if path else []
    steps = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in steps:
        found += places(value, (*path, key))
    return found


def encode_replacements(document, path):
    """Encode a document with each of the values at a path in turn."""
    changed = copy.deepcopy(document)
    inner = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = "(here)"
    before, after = encoded(changed).split(b'"(here)"')
    return [before + value + after for value in ENCODED]


@cache
def draw_documents():
    """Draw some documents, encoded, of any values whatever."""
    drawn = []

    @settings(max_examples=40, database=None)
    @given(document=values)
    def draw(document):
        drawn.append(encoded(document))

    draw()
    return drawn


@pytest.fixture(scope="module", autouse=True)
def uncounted():
    """Let every body reach the route; its narrower limits would soon refuse them unread."""

    async def count(self, bucket, limit, cost=1, *, is_exact=True):
        pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Call, "count", count)
        yield


# Those of accounts at a provider with credentials or with a page of its own, which no provider of these tests has, and
# those of an SMS gateway and of platforms, which sign what they send and whose tokens nobody has here.
REFUSED = {
    "/deliverect/{ownerId}/{connectionId}/orders",
    "/hubrise/{ownerId}/{connectionId}/callback",
    "/messages/gateway/replies",
    "/messages/gateway/reports",
    "/payment-accounts/{accountId}/credentials",
    "/payment-accounts/{accountId}/page",
    "/restaurants/{id}/deliverect",
    "/restaurants/{id}/deliverect/menu",
    "/restaurants/{id}/hubrise",
}


@dataclass
class Trial:
    """A route that is tried by somebody who may call it, with records of an owner of its own and a ``valid`` body."""

    client: CheckedClient
    route: Route
    path: str
    headers: dict[str, str]
    valid: dict
    request: BoundRequest

    @classmethod
    async def create(cls, client, route):
        """Create a caller, what stands in the route's path, and a body that works at least once."""
        holder = await Holder.create(client, get_kind(route))
        ids, headers = await holder.get_ids(route), await holder.get_headers(route)
        valid = await holder.workshop.body_of(route, ids)
        request = await capture_request(client, route, ids, headers)
        trial = cls(client, route, filled(route, ids), headers, valid, request)
        is_refused = trial.is_of_holder or route.path in REFUSED
        assert is_refused or await trial.send(encoded(valid)) < 300, called(route)
        return trial

    @property
    def is_of_holder(self):
        """Whether somebody else than the owner calls it. What they do often works only in a certain state."""
        return bool(self.route.callers) and "owner" not in self.route.callers

    async def send(self, body):
        """Send a body over HTTP and return the status of an answer that is one of ours, and no failure."""
        headers = {**self.headers, "Content-Type": "application/json"}
        with self._naming(body):
            response = await self.client.open(self.path, method=self.route.method, headers=headers, data=body)
            assert "X-RateLimit-Limit" in response.headers or self.route.prefix != API_PREFIX
            assert response.status_code < 500
            if response.status_code >= 400:
                check_refusal(response.status_code, await response.get_data())
        return response.status_code

    async def handle_all(self, bodies):
        """Bind bodies in the process, and handle those that are not refused."""
        for body in bodies:
            bound = self.bind(body)
            if isinstance(bound, dict):
                with self._naming(body):
                    await self.request.handle(bound)

    def bind(self, body):
        """Bind a body in the process: return the arguments of the handler, or the answer that refuses it."""
        with self._naming(body):
            return self.request.bind(body=body)

    @contextmanager
    def _naming(self, body):
        try:
            yield
        except Exception as error:
            error.add_note(f"{called(self.route)} with the body {body[:500]!r}")
            raise


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=PLUGINS)
async def trials(app, request):
    """Try the routes of a plugin that take a body."""
    client = app.test_client()
    return [await Trial.create(client, route) for route in ROUTES if REGISTRY.plugin_of(route) == request.param]


async def test_body_with_one_invalid_value(trials):
    for trial in trials:
        for number, place in enumerate(places(trial.valid)):
            bodies = encode_replacements(trial.valid, place)
            for body in bodies:
                trial.bind(body)
            # Each place is handled with some of the values, and all places with all.
            await trial.handle_all(bodies[number % HANDLED_STEP :: HANDLED_STEP])


async def test_any_json_at_all(trials):
    for trial in trials:
        await trial.handle_all(draw_documents())


async def test_bodies_that_break_parsers(trials):
    for trial in trials:
        await trial.handle_all(BREAKERS)


async def test_sample_of_bodies_over_http(app):
    # Other tests of this worker may have failed to log in from the same address.
    await sql.execute("DELETE FROM core_login_try WHERE owner_id = 0")
    client = app.test_client()
    for route, body in zip(SAMPLE, cycle([*BREAKERS, *ENCODED[:15]]), strict=False):
        await (await Trial.create(client, route)).send(body)
