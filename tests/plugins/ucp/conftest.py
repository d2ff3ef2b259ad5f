"""A shopping agent, and stores that agents find."""

import pytest
from comanda.platform.db import sql

AGENT = {"UCP-Agent": 'profile="https://agent.example/profile"'}


class Agent:
    """An agent that shops in one store."""

    def __init__(self, store, slug):
        self.store, self.slug = store, slug

    async def send(self, method, path, body=None, key=None, headers=AGENT):
        """Send a request and return the status and the document."""
        response = await self.request(method, f"/ucp{path}", body, key, headers)
        return response.status_code, await response.get_json()

    async def request(self, method, path, body=None, key=None, headers=AGENT):
        sent = headers if key is None else {**headers, "Idempotency-Key": key}
        options = {"data": body} if isinstance(body, bytes) else {"json": body}
        if body is None:
            options = {}
        return await self.store.client.open(f"/s/{self.slug}{path}", method=method, headers=sent, **options)

    async def must(self, method, path, body=None, **options):
        """Send a request that must be answered with a resource or a list."""
        status, document = await self.send(method, path, body, **options)
        assert status in {200, 201}, document
        return document

    async def check_out(self, *lines, **fields):
        """Create a checkout, by default of somebody with a name."""
        buyer = {"first_name": "Ana", "last_name": "Silva"}
        return await self.must("POST", "/checkout-sessions", {"line_items": list(lines), "buyer": buyer, **fields})

    async def complete(self, checkout, body=None, **options):
        path = f"/checkout-sessions/{checkout['id']}/complete"
        return await self.must("POST", path, {} if body is None else body, **options)

    async def count_orders(self):
        return (await self.store.get("/orders"))["total"]


def of(item, quantity=1):
    """Return a line of an item, or of a variant by its id."""
    return {"item": {"id": item if isinstance(item, str) else str(item["id"])}, "quantity": quantity}


def get_totals(document):
    """Return the totals by type; fees by what they are called."""
    return {total.get("display_text", total["type"]): total["amount"] for total in document["totals"]}


def list_codes(document):
    return [message["code"] for message in document.get("messages", [])]


@pytest.fixture
def agent_of():
    """Return an agent in a store, which its owner offers to agents."""

    async def offer(store, **settings):
        reply = await store.send("PUT", "/settings/ucp", {"is_offered": True, **settings})
        assert reply.status == 200, reply
        return Agent(store, await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id))

    return offer


@pytest.fixture
async def agent(agent_of, store):
    """Return an agent in the test's restaurant."""
    return await agent_of(store)


@pytest.fixture
async def soup(store):
    return await store.item("Soup", 5)
