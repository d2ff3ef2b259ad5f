"""The payment method, by the code that clients send."""

from typing import Final

from comanda.contracts import PaymentMethod
from comanda.web import N_

from comanda_demobank.provider import DemoBank
from comanda_demobank.services.disputes import DemoDisputes
from comanda_demobank.services.payouts import DemoPayouts
from comanda_demobank.services.readers import DemoReaders

DEMO: Final = PaymentMethod("demo", N_("Card (demo)"), DemoBank(), DemoReaders(), DemoDisputes(), DemoPayouts())
