"""Records of shifts."""

from comanda.contracts.wire import to_wire
from comanda_drivers.records.drivers import Duty, Shift
from comanda_drivers.schemas.shifts import DutyOut


def test_status_of_shift_follows_from_the_flag():
    assert [Shift(flag, None).status for flag in (True, False)] == [Duty.ON, Duty.OFF]
    assert to_wire(DutyOut, Shift(False, None)) == {"status": "off", "is_on_shift": False, "changed_at": None}
