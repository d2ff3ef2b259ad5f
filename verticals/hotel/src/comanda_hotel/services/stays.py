"""Lookup of stays: arrivals, departures, guests in house."""

from comanda.basics import require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_hotel import models
from comanda_hotel.models import StayStatus
from comanda_hotel.records.stays import Stay, StayWithFolio
from comanda_hotel.schemas.stays import StayQuery
from comanda_hotel.services import hotels, stay_records
from comanda_hotel.services.hotels import Hotel

# Cancelled stays and no-shows are no arrivals or departures and take no nights, unless their status is asked for.
STAY_FILTERS = """
    WHERE s.store_id = $1 AND s.owner_id = $2
      AND ($3::text IS NULL OR s.status = $3)
      AND ($4::date IS NULL OR (s.check_in = $4 AND ($3 IS NOT NULL OR s.status NOT IN ('cancelled', 'no_show'))))
      AND ($5::date IS NULL OR (coalesce(s.departed_on, s.check_out) = $5
                                AND ($3 IS NOT NULL OR s.status NOT IN ('cancelled', 'no_show'))))
      AND ($8::date IS NULL OR (coalesce(s.departed_on, s.check_out) > $8
                                AND ($3 IS NOT NULL OR s.status NOT IN ('cancelled', 'no_show'))))
      AND ($9::date IS NULL OR (s.check_in < $9 AND ($3 IS NOT NULL OR s.status NOT IN ('cancelled', 'no_show'))))
      AND ($10::boolean IS NULL OR (s.room_id IS NOT NULL) = $10)
      AND ($6::boolean IS NULL OR (s.status = 'checked_in') = $6)
      AND ($7::text IS NULL OR strpos(lower(concat_ws(' ', s.guest_name, s.phone, s.email, r.number)), lower($7)) > 0)
"""
SELECT_STAYS = (
    f"SELECT {stay_records.COLUMNS} FROM {stay_records.TABLES} {STAY_FILTERS} ORDER BY s.id DESC LIMIT $11 OFFSET $12"
)
COUNT_STAYS = f"SELECT count(*) FROM {stay_records.TABLES} {STAY_FILTERS}"

SELECT_CUSTOMER_STAYS = f"""
    SELECT {stay_records.COLUMNS} FROM {stay_records.TABLES}
    WHERE s.store_id = $1 AND s.owner_id = $2 AND s.customer_id = $3
    ORDER BY s.check_in DESC, s.id DESC LIMIT $4
"""


async def list_stays(caller: Caller, store_id: int, query: StayQuery, page: PageRequest) -> RecordPage[Stay]:
    """List a hotel's stays, newest first, 20 per page."""
    hotel = await hotels.get_hotel(caller, store_id)
    filters = (
        hotel.id, hotel.owner_id, query.status, query.arrivals_on, query.departures_on, query.in_house,
        query.search or None, query.from_, query.to, query.has_room,
    )  # fmt: skip
    rows = await sql.fetch(SELECT_STAYS, *filters, page.size(), page.offset())
    return page.of([stay_records.to_stay(row) for row in rows], await sql.fetch_value(COUNT_STAYS, *filters))


async def get_stay(caller: Caller, store_id: int, stay_id: int) -> StayWithFolio:
    """Return a stay with its folio. Raises ``NotFound``."""
    await hotels.get_hotel(caller, store_id)
    return await stay_records.get_stay(caller, store_id, stay_id)


async def list_customer_stays(caller: Caller, limit: int) -> list[Stay]:
    """List a customer's stays in the store of their token, latest first."""
    if caller.store_id is None or caller.subject_id is None:
        return []
    rows = await sql.fetch(SELECT_CUSTOMER_STAYS, caller.store_id, caller.owner_id, caller.subject_id, limit)
    return [stay_records.to_stay(row) for row in rows]


async def lock_stay(hotel: Hotel, stay_id: int) -> models.Stay:
    """Return a stay of the hotel, locked until the open transaction ends. Raises ``NotFound``."""
    mine = models.Stay.select_for_update(no_key=True).filter(id=stay_id, store_id=hotel.id, owner_id=hotel.owner_id)
    return require_found(await mine.first())


def is_room_reserved(status: str) -> bool:
    """Return whether a stay with that status takes a room."""
    return status in (StayStatus.OPTIONAL, StayStatus.CONFIRMED, StayStatus.CHECKED_IN)
