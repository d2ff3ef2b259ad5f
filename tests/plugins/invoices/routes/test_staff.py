"""Staff send the receipt of a paid order from the till."""

import pytest
from comanda.accounts.services import issue_token
from comanda.devkit.testing import TestStore
from comanda.platform.db import sql
from comanda_staff.caller_kinds import STAFF

SELECT_MESSAGES = (
    "SELECT address, subject, text FROM notifications_message WHERE owner_id = $1 AND purpose = 'invoices.receipt'"
)


@pytest.fixture
def employ(owner, store):
    """Return a function that sends receipts as staff with some permissions."""

    async def make(*permissions, of=store):
        token = await issue_token(STAFF, of.owner.id, permissions, name="x", store_id=of.id, subject_id=7)

        async def send(order, email="ana@example.com", language="en"):
            headers = {"Authorization": f"Bearer {token.secret}", "Accept-Language": language}
            return await of.send_to(f"/api/v1/staff/orders/{order['id']}/receipt", "POST", {"email": email}, **headers)

        return send

    return make


@pytest.fixture
def messages(owner):
    async def read():
        return await sql.fetch(SELECT_MESSAGES, owner.id)

    return read


async def test_waiter_sends_the_receipt_once(employ, paid_order, messages, seller):
    waiter = await employ("orders")

    sent = await waiter(paid_order)
    again = await waiter(paid_order)

    assert (sent.status, sent.document) == (200, {"email": "ana@example.com"})
    assert again.document == sent.document
    (message,) = await messages()
    assert message["address"] == "ana@example.com"
    assert "Total: €25.00" in message["text"]


async def test_receipt_is_in_the_language_of_the_till(employ, paid_order, messages):
    await (await employ("orders"))(paid_order, language="de")

    assert (await messages())[0]["subject"].startswith("Beleg der Bestellung")


async def test_only_own_paid_orders_with_the_permission(
    client, employ, paid_order, new_order, messages, owner, other_owner
):
    foreign = await employ("orders", of=TestStore(client, other_owner, await other_owner.store()))
    beside = await employ("orders", of=TestStore(client, owner, await owner.store()))
    unpaid = await (await employ("orders"))(await new_order())

    assert [(await send(paid_order)).status for send in (foreign, beside)] == [404, 404]
    assert (unpaid.status, unpaid["reason"]) == (409, "order_unpaid")
    assert (await (await employ("kds"))(paid_order)).status == 403
    assert await messages() == []


@pytest.mark.parametrize("email", ["", "nobody", "a@b@c", None])
async def test_address_that_takes_no_mail_is_refused(employ, paid_order, messages, email):
    refused = await (await employ("orders"))(paid_order, email)

    assert (refused.status, list(refused["errors"])) == (422, ["email"])
    assert await messages() == []


async def test_one_order_sends_few_receipts_in_a_minute(employ, paid_order):
    waiter = await employ("orders")

    assert [(await waiter(paid_order, f"guest{n}@example.com")).status for n in range(4)] == [200, 200, 200, 429]
