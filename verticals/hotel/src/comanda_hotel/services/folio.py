"""Folios: room-service orders that are charged to a stay, and late charges to one that is over."""

from comanda.basics import Money, Sentence, ValidationFailed, clock, split_words
from comanda.contracts import Caller, Contribution, NewOrder, OrderRequest, PlacedOrder, Problem, Reservation
from comanda.orders import AMOUNT_DUE
from comanda.platform.db import sql
from comanda.web import gettext as _
from comanda_payments.api import get_payment_path

from comanda_hotel.models import ChargeKind, Stay
from comanda_hotel.records.stays import UnpaidOrder
from comanda_hotel.services import payment_requests

# The lock keeps the guests from being checked out until the order is placed.
LOCK_STAY_IN_ROOM = """
    SELECT s.id, s.guest_name, s.customer_id
    FROM hotel_stay s JOIN hotel_room r ON r.id = s.room_id AND r.owner_id = s.owner_id
    WHERE r.store_id = $1 AND r.owner_id = $2 AND r.number = $3 AND s.status = 'checked_in' FOR SHARE OF s
"""
LOCK_STAY = """
    SELECT id, status FROM hotel_stay
    WHERE id = $1 AND owner_id = $2 AND store_id = $3 AND status IN ('checked_in', 'checked_out') FOR SHARE
"""
# What is ordered to a room is charged while its guests are checked in, which the lock holds.
INSERT_CHARGE = f"""
    INSERT INTO hotel_charge (owner_id, stay_id, order_id, amount_minor, created_at, kind)
    SELECT $1, $2, $3, $4, $5,
        CASE status WHEN 'checked_out' THEN '{ChargeKind.LATE_CHARGE}' ELSE '{ChargeKind.ROOM_SERVICE}' END
    FROM hotel_stay WHERE id = $2 AND owner_id = $1 RETURNING kind
"""
SELECT_UNPAID_ORDERS = f"""
    SELECT o.number, o.currency, o.track_token, {AMOUNT_DUE} AS due_minor
    FROM hotel_charge c JOIN core_order_v1 o ON o.id = c.order_id AND o.owner_id = c.owner_id
    WHERE c.stay_id = $1 AND c.owner_id = $2 AND c.voided_at IS NULL AND {AMOUNT_DUE} > 0 ORDER BY c.id
"""
# The audiences of orders that the hotel itself takes.
DESK_AUDIENCES = frozenset({"owner", "staff"})
# Initials and particles are no proof of knowing a guest.
MIN_NAME_LENGTH = 2
UPDATE_CHARGE = "UPDATE hotel_charge SET amount_minor = $3 WHERE order_id = $1 AND owner_id = $2"
UPDATE_VOIDED_AT = "UPDATE hotel_charge SET voided_at = $3 WHERE order_id = $1 AND owner_id = $2"
# A late charge can be corrected: it was made after they have left.
LOCK_STAY_OF_ORDER = f"""
    SELECT s.status = 'checked_in' OR c.kind = '{ChargeKind.LATE_CHARGE}'
    FROM hotel_charge c JOIN hotel_stay s ON s.id = c.stay_id AND s.owner_id = c.owner_id
    WHERE c.order_id = $1 AND c.owner_id = $2 FOR SHARE OF s
"""


def validate_room_number(request: OrderRequest, _loaded: None) -> Contribution | None:
    """Return a problem if the room number is missing, and no stay is named."""
    if request.body.room_number or request.fields.get("stay_id"):
        return None
    return Contribution(problems=[Problem("room_number", "Room number is required for room service orders.")])


async def attach_stay(request: OrderRequest, _loaded: None) -> Reservation:
    """Attach the stay in the room to the order, or the one that the hotel names for a late charge.

    Raises ``ValidationFailed`` for a room that is not occupied, and for a stay that has not begun or is another's.
    Whoever orders elsewhere than at the hotel must also know a name of the stay's guest, and is not told which of both
    is wrong: anybody could charge rooms otherwise.
    """
    number, terms = request.body.room_number, request.terms
    if (stay_id := request.fields.get("stay_id")) is not None:
        known = await sql.fetch_one(LOCK_STAY, stay_id, terms.owner_id, terms.id)
        if known is None or request.audience not in DESK_AUDIENCES:
            raise ValidationFailed(stay_id=[Sentence("There is no stay %(stay)s with guests.", stay=stay_id)])
        return Reservation(state=stay_id, attributes={"stay_id": stay_id})
    stay = await sql.fetch_one(LOCK_STAY_IN_ROOM, terms.id, terms.owner_id, number)
    if request.audience not in DESK_AUDIENCES:
        if stay is None or not (_is_own(request.caller, stay) or _is_name_of(request.body.customer_name, stay)):
            raise ValidationFailed(room_number=[Sentence("No guest of this name is checked in to this room.")])
    elif stay is None:
        raise ValidationFailed(room_number=[Sentence("No guest is checked in to room %(number)s.", number=number)])
    return Reservation(state=stay["id"], attributes={"stay_id": stay["id"]})


def _is_own(caller: Caller, stay: sql.Row) -> bool:
    return caller.acts_for("customer") and stay["customer_id"] == caller.subject_id


def _is_name_of(given: str | None, stay: sql.Row) -> bool:
    """Return whether the last word of a name is one of the guest's names."""
    words = split_words(given or "", None)
    return bool(words) and len(words[-1]) >= MIN_NAME_LENGTH and words[-1] in split_words(stay["guest_name"], None)


async def create_charge(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Charge the order to the stay's folio, and ask guests who have left to pay it, if they can pay online."""
    owner_id, stay_id = request.terms.owner_id, order.reserved
    kind = await sql.fetch_value(INSERT_CHARGE, owner_id, stay_id, order.id, order.total_minor, clock.now())
    if kind == ChargeKind.LATE_CHARGE:
        stay = await Stay.get(id=stay_id, owner_id=owner_id)
        description = _("Late charge: order %(number)s", number=order.number)
        await payment_requests.send_request(stay, order.total_minor, description, f"late-charge-{order.id}")


async def update_charge(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Charge what an amended order costs now. Raises ``ValidationFailed`` if the guests have left."""
    if await sql.fetch_value(LOCK_STAY_OF_ORDER, order.id, request.terms.owner_id) is False:
        raise ValidationFailed(status=[Sentence("The guests of this order have left, so it cannot be changed.")])
    await sql.execute(UPDATE_CHARGE, order.id, request.terms.owner_id, order.total_minor)


async def void_charge(order: PlacedOrder) -> None:
    """Void the charge of a cancelled order."""
    await sql.execute(UPDATE_VOIDED_AT, order.id, order.owner_id, clock.now())


async def restore_charge(order: PlacedOrder) -> None:
    """Restore the charge of a reopened order. Raises ``ValidationFailed`` if the guests have left."""
    if await sql.fetch_value(LOCK_STAY_OF_ORDER, order.id, order.owner_id) is False:
        raise ValidationFailed(status=[Sentence("The guests of this order have left, so it cannot be reopened.")])
    await sql.execute(UPDATE_VOIDED_AT, order.id, order.owner_id, None)


async def list_unpaid_orders(owner_id: int, stay_id: int) -> list[UnpaidOrder]:
    """List the orders on a stay's folio that are still to be paid, with the pages on which guests pay them."""
    rows = await sql.fetch(SELECT_UNPAID_ORDERS, stay_id, owner_id)
    return [
        UnpaidOrder(row["number"], Money(row["due_minor"], row["currency"]), get_payment_path(row["track_token"]))
        for row in rows
    ]
