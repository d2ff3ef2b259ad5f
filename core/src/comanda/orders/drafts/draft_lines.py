"""The lines of an order draft: items, variations and extras as they are on the menu. No database."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics import clock
from comanda.basics.sentences import Sentence
from comanda.contracts.orders.bodies import LineBody
from comanda.contracts.orders.participants import ChosenExtra, ChosenVariation, DraftLine, Problem, StoreTerms
from comanda.contracts.stores.menu_items import Extra, ExtraGroup, ItemVariant, OfferedItem
from comanda.menu.snapshot import MenuSnapshot

NOT_SOLD_NOW: Final = "not_sold_now"


def draft_line(
    body: LineBody, position: int, snapshot: MenuSnapshot, max_quantity: int, mode: str, problems: list[Problem]
) -> DraftLine | None:
    """Return a line with its names and prices, or None and why it cannot be ordered in ``problems``."""
    item, path, known = snapshot.items.get(body.item_id), f"items.{position}", len(problems)
    if item is None:
        problems.append(Problem(f"{path}.item_id", Sentence("This store has no item %(id)s.", id=body.item_id)))
        return None
    if not item.is_available:
        problems.append(_to_refusal(item, f"{path}.item_id", snapshot.terms.zone))
        return None
    if body.quantity > max_quantity:
        text = Sentence("At most %(number)s of one line can be ordered.", number=max_quantity)
        problems.append(Problem(f"{path}.quantity", text))
        return None
    terms = snapshot.terms
    variant = _select_variant(body, item, path, problems)
    extras, extras_minor = _select_extras(body, item, path, problems)
    if item.is_combo and not body.extras:
        problems.append(Problem(f"{path}.extras", Sentence("%(item)s: choose at least one item.", item=item.name)))
    if len(problems) > known:
        return None
    price_minor = (variant or item).price_minor
    return DraftLine(
        position=position,
        item_id=body.item_id,
        variant_id=variant.id if variant else None,
        name=item.name,
        quantity=body.quantity,
        unit_price_minor=price_minor + extras_minor,
        tax_rate_ppm=get_tax_rate(item, terms, mode),
        variation=ChosenVariation(variant.id, variant.name, variant.price_minor) if variant else None,
        extras=extras,
        note=body.note or None,
        stock_key=to_stock_key(item, variant),
        price_label=item.price_list,
        seat=body.seat,
        course=body.course,
        extras_minor=extras_minor,
        weight_mg=body.weight_mg,
    )


def _to_refusal(item: OfferedItem, path: str, zone: ZoneInfo) -> Problem:
    """Return why an item cannot be ordered, and from when it can be if only its fields refuse it until then."""
    if not item.is_on_menu:
        return Problem(path, Sentence("%(item)s is not on the menu now.", item=item.name))
    next_at = None if item.orderability.is_orderable else item.orderability.changes_at
    if next_at is None or item.is_sold_out or item.is_used_up(item.stock):
        return Problem(path, Sentence("%(item)s is sold out.", item=item.name))
    extras = {"reason": NOT_SOLD_NOW, "next_sold_at": next_at}
    text = Sentence("%(item)s can be ordered from %(time)s.", item=item.name, time=_to_local_text(next_at, zone))
    return Problem(path, text, extras)


def _to_local_text(moment: datetime, zone: ZoneInfo) -> str:
    """Return a moment in a store's time: only the time on the same day, only the day at its beginning."""
    local = moment.astimezone(zone)
    day, time = f"{local:%Y-%m-%d}", f"{local:%H:%M}"
    if local.date() == clock.now().astimezone(zone).date():
        return time
    return day if time == "00:00" else f"{day} {time}"


def _select_variant(body: LineBody, item: OfferedItem, path: str, problems: list[Problem]) -> ItemVariant | None:
    if body.variation is None:
        return None
    variant = item.variant_by_id.get(body.variation)
    if variant is None:
        text = Sentence("%(item)s has no variation %(id)s.", item=item.name, id=body.variation)
        problems.append(Problem(f"{path}.variation", text))
    elif item.is_used_up(variant.stock):
        text = Sentence("%(item)s is sold out.", item=f"{item.name}, {variant.name},")
        problems.append(Problem(f"{path}.variation", text))
    return variant


def _select_extras(
    body: LineBody, item: OfferedItem, path: str, problems: list[Problem]
) -> tuple[tuple[ChosenExtra, ...], int]:
    """Return the chosen extras and their price per unit, and check the rules of each group."""
    if not body.extras and not item.groups:
        return (), 0
    chosen = Counter(body.extras)
    known = item.extra_by_id
    if unknown := [extra_id for extra_id in chosen if extra_id not in known]:
        text = Sentence("%(item)s has no extra %(id)s.", item=item.name, id=unknown[0])
        problems.append(Problem(f"{path}.extras", text))
        return (), 0
    extras: list[ChosenExtra] = []
    total = 0
    for group in item.groups:
        picked = [(extra, chosen[extra.id]) for extra in group.extras if extra.id in chosen]
        problems += [Problem(f"{path}.extras", text) for text in _check_group(group, picked)]
        total += _price_group(group, picked)
        extras += [ChosenExtra(extra.id, extra.name, extra.price_minor, count) for extra, count in picked]
    return tuple(extras), total


def _check_group(group: ExtraGroup, picked: Sequence[tuple[Extra, int]]) -> list[Sentence]:
    name, count = group.name, sum(number for _, number in picked)
    problems = [Sentence("%(item)s is sold out.", item=extra.name) for extra, _ in picked if extra.is_sold_out]
    if not group.allows_repeats:
        repeated = [extra for extra, number in picked if number > 1]
        problems += [
            Sentence("%(group)s: %(extra)s can only be chosen once.", group=name, extra=extra.name)
            for extra in repeated
        ]
    if count < group.min_count:
        problems.append(Sentence("%(group)s: choose at least %(number)s.", group=name, number=group.min_count))
    if group.max_count is not None and count > group.max_count:
        problems.append(Sentence("%(group)s: choose at most %(number)s.", group=name, number=group.max_count))
    return problems


def _price_group(group: ExtraGroup, picked: Sequence[tuple[Extra, int]]) -> int:
    prices = [extra.price_minor for extra, number in picked for _ in range(number)]
    # The cheapest ones are free, so the client's order of extras does not matter.
    return sum(sorted(prices)[group.free_count :])


def get_tax_rate(item: OfferedItem, terms: StoreTerms, mode: str) -> int:
    """Return the tax rate of an item in a mode, in parts per million."""
    rate = item.tax_rate_ppm
    return terms.mode_tax_rates.get(mode, terms.tax_rate_ppm) if rate is None else rate


def to_stock_key(item: OfferedItem, variant: ItemVariant | None) -> tuple[str, int] | None:
    """Return the counted stock that a line of an item takes from, None if there is none."""
    if variant is not None and variant.stock is not None:
        return ("variant", variant.id)
    return ("item", item.id) if item.stock is not None else None
