"""The order participants of goods: deposits on containers, such as bottles, and prices of what is weighed."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from comanda.basics import money
from comanda.contracts import Charge, Contribution, DraftLine, OrderParticipant, OrderRequest
from comanda.web import N_

from comanda_goods.item_capabilities import BY_WEIGHT, PACKAGING
from comanda_goods.services.packaging import DepositTerms, find_packaging, get_deposit_minor, load_terms
from comanda_goods.services.weights import check_weights, has_weight, price_by_weight

CHARGE_CODE: Final = "container_deposit"
LABEL: Final = N_("Container deposit")
# In the record of an order: what it was placed with, as an owner may change the deposits of items meanwhile.
ATTRIBUTE: Final = "container_deposits"

# The ids of a line's item and variation.
SoldKey = tuple[int, int | None]


def has_deposit(request: OrderRequest, _loaded: DepositTerms) -> bool:
    """Return whether a line of an order has a deposit, or one had that is amended."""
    return bool(_read_deposits(request)) or any(_get_deposit(request, line, {}) for line in request.lines)


def charge_deposits(request: OrderRequest, terms: DepositTerms) -> Contribution:
    """Return the deposits of an order as one charge, which no discount covers, and each by its item in the record.

    A line that an amended order already had keeps the deposit that it was ordered with.
    """
    currency, kept = request.terms.currency, _read_deposits(request)
    added = set() if request.amends is None else {each.position for each in request.amends.list_added(request.lines)}
    deposits: dict[SoldKey, int] = {}
    total = 0
    for line in request.lines:
        deposit = _get_deposit(request, line, {} if line.position in added else kept)
        if deposit:
            deposits[_get_key(line)] = deposit
            total += deposit * line.quantity
    rows = [
        {"item_id": item_id, "variation": variation, "amount": money.to_number(deposit, currency)}
        for (item_id, variation), deposit in deposits.items()
    ]
    charges = [Charge(CHARGE_CODE, LABEL, total, terms.tax_rate_ppm)] if total else []
    return Contribution(charges=charges, attributes={ATTRIBUTE: rows})


def _get_key(line: DraftLine) -> SoldKey:
    return line.item_id, line.variant_id


def _get_deposit(request: OrderRequest, line: DraftLine, kept: Mapping[SoldKey, int]) -> int:
    """Return the deposit on one piece of a line; that of a combo is in the lines of its items."""
    if line.is_heading:
        return 0
    key, item = _get_key(line), request.items.get(line.item_id)
    if key in kept or item is None:
        return kept.get(key, 0)
    variation = None if line.variation is None else line.variation.name
    return get_deposit_minor(find_packaging(item.attributes, variation), request.terms.currency)


def _read_deposits(request: OrderRequest) -> dict[SoldKey, int]:
    """Return the deposits that an amended order has, and those of one that it takes over; none of a new order."""
    if request.amends is None:
        return {}
    return {
        key: deposit
        for order in (request.amends.absorbed, request.amends.order)
        if order is not None
        for key, deposit in _list_rows(order.attributes.get(ATTRIBUTE) or (), request.terms.currency)
    }


def _list_rows(rows: Any, currency: str) -> Iterator[tuple[SoldKey, int]]:
    for row in rows:
        yield (row["item_id"], row["variation"]), money.to_minor(row["amount"], currency)


DEPOSITS: Final = OrderParticipant(
    "container_deposits", capability=PACKAGING.code, load=load_terms, concerns=has_deposit, validate=charge_deposits
)
WEIGHTS: Final = OrderParticipant(
    "weights", capability=BY_WEIGHT.code, concerns=has_weight, price=price_by_weight, validate=check_weights
)
