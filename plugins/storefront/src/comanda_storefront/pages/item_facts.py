"""Short facts on items, and the flags that guests can filter by, in the language of the page."""

from collections.abc import Mapping
from typing import Any

from comanda.contracts import StoreTerms
from comanda.platform import runtime
from comanda.web import gettext as _

from comanda_storefront.pages.formats import to_label


def get_dietary_flags(terms: StoreTerms) -> dict[str, str]:
    """Return the dietary flags of items in this type of store with their labels, such as ``is_vegan``."""
    if terms.vertical is None or "dietary" not in terms.vertical.capabilities:
        return {}
    fields = runtime.registry().item_capabilities["dietary"].fields.model_fields
    return {
        name: _(field.title or to_label(name.removeprefix("is_")))
        for name, field in fields.items()
        if field.annotation is bool
    }


def list_facts(item: Mapping[str, Any], flags: Mapping[str, str]) -> list[str]:
    """Return what is worth knowing before an item is chosen, such as ``Vegan`` or ``320 kcal``."""
    facts = [label for name, label in flags.items() if item.get(name)]
    if item.get("calories") is not None:
        facts.append(_("%(number)s kcal", number=item["calories"]))
    if item.get("brand"):
        facts.append(str(item["brand"]))
    if item.get("age_min"):
        facts.append(_("From age %(age)s", age=item["age_min"]))
    return facts


def list_capability_facts(item: Mapping[str, Any], terms: StoreTerms, cookies: Mapping[str, str]) -> list[str]:
    """Return what the item capabilities of the store's type tell a guest who looks at an item closely."""
    known = runtime.registry().item_capabilities
    used = terms.vertical.capabilities if terms.vertical is not None else ()
    capabilities = [known[code] for code in used if code in known]
    own = [fact for each in capabilities if each.guest_facts is not None for fact in each.guest_facts(item, cookies)]
    return own + [fact for each in capabilities if each.facts is not None for fact in each.facts(item)]
