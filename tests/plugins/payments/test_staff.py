"""The people who work in a store take payments; those with the permission give money back."""

import pytest
from comanda.accounts.services import issue_token
from comanda.devkit.testing.stores import Reply
from comanda_staff.kinds import STAFF


@pytest.fixture
def colleague(client, owner, store):
    """Let somebody with some permissions send requests from a store."""

    async def employ(*permissions, of=store):
        token = await issue_token(STAFF, owner.id, permissions, name="x", store_id=of.id, subject_id=7)

        async def send(method, path, body=None, **headers):
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            auth = {"Authorization": f"Bearer {token.secret}", **named}
            options = {} if body is None else {"json": body}
            response = await client.open(f"/api/v1/staff/orders{path}", method=method, headers=auth, **options)
            return Reply(response.status_code, await response.get_json(), dict(response.headers))

        return send

    return employ


async def test_a_waiter_takes_cash_once(colleague, order, till):
    waiter = await colleague("orders")
    path = f"/{order['id']}/payments"

    first = await waiter("POST", path, {"method": "cash", "amount": 50}, Idempotency_Key="a")
    again = await waiter("POST", path, {"method": "cash", "amount": 50}, Idempotency_Key="a")

    assert (first.status, first["change"], first["payment_status"]) == (201, 30, "paid")
    assert (again["id"], again.headers["idempotent-replayed"]) == (first["id"], "true")
    assert (await waiter("GET", path))["total"] == 1
    assert await till.money() == ("paid", 20, 0)


async def test_what_a_guest_began_online_is_paid_at_the_table_instead(gateway, client, colleague, order, till):
    await client.post(f"/pay/{order['track_token']}/start")
    waiter = await colleague("orders")
    path = f"/{order['id']}/payments"
    (online,) = (await waiter("GET", path))["data"]
    assert (await waiter("POST", path, {"method": "cash"}))["reason"] == "pending"

    assert (await waiter("POST", f"{path}/{online['id']}/cancel"))["status"] == "cancelled"

    assert (await waiter("POST", path, {"method": "cash"}))["payment_status"] == "paid"
    assert await till.money() == ("paid", 20, 0)


async def test_a_refund_takes_the_permission_for_it(colleague, order, till):
    await till.pay()
    waiter, cashier = await colleague("orders"), await colleague("orders", "coupons")
    path, body = f"/{order['id']}/refunds", {"reason": "Cold", "amount": 5}

    refused = await waiter("POST", path, body)
    assert (refused.status, refused["required"]) == (403, "coupons")
    assert await till.refunds() == []

    assert (await cashier("POST", path, body)).status == 201
    assert await till.money() == ("partially_refunded", 20, 5)


async def test_without_the_permission_for_orders_there_are_no_payments(colleague, order, till):
    cook = await colleague("kds")

    assert (await cook("GET", f"/{order['id']}/payments")).status == 403
    assert (await cook("POST", f"/{order['id']}/payments", {"method": "cash"})).status == 403
    assert await till.payments() == []


async def test_an_order_of_another_store_looks_missing(colleague, order, till, open_store):
    stranger = await colleague("orders", "coupons", of=await open_store("restaurant"))

    for method, path, body in (
        ("GET", "payments", None),
        ("POST", "payments", {"method": 1}),
        ("POST", "refunds", {"reason": "x"}),
    ):
        reply = await stranger(method, f"/{order['id']}/{path}", body)
        assert (reply.status, reply["code"]) == (404, "not_found")
    assert await till.payments() == []
