"""A restaurant at noon on a Wednesday, with requests for its tables and reservations."""

from datetime import UTC, datetime, timedelta

import pytest
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda_reservations import api

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
