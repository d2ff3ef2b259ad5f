"""What may be a choice of a combo, by the menu alone, in any process."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from comanda.menu.schemas import ExtraBody, ExtraGroupBody

IS_PART_OF_COMBO: Final = "This item is part of a combo, so it cannot be a combo itself."


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item that may be a choice of a combo, unless it is one itself or needs choices of its own."""

    name: str
    variant_ids: Collection[int]
    is_combo: bool
    needs_choices: bool


def has_choices(groups: Sequence[ExtraGroupBody]) -> bool:
    """Return whether extras of these groups point to items."""
    return any(_is_choice(extra) for group in groups for extra in group.extras)


def find_wrong_choices(groups: Sequence[ExtraGroupBody], candidates: Mapping[int, Candidate]) -> dict[str, str]:
    """Return what is wrong with the choices of a combo, by path. ``candidates`` are items of its store, by id.

    Either all extras of an item point to items or none does. Combos have no combos in them, and no items that need
    choices of their own.
    """
    errors: dict[str, str] = {}
    for place, group in enumerate(groups):
        for number, extra in enumerate(group.extras):
            path = f"extra_groups.{place}.extras.{number}"
            found = candidates.get(extra.item_id) if extra.item_id is not None else None
            if not _is_choice(extra):
                errors[f"{path}.item_id"] = "A combo consists of items only."
            elif extra.item_id is None:
                errors[f"{path}.item_id"] = "Name the item that the variation is of."
            elif found is None:
                errors[f"{path}.item_id"] = f"This store has no item {extra.item_id}."
            elif found.is_combo:
                errors[f"{path}.item_id"] = f"{found.name} is a combo itself."
            elif found.needs_choices:
                errors[f"{path}.item_id"] = f"{found.name} has extras of which guests have to choose."
            elif extra.variation is not None and extra.variation not in found.variant_ids:
                errors[f"{path}.variation"] = f"{found.name} has no variation {extra.variation}."
    return errors


def _is_choice(extra: ExtraBody) -> bool:
    return extra.item_id is not None or extra.variation is not None
