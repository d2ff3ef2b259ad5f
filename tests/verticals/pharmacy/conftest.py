"""A pharmacy, its owner and its staff."""

import secrets

import pytest
from comanda.accounts import services as accounts
from comanda.devkit.testing import TestStore
from comanda.platform.db import sql
from comanda_staff import api as staff

INSERT_MEMBER = """
    INSERT INTO staff_member (owner_id, store_id, name, role, pin_hash, created_at)
    VALUES ($1, $2, 'Ada', 'waiter', $3, now()) RETURNING id
"""


class Member:
    """A member of staff with a token."""

    def __init__(self, store, id, token):
        self.store, self.id = store, id
        self.auth = {"Authorization": f"Bearer {token}"}

    async def send(self, method, path, body=None):
        return await self.store.send_to(f"/api/v1/staff{path}", method, body, **self.auth)


class Pharmacy(TestStore):
    async def add_member(self, *, is_pharmacist=False):
        member_id = await sql.fetch_value(INSERT_MEMBER, self.owner.id, self.id, secrets.token_bytes(32))
        issued = await accounts.issue_token(
            self.staff_kind, self.owner.id, ["orders"], name="Ada", store_id=self.id, subject_id=member_id
        )
        if is_pharmacist:
            reply = await self.send("PUT", "/pharmacists", {"staff_ids": [member_id]})
            assert reply.status == 200, reply
        return Member(self, member_id, issued.secret)

    async def decide(self, order, status="released", **fields):
        return await self.send("PUT", f"/orders/{order['id']}/release", {"status": status, **fields})

    async def list_releases(self, query=""):
        """Return the ids of the orders with a status of their release."""
        return [each["order_id"] for each in (await self.get(f"/releases{query}"))["data"]]

    async def receive(self, item, number, best_before, quantity, **fields):
        """Enter packs of a batch, and return the batch."""
        body = {"item_id": item["id"], "number": number, "best_before": best_before, "quantity": quantity, **fields}
        reply = await self.send("POST", "/batches", body)
        assert reply.status == 201, reply
        return reply.document

    async def list_left(self, item):
        """Return the packs that are left of each batch of an item, by its number."""
        listed = (await self.get(f"/batches?show=all&item_id={item['id']}"))["data"]
        return {batch["number"]: batch["quantity"] for batch in listed}

    async def get_stock(self, item):
        return (await self.get(f"/menu/items/{item['id']}"))["stock"]

    async def get_status(self, order):
        return (await self.get(f"/orders/{order['id']}"))["status"]


@pytest.fixture
def staff_kind(runtime):
    return runtime.registry.caller_kinds[staff.STAFF_ONLY[0]]


@pytest.fixture
async def pharmacy(client, owner, staff_kind):
    made = Pharmacy(client, owner, await owner.store("pharmacy"))
    made.staff_kind = staff_kind
    return made


@pytest.fixture
async def antibiotic(pharmacy):
    return await pharmacy.item("Antibiotic", 12, is_prescription_only=True)


@pytest.fixture
async def tablets(pharmacy):
    return await pharmacy.item("Tablets", 6, is_sold_by_batch=True, stock=0)
