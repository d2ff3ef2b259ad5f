"""The callback route of CardPay."""

from comanda.contracts import PUBLIC, Call, Routes

from comanda_cardpay import services
from comanda_cardpay.schemas import CallbackReceived

routes = Routes("CardPay", callers=PUBLIC)


@routes.post(
    "/cardpay/callbacks",
    status=200,
    answers=CallbackReceived,
    headers=(("CardPay-Signature", "The time, and an HMAC-SHA256 of it and the body."),),
)
async def receive_callback(call: Call) -> CallbackReceived:
    """Receive a signed callback of CardPay about a page that was paid, failed or expired."""
    is_known = await services.handle_callback(call.headers.get("cardpay-signature", ""), call.body)
    return CallbackReceived(is_known=is_known)
