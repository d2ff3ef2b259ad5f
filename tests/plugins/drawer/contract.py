"""What stands in the paths and bodies of the drawer plugin's routes, for tests of every route."""

from itertools import count

_numbers = count(1)


async def shift(workshop, store_id):
    body = {"drawer": f"{workshop.marker} {next(_numbers)}", "opening_float": 20}
    return await workshop.post(f"/restaurants/{store_id}/shifts", body)


async def shift_at_home(workshop):
    return await shift(workshop, workshop.home)


FACTORIES = {"/restaurants/{id}/shifts/{shiftId}": shift, "/staff/shifts/{shiftId}": shift_at_home}
BODIES = {
    "ShiftBody": {"drawer": "Stolen", "opening_float": 12.5},
    "MovementBody": {"kind": "paid_out", "amount": 5, "note": "x"},
    "CloseBody": {"counted": 19, "note": "x"},
}
