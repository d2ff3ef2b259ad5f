"""No path, query or header that anybody can send makes the server fail, or answer outside the envelope.

Ids and queries are bound and handled in the process; of every route of a sample they go over HTTP.
"""

from urllib.parse import quote, unquote

import orjson
import pytest
import pytest_asyncio
from bound_requests import check_refusal
from comanda.contracts.requests.calls import Answer, Call
from comanda.contracts.requests.routes import API_PREFIX
from comanda_reseller.services.invoices import invoice_views
from holders import Holder, get_group, get_kind, list_groups
from installed_plugins import get_registry
from route_requests import called, filled

ROUTES = [route for route in get_registry().routes if route.prefix == API_PREFIX and get_kind(route)]
WITH_PARAMETERS = [route for route in ROUTES if route.binding.path_parameters]
OF_READING = [route for route in ROUTES if route.method == "GET"]

pytestmark = pytest.mark.usefixtures("short_streams", "uncounted")

IDS = [
    "0", "-1", "1.0", "1e3", "+1", " 1", "1 ", "0x1", "99999999999999999999999999", "9223372036854775808", "9" * 5000,
    "abc", "null", "undefined", "NaN", "..", ".", "%00", "%0a", "%2e%2e", "%2f", "%ff", "%c3%28", "%ed%a0%80", "%25",
    "%D9%A1", "%C2%B2", "%F0%9D%9F%99", "%F0%9F%92%A9", "1;DROP", "'", '"', "<x>", "{id}",
]  # fmt: skip
REFUSALS = {401, 403, 404, 405, 422}
QUERIES = [
    "page=%00", "page=%ff&status=%ff", "status=%00", "status=%ed%a0%80", "status=" + "x" * 5000,
    "status=new&status=%27", "page", "&&&&", "=", "%", "%zz", "page=1;status=new", "a=" * 500, "page=1e9",
    "per_page=-1", "page[]=1", "status[$ne]=1", "&".join(f"k{number}=1" for number in range(2000)),
    "api_token=%00", "api_token=%ff", "api_token", "api_token=&api_token=x",
    "event=%00", "event=%ff&status=failed", "event=" + "x" * 5000,
]  # fmt: skip


@pytest.fixture
def uncounted(monkeypatch):
    """Let every request reach the route; its narrower limits would soon refuse them unread."""

    async def count(self, bucket, limit, cost=1, *, is_exact=True):
        pass

    monkeypatch.setattr(Call, "count", count)


@pytest.fixture
def unrendered_invoices(monkeypatch):
    """Answer with an empty PDF: no query gets as far as the rendering, which takes a tenth of a second each time."""

    async def render_pdf(document):
        return b"%PDF-"

    monkeypatch.setattr(invoice_views, "render_pdf", render_pdf)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def holder(app, request):
    """Create the caller of a group of routes."""
    return await Holder.create(app.test_client(), request.param.partition(" ")[0])


def of_groups(routes):
    return pytest.mark.parametrize(
        ("holder", "routes"),
        [(group, [route for route in routes if get_group(route) == group]) for group in list_groups(routes)],
        ids=list_groups(routes),
        indirect=["holder"],
        scope="module",
    )


async def send(client, method, path, headers):
    """Send a request over HTTP and return the status of an answer that is one of ours, and no failure."""
    response = await client.open(path, method=method, headers=headers)
    body = await response.get_data()
    assert response.status_code < 500, (path, body)
    if response.status_code >= 400:
        check_refusal(response.status_code, body)
    return response.status_code


@of_groups(WITH_PARAMETERS)
async def test_ids_that_are_none(holder, routes):
    for route in routes:
        request = await holder.capture(route)
        for name in route.binding.path_parameters:
            # A slash ends a parameter.
            for wrong in [text for text in map(unquote, IDS) if "/" not in text]:
                bound = request.bind(path={name: wrong})
                answer = bound if isinstance(bound, Answer) else await request.handle(bound)
                assert answer.status in REFUSALS, (called(route), name, wrong, answer)


async def test_sample_of_ids_over_http(client):
    for route in WITH_PARAMETERS[::40]:
        holder = await Holder.create(client, get_kind(route))
        *ids, _ = await holder.get_ids(route)
        for wrong in IDS:
            path = filled(route, [*ids, quote(wrong, safe="%?")])
            assert await send(client, route.method, path, holder.headers) in REFUSALS, path


@pytest.mark.usefixtures("unrendered_invoices")
@of_groups(OF_READING)
async def test_queries_that_are_none(holder, routes):
    for route in routes:
        request, handled = await holder.capture(route), []
        for query in QUERIES:
            bound = request.bind(query_string=query)
            # What a route does not read makes no difference to its handler.
            if not isinstance(bound, Answer) and bound not in handled:
                handled.append(bound)
                await request.handle(bound)


@pytest.mark.usefixtures("unrendered_invoices")
async def test_sample_of_queries_over_http(client):
    for route in OF_READING[::20]:
        holder = await Holder.create(client, get_kind(route))
        path = filled(route, await holder.get_ids(route))
        for query in QUERIES:
            for headers in (holder.headers, None):
                await send(client, "GET", f"{path}?{query}", headers)


HEADERS = [
    ("authorization", b"Bearer"), ("authorization", b"Bearer "), ("authorization", b"bearer \xff\xfe"),
    ("authorization", b""), ("authorization", b"Basic YTpi"), ("authorization", b"Bearer own_" + b"a" * 46),
    ("authorization", b"Bearer " + b"x" * 8000), ("authorization", b"Bearer own_\xc3\xa9"), ("authorization", b"\x00"),
    ("x-storefront-token", b"\xff"), ("if-none-match", b'W/"' + b"x" * 5000), ("if-none-match", b"\xff"),
    ("origin", b"null"), ("origin", b"\xff\xfe"), ("accept", b"\xff"), ("x-forwarded-for", b"\xff,,,"),
    ("x-request-id", b"\xff"), ("content-type", b"\xff"), ("content-length", b"\xb2"),
]  # fmt: skip


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/me", "/api/v1/menu/1", "/api/v1/nothing"])
async def test_headers_that_are_none(wire, path):
    for name, value in HEADERS:
        for method in ("GET", "POST", "OPTIONS"):
            status, given, _ = await wire(method, path, headers=[(name.encode(), value)])

            assert status in {200, 204, 304, 401, 404, 405}, (method, name, value)
            assert method == "OPTIONS" or "x-ratelimit-limit" in given, (method, name, value)


@pytest.mark.parametrize("key", [b"", b"\xff", "schlüssel".encode(), b"x" * 256, b"\x00", b"a\tb", b"\x7f"])
async def test_invalid_idempotency_key_is_rejected(wire, store, key):
    owner, store_id = store.owner, store.id
    body = orjson.dumps({"type": "takeaway", "items": [{"item_id": (await store.item("Soup"))["id"]}]})
    headers = [(b"authorization", owner.auth["Authorization"].encode()), (b"idempotency-key", key)]

    status, _, answer = await wire(
        "POST",
        f"/api/v1/restaurants/{store_id}/orders",
        headers=headers,
        messages=[{"type": "http.request", "body": body}],
    )

    assert (status, list(orjson.loads(answer)["errors"])) == (422, ["Idempotency-Key"])
