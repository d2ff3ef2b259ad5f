"""Settlement of orders: the only code that changes their paid and refunded amounts."""

from dataclasses import dataclass, replace

from comanda.basics import clock, money
from comanda.basics.errors import NotFound
from comanda.contracts.orders.status import PaymentStatus, Status
from comanda.contracts.requests.callers import Caller
from comanda.orders.bills import balance
from comanda.orders.events import OrderPaymentChanged
from comanda.orders.records import decode_charges
from comanda.platform.db import sql
from comanda.platform.events.outbox import publish

SELECT_BILL = f"""
    SELECT o.id, o.owner_id, o.store_id, o.number, o.status, o.type, o.payment_status, o.currency, o.subtotal_minor,
        o.total_minor, o.is_tax_included, o.charges, o.paid_minor, o.refunded_minor, o.late_due_minor, o.customer_id,
        o.track_token, {balance.WAS_COVERED} AS was_paid
    FROM core_order o WHERE o.id = $1 AND o.owner_id = $2 AND o.store_id = $3
"""
UPDATE_PAYMENT_TOTALS = """
    WITH noted AS (
        INSERT INTO core_order_change (owner_id, order_id, field, from_value, to_value, actor, changed_at)
        SELECT $2, $1, 'payment_status', payment_status, $3::text, $6, $7 FROM core_order
        WHERE id = $1 AND owner_id = $2 AND payment_status <> $3::text)
    UPDATE core_order SET payment_status = $3::text, paid_minor = $4, refunded_minor = $5, updated_at = $7,
        paid_at = coalesce(paid_at, CASE WHEN $8 THEN $7::timestamptz END), late_due_minor = $9,
        rounding_minor = rounding_minor + $10
    WHERE id = $1 AND owner_id = $2
"""


@dataclass(frozen=True, slots=True)
class Bill:
    """An order's total and settled amounts, in minor units. ``was_paid`` is true once its total has been covered.

    ``late_due_minor`` is what is still to pay of charges that were added since then. ``non_refundable_minor`` is what
    refunds have to leave: the charges that are not refundable, with the tax that was added for them.
    """

    id: int
    owner_id: int
    store_id: int
    number: int
    status: Status
    type: str
    payment_status: PaymentStatus
    currency: str
    subtotal_minor: int
    total_minor: int
    paid_minor: int
    refunded_minor: int
    late_due_minor: int
    non_refundable_minor: int
    customer_id: int | None
    track_token: str
    was_paid: bool

    @property
    def is_paid(self) -> bool:
        """Whether its total was covered and nothing is due of later charges."""
        return self.was_paid and not self.late_due_minor

    @property
    def amount_due_minor(self) -> int:
        """The amount still to pay."""
        return balance.calculate_due(
            self.total_minor,
            self.paid_minor - self.refunded_minor,
            was_covered=self.was_paid,
            late_due_minor=self.late_due_minor,
            status=self.status.value,
        )


async def lock_bill(caller: Caller, store_id: int, order_id: int) -> Bill:
    """Lock and return an order's bill until the open transaction ends. Raises ``NotFound``."""
    if not caller.reaches(store_id):
        raise NotFound
    return await lock_bill_of(caller.owner_id, store_id, order_id)


async def lock_bill_of(owner_id: int, store_id: int, order_id: int) -> Bill:
    """Lock an order's bill like ``lock_bill``, for background work without a caller."""
    return _to_bill(await sql.fetch_one(f"{SELECT_BILL} FOR UPDATE OF o", order_id, owner_id, store_id))


async def get_bill(caller: Caller, store_id: int, order_id: int) -> Bill:
    """Return an order's bill. Raises ``NotFound``."""
    if not caller.reaches(store_id):
        raise NotFound
    return _to_bill(await sql.fetch_one(SELECT_BILL, order_id, caller.owner_id, store_id))


async def settle(
    bill: Bill, actor: str, *, paid_minor: int = 0, refunded_minor: int = 0, rounding_minor: int = 0
) -> Bill:
    """Book paid and refunded amounts and return the updated bill. Emits ``OrderPaymentChanged``.

    The bill is locked by ``lock_bill`` in the open transaction. An order becomes paid at most once; compare the two
    bills' ``was_paid``. More than the total may be paid, for example if a provider collects money late. What is paid
    after that covers later charges first. ``rounding_minor`` is what cash rounding added to the amount paid or took
    off; the order keeps its sum.
    """
    paid, refunded = bill.paid_minor + paid_minor, bill.refunded_minor + refunded_minor
    # A refund does not close a paid order that was opened again.
    was_paid = bill.was_paid or (paid_minor > 0 and paid - refunded >= bill.total_minor)
    late_due = max(0, bill.late_due_minor - paid_minor)
    after = replace(bill, paid_minor=paid, refunded_minor=refunded, was_paid=was_paid, late_due_minor=late_due)
    status = balance.to_payment_status(bill.total_minor, paid, refunded, is_paid=was_paid, late_due_minor=late_due)
    values = (bill.id, bill.owner_id, status.value, paid, refunded, actor, clock.now(), was_paid, late_due)
    await sql.execute(UPDATE_PAYMENT_TOTALS, *values, rounding_minor)
    after = replace(after, payment_status=status)
    await publish(_to_event(after, actor), owner_id=bill.owner_id, store_id=bill.store_id)
    return after


def _to_bill(row: sql.Row | None) -> Bill:
    if row is None:
        raise NotFound
    known = {**dict(row), "status": Status(row["status"]), "payment_status": PaymentStatus(row["payment_status"])}
    charges, is_tax_included = known.pop("charges"), known.pop("is_tax_included")
    return Bill(**known, non_refundable_minor=_sum_non_refundable(charges, is_tax_included=is_tax_included))


def _sum_non_refundable(charges: str | None, *, is_tax_included: bool) -> int:
    kept = [charge for charge in decode_charges(charges) if not charge.is_refundable]
    return sum(charge.amount_minor + (0 if is_tax_included else charge.tax_minor) for charge in kept)


def _to_event(bill: Bill, actor: str) -> OrderPaymentChanged:
    def to_text(amount_minor: int) -> str:
        return money.to_decimal_string(amount_minor, bill.currency)

    return OrderPaymentChanged(
        order_id=bill.id,
        restaurant_id=bill.store_id,
        payment_status=bill.payment_status,
        paid_total=to_text(bill.paid_minor),
        refunded_total=to_text(bill.refunded_minor),
        amount_due=to_text(bill.amount_due_minor),
        currency=bill.currency,
        actor=actor,
    )
