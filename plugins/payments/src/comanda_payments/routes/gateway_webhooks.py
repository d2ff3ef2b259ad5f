"""The webhook endpoint of the payment gateway."""

from comanda.contracts import PUBLIC, Call, Routes

from comanda_payments.schemas import Received
from comanda_payments.services import gateway_webhooks

routes = Routes("Payments", callers=PUBLIC)

SIGNATURE_HEADER = "stripe-signature"


@routes.post(
    "/payments/gateway/events",
    status=200,
    answers=Received,
    headers=(("Stripe-Signature", "The time, and an HMAC-SHA256 of it and the body."),),
)
async def receive_webhook(call: Call) -> dict[str, bool]:
    """Receive a signed webhook of the payment gateway."""
    await gateway_webhooks.handle_webhook(call.headers.get(SIGNATURE_HEADER, ""), call.body)
    return {"received": True}
