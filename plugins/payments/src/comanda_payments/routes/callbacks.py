"""Where the gateway tells what became of payments."""

from comanda.contracts.calls import Call
from comanda.contracts.routes import PUBLIC, Routes

from comanda_payments import callbacks
from comanda_payments.schemas import Received

routes = Routes("Payments", callers=PUBLIC)

SIGNATURE = "stripe-signature"


@routes.post(
    "/payments/gateway/events",
    status=200,
    answers=Received,
    headers=(("Stripe-Signature", "The time, and an HMAC-SHA256 of it and the body."),),
)
async def receive_callback(call: Call) -> dict[str, bool]:
    """Take a signed callback of the payment gateway's."""
    await callbacks.receive(call.headers.get(SIGNATURE, ""), call.body)
    return {"received": True}
