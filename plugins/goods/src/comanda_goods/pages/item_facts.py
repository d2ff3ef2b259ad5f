"""What guests read of goods: beside their price, and about their maker."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from comanda.basics import money
from comanda.contracts import Values
from comanda.web import N_, format_minor
from comanda.web import gettext as _

from comanda_goods.schemas import KILOGRAM, UNITS, PackagingFields
from comanda_goods.services.packaging import find_packaging, format_unit_price, get_deposit_minor
from comanda_goods.services.weights import format_weight, get_usual_mg, is_sold_by_weight

# Most items of a menu have none of them, and are asked for each page.
PACKAGING_FIELDS: Final = frozenset(PackagingFields.model_fields)
SAFETY_ROWS: Final[Mapping[str, str]] = {
    "manufacturer": N_("Manufacturer"),
    "manufacturer_contact": N_("Address of the manufacturer"),
    "eu_representative": N_("Responsible person in the EU"),
    "eu_representative_contact": N_("Address of the responsible person"),
    "safety_warnings": N_("Warnings"),
}


def list_price_facts(values: Values, variation: str | None, currency: str) -> Sequence[str]:
    """Return what a kilogram, litre, metre or piece of an item costs, and the deposit that is added to its price.

    Of an item with variations, the lowest price is shown where it is listed, and its deposit if it is that of all.
    """
    if not PACKAGING_FIELDS & values.keys():
        return []
    sold = list(_list_sold(values, variation, currency))
    prices = [(price, unit) for price, unit, _deposit in sold if unit]
    deposits = {deposit for _price, _unit, deposit in sold}
    return [*_show_unit_price(prices, currency), *_show_deposit(deposits, currency)]


def list_weight_facts(values: Values, variation: str | None, currency: str) -> Sequence[str]:
    """Return what a kilogram of an item costs, and what one piece usually weighs."""
    if not is_sold_by_weight(values):
        return []
    prices = [
        (Decimal(str(each["price"])), KILOGRAM)
        for each in values.get("variations") or [values]
        if each["price"] is not None and (variation is None or each["name"] == variation)
    ]
    usual_mg = get_usual_mg(values)
    usual = [] if usual_mg is None else [_("about %(weight)s each", weight=format_weight(usual_mg))]
    return [*_show_unit_price(prices, currency), *usual]


def list_safety_facts(values: Values) -> Mapping[str, str]:
    """Return who made an item and answers for it, and its warnings, by their names."""
    return {_(label): values[name] for name, label in SAFETY_ROWS.items() if values.get(name)}


def describe_manufacturer(values: Values) -> Mapping[str, Any]:
    """Return the manufacturer as https://schema.org/manufacturer has it."""
    name = values.get("manufacturer")
    return {"manufacturer": {"@type": "Organization", "name": name}} if name else {}


def _list_sold(values: Values, variation: str | None, currency: str) -> Iterator[tuple[Decimal, str, int]]:
    """Yield what can be bought: the exact price of a unit, that unit if it is known, and the deposit in minor units."""
    for each in values.get("variations") or [values]:
        name = None if each is values else each["name"]
        if variation is not None and name != variation:
            continue
        packaging = find_packaging(values, name)
        deposit_minor = get_deposit_minor(packaging, currency)
        if packaging.get("content") and not is_sold_by_weight(values) and each["price"] is not None:
            unit, parts = UNITS[packaging["content_unit"]]
            yield Decimal(str(each["price"])) * parts / Decimal(str(packaging["content"])), unit, deposit_minor
        else:
            yield Decimal(0), "", deposit_minor


def _show_unit_price(prices: Sequence[tuple[Decimal, str]], currency: str) -> list[str]:
    if not prices or len({unit for _price, unit in prices}) > 1:
        return []
    lowest, unit = min(prices)
    text = format_unit_price(money.round_to_minor(lowest, currency), unit, currency)
    return [text if len(set(prices)) == 1 else _("from %(price)s", price=text)]


def _show_deposit(deposits: set[int], currency: str) -> list[str]:
    if deposits == {0}:
        return []
    if len(deposits) > 1:
        return [_("plus container deposit")]
    return [_("plus %(amount)s container deposit", amount=format_minor(min(deposits), currency))]
