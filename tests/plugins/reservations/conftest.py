"""A restaurant at noon on a Wednesday, with requests for its tables and reservations."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from comanda.contracts import Caller
from comanda.devkit.testing.tasks import run_task
from comanda.platform.db import sql
from comanda_reservations import api
from comanda_reservations.message_templates import TABLE_READY
from demo_bank import DemoBankFake

NOON = datetime(2027, 3, 10, 12, tzinfo=UTC)


class Restaurant:
    """A store whose tables and reservations are managed over HTTP."""

    def __init__(self, store):
        self.store = store

    async def create_table(self, number, seats=4, **fields):
        reply = await self.store.send("POST", "/tables", {"number": number, "seats": seats, **fields})
        assert reply.status == 201, reply
        return reply.document

    async def request_reservation(self, hours=6, party_size=2, key=None, **fields):
        """Request a table so many hours after noon, and return the reply."""
        starts_at = (NOON + timedelta(hours=hours)).isoformat()
        body = {"guest_name": "Ada Costa", "party_size": party_size, "starts_at": starts_at, **fields}
        return await self.store.send("POST", "/reservations", body, **({} if key is None else {"Idempotency_Key": key}))

    async def create_reservation(self, hours=6, party_size=2, **fields):
        reply = await self.request_reservation(hours, party_size, **fields)
        assert reply.status == 201, reply
        return reply.document

    async def update_reservation(self, reservation, **fields):
        return await self.store.send("PUT", f"/reservations/{reservation['id']}", fields)

    async def update_status(self, reservation, status, **fields):
        return await self.store.send("PUT", f"/reservations/{reservation['id']}/status", {"status": status, **fields})

    async def update_settings(self, **fields):
        reply = await self.store.send("PUT", "/reservations/settings", fields)
        assert reply.status == 200, reply
        return reply.document

    async def get_reservation(self, reservation):
        return (await self.store.get(f"/reservations/{reservation['id']}")).document

    async def get_availability(self, hours=6, party_size=2):
        moment = (NOON + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")
        return (await self.store.get(f"/tables/availability?starts_at={moment}&party_size={party_size}")).document

    async def count_reservations(self):
        return (await self.store.get("/reservations"))["total"]

    async def list_seatings(self):
        """Return the reservation and number of each assigned table, from the database."""
        rows = await sql.fetch(
            """SELECT s.reservation_id, t.number FROM reservations_seating s
               JOIN reservations_table t ON t.id = s.table_id AND t.owner_id = s.owner_id
               WHERE t.store_id = $1 ORDER BY s.reservation_id, t.number""",
            self.store.id,
        )
        return [(row["reservation_id"], row["number"]) for row in rows]


@pytest.fixture
def noon(clock):
    clock.set(NOON)
    return clock


@pytest.fixture
def restaurant(noon, store):
    return Restaurant(store)


@pytest.fixture
def create_stay(owner, store_id):
    """Create a stay as the plugin that sells stays does, and return the id of its reservation."""

    async def add(**fields):
        columns = {
            "owner_id": owner.id, "store_id": store_id, "status": api.StayStatus.CONFIRMED, "guest_name": "Rui Matos",
            "phone": None, "email": "rui@example.com", "party_size": 2, "starts_at": NOON + timedelta(days=1),
            "ends_at": NOON + timedelta(days=3), "note": None, "source": "api", **fields,
        }  # fmt: skip
        async with sql.transaction():
            return await api.create_stay(**columns)

    return add


@pytest.fixture
def other_store_caller(owner, store_id):
    """Return a caller whose token belongs to another store of the owner."""
    return Caller("owner", owner.token_id, owner.id, store_id + 1, None, frozenset({"*"}), None)


OWN_PAGE = {"Origin": "http://comanda.test", "Sec-Fetch-Site": "same-origin"}
DAY = "2027-03-12"


class Guest:
    """A guest who reserves on the store's page and pays at the bank."""

    def __init__(self, restaurant, bank):
        self.restaurant, self.store, self.bank = restaurant, restaurant.store, bank

    async def send(self, path, body):
        response = await self.store.client.post(path, json=body, headers=OWN_PAGE)
        return response.status_code, await response.get_json()

    async def read(self, path):
        return await (await self.store.client.get(path)).get_data(as_text=True)

    async def reserve(self, party_size=4, at="19:30"):
        slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", self.store.id)
        body = {
            "guest_name": "Ana Silva", "phone": "+351912345678", "party_size": party_size,
            "starts_at": f"{DAY}T{at}:00Z", "client_uuid": str(uuid4()),
        }  # fmt: skip
        return await self.send(f"/s/{slug}/reservations", body)

    async def start(self, page):
        """Press the button of a reservation's page and return where it leads."""
        start = (await self.read(page)).partition('data-guest-form action="/prepayments/')[2].partition('"')[0]
        return (await self.send("/prepayments/" + start.replace("&amp;", "&"), {}))[1]["url"]

    async def cancel(self, page):
        return await self.send(page.replace("?", "/cancellation?"), {})

    async def get(self):
        [found] = (await self.store.get("/reservations"))["data"]
        return found


@pytest.fixture
async def guest(restaurant, client, owner):
    """A guest of a restaurant with one table and a deposit of 10.00 each from 3 guests on."""
    await restaurant.create_table("1")
    store = restaurant.store
    assert (await store.send_to("/api/v1/payment-accounts", "POST", {"provider": "demo"})).status == 201
    rules = {"deposit_per_guest": 10, "deposit_party_size": 3, "deposit_free_hours": 24, "deposit_hold_minutes": 30}
    reply = await store.send("PUT", "/reservations/settings", rules)
    assert (reply.status, reply["deposit_per_guest"]) == (200, 10), reply
    return Guest(restaurant, DemoBankFake(client, owner))


@pytest.fixture
def pay(guest, dispatch):
    """Reserve, pay the deposit, and return the page of the reservation."""

    async def reserve_and_pay():
        _, made = await guest.reserve()
        await guest.bank.pay(await guest.start(made["url"]))
        await run_task("payments_reconcile")
        await guest.store.client.get((await sql.fetch_value(
            "SELECT return_url FROM payments_payment WHERE owner_id = $1 ORDER BY id DESC LIMIT 1",
            guest.store.owner.id,
        )).removeprefix("http://comanda.test"))  # fmt: skip
        await dispatch()
        return made["url"]

    return reserve_and_pay


class Waitlist:
    """The waitlist of a restaurant, as its staff use it over HTTP."""

    def __init__(self, restaurant):
        self.restaurant, self.store = restaurant, restaurant.store

    async def request(self, name="Ada Costa", party_size=2, key=None, **fields):
        body = {"guest_name": name, "party_size": party_size, **fields}
        headers = {} if key is None else {"Idempotency_Key": key}
        return await self.store.send("POST", "/waitlist", body, **headers)

    async def add(self, *values, **fields):
        reply = await self.request(*values, **fields)
        assert reply.status == 201, reply
        return reply.document

    async def act(self, party, action, **fields):
        method = "PUT" if action == "status" else "POST"
        return await self.store.send(method, f"/waitlist/{party['id']}/{action}", fields)

    async def get(self, party):
        return (await self.store.get(f"/waitlist/{party['id']}")).document

    async def list_messages(self):
        """Return the address and the text of each message to a waiting party, from the database."""
        rows = await sql.fetch(
            "SELECT address, text FROM notifications_message WHERE owner_id = $1 AND purpose = $2 ORDER BY id",
            self.store.owner.id,
            TABLE_READY.name,
        )
        return [(row["address"], row["text"]) for row in rows]

    async def list_names(self):
        return [party["guest_name"] for party in (await self.store.get("/waitlist"))["data"]]


@pytest.fixture
async def waitlist(restaurant):
    """A restaurant with a table for four and a waitlist."""
    await restaurant.create_table("1")
    await restaurant.update_settings(has_waitlist=True)
    return Waitlist(restaurant)
