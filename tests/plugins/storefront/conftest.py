"""The clients of a storefront: a site or app, a guest's agent, and a guest with the store's page open."""

from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
from comanda.accounts import administration, callers
from comanda.accounts import services as accounts
from comanda.accounts.models import AccessToken
from comanda.contracts import Caller
from comanda.devkit.testing import TestStore, line
from comanda.platform.db import sql
from comanda_storefront.caller_kinds import SCOPES, STOREFRONT

# A Monday.
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
WEEK = {day: [] for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")}


class Front:
    """A site or app with a storefront token."""

    def __init__(self, client, secret):
        self.client = client
        self.auth = {"X-Storefront-Token": secret}

    async def get(self, path, **headers):
        return await self.client.get(f"/api/v1/storefront{path}", headers={**self.auth, **headers})

    async def post(self, *lines, key=None, **fields):
        """Place an order, by default for takeaway, and return the status, the document and the headers."""
        headers = self.auth if key is None else {**self.auth, "Idempotency-Key": key}
        body = {"type": "takeaway", "items": list(lines), **fields}
        response = await self.client.post("/api/v1/storefront/orders", headers=headers, json=body)
        return response.status_code, await response.get_json(), response.headers

    async def order(self, *lines, **options):
        """Place an order that must be accepted, and return the document."""
        status, document, _ = await self.post(*lines, **options)
        assert status == 201, document
        return document

    async def refused(self, *lines, **options):
        """Place an order that must be refused, and return the error document."""
        status, document, _ = await self.post(*lines, **options)
        assert status >= 400, document
        return document


async def new_token(owner, store_id, *scopes):
    issued = await accounts.issue_token(STOREFRONT, owner.id, scopes or SCOPES, name="test", store_id=store_id)
    return issued.secret


@pytest.fixture
def front_of(client):
    """Return the storefront of an owner's store, by default with all scopes."""

    async def make(owner, store_id, *scopes):
        return Front(client, await new_token(owner, store_id, *scopes))

    return make


@pytest.fixture
async def front(front_of, owner, store):
    """Return the storefront of the test's store."""
    return await front_of(owner, store.id)


@pytest.fixture
def guest_of(mcp):
    """Return the agent of a guest of an owner's store."""

    async def make(owner, store_id, *scopes):
        return mcp("/mcp/storefront", {"X-Storefront-Token": await new_token(owner, store_id, *scopes)})

    return make


@pytest.fixture
async def guest(guest_of, owner, store):
    """Return the agent of a guest of the test's store."""
    return await guest_of(owner, store.id)


@pytest.fixture
def caller(owner, store):
    """Return the caller that services take, as a storefront token yields it."""
    return Caller("storefront", 0, owner.id, store.id, None, frozenset(SCOPES), None)


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)


@pytest.fixture
async def other_store(client, other_owner):
    """Return another owner's restaurant."""
    return TestStore(client, other_owner, await other_owner.store())


@pytest.fixture
async def closed(store, clock):
    """Set the store's hours to Mondays from 18 to 22, and the time to Monday noon."""
    clock.set(NOON)
    await store.send("PUT", "/settings", {"hours": {**WEEK, "monday": [{"open": "18:00", "close": "22:00"}]}})


@pytest.fixture
def count_orders(owner):
    """Count the owner's orders."""

    async def count():
        return await sql.fetch_value("SELECT count(*) FROM core_order WHERE owner_id = $1", owner.id)

    return count


@pytest.fixture
def suspend():
    """Suspend an owner."""

    async def now(owner):
        await administration.set_suspended(owner.email, is_suspended=True)

    return now


@pytest.fixture
def fill_cart(guest):
    """Create a cart, by default for takeaway."""

    async def create(*lines, **fields):
        return await guest.call("create_cart", {"type": "takeaway", "items": list(lines), **fields})

    return create


class PageGuest:
    """A guest with a store\'s page open."""

    headers = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}

    def __init__(self, store, slug):
        self.store, self.slug = store, slug

    async def send(self, path, body, headers=headers):
        options = {"json": body} if not isinstance(body, bytes) else {"data": body}
        response = await self.store.client.post(f"/s/{self.slug}/{path}", headers=headers, **options)
        return response, await response.get_json()

    async def quote(self, *lines, **fields):
        return await self.send("quote", {"type": "takeaway", "customer_name": "Ana", "items": list(lines), **fields})

    async def order(self, *lines, **fields):
        return await self.send("orders", {"type": "takeaway", "customer_name": "Ana", "items": list(lines), **fields})

    async def orders(self):
        return (await self.store.get("/orders"))["total"]


@pytest.fixture
def page_guest_of():
    return PageGuest


@pytest.fixture
async def page_guest(store):
    return PageGuest(store, await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id))


@pytest.fixture
async def cart(guest, soup):
    """Return the arguments of a cart with two soups of 5."""
    made = await guest.call("create_cart", {"type": "takeaway", "items": [line(soup, 2)]})
    return {"cart_id": made["cart_id"]}


@pytest.fixture
def get_qr_code(store, client, owner):
    """Request a QR code of the test's store."""

    async def send(query="", **options):
        path = f"/api/v1/restaurants/{options.pop('store_id', store.id)}/qr{query}"
        return await client.get(path, headers=options.pop("headers", owner.auth))

    return send


@pytest.fixture
def get_qr_sheet(get_qr_code):
    """Request a sheet of the test's store, as text."""

    async def send(tables=None, **options):
        query = "" if tables is None else "?" + urlencode({"tables": tables})
        answer = await get_qr_code(f"/sheet{query}", **options)
        return answer, await answer.get_data(as_text=True)

    return send


PATH = "/storefront-tokens"


@pytest.fixture
def create_token():
    async def create_token(store, name="Web shop", scopes=("menu:read",)):
        reply = await store.send("POST", PATH, {"name": name, "scopes": list(scopes)})
        assert reply.status == 201, reply
        return reply.document

    return create_token


@pytest.fixture
def find_token():
    async def find_token(secret):
        return await callers.find_caller(secret, STOREFRONT)

    return find_token


@pytest.fixture
def list_live_tokens():
    async def list_live_tokens(store):
        return await AccessToken.filter(store_id=store.id, revoked_at=None).count()

    return list_live_tokens
