"""Starting a payment from the page, and the return from the provider's page. Both answer with redirects."""

import hashlib
from urllib.parse import parse_qs, quote

from comanda.basics import NotFound, RateLimited
from comanda.contracts import PUBLIC, Answer, Call, Routes
from comanda.orders import hash_track_token

from comanda_payments.pages import guest_payments
from comanda_payments.pages.guest_payments import PayPageNotice
from comanda_payments.pages.shares import parse_share, parse_tip
from comanda_payments.services.providers.payment_links import get_payment_path

routes = Routes("Pay pages", callers=PUBLIC, prefix="", is_documented=False)

# Guests of one store often share an IP address.
MAX_CALLS_PER_MINUTE = 120
MAX_CALLS_PER_ORDER_AND_MINUTE = 20


@routes.post("/pay/{token}/start", status=303)
async def start_payment(call: Call, token: str) -> Answer:
    """Start a payment and redirect to the provider's page."""
    try:
        await _check_rate_limits(call, token)
        guest = await guest_payments.get_guest_order(token)
        fields = parse_qs(call.body.decode("latin-1"))
        method, share, tip = fields.get("method", [""])[-1], parse_share(fields), parse_tip(fields)
        if share is None:
            return _redirect_to(await guest_payments.start_payment(guest, method, tip))
        form = hashlib.sha256(call.body).digest()
        return _redirect_to(await guest_payments.start_share(guest, method, share, tip, form))
    except NotFound:
        return _redirect_to(get_payment_path(token))
    except RateLimited:
        return _redirect_to(get_payment_path(token, PayPageNotice.BUSY))


@routes.get("/pay/{token}/return", status=303)
async def return_from_provider(call: Call, token: str) -> Answer:
    """Check the payment after the guest returns from the provider, and redirect to the payment page."""
    try:
        await _check_rate_limits(call, token)
        guest = await guest_payments.get_guest_order(token)
        notice = await guest_payments.check_pending_payment(guest, call.query.get("share"))
    except (NotFound, RateLimited):
        # The page shows the known status; the gateway's webhook updates it.
        return _redirect_to(get_payment_path(token))
    return _redirect_to(get_payment_path(token, notice))


async def _check_rate_limits(call: Call, token: str) -> None:
    """Count a call against the limits of its client and of the order. Raises ``RateLimited``."""
    await call.count(f"pay-page:{call.client_network}", MAX_CALLS_PER_MINUTE)
    token_hash = hash_track_token(token).hex()
    await call.count(f"pay-page-of:{token_hash}", MAX_CALLS_PER_ORDER_AND_MINUTE)


def _redirect_to(address: str) -> Answer:
    # The referrer would give away the track token.
    headers = {"Location": quote(address, safe="%/:=&?~#+!$,;'@()*[]"), "Referrer-Policy": "no-referrer"}
    return Answer(status=303, headers=headers)
