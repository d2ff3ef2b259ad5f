"""Orders of the logged-in customer."""

from dataclasses import dataclass

from comanda.basics import NotFound, ValidationFailed
from comanda.contracts import Caller, IdempotentResult, PageRequest, RecordPage, Unvalidated, parse_id
from comanda.orders import (
    EVERY_ORDER,
    Order,
    OrderChannel,
    OrderKeys,
    OrderLimits,
    OrderScope,
    PlaceOrder,
    placement,
    queries,
    search_orders,
)
from comanda.platform.db import sql

from comanda_customers.models import Address, Customer
from comanda_customers.schemas.orders import CustomerOrderBody
from comanda_customers.services import addresses, profiles, stores
from comanda_customers.services.personal_data import anonymization, persons

CUSTOMER_CHANNEL = OrderChannel("customer", "customer_app", OrderLimits(lines=40, quantity=30), keeps_hours=True)


@dataclass(frozen=True)
class OrderBodyWithAddress(Unvalidated[CustomerOrderBody]):
    """An order's body whose ``address_id`` was looked up; ``is_known`` is whether the customer has that address."""

    is_known: bool = True

    def validated(self) -> CustomerOrderBody:
        """Return the parsed body. Raises ``ValidationFailed``, also for an address that is not the customer's."""
        body = super().validated()
        if body.address_id is not None and not self.is_known:
            raise ValidationFailed(address_id=[f"No saved address with the id {body.address_id}."])
        return body


async def place_order(caller: Caller, body: Unvalidated[CustomerOrderBody], keys: OrderKeys) -> IdempotentResult[Order]:
    """Place an order in the customer's store, with the name and phone of the customer's profile.

    Idempotency, errors and events are those of every order. Raises ``NotFound`` while the store is not published.
    """
    store = await stores.get_published_store(caller.store_id or 0)
    customer = await profiles.get_own_customer(caller)
    address = await _find_address(caller, body)
    profile_fields: dict[str, str | float | None] = {"customer_name": customer.name, "phone": customer.phone}
    if address is not None:
        profile_fields |= addresses.to_order_fields(address)
    addressed = OrderBodyWithAddress(body.model, body.raw, body.values, is_known=address is not None)
    placed = await placement.place_order(
        caller, PlaceOrder(CUSTOMER_CHANNEL, store.id, addressed, keys, profile_fields)
    )
    if not await Customer.exists(id=customer.id, owner_id=caller.owner_id, erased_at=None):
        # The customer was erased while the order was being placed, too late to be anonymized with the others.
        async with sql.transaction():
            await anonymization.anonymize_person(await persons.find_person(customer, (), locks=True))
    return placed


async def list_orders(caller: Caller, page: PageRequest) -> RecordPage[Order]:
    """List the customer's orders, newest first."""
    return await search_orders(get_own_scope(caller), EVERY_ORDER, page)


def get_own_scope(caller: Caller) -> OrderScope:
    """Return the scope of the customer's own orders. Raises ``NotFound`` for a caller who is no customer of a store."""
    if caller.store_id is None or caller.subject_id is None:
        raise NotFound
    return OrderScope(caller.owner_id, caller.store_id, customer_id=caller.subject_id)


async def get_order(caller: Caller, order_id: int) -> Order:
    """Return one of the customer's orders. Raises ``NotFound`` for any other order."""
    if caller.store_id is None or caller.subject_id is None:
        raise NotFound
    found = await queries.get_order(caller.owner_id, caller.store_id, order_id)
    if found.customer_id != caller.subject_id:
        raise NotFound
    return found


async def _find_address(caller: Caller, body: Unvalidated[CustomerOrderBody]) -> Address | None:
    given = body.peek("address_id")
    address_id = parse_id(str(given)) if isinstance(given, int | str) and not isinstance(given, bool) else None
    if address_id is None:
        return None
    try:
        return await addresses.get_address(caller, address_id)
    except NotFound:
        return None
