"""The payment method, by the code that clients send."""

from typing import Final

from comanda.contracts import PaymentMethod
from comanda.web import N_

from comanda_stripe.provider.checkout import StripeProvider
from comanda_stripe.provider.disputes import StripeDisputes
from comanda_stripe.provider.payouts import StripePayouts
from comanda_stripe.provider.terminal import TerminalReaders

STRIPE: Final = PaymentMethod(
    "stripe", N_("Card or wallet, online"), StripeProvider(), TerminalReaders(), StripeDisputes(), StripePayouts()
)
