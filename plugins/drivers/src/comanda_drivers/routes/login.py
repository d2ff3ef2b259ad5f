"""Login and logout of drivers."""

from typing import Final

from comanda.contracts import ANY_SCOPE, PUBLIC, Call, Caller, Routes
from comanda.web import translate_errors

from comanda_drivers.records.drivers import DriverSession
from comanda_drivers.schemas.login import (
    DriverLoggedIn,
    DriverLoggedOut,
    PhoneCodeBody,
    PhoneCodeRequest,
    PhoneCodeSent,
)
from comanda_drivers.services.accounts import login

routes = Routes("Driver", callers=PUBLIC)
driver_routes = Routes("Driver", callers=("driver",))

# Requests and attempts together, for each client address and phone number.
AUTH_PER_MINUTE: Final = 10


@routes.post(
    "/driver/login/request",
    cors=True,
    status=200,
    headers=(("Accept-Language", "Preferred languages of the message."),),
)
async def request_code(call: Call, body: PhoneCodeRequest) -> PhoneCodeSent:
    """Send a login code to your phone; the answer is the same for unknown phones."""
    with translate_errors(call.headers):
        await _count_attempt(call, body)
        await login.request_code(body, call.headers.get("accept-language"), source=call.client_network)
    return PhoneCodeSent(sent=True, expires_in=login.CODE_LIFETIME_SECONDS)


@routes.post("/driver/login/verify", cors=True, status=200, answers=DriverLoggedIn)
async def verify_code(call: Call, body: PhoneCodeBody) -> DriverSession:
    """Log in with a code. If you drive for several owners, select one of the ``choices`` in the error."""
    with translate_errors(call.headers):
        await _count_attempt(call, body)
        return await login.verify_code(body, source=call.client_network)


@driver_routes.post("/driver/logout", scope=ANY_SCOPE, cors=True, status=200)
async def logout(caller: Caller) -> DriverLoggedOut:
    """Log out on this phone: revoke the token of this request only."""
    await login.logout(caller)
    return DriverLoggedOut(message="You are logged out.")


async def _count_attempt(call: Call, body: PhoneCodeRequest | PhoneCodeBody) -> None:
    phone = login.parse_phone(body.phone, body.country)
    await call.count(f"driver_auth:{call.client_network}:{phone}", AUTH_PER_MINUTE)
