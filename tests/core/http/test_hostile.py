"""No body, path, query or header that anybody can send makes the server fail, or answer outside the envelope."""

import asyncio
import copy
import json
import re
from itertools import islice
from urllib.parse import quote

import orjson
import pytest
from comanda.contracts.calls import Call
from comanda.contracts.routes import API_PREFIX
from comanda_reseller.services import invoice_views
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from installed_plugins import get_registry
from workshop import HOLDERS, Workshop

REGISTRY = get_registry()
# Routes for callers whom no HOLDERS makes are tried by the tests of the plugins that bring those callers.
TRIED = [route for route in REGISTRY.routes if not route.callers or {"owner", *HOLDERS} & {*route.callers}]
OF_HOLDERS = [route for route in TRIED if route.callers and "owner" not in route.callers]
# The test clock is not there while it is off; its own tests send it wrong bodies.
WITH_BODY = [route for route in TRIED if route.binding.body is not None and not route.path.startswith("/test-clock")]
WITH_PARAMETERS = [route for route in REGISTRY.routes if route.binding.path_parameters and route.prefix == API_PREFIX]
OF_READING = [route for route in REGISTRY.routes if route.method == "GET" and route.prefix == API_PREFIX]

pytestmark = pytest.mark.usefixtures("short_streams", "uncounted")

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

# Requests that are in flight at the same time share the lookup of their token, which costs as much as a refusal.
AT_ONCE = 16

SUPPRESSED = settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


def called(route):
    return f"{route.method} {route.path}"


def encoded(document):
    """Encode as the most careless client does: with NaN, Infinity and lone surrogates."""
    return json.dumps(document).encode()


@pytest.fixture
def uncounted(monkeypatch):
    """Let every body reach the route; its narrower limits would soon refuse them unread."""

    async def count(self, bucket, limit, cost=1):
        pass

    monkeypatch.setattr(Call, "count", count)


@pytest.fixture
async def workshop(client, owner, route):
    """Make things for whoever may call the route, and say with which headers they do."""
    kind = next((kind for kind in HOLDERS if kind in route.callers and "owner" not in route.callers), None)
    if kind is None:
        made = Workshop(client, owner)
        made.headers = owner.auth
    else:
        made = Workshop(client, owner, await owner.store())
        made.headers = await HOLDERS[kind](made)
    return made


def path_of(route, ids):
    numbers = iter(ids)
    return re.sub(r"\{\w+\}", lambda _: str(next(numbers)), route.full_path)


def places(document, path=()):
    """List the paths of all values within a document."""
    found = [path] if path else []
    steps = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in steps:
        found += places(value, (*path, key))
    return found


def replaced(document, path, value):
    changed = copy.deepcopy(document)
    inner = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return changed


async def told(response, sent=b""):
    """Expect an answer that is one of ours, and no failure."""
    body = await response.get_data()
    assert response.status_code < 500, (sent[:500], body)
    if response.status_code >= 400:
        answer = orjson.loads(body)
        assert set(answer) >= {"message", "code", "request_id"}
        assert ("errors" in answer) == (response.status_code == 422)
        if "errors" in answer:
            assert answer["errors"]
            assert all(isinstance(line, str) and line for lines in answer["errors"].values() for line in lines)
    return response.status_code


async def send_all(requests):
    """Send requests, some at a time, and expect of each what ``told`` does."""
    waiting = iter(requests)
    while batch := list(islice(waiting, AT_ONCE)):
        async with asyncio.TaskGroup() as group:
            for request in batch:
                group.create_task(request)


async def send(workshop, route, ids, body):
    headers = {**workshop.headers, "Content-Type": "application/json"}
    path = path_of(route, ids)
    response = await workshop.client.open(path, method=route.method, headers=headers, data=body)
    assert "X-RateLimit-Limit" in response.headers or route.prefix != API_PREFIX
    return await told(response, body)


@pytest.fixture
async def ids(workshop, route):
    """Make what stands in the route's path, and let a page of this host call its routes."""
    ids = await workshop.ids_of(route)
    if route.prefix != API_PREFIX:
        workshop.headers = {**workshop.headers, **await workshop.page_headers(route, ids)}
    return ids


@pytest.mark.parametrize("route", [route for route in WITH_BODY if route not in OF_HOLDERS], ids=called)
@SUPPRESSED
@given(document=values)
async def test_any_json_at_all(workshop, ids, route, document):
    await send(workshop, route, ids, encoded(document))


@pytest.mark.parametrize("route", [route for route in WITH_BODY if route in OF_HOLDERS], ids=called)
async def test_staff_body_with_one_invalid_value(workshop, ids, route):
    """What they do often works once alone, so each place is tried with some of the values, and all places with all."""
    whole = await workshop.body_of(route, ids)
    await send_all(
        send(workshop, route, ids, encoded(replaced(whole, place, value)))
        for number, place in enumerate(places(whole))
        for value in NASTY[number % 5 :: 5]
    )


@pytest.mark.parametrize("route", [route for route in WITH_BODY if route not in OF_HOLDERS], ids=called)
async def test_body_with_one_invalid_value(workshop, ids, route):
    whole = await workshop.body_of(route, ids)
    assert await send(workshop, route, ids, encoded(whole)) < 300
    await send_all(
        send(workshop, route, ids, encoded(replaced(whole, place, value))) for place in places(whole) for value in NASTY
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


@pytest.mark.parametrize("route", WITH_BODY, ids=called)
async def test_bodies_that_break_parsers(workshop, ids, route):
    await send_all(send(workshop, route, ids, body) for body in BREAKERS)


IDS = [
    "0", "-1", "1.0", "1e3", "+1", " 1", "1 ", "0x1", "99999999999999999999999999", "9223372036854775808", "9" * 5000,
    "abc", "null", "undefined", "NaN", "..", ".", "%00", "%0a", "%2e%2e", "%2f", "%ff", "%c3%28", "%ed%a0%80", "%25",
    "%D9%A1", "%C2%B2", "%F0%9D%9F%99", "%F0%9F%92%A9", "1;DROP", "'", '"', "<x>", "{id}",
]  # fmt: skip


@pytest.mark.parametrize("route", WITH_PARAMETERS, ids=called)
async def test_ids_that_are_none(client, workshop, ids, route):
    async def refuse(path):
        response = await client.open(path, method=route.method, headers=workshop.headers)
        assert await told(response, path) in {401, 403, 404, 405, 422}, (path, response.status_code)

    await send_all(
        refuse(path_of(route, [*ids[:number], quote(wrong, safe="%?"), *ids[number + 1 :]]))
        for number in range(len(ids))
        for wrong in IDS
    )


QUERIES = [
    "page=%00", "page=%ff&status=%ff", "status=%00", "status=%ed%a0%80", "status=" + "x" * 5000,
    "status=new&status=%27", "page", "&&&&", "=", "%", "%zz", "page=1;status=new", "a=" * 500, "page=1e9",
    "per_page=-1", "page[]=1", "status[$ne]=1", "&".join(f"k{number}=1" for number in range(2000)),
    "api_token=%00", "api_token=%ff", "api_token", "api_token=&api_token=x",
    "event=%00", "event=%ff&status=failed", "event=" + "x" * 5000,
]  # fmt: skip


@pytest.fixture
def unrendered_invoices(monkeypatch):
    """Answer with an empty PDF: no query gets as far as the rendering, which takes a tenth of a second each time."""

    async def render_pdf(document):
        return b"%PDF-"

    monkeypatch.setattr(invoice_views, "render_pdf", render_pdf)


@pytest.mark.usefixtures("unrendered_invoices")
@pytest.mark.parametrize("route", OF_READING, ids=called)
async def test_queries_that_are_none(client, workshop, ids, route):
    async def get(query, headers):
        await told(await client.get(f"{path_of(route, ids)}?{query}", headers=headers), query)

    await send_all(get(query, headers) for query in QUERIES for headers in (workshop.headers, None))


HEADERS = [
    ("authorization", b"Bearer"), ("authorization", b"Bearer "), ("authorization", b"bearer \xff\xfe"),
    ("authorization", b""), ("authorization", b"Basic YTpi"), ("authorization", b"Bearer own_" + b"a" * 46),
    ("authorization", b"Bearer " + b"x" * 8000), ("authorization", b"Bearer own_\xc3\xa9"), ("authorization", b"\x00"),
    ("x-storefront-token", b"\xff"), ("if-none-match", b'W/"' + b"x" * 5000), ("if-none-match", b"\xff"),
    ("origin", b"null"), ("origin", b"\xff\xfe"), ("accept", b"\xff"), ("x-forwarded-for", b"\xff,,,"),
    ("x-request-id", b"\xff"), ("content-type", b"\xff"), ("content-length", b"\xb2"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), HEADERS, ids=range(len(HEADERS)))
@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/me", "/api/v1/menu/1", "/api/v1/nothing"])
async def test_headers_that_are_none(wire, path, name, value):
    for method in ("GET", "POST", "OPTIONS"):
        status, given, _ = await wire(method, path, headers=[(name.encode(), value)])

        assert status in {200, 204, 304, 401, 404, 405}
        assert method == "OPTIONS" or "x-ratelimit-limit" in given


@pytest.mark.parametrize("key", [b"", b"\xff", "schlüssel".encode(), b"x" * 256, b"\x00", b"a\tb", b"\x7f"])
async def test_invalid_idempotency_key_is_rejected(wire, store, key):
    owner, store_id = store.owner, store.id
    body = encoded({"type": "takeaway", "items": [{"item_id": (await store.item("Soup"))["id"]}]})
    headers = [(b"authorization", owner.auth["Authorization"].encode()), (b"idempotency-key", key)]

    status, _, answer = await wire(
        "POST",
        f"/api/v1/restaurants/{store_id}/orders",
        headers=headers,
        messages=[{"type": "http.request", "body": body}],
    )

    assert (status, list(orjson.loads(answer)["errors"])) == (422, ["Idempotency-Key"])
