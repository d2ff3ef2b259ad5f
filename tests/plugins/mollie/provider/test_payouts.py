"""Settlements of Mollie: what every provider with payouts has to pass."""

from comanda.devkit.testing import PayoutSuite


class TestPayouts(PayoutSuite):
    pass
