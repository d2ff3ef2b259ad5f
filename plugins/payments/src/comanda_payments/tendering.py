"""What a tender comes to: pure, in minor units."""

from dataclasses import dataclass

from comanda.errors import ValidationFailed
from comanda.orders.balance import round_to_cash_step

from comanda_payments.amounts import shown


@dataclass(frozen=True, slots=True)
class Tender:
    """What is booked of a payment; ``tendered_minor`` is cash that was handed over, of which change went back."""

    amount_minor: int
    tip_minor: int = 0
    rounding_minor: int = 0
    tendered_minor: int | None = None
    change_minor: int = 0

    @property
    def taken_minor(self) -> int:
        """What whoever pays is out of pocket."""
        return self.amount_minor + self.tip_minor + self.rounding_minor


def exact(left_minor: int, given_minor: int | None, tip_minor: int, currency: str) -> Tender:
    """Pay to the cent. Raises ``ValidationFailed`` for nothing, or for more than is left."""
    given = left_minor if given_minor is None else given_minor
    if given > left_minor:
        raise ValidationFailed(amount=[f"Only {shown(left_minor, currency)} is left to pay; cash alone may be more."])
    _some(given, left_minor)
    return Tender(given, tip_minor)


def cash(left_minor: int, given_minor: int | None, tip_minor: int, step_minor: int) -> Tender:
    """Pay in coins, of which ``step_minor`` is worth the least (0 where every amount can be counted out).

    What pays the order off is rounded to the nearest step, half up, and the difference is the payment's ``rounding``:
    the order costs what it costs. What is paid short of that is counted as it was given.
    """
    due = round_to_cash_step(left_minor, step_minor)
    given = due if given_minor is None else given_minor
    if given < due:
        _some(given, left_minor)
        return Tender(given, tip_minor, tendered_minor=given)
    return Tender(left_minor, tip_minor, due - left_minor, tendered_minor=given, change_minor=given - due)


def _some(given_minor: int, left_minor: int) -> None:
    if given_minor <= 0 < left_minor:
        raise ValidationFailed(amount=["Must be more than 0."])
