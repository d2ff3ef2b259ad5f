"""Returns of tools, and the late fees that they cost."""

from collections.abc import Sequence
from datetime import date
from zoneinfo import ZoneInfo

from comanda.basics import Conflict, Money, NotFound, RateLimited, ValidationFailed, clock
from comanda.contracts import Caller, Charge
from comanda.orders import add_charge, queries, settlement
from comanda.platform.db import sql
from comanda.platform.events import publish
from comanda.stores import get_settings
from comanda_notifications import api as notifications

from comanda_rental.events import ToolsReturned
from comanda_rental.message_templates import RETURNED
from comanda_rental.models import Booking
from comanda_rental.records import Return
from comanda_rental.schemas import ReturnBody
from comanda_rental.services.bookings import require_shop
from comanda_rental.services.hire_days import format_days


async def register_return(caller: Caller, store_id: int, order_id: int, body: ReturnBody) -> Return:
    """Register that all tools of an order are back; days after its last one cost a late fee.

    Emits ``ToolsReturned``. Raises ``NotFound``; ``Conflict`` if they were back before or the order is cancelled;
    ``ValidationFailed`` for a day in the future or before the hire.
    """
    await require_shop(caller, store_id)
    settings = await get_settings(caller, store_id)
    today = clock.now().astimezone(ZoneInfo(settings.timezone)).date()
    async with sql.transaction():
        # The order first, as it is when its status changes.
        bill = await settlement.lock_bill(caller, store_id, order_id)
        rows = await Booking.filter(owner_id=caller.owner_id, order_id=order_id)
        returned_on = _check_return(rows, body.returned_on or today, today)
        late_days = max(0, (returned_on - rows[0].last_day).days)
        late_fee_minor = late_days * sum(row.daily_price_minor * len(row.pieces) for row in rows)
        if late_fee_minor:
            charge = Charge("late_fee", f"Late return, {format_days(late_days)}", late_fee_minor)
            bill = await add_charge(caller, store_id, order_id, charge, plugin="rental")
        await Booking.filter(owner_id=caller.owner_id, order_id=order_id).update(returned_on=returned_on)
        result = Return(
            order_id,
            returned_on,
            late_days,
            Money(late_fee_minor, bill.currency),
            Money(bill.amount_due_minor, bill.currency),
        )
        await _publish_return(caller, store_id, result)
        await _send_receipt(caller, store_id, settings.title, result)
    return result


def _check_return(rows: Sequence[Booking], returned_on: date, today: date) -> date:
    """Return the day of a return that is possible. Raises as ``register_return``."""
    if not rows:
        raise NotFound
    if rows[0].is_cancelled:
        raise Conflict("The order is cancelled.", extras={"reason": "order_cancelled"})
    if rows[0].returned_on is not None:
        raise Conflict("The tools of this order are back already.", extras={"reason": "already_returned"})
    if not rows[0].first_day <= returned_on <= today:
        raise ValidationFailed(returned_on=["Must be a day from the first day of the hire until today."])
    return returned_on


async def _publish_return(caller: Caller, store_id: int, result: Return) -> None:
    event = ToolsReturned(
        order_id=result.order_id,
        restaurant_id=store_id,
        returned_on=result.returned_on,
        late_days=result.late_days,
        late_fee=result.late_fee.to_decimal_string(),
        currency=result.late_fee.currency,
    )
    await publish(event, owner_id=caller.owner_id, store_id=store_id)


async def _send_receipt(caller: Caller, store_id: int, store: str, result: Return) -> None:
    order = await queries.find_order(caller, store_id, result.order_id)
    if order.phone is None:
        return
    amount_due = f"{result.amount_due.to_decimal_string()} {result.amount_due.currency}"
    try:
        await notifications.send_template(
            RETURNED.name,
            to=order.phone,
            channel="sms",
            values={"store": store, "number": order.number, "amount_due": amount_due},
            owner_id=caller.owner_id,
            store_id=store_id,
            once=f"{RETURNED.name}:{order.id}",
        )
    except (ValidationFailed, RateLimited):
        # The tools are back, whether or not the customer has left a number that takes messages.
        return
