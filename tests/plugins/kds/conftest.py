"""A restaurant with a kitchen."""

import secrets
from types import SimpleNamespace

import pytest
from comanda.accounts import services as accounts
from comanda.devkit.testing import TestStore, line
from comanda.platform.db import sql
from comanda_staff import api as staff

INSERT_MEMBER = """
    WITH made AS (
        INSERT INTO staff_member (owner_id, store_id, name, role, pin_hash, station_ids, created_at)
        VALUES ($1, $2, 'Ada', 'kitchen', $3, $4, now()) RETURNING id)
    SELECT id FROM made
"""


class Cook:
    """A staff member of the kitchen, with a token."""

    def __init__(self, store, token, member_id):
        self.store, self.member_id = store, member_id
        self.auth = {"Authorization": f"Bearer {token}"}

    async def send(self, method, path, body=None, **headers):
        spelled = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.store.send_to(f"/api/v1/staff/kds{path}", method, body, **self.auth, **spelled)

    async def get_board(self, query=""):
        reply = await self.send("GET", query)
        assert reply.status == 200, reply
        return reply.document

    async def bump(self, item_id, expected=None, **headers):
        body = {"expected_status": expected} if expected else None
        return await self.send("PUT", f"/items/{item_id}/bump", body, **headers)

    async def recall(self, item_id, expected=None, **headers):
        body = {"expected_status": expected} if expected else None
        return await self.send("PUT", f"/items/{item_id}/recall", body, **headers)

    async def list_states(self):
        """Return the states of the items on the board by order id."""
        return {ticket["order_id"]: [item["status"] for item in ticket["items"]] for ticket in await self.get_board()}


class Kitchen(TestStore):
    """A store with soup, bread and wine, and a cook."""

    async def add_cook(self, *station_ids, scopes=("kds",)):
        pin_hash = secrets.token_bytes(32)
        member_id = await sql.fetch_value(INSERT_MEMBER, self.owner.id, self.id, pin_hash, list(station_ids))
        issued = await accounts.issue_token(
            self.staff_kind, self.owner.id, list(scopes), name="Ada", store_id=self.id, subject_id=member_id
        )
        return Cook(self, issued.secret, member_id)

    async def add_station(self, name, **fields):
        reply = await self.send("POST", "/stations", {"name": name, **fields})
        assert reply.status == 201, reply
        return reply["id"]

    async def set_route(self, item, station_id):
        reply = await self.send("PUT", f"/station-routes/items/{item['id']}", {"station_id": station_id})
        assert reply.status == 200, reply

    async def place_order(self, *items, **fields):
        """Place an order of one of each, and return its id and the ids of its lines."""
        order = await self.order(*(line(item) for item in items), **fields)
        return SimpleNamespace(id=order["id"], lines=[each["id"] for each in order["items"]])

    async def get_status(self, order):
        return (await self.get(f"/orders/{order.id}"))["status"]

    async def list_kds_statuses(self, order):
        """Return the kitchen states of the lines in the order's record."""
        return [each["kds_status"] for each in (await self.get(f"/orders/{order.id}"))["items"]]


async def create_kitchen(client, owner, staff_kind):
    made = Kitchen(client, owner, await owner.store())
    made.staff_kind = staff_kind
    made.soup = await made.item("Soup", 8)
    made.bread = await made.item("Bread", 2)
    made.wine = await made.item("Wine", 5)
    return made


@pytest.fixture
def staff_kind(runtime):
    return runtime.registry.caller_kinds[staff.STAFF_ONLY[0]]


@pytest.fixture
async def kitchen(client, owner, staff_kind):
    return await create_kitchen(client, owner, staff_kind)


@pytest.fixture
async def cook(kitchen):
    return await kitchen.add_cook()


@pytest.fixture
async def foreign_cook(client, other_owner, staff_kind):
    return await (await create_kitchen(client, other_owner, staff_kind)).add_cook()
