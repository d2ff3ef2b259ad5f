"""Lines of items that are sold by weight: their prices, and what is wrong with their weights."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from comanda.basics import MAX_MINOR, Sentence, ValidationFailed, money
from comanda.contracts import MEASURE_SIGN, Contribution, DraftLine, LinePrice, OrderRequest, Problem, Values
from comanda.web import format_number
from comanda.web import gettext as _

from comanda_goods.schemas import KILOGRAM
from comanda_goods.services.packaging import format_unit_price

MG_OF_G: Final = 1000
MG_OF_KG: Final = 1_000_000
GRAM_DECIMALS, MG_DECIMALS = 3, 6


def is_sold_by_weight(values: Values) -> bool:
    """Return whether the price of an item is that of a kilogram."""
    return bool(values.get("is_priced_per_kg"))


def get_usual_mg(values: Values) -> int | None:
    """Return what one piece of an item usually weighs, in milligrams."""
    grams = values.get("usual_weight_g")
    return None if grams is None else grams * MG_OF_G


def compute_price(price_per_kg_minor: int, weight_mg: int) -> int:
    """Return what a weight costs, in minor units."""
    return money.round_half_up(price_per_kg_minor * weight_mg, MG_OF_KG)


def format_weight(weight_mg: int) -> str:
    """Return a weight in kilograms, to the gram unless it is finer."""
    decimals = MG_DECIMALS if weight_mg % MG_OF_G else GRAM_DECIMALS
    return _("%(weight)s kg", weight=format_number(Decimal(weight_mg) / MG_OF_KG, decimals))


def has_weight(request: OrderRequest, _loaded: None) -> bool:
    """Return whether an order has a line by weight, or one with a weight."""
    return any(line.weight_mg is not None or _get_item(request, line) for line in request.lines)


def price_by_weight(request: OrderRequest, _loaded: None) -> Mapping[int, LinePrice]:
    """Return the prices of new lines by weight; extras are per piece, whatever it weighs.

    Raises ``ValidationFailed`` for a weight that costs more than an order may.
    """
    currency = request.terms.currency
    prices: dict[int, LinePrice] = {}
    for line, weight_mg in _list_weighed(request):
        per_kg_minor = line.unit_price_minor - line.extras_minor
        price_minor = compute_price(per_kg_minor, weight_mg) + line.extras_minor
        if price_minor > MAX_MINOR:
            raise ValidationFailed({f"{line.path}.weight_g": [Sentence("This weight costs more than an order may.")]})
        per_kg = format_unit_price(per_kg_minor, KILOGRAM, currency)
        label = f"{format_weight(weight_mg)}{MEASURE_SIGN}{per_kg}"
        prices[line.position] = LinePrice(price_minor, label)
    return prices


def check_weights(request: OrderRequest, _loaded: None) -> Contribution | None:
    """Return problems for new lines without a weight that they need, or with one that says nothing."""
    # What guests have bought elsewhere costs what they paid there.
    problems = [] if request.priced_by else [each for line in _list_new(request) for each in _check_line(request, line)]
    return Contribution(problems=problems) if problems else None


def _check_line(request: OrderRequest, line: DraftLine) -> Iterator[Problem]:
    item = _get_item(request, line)
    if item is None:
        if line.weight_mg is not None:
            yield Problem(f"{line.path}.weight_g", Sentence("%(item)s is not sold by weight.", item=line.name))
    elif line.combo is not None:
        text = Sentence("%(item)s is sold by weight, so it cannot be part of a combo.", item=line.name)
        yield Problem(line.path, text)
    elif line.weight_mg is None and get_usual_mg(item) is None:
        text = Sentence("%(item)s is sold by weight: it is weighed at the counter.", item=line.name)
        yield Problem(f"{line.path}.weight_g", text)


def _list_weighed(request: OrderRequest) -> Iterator[tuple[DraftLine, int]]:
    """Yield the new lines by weight, with what one piece weighs in milligrams."""
    for line in _list_new(request):
        item = _get_item(request, line)
        if item is not None and line.combo is None:
            weight_mg = line.weight_mg or get_usual_mg(item)
            if weight_mg is not None:
                yield line, weight_mg


def _list_new(request: OrderRequest) -> Sequence[DraftLine]:
    """Return the lines that are priced now: those that an amended order already had keep price and label."""
    return request.lines if request.amends is None else request.amends.list_added(request.lines)


def _get_item(request: OrderRequest, line: DraftLine) -> Mapping[str, Any] | None:
    """Return the fields of a line's item if it is sold by weight; the heading of a combo is not."""
    item = request.items.get(line.item_id)
    if item is None or line.is_heading or not is_sold_by_weight(item.attributes):
        return None
    return item.attributes
