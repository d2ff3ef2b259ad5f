"""The fee of guests who did not come and have paid no deposit, which is kept once they pay it."""

from datetime import timedelta
from typing import Final

from comanda.basics import Conflict, clock, round_half_up
from comanda.stores import get_store_settings
from comanda.web import format_day
from comanda.web import gettext as _
from comanda_payments.api import PrepaymentStatus
from comanda_reservations import api as reservations

from comanda_hotel.models import Stay
from comanda_hotel.services import payment_requests, stay_links
from comanda_hotel.services.hotels import Hotel
from comanda_hotel.store_settings import StayDeposits

# How long guests can pay it: as long as the link to their stay opens.
FEE_LIFETIME: Final = stay_links.LINK_GRACE - timedelta(days=1)


def calculate_fee_minor(policy: StayDeposits, stay: Stay) -> int:
    """Return the fee of a stay, 0 for none; halves of a minor unit are rounded up."""
    share_minor = round_half_up(stay.total_minor * policy.no_show_percent, 100)
    return max(share_minor, stay.nightly[0]["price_minor"] if policy.no_show_first_night else 0)


async def request_fee(hotel: Hotel, stay: Stay) -> None:
    """Request the fee from the guest of a no-show, in the open transaction, unless a deposit was paid, which is kept.

    A hotel that cannot be paid online asks for none.
    """
    policy = await get_store_settings(StayDeposits, hotel.owner_id, hotel.id)
    fee_minor = calculate_fee_minor(policy, stay)
    deposit = await reservations.get_stay_deposit(hotel.owner_id, stay.reservation_id)
    if fee_minor == 0 or (deposit is not None and deposit.status is not PrepaymentStatus.CANCELLED):
        return
    moment = clock.now()
    description = _("No-show fee: %(time)s", time=format_day(stay.check_in))
    terms = reservations.DepositTerms(
        amount_minor=fee_minor,
        currency=hotel.currency,
        description=description,
        due_at=moment + FEE_LIFETIME,
        free_until=moment,
        page_path=await stay_links.create_path(hotel.owner_id, stay.id, stay.check_out, hotel.today()),
        dashboard_path=f"/stores/{hotel.id}/stays/{stay.id}",
        language=None,
    )
    try:
        await reservations.create_stay_deposit(hotel.owner_id, stay.reservation_id, terms)
    except Conflict:
        return
    await payment_requests.send_request(stay, fee_minor, description, f"no-show-{stay.id}-{moment.isoformat()}")


async def withdraw_fee(stay: Stay) -> None:
    """Withdraw the fee of a no-show that nobody has paid yet, in the open transaction."""
    deposit = await reservations.get_stay_deposit(stay.owner_id, stay.reservation_id)
    if deposit is not None and deposit.status is PrepaymentStatus.OPEN:
        await reservations.cancel_stay_deposit(stay.owner_id, stay.reservation_id)
