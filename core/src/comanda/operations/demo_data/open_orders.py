"""Orders of this moment in the demo's restaurants: kitchen, till and live board have something to do at the first look.

They are placed like those that a waiter takes, with all that follows: tickets, prints, events.
"""

from functools import partial
from typing import Final

from comanda.contracts.demo import Showcase
from comanda.contracts.orders.status import Status
from comanda.contracts.requests.callers import Caller
from comanda.operations.demo_data import history
from comanda.operations.demo_data.builder import create_once
from comanda.orders.idempotency import OrderKeys
from comanda.orders.intake.placement import PlaceOrder, place_order
from comanda.orders.status import set_status

# How far each order has come; they are in turn for a table and to take away.
STATUSES: Final = (Status.READY, Status.PREPARING, Status.PREPARING, Status.NEW, Status.NEW)
NO_KEYS: Final = OrderKeys(header=None, client_uuid=None, body_hash=b"")


async def create_open_orders(showcase: Showcase) -> None:
    """Place some orders in each restaurant of the demo, once, unless it is closed."""
    caller = showcase.caller()
    for store in showcase.stores:
        store_id = int(str(store["id"]))
        if history.is_food_store(await history.load_menu(caller, store_id)):
            await create_once(f"open_orders:{store_id}", partial(_place_orders, caller, store_id))


async def _place_orders(caller: Caller, store_id: int) -> int:
    menu = await history.load_menu(caller, store_id)
    modes, items = history.list_usual_modes(menu)[:2], [item for item in menu.items.values() if item.is_available]
    if not modes or not items:
        return 0
    random = history.create_random(store_id)
    for number, status in enumerate(STATUSES):
        body = history.create_body(modes[number % len(modes)], random.choices(items, k=3), random)
        name, _phone = history.choose_guest(random)
        place = {"table_number": str(number + 1)} if body.table_number else {"customer_name": name}
        command = PlaceOrder(history.CHANNEL, store_id, body.model_copy(update=place), NO_KEYS)
        placed = await place_order(caller, command)
        await set_status(caller, store_id, placed.record.id, status)
    return 0
