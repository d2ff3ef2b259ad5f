"""Stripe's library for one account, on a connection that is closed with the call."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from comanda.basics import LazyModule
from comanda.contracts import PaymentAccount, PaymentDeclined

from comanda_stripe.settings import get_settings

if TYPE_CHECKING:
    import aiohttp
    import stripe
else:
    # Most processes never call Stripe, and are spared 15 MiB of memory and a second at start.
    aiohttp = LazyModule("aiohttp")
    stripe = LazyModule("stripe")

KEY_FIELD: Final = "secret_key"
TIMEOUT_SECONDS: Final = 10


class NoKey(Exception):
    """The operator has set no key, or has removed it; a later attempt may succeed."""


@asynccontextmanager
async def open_client(account: PaymentAccount, *, as_operator: bool = False) -> AsyncIterator["stripe.StripeClient"]:
    """Yield a client that acts for an account: with its own key, or with the operator's on a connected account.

    ``as_operator`` is for what the operator does about a connected account.

    Raises ``PaymentDeclined`` where Stripe refuses for good, and the library's errors where a later attempt may
    succeed. The library does not repeat requests, because whoever calls this does.
    """
    key = _get_key(account)
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        client = stripe.StripeClient(
            key,
            stripe_account=account.external_id if is_connected(account) and not as_operator else None,
            base_addresses={"api": get_settings().url},
            http_client=stripe.AIOHTTPClient(session=session, timeout=timeout),
            max_network_retries=0,
        )
        try:
            yield client
        except (stripe.InvalidRequestError, stripe.IdempotencyError, stripe.CardError) as refusal:
            raise PaymentDeclined(refusal.user_message or "Stripe refused the request.") from refusal


def is_connected(account: PaymentAccount) -> bool:
    """Return whether the operator acts for an account, instead of the account's own key."""
    return account.id is not None and KEY_FIELD not in account.credentials


def _get_key(account: PaymentAccount) -> str:
    if own_key := account.credentials.get(KEY_FIELD):
        return own_key
    operator_key = get_settings().secret_key
    if operator_key is None:
        raise NoKey("COMANDA_STRIPE_SECRET_KEY is not set.")
    return operator_key.get_secret_value()
