"""The customer of a check: who is signed in, or whom staff name by phone, and what the check earns them."""

from typing import Final

from comanda.basics import Conflict, Sentence, ValidationFailed
from comanda.contracts import Caller, Status
from comanda.orders import settlement
from comanda.platform.db import sql
from comanda_customers import api as customers

from comanda_loyalty.records import LoyaltyCustomer, OrderLoyalty
from comanda_loyalty.services import accounts, earned_points, ledger

SELECT_CUSTOMER: Final = """
    SELECT o.currency, c.id, c.name FROM core_order_v1 o
    LEFT JOIN loyalty_order e ON e.order_id = o.id AND e.owner_id = o.owner_id
    LEFT JOIN loyalty_account a ON a.id = e.account_id AND a.owner_id = e.owner_id
    LEFT JOIN customers_customer_v1 c
        ON c.id = coalesce(a.customer_id, o.customer_id) AND c.owner_id = o.owner_id AND c.store_id = o.store_id
    WHERE o.id = $1 AND o.owner_id = $2 AND o.store_id = $3
"""
UPSERT_NAMED: Final = """
    INSERT INTO loyalty_order (order_id, owner_id, account_id, goods_minor, points) VALUES ($1, $2, $3, 0, 0)
    ON CONFLICT (order_id, owner_id) DO UPDATE SET account_id = EXCLUDED.account_id
"""
DELETE_NAMED: Final = "DELETE FROM loyalty_order WHERE order_id = $1 AND owner_id = $2"
HAS_EARNED: Final = "SELECT earned_at IS NOT NULL FROM loyalty_order WHERE order_id = $1 AND owner_id = $2"


async def get_order_loyalty(caller: Caller, order_id: int) -> OrderLoyalty:
    """Return whose points an order of the caller's store earns, how many, and the rewards. Raises ``NotFound``."""
    owner_id, store_id = caller.owner_id, caller.known_store_id
    row = await sql.require_one(SELECT_CUSTOMER, order_id, owner_id, store_id)
    customer = None if row["id"] is None else LoyaltyCustomer(row["id"], row["name"])
    account = None if customer is None else await ledger.find_account(owner_id, store_id, customer.id)
    balance = 0 if account is None else account.balance
    programme, rewards = await accounts.get_offers(owner_id, store_id, row["currency"], balance)
    points = await earned_points.get_earned(owner_id, order_id, 0 if account is None else account.id)
    return OrderLoyalty(order_id, programme, customer, balance, points, rewards)


@sql.transaction()
async def set_customer(caller: Caller, order_id: int, phone: str) -> None:
    """Set the customer whose points an unpaid order earns, instead of one who was named before.

    Raises ``NotFound`` for another store's order; ``ValidationFailed`` for a phone number of nobody; ``Conflict`` for
    an order that is paid or cancelled, or of a customer who is signed in, and for a store without a programme.
    """
    owner_id, store_id = caller.owner_id, caller.known_store_id
    currency = await _lock_order(caller, order_id)
    if (await accounts.get_offers(owner_id, store_id, currency, 0))[0] is None:
        raise Conflict(Sentence("This store has no loyalty programme."), extras={"reason": "no_programme"})
    customer_id = await customers.find_customer_by_phone(owner_id, store_id, phone)
    if customer_id is None:
        raise ValidationFailed(phone=[Sentence("This store has no customer with this phone number.")])
    account = await ledger.open_account(owner_id, store_id, customer_id)
    await sql.execute(UPSERT_NAMED, order_id, owner_id, account.id)


@sql.transaction()
async def remove_customer(caller: Caller, order_id: int) -> None:
    """Remove the customer whom staff have named, if any. Raises ``NotFound`` and ``Conflict`` as ``set_customer``."""
    await _lock_order(caller, order_id)
    await sql.execute(DELETE_NAMED, order_id, caller.owner_id)


async def _lock_order(caller: Caller, order_id: int) -> str:
    """Lock an order whose customer may change, so that a payment comes before or after it, and return its currency."""
    bill = await settlement.lock_bill(caller, caller.known_store_id, order_id)
    if bill.customer_id is not None:
        raise Conflict(Sentence("The customer of this order is signed in."), extras={"reason": "signed_in"})
    if bill.status is Status.CANCELLED:
        raise Conflict(Sentence("The order is cancelled."), extras={"reason": "order_closed"})
    if bill.was_paid or await sql.fetch_value(HAS_EARNED, order_id, caller.owner_id):
        raise Conflict(
            Sentence("The order is paid: whose points it earns cannot be changed."), extras={"reason": "order_paid"}
        )
    return bill.currency
