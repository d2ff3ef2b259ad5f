"""Tenders: amount, tip, cash rounding and change, in minor units. No database."""

from dataclasses import dataclass

from comanda.basics import Sentence, ValidationFailed
from comanda.orders import round_to_cash_step

from comanda_payments.services.bills.amounts import format_amount


@dataclass(frozen=True, slots=True)
class Tender:
    """The amounts of a payment; ``tendered_minor`` is the cash handed over, including change."""

    amount_minor: int
    tip_minor: int = 0
    rounding_minor: int = 0
    tendered_minor: int | None = None
    change_minor: int = 0

    @property
    def collected_minor(self) -> int:
        """The amount collected from the payer, including tip and rounding."""
        return self.amount_minor + self.tip_minor + self.rounding_minor


def create_exact_tender(amount_due_minor: int, given_minor: int | None, tip_minor: int, currency: str) -> Tender:
    """Create a tender that is not cash. Raises ``ValidationFailed`` for 0, or for more than the amount due."""
    given = amount_due_minor if given_minor is None else given_minor
    if given > amount_due_minor:
        raise ValidationFailed(
            amount=[
                Sentence(
                    "Only cash may exceed the amount due, %(amount)s.", amount=format_amount(amount_due_minor, currency)
                )
            ]
        )
    _check_positive(given, amount_due_minor)
    return Tender(given, tip_minor)


def create_cash_tender(amount_due_minor: int, given_minor: int | None, tip_minor: int, step_minor: int) -> Tender:
    """Create a cash tender, with ``step_minor`` the store's cash rounding (0 for none).

    Cash that pays the order in full, before or after rounding, is rounded to the nearest step, half up; the difference
    is the payment's ``rounding``, and the order's total stays as it is. Partial payments are not rounded.
    """
    rounded_due = round_to_cash_step(amount_due_minor, step_minor)
    given = rounded_due if given_minor is None else given_minor
    if given < min(amount_due_minor, rounded_due):
        _check_positive(given, amount_due_minor)
        return Tender(given, tip_minor, tendered_minor=given)
    # There are no coins between two steps, so whoever gives the exact amount due has given the rounded one.
    tendered = max(given, rounded_due)
    return Tender(
        amount_due_minor,
        tip_minor,
        rounded_due - amount_due_minor,
        tendered_minor=tendered,
        change_minor=tendered - rounded_due,
    )


def _check_positive(given_minor: int, amount_due_minor: int) -> None:
    if given_minor <= 0 < amount_due_minor:
        raise ValidationFailed(amount=[Sentence("Must be more than 0.")])
