"""The customer of a check, as staff name them."""

from typing import Final

from comanda.contracts import Call, Caller, Routes
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_loyalty.records import OrderLoyalty
from comanda_loyalty.schemas import OrderCustomerBody
from comanda_loyalty.services import order_customers

routes = Routes("Loyalty", callers=STAFF_ONLY)

PATH: Final = "/staff/orders/{orderId}/loyalty"
# Nobody may find out who is a customer by trying numbers.
MAX_PHONES_PER_MINUTE: Final = 20


@routes.get(PATH, scope=Permission.ORDERS)
async def get_order_loyalty(caller: Caller, order_id: int) -> OrderLoyalty:
    """Return whose points an order of your store earns, how many, and the rewards of the store."""
    return await order_customers.get_order_loyalty(caller, order_id)


@routes.put(PATH, scope=Permission.ORDERS)
async def set_order_customer(caller: Caller, order_id: int, body: OrderCustomerBody, call: Call) -> OrderLoyalty:
    """Name the customer whose points an unpaid order earns, by phone; they replace one who was named before."""
    await call.count(f"loyalty-phone:{caller.token_id}", MAX_PHONES_PER_MINUTE)
    await order_customers.set_customer(caller, order_id, body.phone)
    return await order_customers.get_order_loyalty(caller, order_id)


@routes.delete(PATH, scope=Permission.ORDERS)
async def remove_order_customer(caller: Caller, order_id: int) -> None:
    """Remove the customer whom staff have named; the order earns nobody points then."""
    await order_customers.remove_customer(caller, order_id)
