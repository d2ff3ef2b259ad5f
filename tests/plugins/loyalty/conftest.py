"""A store whose customers collect points, and what they and its ledger say."""

import asyncio
from uuid import uuid4

import pytest
from comanda.accounts import services as account_services
from comanda.basics import clock as clock_module
from comanda.contracts import StoredEvent
from comanda.devkit.testing import Reply, line
from comanda.platform.db import sql
from comanda_customers.models import Customer
from comanda_customers.services.sign_in.tokens import issue_token
from comanda_loyalty.event_handlers import update_points
from comanda_staff.caller_kinds import STAFF

PROGRAMME = {"is_on": True, "earn_by": "amount", "points": 1}


class Collector:
    """A customer of the store who orders with their token."""

    def __init__(self, store, id, token):
        self.store, self.id, self.token = store, id, token

    async def send(self, method, path, body=None, **headers):
        given = {"Authorization": f"Bearer {self.token}", **headers}
        options = {} if body is None else {"json": body}
        response = await self.store.client.open(f"/api/v1/customer{path}", method=method, headers=given, **options)
        text = await response.get_data()
        return Reply(response.status_code, await response.get_json() if text else None, dict(response.headers))

    async def place(self, *lines, reward=None, **fields):
        """Order for takeaway and return the reply."""
        body = {"type": "takeaway", "items": list(lines), **fields}
        return await self.send("POST", "/orders", body if reward is None else {**body, "loyalty_reward": reward})

    async def order(self, *lines, **fields):
        reply = await self.place(*lines, **fields)
        assert reply.status == 201, reply
        return reply.document

    async def points(self):
        return (await self.store.get(f"/loyalty/customers/{self.id}"))["balance"]

    async def entries(self):
        found = (await self.store.get(f"/loyalty/customers/{self.id}"))["entries"]
        return [(entry["kind"], entry["points"]) for entry in reversed(found)]

    async def adjust(self, points, reason="Welcome", **headers):
        body = {"points": points, "reason": reason}
        return await self.store.send("POST", f"/loyalty/customers/{self.id}/entries", body, **headers)


class Waiter:
    """A member of staff, who names the customers of checks."""

    def __init__(self, store, token):
        self.store, self.token = store, token

    async def send(self, method, order, body=None):
        path = f"/api/v1/staff/orders/{order['id']}/loyalty"
        return await self.store.send_to(path, method, body, Authorization=f"Bearer {self.token}")

    async def see(self, order):
        reply = await self.send("GET", order)
        assert reply.status == 200, reply
        return reply.document

    async def name(self, order, phone):
        return await self.send("PUT", order, {"phone": phone})


@pytest.fixture
def new_waiter(store):
    """Create a waiter of the store, or of another one, with permissions."""

    async def make(*permissions, store=store):
        of = {"name": "till", "store_id": store.id, "subject_id": 1}
        token = await account_services.issue_token(STAFF, store.owner.id, permissions or ["orders"], **of)
        return Waiter(store, token.secret)

    return make


@pytest.fixture
async def waiter(new_waiter):
    return await new_waiter()


@pytest.fixture
def new_contact(store):
    """Create a customer of the store, or of another one, by phone."""

    async def make(phone, name="Ada", store=store, **columns):
        given = {"owner_id": store.owner.id, "store_id": store.id, "created_at": clock_module.now()}
        return await Customer.create(**given, name=name, phone=phone, **columns)

    return make


@pytest.fixture
async def soup(store):
    return await store.item("Soup", price=10)


@pytest.fixture
def set_programme(store):
    """Replace the programme of the store."""

    async def put(**fields):
        reply = await store.send("PUT", "/loyalty", {**PROGRAMME, **fields})
        assert reply.status == 200, reply
        return reply.document

    return put


@pytest.fixture
async def programme(set_programme):
    """One point for each euro."""
    return await set_programme()


@pytest.fixture
def new_customer(owner, store):
    """Create a customer of the store with a token."""

    async def make(name="Ada"):
        customer = await Customer.create(
            owner_id=owner.id,
            store_id=store.id,
            name=name,
            email=f"{uuid4().hex}@example.com",
            created_at=clock_module.now(),
        )
        token = await issue_token(owner.id, store.id, customer.id, "Phone")
        return Collector(store, customer.id, token.secret)

    return make


@pytest.fixture
async def ada(new_customer):
    return await new_customer()


@pytest.fixture
def pay(store):
    """Pay an order in cash."""

    async def send(order):
        reply = await store.send("POST", f"/orders/{order['id']}/payments", {"method": "cash"})
        assert reply.status == 201, reply

    return send


@pytest.fixture
def refund(store):
    """Refund an order, or an amount of it."""

    async def send(order, amount=None):
        body = {"reason": "Cold"} if amount is None else {"reason": "Cold", "amount": amount}
        reply = await store.send("POST", f"/orders/{order['id']}/refunds", body)
        assert reply.status == 201, reply

    return send


@pytest.fixture
def cancel(store):
    async def send(order, status="cancelled"):
        return await store.send("PUT", f"/orders/{order['id']}/status", {"status": status})

    return send


@pytest.fixture
def handle(owner, store):
    """Pass an event of orders to the handler, as the dispatcher does."""

    async def tell(*orders):
        moment = clock_module.now()
        events = [
            StoredEvent(n, owner.id, store.id, "order.paid", {"order_id": order["id"]}, moment)
            for n, order in enumerate(orders, 1)
        ]
        await update_points(events)

    return tell


@pytest.fixture
def check_ledger(owner):
    """Check that legs sum to zero, and that balances are those of the entries."""

    async def check():
        unbalanced = await sql.fetch(
            """SELECT e.id FROM loyalty_entry e JOIN loyalty_leg l ON l.entry_id = e.id AND l.owner_id = e.owner_id
               WHERE e.owner_id = $1 GROUP BY e.id, e.points
               HAVING sum(l.points) <> 0 OR count(*) <> 2
                   OR sum(l.points) FILTER (WHERE l.account = 'customer') <> e.points""",
            owner.id,
        )
        wrong = await sql.fetch(
            """SELECT a.id FROM loyalty_account a LEFT JOIN loyalty_entry e
                   ON e.account_id = a.id AND e.owner_id = a.owner_id
               WHERE a.owner_id = $1 GROUP BY a.id, a.balance HAVING a.balance <> coalesce(sum(e.points), 0)""",
            owner.id,
        )
        legs = await sql.fetch_value("SELECT coalesce(sum(points), 0) FROM loyalty_leg WHERE owner_id = $1", owner.id)
        assert (list(unbalanced), list(wrong), legs) == ([], [], 0)

    return check


@pytest.fixture
def gather():
    """Run things at once."""

    async def run(*waiting):
        return await asyncio.gather(*waiting)

    return run


@pytest.fixture
async def paid_order(ada, soup, programme, pay, handle):
    """An order of 20.00 that is paid and has earned 20 points."""
    order = await ada.order(line(soup, 2))
    await pay(order)
    await handle(order)
    return order


@pytest.fixture
def new_reward(store, programme):
    """Create a reward of the store and return its id."""

    async def make(**fields):
        body = {"name": "5 off", "type": "fixed", "value": 5, "points": 50, **fields}
        reply = await store.send("POST", "/loyalty/rewards", body)
        assert reply.status == 201, reply
        return reply["id"]

    return make


@pytest.fixture
async def reward(new_reward):
    return await new_reward()


@pytest.fixture
async def rich(ada):
    """A customer with 60 points."""
    assert (await ada.adjust(60)).status == 201
    return ada
