"""The payment methods of this plugin, by the code that clients send."""

from typing import Final

from comanda.contracts.payments import PaymentMethod

from comanda_payments.client import StripeCheckout

CASH: Final = "cash"
CARD: Final = "card_external"
GIFT_CARD: Final = "gift_card"
STORE_CREDIT: Final = "store_credit"
GATEWAY: Final = "gateway"

PAYMENT_METHODS: Final = (
    PaymentMethod(CASH, "Cash"),
    PaymentMethod(CARD, "Card, on a terminal of the store"),
    PaymentMethod(GIFT_CARD, "Gift card"),
    PaymentMethod(STORE_CREDIT, "Store credit"),
    PaymentMethod(GATEWAY, "Online", StripeCheckout()),
)
