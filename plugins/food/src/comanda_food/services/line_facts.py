"""What an order's line contains: its item with the chosen variation and extras."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from comanda.contracts import Item, Values

from comanda_food.records import EXCLUDED_ALLERGENS, GROUPS, IMPLIED_DIETS, Diet, LineFacts

NOTHING: Final[Mapping[str, Any]] = {}


def get_line_facts(item: Item, variation: str | None, extras: Sequence[str]) -> LineFacts:
    """Return what a line of an item contains. Choices are found by their names, as their facts are."""
    names = [variant.name for variant in item.variants]
    names += [extra.name for group in item.groups for extra in group.extras]
    return combine_facts(item.attributes, item.name, names, variation, extras)


def combine_facts(
    values: Values, name: str, choices: Iterable[str], variation: str | None, extras: Sequence[str]
) -> LineFacts:
    """Return what an item with these field values contains, of whose ``choices`` some are chosen.

    A variation without facts of its own is like its item, but not if there are facts of a choice that no longer
    exists: it may have been renamed.
    """
    facts = {each["name"].casefold(): each for each in values.get("choice_facts") or ()}
    chosen = [*([] if variation is None else [variation]), *extras]
    found = [facts[each.casefold()] for each in chosen if each.casefold() in facts]
    undeclared = [each for each in extras if each.casefold() not in facts]
    if variation is not None and variation.casefold() not in facts:
        undeclared += [variation] if facts.keys() - {each.casefold() for each in choices} else []
    if not values.get("has_allergen_information"):
        undeclared.insert(0, name)
    allergens = _join([values, *found], "allergens")
    return LineFacts(
        allergens=allergens,
        may_contain=_join([values, *found], "may_contain") - allergens,
        diets=_find_diets(values, found, allergens) if not set(undeclared) & set(chosen) else frozenset(),
        additives=_join([values, *found], "additives"),
        alcohol=max(float(each.get("alcohol_percent") or 0) for each in [values, *found]),
        undeclared=tuple(undeclared),
    )


def find_matches(avoided: Collection[str], contained: Collection[str]) -> list[str]:
    """Return what of ``contained`` a person must not eat: the same, one of the group, or the group of it."""
    groups = {GROUPS[each] for each in avoided if each in GROUPS}
    return [each for each in contained if each in avoided or each in groups or GROUPS.get(each) in avoided]


def get_item_diets(values: Values) -> frozenset[str]:
    """Return the diets that an item is suitable for by its own fields, and those that follow from them."""
    return _complete([diet for diet in Diet if values.get(f"is_{diet}") is True])


def _find_diets(values: Values, found: Sequence[Values], allergens: Collection[str]) -> frozenset[str]:
    diets = get_item_diets(values)
    for each in found:
        diets &= _complete(each.get("diets") or ())
    return frozenset(diet for diet in diets if not EXCLUDED_ALLERGENS.get(Diet(diet), frozenset()) & set(allergens))


def _complete(diets: Iterable[str]) -> frozenset[str]:
    found = frozenset(diets)
    return found.union(*(IMPLIED_DIETS.get(Diet(diet), frozenset()) for diet in found))


def _join(parts: Iterable[Values], name: str) -> frozenset[str]:
    return frozenset(code for part in parts for code in part.get(name) or ())
