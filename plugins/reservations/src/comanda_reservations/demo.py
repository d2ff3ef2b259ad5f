"""Tables and reservations for the demo's restaurants."""

from datetime import datetime, time, timedelta

from comanda.basics import clock
from comanda.contracts import Caller, IdempotencyKey, Showcase
from comanda.operations.demo_data import fill_once
from comanda.stores import find_vertical

from comanda_reservations.models import Reservation, Table
from comanda_reservations.schemas import ReservationBody, TableBody
from comanda_reservations.services import reservation_rules, table_reservations, tables

# Number, seats, area, column and row on the plan.
DEMO_TABLES = (
    ("1", 2, "Window", 1, 1),
    ("2", 2, "Window", 3, 1),
    ("3", 4, "Room", 1, 1),
    ("4", 4, "Room", 3, 1),
    ("5", 6, "Room", 2, 2),
    ("T1", 4, "Terrace", 1, 1),
    ("T2", 4, "Terrace", 2, 1),
)
# Days from today, hour, minute, party, guest, phone, note.
DEMO_GUESTS = (
    (1, 12, 30, 2, "Inês Carvalho", "+351 912 555 101", None),
    (1, 19, 30, 4, "Tomás Ribeiro", "+351 912 555 102", "A high chair, please"),
    (1, 20, 0, 7, "Marta Nogueira", "+351 912 555 103", "Birthday"),
    (2, 20, 30, 2, "Hugo Antunes", "+351 912 555 104", None),
    (4, 13, 0, 6, "Clara Pinheiro", "+351 912 555 105", "One guest is allergic to nuts"),
)


async def create_demo_reservations(showcase: Showcase) -> None:
    """Create tables and reservations once in every demo store that takes reservations."""
    for store in showcase.stores:
        vertical = find_vertical(str(store["store_type"]))
        if vertical and {"tables", "reservations"} <= set(vertical.capabilities):
            await _create_for_store(showcase.caller(), int(str(store["id"])))


async def _create_for_store(caller: Caller, store_id: int) -> None:
    owner_id = caller.owner_id
    has_tables = await Table.exists(owner_id=owner_id, store_id=store_id)
    await fill_once(f"tables:{store_id}", lambda: _create_tables(caller, store_id), is_there=has_tables)
    has_guests = await Reservation.exists(owner_id=owner_id, store_id=store_id, kind="table")
    await fill_once(f"reservations:{store_id}", lambda: _create_reservations(caller, store_id), is_there=has_guests)


async def _create_tables(caller: Caller, store_id: int) -> None:
    for position, (number, seats, area, column, row) in enumerate(DEMO_TABLES):
        body = TableBody(number=number, seats=seats, area=area, position=position, plan_column=column, plan_row=row)
        await tables.create_table(caller, store_id, body)


async def _create_reservations(caller: Caller, store_id: int) -> None:
    zone = await reservation_rules.get_store_timezone(caller.owner_id, store_id)
    today = clock.now().astimezone(zone).date()
    for position, (days, hour, minute, party_size, guest_name, phone, note) in enumerate(DEMO_GUESTS):
        starts_at = datetime.combine(today + timedelta(days=days), time(hour, minute), zone)
        body = ReservationBody(
            guest_name=guest_name, phone=phone, party_size=party_size, starts_at=starts_at, note=note, override=True
        )
        await table_reservations.create_reservation(caller, store_id, body, IdempotencyKey(f"demo-{position}", None))
