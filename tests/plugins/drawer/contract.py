"""Path parameters and bodies of the routes of drawer, for the tests of all routes."""

from itertools import count

from comanda.basics import clock
from comanda.platform.db import sql

_numbers = count(1)


async def create_shift(workshop, store_id):
    body = {"drawer": f"{workshop.marker} {next(_numbers)}", "opening_float": 20}
    return await workshop.post(f"/restaurants/{store_id}/shifts", body)


async def create_own_shift(workshop):
    return await create_shift(workshop, workshop.home)


async def build_driver_cash_body(workshop, store_id, *_):
    # No driver of another owner has this id.
    driver_id = 1_000_000 + store_id
    await sql.execute(
        """INSERT INTO payments_driver_cash
               (owner_id, store_id, driver_id, driver_name, currency, balance_minor, created_at)
           VALUES ($1, $2, $4, 'Rui', 'EUR', 3000, $3)
           ON CONFLICT (store_id, owner_id, driver_id, currency) DO UPDATE SET balance_minor = 3000""",
        *(workshop.owner.id, store_id, clock.now(), driver_id),
    )
    return {"driver_id": driver_id, "amount": 5, "note": "x"}


FACTORIES = {"/restaurants/{id}/shifts/{shiftId}": create_shift, "/staff/shifts/{shiftId}": create_own_shift}
BODIES = {
    "ShiftBody": {"drawer": "Stolen", "opening_float": 12.5},
    "MovementBody": {"kind": "paid_out", "amount": 5, "note": "x"},
    "DriverCashBody": build_driver_cash_body,
    "CloseBody": {"counted": 19, "note": "x"},
}
