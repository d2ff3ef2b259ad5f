"""What plugins add to the price of an order: charges, discounts and prices of lines, each checked when it is made."""

import re
from dataclasses import dataclass
from typing import Any, Final

from comanda.basics.money import MAX_MINOR
from comanda.basics.rates import PPM_OF_WHOLE

SERVICE_CHARGE: Final = "service_charge"
"""The code of the store's service charge, which has an amount of its own in records."""
DELIVERY_FEE: Final = "delivery_fee"
"""The code of the delivery fee, which has an amount of its own in records."""
# A code also stands in the order's history, which has room for this much.
MAX_CODE_LENGTH: Final = 30
MAX_LABEL_LENGTH: Final = 100
MEASURE_SIGN: Final = " \N{MULTIPLICATION SIGN} "
"""What stands in the label of a line's price between what a piece measures and the price of the unit."""
MAX_RATE_PPM: Final = 10 * PPM_OF_WHOLE

_CODE: Final = re.compile(rf"[a-z][a-z0-9_]{{0,{MAX_CODE_LENGTH - 1}}}")


class InvalidContribution(ValueError):
    """A value that a plugin contributes to an order cannot be used, such as an amount that is not a whole number."""


@dataclass(frozen=True, slots=True)
class Charge:
    """An amount that is added to an order, such as a deposit. Raises ``InvalidContribution`` for a wrong value.

    ``code`` is for programs, ``label`` for people. ``tax_rate_ppm`` is in parts per million; None is not taxed. A
    charge that is not refundable is kept when the order is refunded.
    """

    code: str
    label: str
    amount_minor: int
    tax_rate_ppm: int | None = None
    is_refundable: bool = True

    def __post_init__(self) -> None:
        _check_code("charge", self.code)
        _check_label(f"charge {self.code}", self.label)
        check_amount(f"amount of the charge {self.code}", self.amount_minor)
        if self.tax_rate_ppm is not None:
            check_whole_number(f"tax rate of the charge {self.code}", self.tax_rate_ppm, MAX_RATE_PPM)
        if not isinstance(self.is_refundable, bool):
            raise InvalidContribution(f"is_refundable of the charge {self.code} must be true or false")


@dataclass(frozen=True, slots=True)
class Discount:
    """An amount that is taken off lines, at most what they cost. Raises ``InvalidContribution`` for a wrong value.

    ``positions`` are those of the lines that it applies to; None is all lines.
    """

    code: str
    label: str
    amount_minor: int
    positions: frozenset[int] | None = None

    def __post_init__(self) -> None:
        _check_code("discount", self.code)
        _check_label(f"discount {self.code}", self.label)
        check_amount(f"amount of the discount {self.code}", self.amount_minor)
        if self.positions is not None and not isinstance(self.positions, frozenset):
            raise InvalidContribution(f"positions of the discount {self.code} must be a frozenset or None")


@dataclass(frozen=True, slots=True)
class OrderPromotion:
    """What a promotion takes off an order, under the name that guests read; it is part of the discounts.

    ``rounds`` are those of the order's rounds whose lines it covers. One that takes nothing off yet has the amount 0.
    Raises ``InvalidContribution`` for a wrong value.
    """

    id: int
    name: str
    amount_minor: int
    rounds: tuple[int, ...] = (1,)

    def __post_init__(self) -> None:
        _check_label(f"promotion {self.id}", self.name)
        check_amount(f"amount of the promotion {self.id}", self.amount_minor)


@dataclass(frozen=True, slots=True)
class LinePrice:
    """The price of one unit of a line, extras included, instead of the menu's; ``label`` says how it came about.

    Where a piece was measured, the label is a measure, ``MEASURE_SIGN``, and the price of its unit.

    Raises ``InvalidContribution`` for a wrong value.
    """

    unit_price_minor: int
    label: str | None = None

    def __post_init__(self) -> None:
        check_amount("unit price of a line", self.unit_price_minor)
        if self.label is not None:
            _check_label("price of a line", self.label)


def check_amount(what: str, amount: Any) -> None:
    """Raise ``InvalidContribution`` unless ``amount`` is an integer of minor units from 0 to ``MAX_MINOR``."""
    check_whole_number(what, amount, MAX_MINOR)


def check_whole_number(what: str, number: Any, maximum: int) -> None:
    """Raise ``InvalidContribution`` unless ``number`` is an integer from 0 to ``maximum``."""
    # A bool is an int for Python, and a float may have lost the cent already.
    if type(number) is not int:
        raise InvalidContribution(f"the {what} must be an int, not {type(number).__name__}")
    if number < 0:
        raise InvalidContribution(f"the {what} must not be negative")
    if number > maximum:
        raise InvalidContribution(f"the {what} must not be more than {maximum}")


def _check_code(what: str, code: Any) -> None:
    if not isinstance(code, str) or not _CODE.fullmatch(code):
        raise InvalidContribution(
            f"the code of a {what} must be at most {MAX_CODE_LENGTH} lower-case letters, digits and underscores, "
            f"beginning with a letter; this one is {code!r}"
        )


def get_measure(price_label: str | None) -> str | None:
    """Return what a piece of a line measures, such as its weight: what stands before the sign in its label.

    None for a label that says something else, such as the name of a price list.
    """
    measure, sign, _ = (price_label or "").partition(MEASURE_SIGN)
    return measure if sign else None


def _check_label(what: str, label: Any) -> None:
    if not isinstance(label, str) or not label.strip() or len(label) > MAX_LABEL_LENGTH:
        raise InvalidContribution(f"the {what} must have a label of 1 to {MAX_LABEL_LENGTH} characters")
