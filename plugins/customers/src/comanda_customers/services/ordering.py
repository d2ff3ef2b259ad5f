"""A customer's own orders: placed, listed, shown. Who they are, the token alone says."""

from dataclasses import dataclass
from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.idempotency import IdempotentResult
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed
from comanda.orders import placement, queries
from comanda.orders.draft import OrderChannel, OrderLimits
from comanda.orders.idempotency import OrderKeys
from comanda.orders.records import ORDER_COLUMNS, to_order_summary

from comanda_customers.models import Address, Customer
from comanda_customers.schemas.orders import CustomerOrderBody
from comanda_customers.services import addresses, profiles, scrubbing, shops

CHANNEL = OrderChannel("customer", "customer_app", OrderLimits(lines=40, quantity=30), keeps_hours=True)
PER_PAGE = 30

MINE = "FROM core_order o WHERE o.customer_id = $1 AND o.owner_id = $2 AND o.store_id = $3"
PAGE = f"SELECT {ORDER_COLUMNS} {MINE} ORDER BY o.id DESC LIMIT $4 OFFSET $5"


@dataclass(frozen=True)
class Addressed(Unvalidated[CustomerOrderBody]):
    """An order's body whose ``address_id`` has been looked up: ``is_known`` tells whether it is the customer's."""

    is_known: bool = True

    def validated(self) -> CustomerOrderBody:
        """Parse the body. Raises as ever, and ``ValidationFailed`` for an address that is not the customer's."""
        body = super().validated()
        if body.address_id is not None and not self.is_known:
            raise ValidationFailed(address_id=[f"You have no address {body.address_id}."])
        return body


async def place(caller: Caller, body: Unvalidated[CustomerOrderBody], keys: OrderKeys) -> IdempotentResult:
    """Place an order in the store of the customer's token, under the customer's own name and phone.

    Repeats, refusals and events are those of every order. Raises ``NotFound`` while the store is not published.
    """
    shop = await shops.of_customer(caller)
    customer = await profiles.own(caller)
    address = await _address(caller, body)
    imposed: dict[str, Any] = {"customer_name": customer.name, "phone": customer.phone}
    if address is not None:
        imposed |= addresses.on_order(address)
    addressed = Addressed(body.model, body.raw, is_known=address is not None)
    made = await placement.place_order(caller, CHANNEL, shop.id, addressed, keys, imposed)
    if not await Customer.exists(id=customer.id, owner_id=caller.owner_id, erased_at=None):
        # Erased while the order was on its way in: it came too late to be found with the others.
        async with sql.transaction():
            await scrubbing.forget(shop, customer.id)
    return made


async def page_of_orders(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the customer's orders, newest first."""
    who = (caller.subject_id, caller.owner_id, caller.store_id)
    rows = await sql.fetch(PAGE, *who, page.size(PER_PAGE), page.offset(PER_PAGE))
    total = await sql.fetch_value(f"SELECT count(*) {MINE}", *who)
    return page.envelope([to_order_summary(row) for row in rows], total, PER_PAGE)


async def order(caller: Caller, order_id: int) -> dict[str, Any]:
    """Show one of the customer's orders. Raises ``NotFound`` for anybody else's."""
    if caller.store_id is None or caller.subject_id is None:
        raise NotFound
    found = await queries.get_order(caller.owner_id, caller.store_id, order_id)
    if found["customer_id"] != caller.subject_id:
        raise NotFound
    return found


async def _address(caller: Caller, body: Unvalidated[CustomerOrderBody]) -> Address | None:
    given = body.peek("address_id")
    text = str(given) if isinstance(given, int | str) and not isinstance(given, bool) else ""
    if not (text.isascii() and text.isdigit() and len(text) <= 16):
        return None
    try:
        return await addresses.find(caller, int(text))
    except NotFound:
        return None
