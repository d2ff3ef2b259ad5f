"""Routes of orders whose goods are cleaned: what is due, weights, tags and promised days."""

from typing import Final

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_laundry.records import LaundryOrder, LaundryOrderSummary
from comanda_laundry.schemas import GarmentBody, GarmentsBody, LaundryQuery, ReadyBody, TagBody, WeightBody
from comanda_laundry.services import garments, orders, weights

routes = Routes("Laundry")

ORDERS: Final = "/restaurants/{id}/laundry/orders"
ORDER: Final = f"{ORDERS}/{{orderId}}"


@routes.get(ORDERS, scope="orders:read")
async def list_orders(
    caller: Caller, id: int, query: LaundryQuery, page: PageRequest
) -> RecordPage[LaundryOrderSummary]:
    """List open orders by the day for which they are promised, 20 per page; `due` is `open`, `today` or `overdue`.

    With `tag` it lists the order that has a garment of this tag.
    """
    return await orders.list_orders(caller, id, query, page)


@routes.get(ORDER, scope="orders:read")
async def get_order(caller: Caller, id: int, order_id: int) -> LaundryOrder:
    """Get an order with its lines and garments; 404 if nothing of it is cleaned."""
    return await orders.get_order(caller, id, order_id)


@routes.put(f"{ORDER}/ready-day", scope="orders:write")
async def set_ready_day(caller: Caller, id: int, order_id: int, body: ReadyBody) -> LaundryOrder:
    """Promise an order for another day."""
    return await orders.set_ready_day(caller, id, order_id, body)


@routes.put(f"{ORDER}/lines/{{lineId}}/weight", scope="orders:write")
async def weigh_line(caller: Caller, id: int, order_id: int, line_id: int, body: WeightBody) -> LaundryOrder:
    """Set what a line weighs. The order's total is settled again, also if it is paid: what it costs more is due."""
    return await weights.weigh_line(caller, id, order_id, line_id, body)


@routes.post(f"{ORDER}/garments", scope="orders:write")
async def tag_garments(caller: Caller, id: int, order_id: int, body: TagBody) -> LaundryOrder:
    """Give the pieces of a line tags, which no other garment of an open order has."""
    return await garments.tag_garments(caller, id, order_id, body)


@routes.put(f"{ORDER}/garments", scope="orders:write")
async def update_garments(caller: Caller, id: int, order_id: int, body: GarmentsBody) -> LaundryOrder:
    """Set where all garments of an order are that are neither lost nor damaged."""
    return await garments.update_garments(caller, id, order_id, body)


@routes.put("/restaurants/{id}/laundry/garments/{garmentId}", scope="orders:write")
async def update_garment(caller: Caller, id: int, garment_id: int, body: GarmentBody) -> LaundryOrder:
    """Set where a garment is; one that is lost or damaged needs a note."""
    return await garments.update_garment(caller, id, garment_id, body)
