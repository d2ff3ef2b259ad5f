"""CardPay passes what every payment provider has to pass."""

from comanda.devkit.testing import PaymentProviderSuite


class TestCardPay(PaymentProviderSuite):
    pass
