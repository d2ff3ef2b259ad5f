"""The payment method, by the code that clients send."""

from typing import Final

from comanda.contracts import PaymentMethod
from comanda.web import N_

from comanda_mollie.provider.checkout import MollieProvider
from comanda_mollie.provider.disputes import MollieDisputes
from comanda_mollie.provider.payouts import MolliePayouts
from comanda_mollie.provider.refunds import MollieRefunds
from comanda_mollie.provider.terminals import MollieTerminals

MOLLIE: Final = PaymentMethod(
    "mollie",
    N_("Card, bank or wallet, online"),
    MollieProvider(),
    MollieTerminals(),
    MollieDisputes(),
    MolliePayouts(),
    MollieRefunds(),
    manages_readers=True,
)
