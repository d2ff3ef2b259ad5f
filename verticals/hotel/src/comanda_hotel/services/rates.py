"""Nightly rates of room types."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

import orjson
from comanda.basics import Sentence, ValidationFailed
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_hotel.models import RoomType
from comanda_hotel.records.rooms import RatePeriod, RoomTypePrices
from comanda_hotel.schemas.rooms import NightPrices, RatesBody, WeekdayPrices
from comanda_hotel.services import hotels, room_types
from comanda_hotel.services.hotels import Hotel

# Prices may be set further ahead than rooms can be booked, so that the last bookable nights can have their own.
MAX_RATE_DAYS_AHEAD = 3 * 366
WEEKDAYS = list(WeekdayPrices.model_fields)

SELECT_RATES = """
    SELECT room_type_id, weekday, night, price_minor FROM hotel_rate
    WHERE room_type_id = ANY ($1) AND owner_id = $2 AND (weekday IS NOT NULL OR (night >= $3 AND night < $4))
    ORDER BY night
"""
DELETE_RATES = """
    DELETE FROM hotel_rate WHERE room_type_id = $1 AND owner_id = $2
      AND (weekday = ANY ($3::smallint[]) OR night = ANY ($4::date[]))
"""
INSERT_RATES = """
    INSERT INTO hotel_rate (owner_id, room_type_id, weekday, night, price_minor)
    SELECT $2, $1, r.weekday, r.night, r.price_minor
    FROM jsonb_to_recordset($3::jsonb) AS r (weekday smallint, night date, price_minor bigint)
"""


@dataclass(slots=True)
class RoomTypeRates:
    """The prices of one room type by weekday and by night."""

    weekdays: dict[int, int] = field(default_factory=dict)
    nights: dict[date, int] = field(default_factory=dict)

    def get_price_minor(self, room_type: RoomType, night: date, adults: int) -> int:
        """Return a party's price for a night: that of the night, else of its weekday, else the base price."""
        price: int = self.nights.get(night, self.weekdays.get(night.weekday(), room_type.base_price_minor))
        return price + int(max(0, adults - room_type.base_adults) * room_type.extra_adult_minor)


async def load_rates(hotel: Hotel, types: Iterable[RoomType], since: date, until: date) -> Mapping[int, RoomTypeRates]:
    """Return the rates of room types for the nights from ``since`` up to ``until``."""
    found = {room_type.id: RoomTypeRates() for room_type in types}
    for row in await sql.fetch(SELECT_RATES, list(found), hotel.owner_id, since, until):
        rates = found[row["room_type_id"]]
        if row["weekday"] is None:
            rates.nights[row["night"]] = row["price_minor"]
        else:
            rates.weekdays[row["weekday"]] = row["price_minor"]
    return found


async def get_rates(caller: Caller, store_id: int, type_id: int) -> RoomTypePrices:
    """Return a room type's prices from today on. Raises ``NotFound``."""
    hotel = await hotels.get_hotel(caller, store_id)
    return await _get_prices(hotel, await room_types.find_room_type(hotel, type_id))


async def update_rates(caller: Caller, store_id: int, type_id: int, body: RatesBody) -> RoomTypePrices:
    """Update prices of weekdays and nights; existing stays keep theirs.

    Raises ``NotFound``; ``ValidationFailed`` for nights in the past or too far ahead.
    """
    hotel = await hotels.get_hotel(caller, store_id)
    await room_types.find_room_type(hotel, type_id)
    weekdays = _parse_weekday_prices(hotel, body.weekdays)
    nights = _parse_night_prices(hotel, body.nights)
    rows: list[dict[str, object]] = [
        {"weekday": day, "price_minor": price} for day, price in weekdays.items() if price is not None
    ]
    rows += [{"night": night, "price_minor": price} for night, price in nights.items() if price is not None]
    async with sql.transaction():
        found = (await room_types.lock_room_types(hotel, type_id))[0]
        await sql.execute(DELETE_RATES, type_id, hotel.owner_id, list(weekdays), list(nights))
        await sql.execute(INSERT_RATES, type_id, hotel.owner_id, orjson.dumps(rows).decode())
    return await _get_prices(hotel, found)


def _parse_weekday_prices(hotel: Hotel, body: WeekdayPrices | None) -> dict[int, int | None]:
    given = body.model_dump(exclude_unset=True) if body else {}
    return {
        WEEKDAYS.index(name): None if price is None else hotel.to_minor(f"weekdays.{name}", price)
        for name, price in given.items()
    }


def _parse_night_prices(hotel: Hotel, given: list[NightPrices]) -> dict[date, int | None]:
    found: dict[date, int | None] = {}
    today = hotel.today()
    for position, entry in enumerate(given):
        path = f"nights.{position}"
        if entry.to < entry.from_:
            raise ValidationFailed({f"{path}.to": [Sentence("Must not be before the first night.")]})
        if entry.from_ < today:
            raise ValidationFailed({f"{path}.from": [Sentence("Must not be in the past.")]})
        if entry.to - today > timedelta(days=MAX_RATE_DAYS_AHEAD):
            raise ValidationFailed(
                {f"{path}.to": [Sentence("Must be within %(limit)s days.", limit=MAX_RATE_DAYS_AHEAD)]}
            )
        price = None if entry.price is None else hotel.to_minor(f"{path}.price", entry.price)
        found.update(
            {entry.from_ + timedelta(days=number): price for number in range((entry.to - entry.from_).days + 1)}
        )
    return found


async def _get_prices(hotel: Hotel, room_type: RoomType) -> RoomTypePrices:
    today = hotel.today()
    found = (await load_rates(hotel, [room_type], today, today + timedelta(days=MAX_RATE_DAYS_AHEAD + 1)))[room_type.id]
    return RoomTypePrices(
        room_type_id=room_type.id,
        currency=hotel.currency,
        base_price=hotel.to_money(room_type.base_price_minor),
        extra_adult_price=hotel.to_money(room_type.extra_adult_minor),
        weekdays={
            name: hotel.to_money(found.weekdays[day]) if day in found.weekdays else None
            for day, name in enumerate(WEEKDAYS)
        },
        nights=[
            RatePeriod(since, until, hotel.to_money(price)) for since, until, price in _group_by_price(found.nights)
        ],
    )


def _group_by_price(prices: Mapping[date, int]) -> Iterator[tuple[date, date, int]]:
    """Yield runs of consecutive nights with the same price."""
    since: date | None = None
    for night in sorted(prices):
        following = night + timedelta(days=1)
        if since is None:
            since = night
        if prices.get(following) != prices[night]:
            yield since, night, prices[night]
            since = None
