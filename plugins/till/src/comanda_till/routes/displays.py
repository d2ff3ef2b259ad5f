"""Customer displays on other devices, for the till that they face the guest of."""

from comanda.contracts import Answer, Caller, PageRequest, RecordPage, Routes
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_till.records import CustomerDisplay, IssuedDisplay
from comanda_till.schemas import ShownCheckBody
from comanda_till.services import displays

routes = Routes("Till", callers=STAFF_ONLY)

DISPLAY = "/staff/displays/{displayId}"


@routes.get("/staff/displays", scope=Permission.ORDERS)
async def list_displays(caller: Caller, page: PageRequest) -> RecordPage[CustomerDisplay]:
    """List the customer displays of your store, newest first."""
    return await displays.list_displays(caller, page)


@routes.post("/staff/displays", scope=Permission.ORDERS, status=201, answers=IssuedDisplay)
async def create_display(caller: Caller) -> Answer:
    """Connect a customer display. A device that opens its ``url``, returned only this once, needs no login."""
    return Answer(await displays.create_display(caller), headers={"Cache-Control": "no-store"})


# What a screen shows is nothing that somebody did, so it leaves no entry in the audit log.
@routes.put(f"{DISPLAY}/check", scope=Permission.ORDERS, status=204, is_read_only=True)
async def show_check(caller: Caller, display_id: int, body: ShownCheckBody) -> None:
    """Show a check on a customer display, in place of what it shows."""
    await displays.show_check(caller, display_id, body)


@routes.delete(DISPLAY, scope=Permission.ORDERS)
async def delete_display(caller: Caller, display_id: int) -> None:
    """Disconnect a customer display. Its address stops working at once."""
    await displays.delete_display(caller, display_id)
