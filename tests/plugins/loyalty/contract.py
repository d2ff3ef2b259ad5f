"""Paths and bodies of the loyalty plugin, for tests of every route."""

from comanda.basics import clock
from comanda.contracts import API_PREFIX
from comanda_customers.models import Customer


async def customer(workshop, store_id):
    columns = {"name": "Ada", "phone": f"+3518{store_id:08}", "created_at": clock.now()}
    row, _ = await Customer.get_or_create(columns, owner_id=workshop.owner.id, store_id=store_id, email="l@example.com")
    return row.id


async def reward(workshop, store_id):
    body = {"name": "5 off", "type": "fixed", "value": 5, "points": 100}
    return await workshop.post(f"/restaurants/{store_id}/loyalty/rewards", body)


async def reward_body(workshop, store_id, *_):
    item_id = await workshop.item(store_id)
    return {"name": "Soup", "type": "item", "value": 1, "item_id": item_id, "points": 10, "is_active": True}


async def order_customer_body(workshop, store_id, *_):
    path = f"{API_PREFIX}/restaurants/{store_id}/loyalty"
    switched = await workshop.client.put(path, headers=workshop.owner.auth, json={"is_on": True})
    assert switched.status_code == 200
    return {"phone": (await Customer.get(id=await customer(workshop, store_id))).phone}


FACTORIES = {
    "/restaurants/{id}/loyalty/customers/{customerId}": customer,
    "/restaurants/{id}/loyalty/rewards/{rewardId}": reward,
}
MCP_CALLS = {"customer/my_points": {}}
BODIES = {
    "ProgrammeBody": {
        "is_on": True,
        "earn_by": "order",
        "points": 2,
        "min_order": 5,
        "expires_after_months": 6,
    },
    "RewardBody": reward_body,
    "PointsBody": {"points": 5, "reason": "x"},
    "OrderCustomerBody": order_customer_body,
}
