"""Staff take payments, and refund them with the permission to."""

import pytest
from comanda.accounts.services import issue_token
from comanda.devkit.testing import Reply
from comanda_staff.caller_kinds import STAFF


@pytest.fixture
def colleague(client, owner, store):
    """Return a function that sends requests as staff with some permissions."""

    async def employ(*permissions, of=store):
        token = await issue_token(STAFF, owner.id, permissions, name="x", store_id=of.id, subject_id=7)

        async def send(method, path, body=None, **headers):
            extra_headers = {name.replace("_", "-"): value for name, value in headers.items()}
            auth = {"Authorization": f"Bearer {token.secret}", **extra_headers}
            options = {} if body is None else {"json": body}
            response = await client.open(f"/api/v1/staff/orders{path}", method=method, headers=auth, **options)
            return Reply(response.status_code, await response.get_json(), dict(response.headers))

        return send

    return employ


async def test_waiter_takes_cash_once(colleague, order, till):
    waiter = await colleague("orders")
    path = f"/{order['id']}/payments"

    first = await waiter("POST", path, {"method": "cash", "amount": 50}, Idempotency_Key="a")
    again = await waiter("POST", path, {"method": "cash", "amount": 50}, Idempotency_Key="a")

    assert (first.status, first["change"], first["payment_status"]) == (201, 30, "paid")
    assert (again["id"], again.headers["idempotent-replayed"]) == (first["id"], "true")
    assert (await waiter("GET", path))["total"] == 1
    assert await till.money() == ("paid", 20, 0)


async def test_waiter_cancels_online_payment_and_takes_cash(gateway, client, colleague, order, till):
    await client.post(f"/pay/{order['track_token']}/start")
    waiter = await colleague("orders")
    path = f"/{order['id']}/payments"
    (online,) = (await waiter("GET", path))["data"]
    assert (await waiter("POST", path, {"method": "cash"}))["reason"] == "pending"

    assert (await waiter("POST", f"{path}/{online['id']}/cancel"))["status"] == "cancelled"

    assert (await waiter("POST", path, {"method": "cash"}))["payment_status"] == "paid"
    assert await till.money() == ("paid", 20, 0)


async def test_refund_requires_permission(colleague, order, till):
    await till.pay()
    waiter, cashier = await colleague("orders"), await colleague("orders", "coupons")
    path, body = f"/{order['id']}/refunds", {"reason": "Cold", "amount": 5}

    refused = await waiter("POST", path, body)
    assert (refused.status, refused["required"]) == (403, "coupons")
    assert await till.refunds() == []

    assert (await cashier("POST", path, body)).status == 201
    assert await till.money() == ("partially_refunded", 20, 5)


async def test_payments_require_permission_for_orders(colleague, order, till):
    cook = await colleague("kds")

    assert (await cook("GET", f"/{order['id']}/payments")).status == 403
    assert (await cook("POST", f"/{order['id']}/payments", {"method": "cash"})).status == 403
    assert await till.payments() == []


async def test_order_of_other_store_returns_404(colleague, order, till, open_store):
    stranger = await colleague("orders", "coupons", of=await open_store("restaurant"))

    for method, path, body in (
        ("GET", "payments", None),
        ("POST", "payments", {"method": 1}),
        ("POST", "refunds", {"reason": "x"}),
    ):
        reply = await stranger(method, f"/{order['id']}/{path}", body)
        assert (reply.status, reply["code"]) == (404, "not_found")
    assert await till.payments() == []
