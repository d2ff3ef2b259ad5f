"""What guests and staff read about a dish, in the language of the page, and what guests can filter a menu by."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from comanda.contracts import Values
from comanda.web import N_, format_number
from comanda.web import gettext as _

from comanda_food.records import ADDITIVE_LABELS, ALLERGEN_LABELS, DIET_LABELS, GROUPS, OVERRIDDEN_BY, Diet
from comanda_food.schemas.food_facts import FoodFields
from comanda_food.services.line_facts import combine_facts, find_matches, get_item_diets

FIELDS: Final = frozenset(FoodFields.model_fields)
# Vegan and halal are fields of another capability, which shows them itself.
OWN_DIETS: Final = (Diet.VEGETARIAN, Diet.KOSHER, Diet.GLUTEN_FREE, Diet.LACTOSE_FREE)
SPICINESS: Final = ("", N_("Mild"), N_("Spicy"), N_("Very spicy"))
# Of gluten, only "gluten-free" may be said (Implementing Regulation (EU) No 828/2014), which is a diet here.
WITHOUT: Final[Mapping[str, str]] = {
    "crustaceans": N_("Without crustaceans"),
    "eggs": N_("Without eggs"),
    "fish": N_("Without fish"),
    "peanuts": N_("Without peanuts"),
    "soya": N_("Without soya"),
    "milk": N_("Without milk"),
    "nuts": N_("Without nuts"),
    "celery": N_("Without celery"),
    "mustard": N_("Without mustard"),
    "sesame": N_("Without sesame"),
    "sulphites": N_("Without sulphites"),
    "lupin": N_("Without lupin"),
    "molluscs": N_("Without molluscs"),
}
FLAGS: Final[Mapping[str, str]] = {
    **{f"is_{diet}": DIET_LABELS[diet] for diet in OWN_DIETS},
    **{f"without_{code}": label for code, label in WITHOUT.items()},
}
# Names of the fields and codes of lines, orders and conflicts.
WORDS: Final[Mapping[str, str]] = {
    "allergens": N_("Contains"),
    "may_contain": N_("May contain"),
    "diets": N_("Not declared as"),
    "undeclared": N_("Not all allergens are declared of"),
    "avoid_allergens": N_("Must not contain"),
    "avoid_traces": N_("Not even traces of"),
    "required_diets": N_("Must be"),
    "restrictions_override": N_("Made in spite of it"),
    OVERRIDDEN_BY: N_("Taken over by"),
    **{str(code): label for code, label in DIET_LABELS.items()},
    **{str(code): label for code, label in ALLERGEN_LABELS.items()},
}


def list_badges(values: Values) -> Sequence[str]:
    """Return the diets, allergens and additives of an item, its alcohol and how spicy it is."""
    if not FIELDS & values.keys():
        return ()
    facts = [_(DIET_LABELS[diet]) for diet in OWN_DIETS if values.get(f"is_{diet}")]
    if values.get("spiciness"):
        facts.append(_(SPICINESS[values["spiciness"]]))
    return [*facts, *_describe(values)]


def list_choice_facts(values: Values) -> Sequence[str]:
    """Return what the variations and extras of an item contain, each in a sentence, and whether that is all."""
    facts = [
        f"{each['name']}: {' · '.join(described)}"
        for each in values.get("choice_facts") or ()
        if (described := _describe(each))
    ]
    if values.get("has_allergen_information") and not values.get("allergens"):
        facts.append(_("Contains none of the 14 allergens that must be named."))
    return facts


def list_line_facts(values: Values, variation: str | None, extras: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return the allergens of a line, in the order of the law, for those who make it and hand it over."""
    facts = combine_facts(values, "", (), variation, extras)
    found = {"allergens": facts.allergens, "may_contain": facts.may_contain}
    return {
        field: [code for code in ALLERGEN_LABELS if code in _leave_out_groups(codes)]
        for field, codes in found.items()
        if codes
    }


def list_flags(values: Values) -> Collection[str]:
    """Return the flags that hold for an item: its diets, and what it certainly can be had without."""
    if not FIELDS & values.keys():
        return ()
    diets = [f"is_{diet}" for diet in OWN_DIETS if diet in get_item_diets(values)]
    return [*diets, *(f"without_{code}" for code in WITHOUT if _can_be_without(values, code))]


def _can_be_without(values: Values, code: str) -> bool:
    """Return whether an item, with some variation and what must be chosen, is known not to contain an allergen."""
    if not values.get("has_allergen_information") or _contains(values, code):
        return False
    facts = {each["name"].casefold(): each for each in values.get("choice_facts") or ()}
    if variations := values.get("variations"):
        own = [facts.get(each["name"].casefold(), {}) for each in variations]
        if all(_contains(each, code) for each in own):
            return False
    required = [group["extras"] for group in values.get("extra_groups") or () if group["is_required"]]
    return all(
        any((found := facts.get(each["name"].casefold())) is not None and not _contains(found, code) for each in extras)
        for extras in required
    )


def _contains(facts: Mapping[str, Any], code: str) -> bool:
    named = {*(facts.get("allergens") or ()), *(facts.get("may_contain") or ())}
    return bool(find_matches([code], named))


def _describe(facts: Mapping[str, Any]) -> list[str]:
    """Return the allergens, additives and alcohol of an item, a choice or a line."""
    found = []
    if names := _join_labels(ALLERGEN_LABELS, _leave_out_groups(facts.get("allergens") or ())):
        found.append(_("Contains: %(names)s", names=names))
    if names := _join_labels(ALLERGEN_LABELS, _leave_out_groups(facts.get("may_contain") or ())):
        found.append(_("May contain: %(names)s", names=names))
    if names := _join_labels(ADDITIVE_LABELS, facts.get("additives") or ()):
        found.append(names)
    if facts.get("alcohol_percent"):
        found.append(_("%(number)s %% alcohol", number=format_number(facts["alcohol_percent"])))
    return found


def _join_labels(labels: Mapping[str, str], codes: Iterable[str]) -> str:
    """Return the names of codes in the order of the law, such as ``Wheat, Milk``."""
    found = frozenset(codes)
    return ", ".join(_(label) for code, label in labels.items() if code in found)


def _leave_out_groups(codes: Collection[str]) -> set[str]:
    """Return the codes without the groups of which a member is named."""
    return set(codes) - {GROUPS[each] for each in codes if each in GROUPS}
