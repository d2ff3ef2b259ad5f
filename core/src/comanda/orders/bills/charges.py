"""Charges that are added to orders after they were placed, such as a late fee.

A charge is taxed by itself, and no other figure of the order changes but its tax and its total, so that a receipt that
was given out stays right. What it costs is due, also if the order was paid before.
"""

from collections.abc import Sequence
from typing import Final

import orjson
import structlog

from comanda.basics import clock, money
from comanda.basics.errors import Conflict, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.charges import DELIVERY_FEE, SERVICE_CHARGE, Charge
from comanda.contracts.orders.status import Status
from comanda.contracts.requests.callers import Caller
from comanda.orders.bills import balance, settlement
from comanda.orders.bills.settlement import Bill
from comanda.orders.drafts import pricing
from comanda.orders.events import OrderChargeAdded
from comanda.orders.records import OrderCharge, add_charges_tax, decode_charges, decode_taxes, to_order_charge
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.events.outbox import publish

log = structlog.get_logger(__name__)

# They have an amount of their own in records, which is settled when the order is placed.
RESERVED_CODES: Final = frozenset({SERVICE_CHARGE, DELIVERY_FEE})
SELECT_CHARGES: Final = "SELECT charges, taxes, is_tax_included FROM core_order WHERE id = $1 AND owner_id = $2"
ADD_CHARGE: Final = """
    WITH noted AS (
        INSERT INTO core_order_change (owner_id, order_id, field, to_value, actor, note, changed_at)
        VALUES ($2, $1, 'charges', $9, $10, $11, $12)),
    paid AS (
        INSERT INTO core_order_change (owner_id, order_id, field, from_value, to_value, actor, changed_at)
        SELECT $2, $1, 'payment_status', payment_status, $8::text, $10, $12 FROM core_order
        WHERE id = $1 AND owner_id = $2 AND payment_status <> $8::text)
    UPDATE core_order SET charges = coalesce(charges, '[]'::jsonb) || $3::jsonb, charges_minor = charges_minor + $4,
        tax_total_minor = tax_total_minor + $5, total_minor = $6, late_due_minor = $7, payment_status = $8::text,
        updated_at = $12, taxes = $13::jsonb
    WHERE id = $1 AND owner_id = $2
"""


async def add_charge(caller: Caller, store_id: int, order_id: int, charge: Charge, *, plugin: str) -> Bill:
    """Add a charge to an order of the caller and return its bill; the same charge again changes nothing.

    ``plugin`` is the name of the plugin that adds it, for the log. Emits ``OrderChargeAdded``. Raises ``NotFound``;
    ``Conflict`` if the order is cancelled or has another charge with this code; ``ValidationFailed`` if the total would
    be too large; ``ValueError`` for a code that has a column of its own.
    """
    async with sql.transaction():
        bill = await settlement.lock_bill(caller, store_id, order_id)
        return await _add_to_bill(bill, charge, actor=caller.actor, plugin=plugin)


async def add_charge_of(
    owner_id: int, store_id: int, order_id: int, charge: Charge, *, actor: str, plugin: str
) -> Bill:
    """Add a charge like ``add_charge``, for background work without a caller."""
    async with sql.transaction():
        bill = await settlement.lock_bill_of(owner_id, store_id, order_id)
        return await _add_to_bill(bill, charge, actor=actor, plugin=plugin)


async def _add_to_bill(bill: Bill, charge: Charge, *, actor: str, plugin: str) -> Bill:
    if charge.code in RESERVED_CODES:
        raise ValueError(f"the charge {charge.code} cannot be added to an order that is placed")
    stored = await sql.one(SELECT_CHARGES, bill.id, bill.owner_id)
    stored_charges, is_tax_included = decode_charges(stored["charges"]), stored["is_tax_included"]
    if _has_charge(stored_charges, charge):
        return bill
    if bill.status is Status.CANCELLED:
        raise Conflict(Sentence("The order is cancelled."), extras={"reason": "order_cancelled"})
    tax_minor = pricing.calculate_charge_tax(
        pricing.ChargeInput(charge.amount_minor, charge.tax_rate_ppm), is_tax_included=is_tax_included
    )
    added_minor = charge.amount_minor + (0 if is_tax_included else tax_minor)
    total_minor = bill.total_minor + added_minor
    _check_limit(total_minor, bill.currency)
    late_due_minor = _calculate_late_due(bill, added_minor)
    status = balance.to_payment_status(
        total_minor, bill.paid_minor, bill.refunded_minor, is_paid=bill.was_paid, late_due_minor=late_due_minor
    )
    added = to_order_charge(charge, tax_minor, is_late=bill.was_paid, is_added=True)
    taxes = add_charges_tax(decode_taxes(stored["taxes"]), [added])
    await sql.execute(
        ADD_CHARGE,
        *(bill.id, bill.owner_id, orjson.dumps([added]).decode(), charge.amount_minor, tax_minor, total_minor),
        *(late_due_minor, status.value, charge.code, actor, _to_note(charge, bill.currency), clock.now()),
        orjson.dumps(taxes).decode(),
    )
    log.info("a charge was added to an order", plugin=plugin, order_id=bill.id, code=charge.code)
    after = await settlement.lock_bill_of(bill.owner_id, bill.store_id, bill.id)
    await publish(_to_event(after, added, actor), owner_id=bill.owner_id, store_id=bill.store_id)
    return after


def _has_charge(stored: Sequence[OrderCharge], charge: Charge) -> bool:
    """Return whether an order has the same charge. Raises ``Conflict`` if it has another one with this code."""
    known = next((each for each in stored if each.code == charge.code), None)
    if known is None:
        return False
    if known != to_order_charge(charge, known.tax_minor, is_late=known.is_late, is_added=known.is_added):
        raise Conflict(
            Sentence("The order already has another charge %(code)s.", code=charge.code),
            extras={"reason": "charge_exists"},
        )
    return True


def _calculate_late_due(bill: Bill, added_minor: int) -> int:
    """Return what is due of late charges; a refund before does not count, as it was given back for good."""
    if not bill.was_paid:
        return 0
    # More than the total may have been paid.
    overpaid_minor = max(0, bill.paid_minor - bill.refunded_minor - bill.total_minor)
    return bill.late_due_minor + max(0, added_minor - overpaid_minor)


def _check_limit(total_minor: int, currency: str) -> None:
    limit = runtime.settings().max_order_total_minor
    if total_minor > limit:
        max_total, total = (f"{money.to_decimal_string(minor, currency)} {currency}" for minor in (limit, total_minor))
        raise ValidationFailed(
            amount=[
                Sentence(
                    "An order may total at most %(max)s; this one would total %(total)s.", max=max_total, total=total
                )
            ]
        )


def _to_note(charge: Charge, currency: str) -> str:
    return f"{charge.label}: {money.to_decimal_string(charge.amount_minor, currency)} {currency}"


def _to_event(bill: Bill, added: OrderCharge, actor: str) -> OrderChargeAdded:
    def to_text(amount_minor: int) -> str:
        return money.to_decimal_string(amount_minor, bill.currency)

    return OrderChargeAdded(
        order_id=bill.id,
        restaurant_id=bill.store_id,
        code=added.code,
        label=added.label,
        amount=to_text(added.amount_minor),
        tax=to_text(added.tax_minor),
        total=to_text(bill.total_minor),
        amount_due=to_text(bill.amount_due_minor),
        currency=bill.currency,
        actor=actor,
    )
