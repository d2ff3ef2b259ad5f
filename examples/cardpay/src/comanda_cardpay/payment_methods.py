"""The payment method, by the code that clients send."""

from typing import Final

from comanda.contracts import PaymentMethod

from comanda_cardpay.provider.checkout import CardPay

CARDPAY: Final = PaymentMethod("cardpay", "Card", CardPay())
