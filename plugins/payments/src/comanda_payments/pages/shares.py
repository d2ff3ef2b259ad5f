"""What one guest of a table pays: an equal share of the order, some of its lines or an amount, and a tip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from comanda.basics import money, round_half_up
from comanda.contracts import parse_decimal, parse_ids
from comanda.orders import Order, max_tip_minor

from comanda_payments.services.bills.bill_splits import split_by_weight, split_evenly

MAX_PEOPLE = 50
# Of what is paid.
TIP_PERCENTAGES = (5, 10, 15)
TIP_AMOUNT = "amount"


class ShareKind(StrEnum):
    """How a guest says what they pay."""

    EQUAL = "equal"
    LINES = "lines"
    AMOUNT = "amount"


@dataclass(frozen=True, slots=True)
class Share:
    """What a guest has chosen on the page, as it was typed."""

    kind: ShareKind
    people: str
    line_ids: Sequence[str]
    amount: str


@dataclass(frozen=True, slots=True)
class Tip:
    """The tip that a guest has chosen: a percentage or ``TIP_AMOUNT``, and the amount as it was typed."""

    choice: str
    amount: str


def parse_tip(fields: Mapping[str, Sequence[str]]) -> Tip:
    """Return the tip that a form names."""
    return Tip(fields.get("tip", [""])[-1], fields.get("tip_amount", [""])[-1])


def may_have_tip(order: Order) -> bool:
    """Return whether the payment of an order may have a tip: it was served at a table, and has none yet."""
    return bool(order.table_number) and not order.tip_minor


def list_tips(paid_minor: int) -> list[tuple[int, int]]:
    """Return the percentages that are offered, with what they come to of an amount that is paid."""
    return [(percentage, round_half_up(paid_minor * percentage, 100)) for percentage in TIP_PERCENTAGES]


def calculate_tip_minor(tip: Tip, order: Order, paid_minor: int) -> int:
    """Return what the tip comes to beside an amount that is paid.

    Raises ``ValueError`` for an amount that is none, and for a tip that is too large.
    """
    tip_minor = next((minor for each, minor in list_tips(paid_minor) if str(each) == tip.choice), 0)
    if tip.choice == TIP_AMOUNT:
        tip_minor = money.to_minor(_parse_number(tip.amount), order.currency)
    if not 0 <= tip_minor <= max_tip_minor(order.subtotal_minor, order.currency):
        raise ValueError("Less than nothing, or too much.")
    return tip_minor


def parse_share(fields: Mapping[str, Sequence[str]]) -> Share | None:
    """Return the share that a form names, or None if it is about all that is due."""

    def get(name: str) -> str:
        return fields.get(name, [""])[-1]

    if get("share") not in set(ShareKind):
        return None
    return Share(ShareKind(get("share")), get("people"), fields.get("line", []), get("amount"))


def calculate_minor(share: Share, order: Order, payable_minor: int) -> int:
    """Return what the share comes to, at most what can still be paid. Raises ``ValueError`` if it says nothing usable.

    Fees, discounts and the tip follow the lines, as in the split of a bill at the till.
    """
    if share.kind is ShareKind.AMOUNT:
        amount_minor = money.to_minor(_parse_number(share.amount), order.currency)
    elif share.kind is ShareKind.EQUAL:
        people = int(_parse_number(share.people))
        if not 1 <= people <= MAX_PEOPLE:
            raise ValueError("Nobody, or too many.")
        amount_minor = split_evenly(order.total_minor, people)[0]
    else:
        chosen = set(parse_ids(share.line_ids))
        own_minor = sum(line.total_minor for line in order.lines if line.id in chosen)
        rest_minor = sum(line.total_minor for line in order.lines) - own_minor
        parts = split_by_weight(order.total_minor, order.total_minor, [own_minor, rest_minor])
        amount_minor = parts[0] if own_minor else 0
    if amount_minor <= 0:
        raise ValueError("Nothing to pay.")
    return min(amount_minor, payable_minor)


def _parse_number(text: str) -> str:
    number = parse_decimal(text)
    if number is None:
        raise ValueError("No number.")
    return str(number)
