"""The combos of an order draft: each becomes a heading and the lines of its items, which share its price. No database.

The price of a combo and what its choices add to it are on the menu. The price is split in proportion to what the items
cost alone that it includes, by largest remainder, as published in the chapter ``pricing``.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from comanda.contracts.orders.participants import ChosenVariation, DraftLine, LineCombo
from comanda.contracts.stores.menu_items import Extra, ItemVariant, OfferedItem
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders.drafts.draft_lines import get_tax_rate, to_stock_key
from comanda.orders.drafts.pricing import allocate


@dataclass(frozen=True, slots=True)
class ComboChoice:
    """An item that was chosen in a combo, once, with what it costs alone and what it adds to the price of the combo."""

    item: OfferedItem
    variant: ItemVariant | None
    added_minor: int
    is_included: bool

    @property
    def price_minor(self) -> int:
        """What it costs alone."""
        return (self.variant or self.item).price_minor


def expand_combos(lines: list[DraftLine], count: int, menu: MenuSnapshot, mode: str) -> list[DraftLine]:
    """Return the lines of a body of ``count`` lines with those of the items of its combos, after their headings."""
    if not any(line.extras and menu.items[line.item_id].is_combo for line in lines):
        return lines
    expanded: list[DraftLine] = []
    for line in lines:
        item = menu.items[line.item_id]
        choices = list_choices(item, line, menu.items) if item.is_combo else ()
        if not choices:
            expanded.append(line)
            continue
        combo = LineCombo(secrets.token_hex(6), line.item_id, line.name)
        heading = replace(combo, is_heading=True)
        expanded.append(replace(line, unit_price_minor=0, tax_rate_ppm=0, combo=heading))
        for choice, price_minor in zip(choices, split_price(line.unit_price_minor, choices), strict=True):
            expanded.append(
                DraftLine(
                    position=count,
                    item_id=choice.item.id,
                    variant_id=None if choice.variant is None else choice.variant.id,
                    name=choice.item.name,
                    quantity=line.quantity,
                    unit_price_minor=price_minor,
                    tax_rate_ppm=get_tax_rate(choice.item, menu.terms, mode),
                    variation=_to_variation(choice.variant),
                    extras=(),
                    note=line.note,
                    stock_key=to_stock_key(choice.item, choice.variant),
                    seat=line.seat,
                    course=line.course,
                    combo=combo,
                    body_position=line.position,
                )
            )
            count += 1
    return expanded


def list_choices(combo: OfferedItem, line: DraftLine, items: Mapping[int, OfferedItem]) -> list[ComboChoice]:
    """List the items that were chosen in a combo, in the order of its groups; the cheapest of a group may be free."""
    counts = {extra.id: extra.quantity for extra in line.extras}
    choices: list[ComboChoice] = []
    for group in combo.groups:
        chosen = [extra for extra in group.extras for _ in range(counts.get(extra.id, 0))]
        free = sorted(range(len(chosen)), key=lambda place: chosen[place].price_minor)[: group.free_count]
        choices += [
            _to_choice(
                extra, items, 0 if place in free else extra.price_minor, is_included=group.item_discount_ppm is None
            )
            for place, extra in enumerate(chosen)
        ]
    return choices


def split_price(price_minor: int, choices: Sequence[ComboChoice]) -> list[int]:
    """Return the share of each choice in the price of one combo, additions included; the shares sum to the price.

    Each choice has what it adds. The rest is split among the choices that are included in it, in proportion to what
    they cost alone; among all, if none is included; evenly, if they cost nothing alone.
    """
    rest_minor = price_minor - sum(choice.added_minor for choice in choices)
    is_any_included = any(choice.is_included for choice in choices)
    weights = [choice.price_minor if choice.is_included or not is_any_included else 0 for choice in choices]
    if not any(weights):
        weights = [int(choice.is_included or not is_any_included) for choice in choices]
    shares = allocate(rest_minor, weights)
    return [share + choice.added_minor for share, choice in zip(shares, choices, strict=True)]


def _to_choice(extra: Extra, items: Mapping[int, OfferedItem], added_minor: int, *, is_included: bool) -> ComboChoice:
    item = items[extra.item_id or 0]
    variant = None if extra.variant_id is None else item.variant_by_id[extra.variant_id]
    return ComboChoice(item, variant, added_minor, is_included)


def _to_variation(variant: ItemVariant | None) -> ChosenVariation | None:
    return None if variant is None else ChosenVariation(variant.id, variant.name, variant.price_minor)
