"""Records of earnings."""

from datetime import date

from comanda.clock import now
from comanda.contracts.wire import to_wire
from comanda.money import Money
from comanda_drivers.records.earnings import DeliveryEarning, EarningsAdjustment, EarningsSummary, HeldCash
from comanda_drivers.schemas.deliveries import DriverCashHeld
from comanda_drivers.schemas.earnings import Earnings


def euro(minor):
    return Money(minor, "EUR")


def test_summary_adds_pay_tips_and_adjustments():
    moment = now()
    items = [DeliveryEarning(7, moment, euro(350), euro(200)), DeliveryEarning(8, moment, euro(350), euro(0))]
    adjusted = [EarningsAdjustment(euro(-225), "Till", moment)]
    summary = EarningsSummary(date(2026, 3, 9), date(2026, 3, 15), euro(700), euro(200), euro(-225), items, adjusted)

    assert (summary.currency, summary.deliveries, summary.total) == ("EUR", 2, euro(675))
    wire = to_wire(Earnings, summary)
    assert list(wire)[:2] == ["from", "to"]
    assert (wire["from"], wire["base"], wire["tips"], wire["adjustments"], wire["total"]) == (
        date(2026, 3, 9), 7.0, 2.0, -2.25, 6.75,
    )  # fmt: skip
    assert [item["total"] for item in wire["items"]] == [5.5, 3.5]
    assert [each["amount"] for each in wire["adjusted"]] == [-2.25]


def test_held_cash_is_named_by_its_store():
    wire = to_wire(DriverCashHeld, HeldCash(3, "Trattoria", Money(1200, "JPY"), now()))

    assert (wire["restaurant_id"], wire["restaurant_name"], wire["currency"], wire["amount"]) == (
        3, "Trattoria", "JPY", 1200,
    )  # fmt: skip
