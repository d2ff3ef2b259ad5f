"""Tables and guests for the demo's restaurants."""

from datetime import datetime, time, timedelta

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.demo import Showcase
from comanda.contracts.idempotency import IdempotencyKey
from comanda.demo_data.builder import fill_once
from comanda.stores.records import find_vertical

from comanda_reservations import booking, rules, tables
from comanda_reservations.models import Reservation, Table
from comanda_reservations.schemas import ReservationBody, TableBody

# Number, seats, area.
TABLES = (
    ("1", 2, "Window"),
    ("2", 2, "Window"),
    ("3", 4, "Room"),
    ("4", 4, "Room"),
    ("5", 6, "Room"),
    ("T1", 4, "Terrace"),
    ("T2", 4, "Terrace"),
)
# Days from today, hour, minute, party, guest, phone, note.
GUESTS = (
    (1, 12, 30, 2, "Inês Carvalho", "+351 912 555 101", None),
    (1, 19, 30, 4, "Tomás Ribeiro", "+351 912 555 102", "A high chair, please"),
    (1, 20, 0, 7, "Marta Nogueira", "+351 912 555 103", "Birthday"),
    (2, 20, 30, 2, "Hugo Antunes", "+351 912 555 104", None),
    (4, 13, 0, 6, "Clara Pinheiro", "+351 912 555 105", "One guest is allergic to nuts"),
)


async def fill(showcase: Showcase) -> None:
    """Set the tables of every demo store that has some, and let guests reserve once."""
    for store in showcase.stores:
        vertical = find_vertical(str(store["store_type"]))
        if vertical and {"tables", "reservations"} <= set(vertical.capabilities):
            await _fill_store(showcase.caller(), int(str(store["id"])))


async def _fill_store(caller: Caller, store_id: int) -> None:
    owner_id = caller.owner_id
    has_tables = await Table.exists(owner_id=owner_id, store_id=store_id)
    await fill_once(f"tables:{store_id}", lambda: _add_tables(caller, store_id), is_there=has_tables)
    has_guests = await Reservation.exists(owner_id=owner_id, store_id=store_id, kind="table")
    await fill_once(f"reservations:{store_id}", lambda: _reserve(caller, store_id), is_there=has_guests)


async def _add_tables(caller: Caller, store_id: int) -> None:
    for position, (number, seats, area) in enumerate(TABLES):
        body = TableBody(number=number, seats=seats, area=area, position=position)
        await tables.add_table(caller, store_id, body)


async def _reserve(caller: Caller, store_id: int) -> None:
    zone = await rules.zone_of(caller.owner_id, store_id)
    today = clock.now().astimezone(zone).date()
    for place, (days, hour, minute, party_size, guest_name, phone, note) in enumerate(GUESTS):
        starts_at = datetime.combine(today + timedelta(days=days), time(hour, minute), zone)
        body = ReservationBody(
            guest_name=guest_name, phone=phone, party_size=party_size, starts_at=starts_at, note=note, override=True
        )
        await booking.reserve(caller, store_id, body, IdempotencyKey(f"demo-{place}", None))
