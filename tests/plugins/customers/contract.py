"""What stands in the paths and bodies of the customers plugin's routes, for tests of every route."""

from comanda import clock
from comanda.db import sql
from comanda.events.types import StoredEvent
from comanda_customers.feed import follow


async def guest(workshop, store_id):
    order_id = await workshop.order(store_id, phone="+351 912 345 678", customer_name="Ada")
    owner_id = workshop.owner.id
    await follow([StoredEvent(1, owner_id, store_id, "order.created", {"order_id": order_id}, clock.now())])
    return await sql.fetch_value(
        "SELECT guest_id FROM customers_guest_order WHERE order_id = $1 AND owner_id = $2", order_id, owner_id
    )


FACTORIES = {"/restaurants/{id}/guests/{guestId}": guest}
BODIES = {"GuestChange": {"tags": ["no nuts", "window seat"], "name": "Stolen"}}
