"""Path parameters and bodies of the routes of kds, for the tests of all routes."""

from itertools import count

from comanda.platform.db import sql

_numbers = count(1)
INSERT_VOID = """
    WITH line AS (
        UPDATE core_order_line SET voided_quantity = 1 WHERE order_id = $2 AND id = $3 RETURNING owner_id, id),
    made AS (
        INSERT INTO kds_void (owner_id, store_id, order_id, order_line_id, round, quantity, voided_at)
        SELECT owner_id, $1, $2, id, 1, 1, now() FROM line RETURNING id)
    SELECT id FROM made
"""


async def create_station(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/stations", {"name": f"Station {next(_numbers)}"})


async def create_route(workshop, store_id, kind, made):
    path = f"/api/v1/restaurants/{store_id}/station-routes/{kind}/{made}"
    response = await workshop.client.put(path, headers=workshop.owner.auth, json={"station_id": None})
    assert response.status_code == 200, await response.get_json()
    return made


async def create_item_route(workshop, store_id):
    return await create_route(workshop, store_id, "items", await workshop.item(store_id))


async def create_category_route(workshop, store_id):
    return await create_route(workshop, store_id, "categories", await workshop.category(store_id))


async def build_route_body(workshop, store_id, *_):
    return {"station_id": await create_station(workshop, store_id)}


async def create_own_line(workshop):
    order_id = await workshop.order(workshop.home, customer_name=workshop.marker)
    # In preparation, so that it can be bumped and recalled.
    path = f"/api/v1/restaurants/{workshop.home}/orders/{order_id}/status"
    begun = await workshop.client.put(path, headers=workshop.owner.auth, json={"status": "preparing"})
    assert begun.status_code == 200, await begun.get_json()
    return await sql.fetch_value("SELECT id FROM core_order_line WHERE order_id = $1", order_id)


async def create_void(workshop):
    order_id = await workshop.order(workshop.home, customer_name=workshop.marker)
    line_id = await sql.fetch_value("SELECT id FROM core_order_line WHERE order_id = $1", order_id)
    return await sql.fetch_value(INSERT_VOID, workshop.home, order_id, line_id)


async def create_order(workshop):
    return await workshop.order(workshop.home, customer_name=workshop.marker)


async def create_course(workshop, order_id):
    await sql.execute("UPDATE core_order_line SET course = 2 WHERE order_id = $1", order_id)
    return 2


FACTORIES = {
    "/staff/kds/voids/{voidId}": create_void,
    "/staff/kds/orders/{orderId}": create_order,
    "/staff/kds/orders/{orderId}/courses/{course}": create_course,
    "/staff/orders/{orderId}/courses/{course}": create_course,
    "/staff/kds/items/{itemId}": create_own_line,
    "/restaurants/{id}/stations/{stationId}": create_station,
    "/restaurants/{id}/station-routes/items/{itemId}": create_item_route,
    "/restaurants/{id}/station-routes/categories/{categoryId}": create_category_route,
}
BODIES = {
    "StationBody": {"name": "Stolen", "position": 1, "is_default": True},
    "StationChange": {"name": "Stolen", "position": 1, "is_default": True},
    "RouteBody": build_route_body,
    "FireBody": {"minutes": 15},
    "KitchenChange": {"soon_minutes": 1, "late_minutes": 2, "lead_minutes": 3},
}
