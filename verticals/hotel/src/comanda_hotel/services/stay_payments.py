"""Nights that guests pay at the desk, on the deposit of their stay."""

from comanda.basics import Conflict, Sentence, ValidationFailed, money
from comanda.contracts import Caller, IdempotencyKey, IdempotentResult
from comanda.platform.db import sql
from comanda.web import format_minor
from comanda_payments import api as payments
from comanda_payments.api import DeskPayment, PrepaymentStatus
from comanda_reservations.api import ReservationDeposit

from comanda_hotel.models import Stay
from comanda_hotel.records.stays import GUESTS_STAY_AWAY, StayWithFolio
from comanda_hotel.schemas.stays import StayPaymentBody
from comanda_hotel.services import deposits, hotels, stay_links, stay_records, stays
from comanda_hotel.services.hotels import Hotel


async def create_payment(
    caller: Caller, store_id: int, stay_id: int, body: StayPaymentBody, key: IdempotencyKey
) -> IdempotentResult[StayWithFolio]:
    """Record a payment of the nights of a stay at the desk, and return the stay; a repeat of ``key`` records nothing.

    It adds to the deposit, or is one: a stay that was held until its deposit is paid becomes ``confirmed``. A page on
    which the guest has begun to pay is closed. Raises ``NotFound``, ``ValidationFailed``; ``Conflict`` with a
    ``reason`` if nothing is due of the nights, or the deposit is being refunded; ``Unavailable`` if the provider of a
    page does not respond.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    before = await stay_records.get_stay(caller, store_id, stay_id)
    if before.deposit is not None:
        await payments.close_page(hotel.owner_id, before.deposit.id)
    async with sql.transaction():
        row = await stays.lock_stay(hotel, stay_id)
        stay = await stay_records.get_stay(caller, store_id, stay_id)
        earlier = None
        if stay.deposit is not None:
            earlier = await payments.DESK_PAYMENT_KEYS.find(hotel.owner_id, stay.deposit.id, key)
        if earlier is None:
            amount_minor = _get_amount_minor(stay, body.amount)
            deposit_id = await _get_or_create_deposit(hotel, row, stay.deposit, amount_minor)
            taken = DeskPayment(body.method, amount_minor, body.reference or None, body.drawer)
            await payments.record_desk_payment(caller, deposit_id, taken, key)
    paid = await stay_records.get_stay(caller, store_id, stay_id)
    is_mismatch = earlier is not None and earlier.body_hash != key.body_hash
    return IdempotentResult(paid, is_replay=earlier is not None, is_mismatch=is_mismatch)


def _get_amount_minor(stay: StayWithFolio, amount: float | None) -> int:
    """Return what is paid, by default all that is due of the nights."""
    if stay.status in GUESTS_STAY_AWAY:
        raise Conflict(f"This stay is {stay.status}.", extras={"reason": "wrong_status"})
    due_minor = (stay.total - stay.prepaid).minor
    if due_minor == 0:
        raise Conflict(Sentence("Nothing is due of these nights."), extras={"reason": "nothing_due"})
    amount_minor = due_minor if amount is None else money.parse_amount(amount, stay.currency, "amount")
    if not 0 < amount_minor <= due_minor:
        largest = format_minor(due_minor, stay.currency)
        raise ValidationFailed(amount=[Sentence("Must be more than 0, and at most %(largest)s.", largest=largest)])
    return amount_minor


async def _get_or_create_deposit(
    hotel: Hotel, stay: Stay, deposit: ReservationDeposit | None, amount_minor: int
) -> int:
    """Return the id of the deposit of a locked stay.

    One that nobody has paid in time, or that pays an order, gives way to another.
    """
    if deposit is not None and deposit.status is not PrepaymentStatus.CANCELLED and deposit.order_id is None:
        return deposit.id
    path = await stay_links.create_path(hotel.owner_id, stay.id, stay.check_out, hotel.today())
    policy = await deposits.get_policy(hotel)
    lifetime = deposits.REQUEST_LIFETIME
    return await deposits.create_deposit(hotel, stay, policy, amount_minor, path, None, lifetime, is_online=False)
