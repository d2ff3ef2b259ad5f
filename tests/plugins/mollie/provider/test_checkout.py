"""Mollie passes what every provider has to pass."""

from comanda.devkit.testing import PaymentProviderSuite


class TestMollie(PaymentProviderSuite):
    pass
