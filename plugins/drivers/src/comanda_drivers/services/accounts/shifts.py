"""Shifts of drivers."""

from typing import Final

from comanda.basics import Conflict, Sentence, clock
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_drivers.records.drivers import DriverShift, Duty
from comanda_drivers.schemas.shifts import DutyBody
from comanda_drivers.services.accounts import drivers
from comanda_drivers.services.dispatch import dispatch_queue

UPDATE_SHIFT: Final = """
    UPDATE drivers_driver SET is_on_shift = $3, shift_changed_at = $4, last_seen_at = $4
    WHERE id = $1 AND owner_id = $2
"""


async def update_shift(caller: Caller, body: DutyBody) -> DriverShift:
    """Start or end the driver's shift, or toggle it without a status; idempotent.

    Raises ``Conflict`` with the ``reason`` ``active_deliveries`` for ending a shift with active deliveries, unless
    forced.
    """
    async with sql.transaction():
        driver = await drivers.lock_current_driver(caller)
        is_on_shift = not driver.is_on_shift if body.status is None else body.status is Duty.ON
        if is_on_shift is not driver.is_on_shift:
            if not is_on_shift and not body.force and (count := await drivers.count_active_deliveries(driver)):
                raise Conflict(
                    Sentence("You still have %(number)s active deliveries.", number=count),
                    extras={"reason": "active_deliveries"},
                )
            await sql.execute(UPDATE_SHIFT, driver.id, driver.owner_id, is_on_shift, clock.now())
        changed = await drivers.get_current_driver(caller)
    if not is_on_shift:
        await dispatch_queue.expire_driver_offers(driver.owner_id, driver.id)
    return DriverShift(Duty.ON if changed.is_on_shift else Duty.OFF, changed.is_on_shift, changed.shift_changed_at)
