"""Short facts on items, and the flags that guests can filter by, in the language of the page."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from operator import itemgetter
from typing import Any

from comanda.basics import money
from comanda.contracts import ItemCapability, StoreTerms
from comanda.platform import runtime
from comanda.web import format_minor
from comanda.web import gettext as _


def list_capabilities(terms: StoreTerms) -> Sequence[ItemCapability]:
    """List the item capabilities of a store's type."""
    return [] if terms.vertical is None else runtime.registry().item_fields(terms.vertical)


def list_reductions(item: Mapping[str, Any], variation: str | None, currency: str) -> list[str]:
    """Return what a price that is announced as reduced was before, of an item or of its variation of this name.

    Of an item with variations, that of the cheapest counts, whose price is shown where the item is listed.
    """
    sold = [each for each in item["variations"] if variation is None or each["name"] == variation] or [item]
    prior = min(sold, key=itemgetter("price")).get("prior_price")
    if prior is None:
        return []
    price = format_minor(money.round_to_minor(Decimal(str(prior)), currency), currency)
    return [_("Reduced; lowest price of the 30 days before: %(price)s", price=price)]


def list_facts(item: Mapping[str, Any], capabilities: Sequence[ItemCapability], currency: str) -> list[str]:
    """Return what is worth knowing before an item is chosen, such as ``Vegan`` or ``320 kcal``."""
    facts = list_price_facts(item, None, capabilities, currency)
    facts += [badge for each in capabilities if each.badges is not None for badge in each.badges(item)]
    if item.get("calories") is not None:
        facts.append(_("%(number)s kcal", number=item["calories"]))
    if item.get("brand"):
        facts.append(str(item["brand"]))
    if item.get("age_min"):
        facts.append(_("From age %(age)s", age=item["age_min"]))
    return facts


def list_price_facts(
    item: Mapping[str, Any], variation: str | None, capabilities: Sequence[ItemCapability], currency: str
) -> list[str]:
    """Return what belongs beside the price of an item, or of its variation of this name."""
    own = [each.price_facts for each in capabilities if each.price_facts is not None]
    return [fact for list_own in own for fact in list_own(item, variation, currency)]


def list_flags(item: Mapping[str, Any], capabilities: Sequence[ItemCapability]) -> list[str]:
    """Return the flags that hold for an item, such as ``is_vegan``."""
    return [flag for each in capabilities if each.list_flags is not None for flag in each.list_flags(item)]


def list_filters(items: Sequence[Mapping[str, Any]], capabilities: Sequence[ItemCapability]) -> list[Mapping[str, str]]:
    """Return the flags that guests can filter a menu by: those that hold for some of its items."""
    used = {flag for item in items for flag in item["flags"]}
    return [
        {"name": name, "label": _(label)} for each in capabilities for name, label in each.flags.items() if name in used
    ]


def list_capability_facts(
    item: Mapping[str, Any], capabilities: Sequence[ItemCapability], cookies: Mapping[str, str]
) -> list[str]:
    """Return what item capabilities tell a guest who looks at an item closely."""
    own = [fact for each in capabilities if each.guest_facts is not None for fact in each.guest_facts(item, cookies)]
    return own + [fact for each in capabilities if each.facts is not None for fact in each.facts(item)]


def list_tables(item: Mapping[str, Any], capabilities: Sequence[ItemCapability]) -> list[dict[str, Any]]:
    """Return what guests can unfold about an item, such as its nutrition facts: titles, and rows of a name and text."""
    found = [(each.label, each.table(item)) for each in capabilities if each.table is not None]
    return [{"title": _(label), "rows": [*rows.items()]} for label, rows in found if rows]
