"""What the page's form does, and where a person comes back to from the provider's page. Both lead on, by redirects."""

import hashlib
from urllib.parse import parse_qs, quote

from comanda.contracts.calls import Answer, Call
from comanda.contracts.routes import PUBLIC, Routes
from comanda.errors import NotFound, RateLimited

from comanda_payments.links import pay_path
from comanda_payments.pages import guests
from comanda_payments.pages.guests import Said

routes = Routes("Pay pages", callers=PUBLIC, prefix="", is_documented=False)

# Guests at the tables of one store often share one address.
CALLS_PER_MINUTE = 120
CALLS_OF_ONE_ORDER_PER_MINUTE = 20


@routes.post("/pay/{token}/start", status=303)
async def start(call: Call, token: str) -> Answer:
    """Send somebody to the page on which they pay."""
    try:
        await _admit(call, token)
        return _to(await guests.start(await guests.find(token), _method(call.body)))
    except NotFound:
        return _to(pay_path(token))
    except RateLimited:
        return _to(pay_path(token, Said.BUSY))


@routes.get("/pay/{token}/return", status=303)
async def come_back(call: Call, token: str) -> Answer:
    """Ask what became of the payment, and show it."""
    try:
        await _admit(call, token)
        await guests.come_back(await guests.find(token))
    except (NotFound, RateLimited):
        # Then the page tells what is known, which the gateway's callback brings up to date.
        return _to(pay_path(token))
    return _to(pay_path(token))


async def _admit(call: Call, token: str) -> None:
    """Count a call against its client and against the order. Raises ``RateLimited``."""
    await call.count(f"pay-page:{call.client_network}", CALLS_PER_MINUTE)
    named = hashlib.sha256(token.encode()).hexdigest()
    await call.count(f"pay-page-of:{named}", CALLS_OF_ONE_ORDER_PER_MINUTE)


def _method(body: bytes) -> str:
    return parse_qs(body.decode("latin-1")).get("method", [""])[-1]


def _to(address: str) -> Answer:
    # Nobody is told where a person came from, for that address is as good as the order.
    headers = {"Location": quote(address, safe="%/:=&?~#+!$,;'@()*[]"), "Referrer-Policy": "no-referrer"}
    return Answer(status=303, headers=headers)
