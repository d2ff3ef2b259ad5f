"""Chargebacks at Mollie: what every provider with disputes has to pass."""

from comanda.devkit.testing import DisputeSuite


class TestDisputes(DisputeSuite):
    pass
