"""Login by e-mail and password or by PIN, without a token."""

from typing import Final

from comanda.contracts import PUBLIC, Call, Routes
from comanda.platform.encryption import hmac_digest
from comanda.web import translate_errors

from comanda_staff.records import StaffSession
from comanda_staff.schemas.login import PinBody, StaffLoggedIn, StaffLoginBody
from comanda_staff.services import login as login_service
from comanda_staff.services import stores

routes = Routes("Staff", callers=PUBLIC)

# Per store, client address, and e-mail or device.
MAX_ATTEMPTS_PER_MINUTE: Final = 10


@routes.post("/restaurants/{id}/staff/login", status=200, answers=StaffLoggedIn)
async def log_in(call: Call, id: int, body: StaffLoginBody) -> StaffSession:
    """Log in by e-mail and password, with ``otp`` or ``recovery_code`` if two-factor is on."""
    await _count_attempt(call, id, "e-mail", body.email)
    with translate_errors(call.headers):
        return await login_service.log_in_by_password(await stores.get_store(id), body)


@routes.post("/restaurants/{id}/staff/pin", status=200, answers=StaffLoggedIn)
async def log_in_by_pin(call: Call, id: int, body: PinBody) -> StaffSession:
    """Log in by PIN on a device of the store, for one working day."""
    await _count_attempt(call, id, "device", body.device)
    with translate_errors(call.headers):
        return await login_service.log_in_by_pin(await stores.get_store(id), body)


async def _count_attempt(call: Call, store_id: int, kind: str, identity: str) -> None:
    identity_hash = (await hmac_digest.hmac_digest("staff.bucket", kind, identity)).hex()
    await call.count(f"staff_auth:{store_id}:{call.client_network}:{identity_hash}", MAX_ATTEMPTS_PER_MINUTE)
