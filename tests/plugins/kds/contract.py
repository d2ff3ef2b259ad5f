"""What stands in the paths and bodies of the kds plugin, for tests of every route."""

from itertools import count

from comanda.db import sql

_numbers = count(1)


async def station(workshop, store_id):
    return await workshop.post(f"/restaurants/{store_id}/stations", {"name": f"Station {next(_numbers)}"})


async def routed(workshop, store_id, kind, made):
    path = f"/api/v1/restaurants/{store_id}/station-routes/{kind}/{made}"
    response = await workshop.client.put(path, headers=workshop.owner.auth, json={"station_id": None})
    assert response.status_code == 200, await response.get_json()
    return made


async def routed_item(workshop, store_id):
    return await routed(workshop, store_id, "items", await workshop.item(store_id))


async def routed_category(workshop, store_id):
    return await routed(workshop, store_id, "categories", await workshop.category(store_id))


async def route_body(workshop, store_id, *_):
    return {"station_id": await station(workshop, store_id)}


async def own_line(workshop):
    order_id = await workshop.order(workshop.home, customer_name=workshop.marker)
    # Begun, so that it can go forward and back.
    path = f"/api/v1/restaurants/{workshop.home}/orders/{order_id}/status"
    begun = await workshop.client.put(path, headers=workshop.owner.auth, json={"status": "preparing"})
    assert begun.status_code == 200, await begun.get_json()
    return await sql.fetch_value("SELECT id FROM core_order_line WHERE order_id = $1", order_id)


FACTORIES = {
    "/staff/kds/items/{itemId}": own_line,
    "/restaurants/{id}/stations/{stationId}": station,
    "/restaurants/{id}/station-routes/items/{itemId}": routed_item,
    "/restaurants/{id}/station-routes/categories/{categoryId}": routed_category,
}
BODIES = {
    "StationBody": {"name": "Stolen", "position": 1, "is_default": True},
    "StationChange": {"name": "Stolen", "position": 1, "is_default": True},
    "RouteBody": route_body,
    "KitchenChange": {"soon_minutes": 1, "late_minutes": 2, "lead_minutes": 3},
}
