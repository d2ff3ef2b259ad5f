"""The webhook endpoints of payment providers."""

from comanda.contracts import PUBLIC, Call, Routes

from comanda_payments.schemas import Received
from comanda_payments.services.providers import provider_webhooks

routes = Routes("Payments", callers=PUBLIC)

WEBHOOKS = "/payments/webhooks/{provider}"


@routes.post(WEBHOOKS, status=200, answers=Received)
async def receive_webhook(call: Call, provider: str) -> dict[str, bool]:
    """Receive a webhook of a payment provider about the accounts that share the operator's."""
    await provider_webhooks.handle_webhook(provider, None, call.headers, call.body)
    return {"received": True}


@routes.post(f"{WEBHOOKS}/{{accountRef}}", status=200, answers=Received)
async def receive_account_webhook(call: Call, provider: str, account_ref: str) -> dict[str, bool]:
    """Receive a webhook of a payment provider about one account."""
    await provider_webhooks.handle_webhook(provider, account_ref, call.headers, call.body)
    return {"received": True}
