"""Records of earnings."""

from comanda.basics import Money
from comanda.basics.clock import now
from comanda.contracts import to_wire
from comanda_drivers.records.earnings import HeldCash


def test_held_cash_is_named_by_its_store():
    wire = to_wire(HeldCash, HeldCash(3, "Trattoria", "JPY", Money(1200, "JPY"), now()))

    assert (wire["restaurant_id"], wire["restaurant_name"], wire["currency"], wire["amount"]) == (
        3, "Trattoria", "JPY", 1200,
    )  # fmt: skip
