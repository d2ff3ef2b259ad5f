"""Logging in: what anybody may call."""

from typing import Any, Final

from comanda.contracts.calls import Call
from comanda.contracts.routes import PUBLIC, Routes

from comanda_drivers.schemas.entering import DriverLoggedIn, PhoneCodeBody, PhoneCodeRequest, PhoneCodeSent
from comanda_drivers.services import entering

routes = Routes("Driver", callers=PUBLIC)

# For a client's address and a phone number together, requests and tries alike.
AUTH_PER_MINUTE: Final = 10


@routes.post(
    "/driver/login/request",
    cors=True,
    status=200,
    answers=PhoneCodeSent,
    headers=(("Accept-Language", "Which languages the message may be in."),),
)
async def request_code(call: Call, body: PhoneCodeRequest) -> dict[str, Any]:
    """Have a code sent to one's phone; the answer is the same whether or not anybody is known by it."""
    await _count(call, body.phone)
    return await entering.request_code(body, call.headers.get("accept-language"), source=call.client_network)


@routes.post("/driver/login/verify", cors=True, status=200, answers=DriverLoggedIn)
async def verify_code(call: Call, body: PhoneCodeBody) -> dict[str, Any]:
    """Log in with a code; whoever drives for several owners says for which, out of the ``choices`` of the refusal."""
    await _count(call, body.phone)
    return await entering.verify_code(body, source=call.client_network)


async def _count(call: Call, phone: str) -> None:
    await call.count(f"driver_auth:{call.client_network}:{entering.phone_of(phone)}", AUTH_PER_MINUTE)
