"""Logging in: what anybody may call."""

from typing import Any, Final

from comanda.contracts.calls import Call
from comanda.contracts.routes import PUBLIC, Routes
from comanda.encryption import hmac_digest

from comanda_staff.schemas.entering import PinBody, StaffLoggedIn, StaffLoginBody
from comanda_staff.services import entering, shops

routes = Routes("Staff", callers=PUBLIC)

# For a store, a client's address, and an e-mail or device.
TRIES_PER_MINUTE: Final = 10


@routes.post("/restaurants/{id}/staff/login", status=200, answers=StaffLoggedIn)
async def login(call: Call, id: int, body: StaffLoginBody) -> dict[str, Any]:
    """Log in by e-mail and password, and with two-factor on by ``otp`` or ``recovery_code`` too."""
    await _slow_down(call, id, "e-mail", body.email)
    return await entering.login(await shops.find(id), body)


@routes.post("/restaurants/{id}/staff/pin", status=200, answers=StaffLoggedIn)
async def enter_by_pin(call: Call, id: int, body: PinBody) -> dict[str, Any]:
    """Log in by PIN on a device of the store, for one working day."""
    await _slow_down(call, id, "device", body.device)
    return await entering.enter_by_pin(await shops.find(id), body)


async def _slow_down(call: Call, store_id: int, kind: str, identity: str) -> None:
    who = (await hmac_digest.hmac_digest("staff.bucket", kind, identity)).hex()
    await call.count(f"staff_auth:{store_id}:{call.client_network}:{who}", TRIES_PER_MINUTE)
