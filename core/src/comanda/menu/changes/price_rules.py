"""How prices change by percent or an amount, and how they are rounded."""

from dataclasses import dataclass
from decimal import Decimal

from comanda.basics import money
from comanda.basics.errors import ValidationFailed
from comanda.basics.money import round_half_up
from comanda.basics.sentences import Sentence
from comanda.menu.bulk_schemas import PriceRuleBody


@dataclass(frozen=True, slots=True)
class PriceRule:
    """How a price changes: by ``percent`` or ``amount_minor``, then to a multiple of ``step_minor``, then ``minus``."""

    percent: Decimal | None
    amount_minor: int
    step_minor: int
    minus_minor: int

    def apply(self, price_minor: int) -> int:
        """Return the new price. What costs nothing stays free."""
        if price_minor == 0:
            return 0
        factor = Decimal(1) if self.percent is None else (100 + self.percent) / 100
        numerator, denominator = (price_minor * factor + self.amount_minor).as_integer_ratio()
        return round_half_up(numerator, denominator * self.step_minor) * self.step_minor - self.minus_minor


def to_rule(body: PriceRuleBody, currency: str) -> PriceRule:
    """Return the rule of a body. Raises ``ValidationFailed``."""
    if body.percent is not None and body.amount is not None:
        raise ValidationFailed(amount=[Sentence("Give either a percentage or an amount.")])
    amount = float(body.amount) if body.amount is not None else 0
    step = 1 if body.round_to is None else money.parse_amount(body.round_to, currency, "round_to")
    minus = money.parse_amount(body.minus, currency, "minus")
    if minus >= max(step, 1) and minus:
        raise ValidationFailed(minus=[Sentence("Must be less than the step to round to.")])
    return PriceRule(body.percent, money.parse_amount(amount, currency, "amount"), step, minus)
