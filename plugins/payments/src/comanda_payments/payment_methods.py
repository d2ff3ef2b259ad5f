"""The payment methods of this plugin, by the code that clients send."""

from typing import Final

from comanda.contracts import PaymentMethod
from comanda.web import N_

CASH: Final = "cash"
CARD: Final = "card_external"
GIFT_CARD: Final = "gift_card"
STORE_CREDIT: Final = "store_credit"

PAYMENT_METHODS: Final = (
    PaymentMethod(CASH, N_("Cash")),
    PaymentMethod(CARD, N_("Card, on a terminal of the store")),
    PaymentMethod(GIFT_CARD, N_("Gift card")),
    PaymentMethod(STORE_CREDIT, N_("Store credit")),
)
