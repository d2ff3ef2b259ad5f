"""Deposits of stays, which guests pay when they book on the hotel's page, or when the desk asks them to.

How much, until when, and what becomes of the stay.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, money, round_half_up
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import get_store_settings
from comanda.web import format_day, format_minor
from comanda.web import gettext as _
from comanda_payments.api import PrepaymentStatus
from comanda_reservations import api as reservations

from comanda_hotel import models
from comanda_hotel.models import StayStatus
from comanda_hotel.records.stays import StayWithFolio
from comanda_hotel.schemas.stays import StayDepositBody
from comanda_hotel.services import hotels, payment_requests, stay_links, stay_records, stays, transitions
from comanda_hotel.services.hotels import Hotel
from comanda_hotel.store_settings import StayDeposits

SYSTEM: Final = "system"
PAYABLE: Final = frozenset({StayStatus.CONFIRMED, StayStatus.CHECKED_IN, StayStatus.CHECKED_OUT})
# How long guests can pay what they are asked for: as long as the link to their stay opens.
REQUEST_LIFETIME: Final = stay_links.LINK_GRACE - timedelta(days=1)
SELECT_HOTEL: Final = "SELECT id, owner_id, currency, timezone FROM core_store_v1 WHERE id = $1 AND owner_id = $2"


async def get_policy(hotel: Hotel) -> StayDeposits:
    """Return what a hotel asks its guests to pay in advance."""
    return await get_store_settings(StayDeposits, hotel.owner_id, hotel.id)


def calculate_deposit_minor(policy: StayDeposits, prices_minor: Sequence[int], currency: str) -> int:
    """Return the deposit of nights with these prices, 0 for none.

    It is the largest of what the policy names, and at most the whole price; halves of a minor unit are rounded up.
    """
    total_minor = sum(prices_minor)
    amount = Decimal(repr(policy.deposit_amount or 0)) * 10 ** money.get_exponent(currency)
    asked_minor = (
        round_half_up(total_minor * policy.deposit_percent, 100),
        int(amount.to_integral_value(ROUND_HALF_UP)),
        prices_minor[0] if policy.deposit_first_night else 0,
    )
    return min(total_minor, max(asked_minor))


def get_free_until(hotel: Hotel, policy: StayDeposits, check_in: date) -> datetime:
    """Return until when a guest who cancels gets the deposit back."""
    return hotel.check_in_at(check_in) - timedelta(hours=policy.deposit_free_hours)


async def create_deposit(
    hotel: Hotel,
    stay: models.Stay,
    policy: StayDeposits,
    amount_minor: int,
    page_path: str,
    language: str | None,
    lifetime: timedelta | None = None,
    *,
    is_online: bool = True,
) -> int:
    """Create the deposit of a stay in the open transaction, and return its id.

    A new stay holds its room until it is paid. Raises ``Conflict`` with the reason ``no_online_payment`` if it is to be
    paid online, and the hotel cannot be.
    """
    terms = reservations.DepositTerms(
        amount_minor=amount_minor,
        currency=hotel.currency,
        description=_("Deposit: %(time)s", time=format_day(stay.check_in)),
        due_at=clock.now() + (lifetime or timedelta(minutes=policy.deposit_hold_minutes)),
        free_until=get_free_until(hotel, policy, stay.check_in),
        page_path=page_path,
        dashboard_path=f"/stores/{hotel.id}/stays/{stay.id}",
        language=language,
        is_online=is_online,
    )
    return await reservations.create_stay_deposit(hotel.owner_id, stay.reservation_id, terms)


async def request_deposit(caller: Caller, store_id: int, stay_id: int, body: StayDepositBody) -> StayWithFolio:
    """Request payment of the nights of a stay online, or of a part of them, and return the stay.

    Guests who have left pay it for their nights at once; nothing else of the stay changes. The same again changes
    nothing. Raises ``NotFound``, ``ValidationFailed``; ``Conflict`` with a ``reason`` for a stay that has a deposit or
    the wrong status, and if the hotel cannot be paid online.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    async with sql.transaction():
        stay = await stays.lock_stay(hotel, stay_id)
        amount_minor = _parse_amount(body.amount, stay)
        deposit = await reservations.get_stay_deposit(hotel.owner_id, stay.reservation_id)
        if deposit is None or deposit.status in (PrepaymentStatus.CANCELLED, PrepaymentStatus.REFUNDED):
            await _request_payment(hotel, stay, amount_minor)
        elif deposit.status is not PrepaymentStatus.OPEN or deposit.amount.minor != amount_minor:
            raise Conflict(Sentence("This stay has a deposit already."), extras={"reason": "has_deposit"})
    return await stay_records.get_stay(caller, store_id, stay_id)


async def confirm_stay(owner_id: int, deposit_id: int) -> None:
    """Confirm the stay whose deposit was paid. If it was cancelled meanwhile, the deposit goes back.

    The fee of a no-show is kept, and what guests pay who have left is for their nights.
    """
    async with sql.transaction():
        stay = await _lock_stay(owner_id, deposit_id)
        if stay is None:
            return
        if stay.status == StayStatus.OPTIONAL:
            await transitions.save_status(await _get_hotel(stay), stay, StayStatus.CONFIRMED, SYSTEM)
        elif stay.status in (StayStatus.NO_SHOW, StayStatus.CHECKED_OUT):
            await reservations.settle_stay_deposit(owner_id, stay.reservation_id, SYSTEM, stay.total_minor)
        elif stay.status == StayStatus.CANCELLED:
            await reservations.cancel_stay_deposit(owner_id, stay.reservation_id)


async def release_stay(owner_id: int, deposit_id: int) -> None:
    """Cancel the stay whose deposit nobody has paid in time. Emits ``ReservationCancelled``."""
    async with sql.transaction():
        stay = await _lock_stay(owner_id, deposit_id)
        if stay is not None and stay.status == StayStatus.OPTIONAL:
            await transitions.release_room(stay, SYSTEM)
            await transitions.save_status(await _get_hotel(stay), stay, StayStatus.CANCELLED, SYSTEM)


async def _request_payment(hotel: Hotel, stay: models.Stay, amount_minor: int) -> None:
    if stay.status not in PAYABLE:
        raise Conflict(f"This stay is {stay.status}.", extras={"reason": "wrong_status"})
    policy = await get_policy(hotel)
    path = await stay_links.create_path(hotel.owner_id, stay.id, stay.check_out, hotel.today())
    await create_deposit(hotel, stay, policy, amount_minor, path, None, REQUEST_LIFETIME)
    description = _("Deposit: %(time)s", time=format_day(stay.check_in))
    await payment_requests.send_request(stay, amount_minor, description, f"deposit-{stay.id}-{clock.now().isoformat()}")


def _parse_amount(amount: float | None, stay: models.Stay) -> int:
    """Return how much is asked, by default the price of the nights. Raises ``ValidationFailed``."""
    if amount is None:
        return int(stay.total_minor)
    amount_minor = money.parse_amount(amount, stay.currency, "amount")
    if not 0 < amount_minor <= stay.total_minor:
        largest = format_minor(stay.total_minor, stay.currency)
        raise ValidationFailed(amount=[Sentence("Must be more than 0, and at most %(largest)s.", largest=largest)])
    return amount_minor


async def _lock_stay(owner_id: int, deposit_id: int) -> models.Stay | None:
    reservation_id = await reservations.find_stay(owner_id, deposit_id)
    found = models.Stay.select_for_update(no_key=True).filter(reservation_id=reservation_id, owner_id=owner_id)
    return None if reservation_id is None else await found.first()


async def _get_hotel(stay: models.Stay) -> Hotel:
    row = await sql.one(SELECT_HOTEL, stay.store_id, stay.owner_id)
    return Hotel(row["id"], row["owner_id"], row["currency"], ZoneInfo(row["timezone"]))
