"""The part of an order that one guest of a table pays: an equal share, some of its lines, or an amount."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from comanda.basics import money
from comanda.contracts import parse_decimal, parse_ids
from comanda.orders import Order

from comanda_payments.services.bills.bill_splits import split_by_weight, split_evenly

MAX_PEOPLE = 50


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
