"""Values that plugins contribute to the price of an order."""

from dataclasses import FrozenInstanceError

import pytest
from comanda.basics.money import MAX_MINOR
from comanda.contracts.orders.charges import Charge, Discount, InvalidContribution, LinePrice
from comanda.contracts.orders.participants import Contribution, Reservation

WRONG_AMOUNTS = [1.5, 100.0, True, "100", None, -1, MAX_MINOR + 1]
VALUES = [
    lambda amount: Charge("deposit", "Deposit", amount),
    lambda amount: Discount("loyalty", "Points", amount),
    LinePrice,
]


@pytest.mark.parametrize("amount", WRONG_AMOUNTS)
@pytest.mark.parametrize("create", VALUES)
def test_wrong_amount_is_refused_by_type(create, amount):
    with pytest.raises(InvalidContribution, match="must"):
        create(amount)


@pytest.mark.parametrize("create", VALUES)
@pytest.mark.parametrize("amount", [0, 1, MAX_MINOR])
def test_amounts_within_the_limits_are_taken(create, amount):
    create(amount)


@pytest.mark.parametrize(
    "create",
    [
        lambda: Charge("Deposit", "Deposit", 1),
        lambda: Charge("", "Deposit", 1),
        lambda: Charge("a" * 31, "Deposit", 1),
        lambda: Charge(7, "Deposit", 1),
        lambda: Charge("deposit", " ", 1),
        lambda: Charge("deposit", "x" * 101, 1),
        lambda: Charge("deposit", "Deposit", 1, tax_rate_ppm=0.19),
        lambda: Charge("deposit", "Deposit", 1, tax_rate_ppm=-1),
        lambda: Charge("deposit", "Deposit", 1, is_refundable=1),
        lambda: Discount("points", "Points", 1, positions={0}),
        lambda: LinePrice(1, ""),
        lambda: Contribution(problems=["Too late."]),
        lambda: Contribution(charges=[("deposit", 1)]),
        lambda: Contribution(discounts=5),
        lambda: Contribution(attributes=[]),
        lambda: Contribution(scheduled_for="2030-01-01"),
        lambda: Reservation(attributes=None),
    ],
)
def test_values_of_wrong_types_are_refused(create):
    with pytest.raises(InvalidContribution):
        create()


def test_contributions_cannot_be_changed():
    for value, field in ((Charge("a", "A", 1), "amount_minor"), (Contribution(), "charges"), (LinePrice(1), "label")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, field, None)
