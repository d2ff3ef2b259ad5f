"""Barcodes that scales print: an item, and what was weighed of it or what that costs."""

import re
from collections.abc import Iterator
from typing import Final

from comanda.basics import NotFound, Sentence, ValidationFailed, money, require_found
from comanda.contracts import Caller, ItemVariant, OfferedItem
from comanda.menu import MenuSnapshot, snapshot
from comanda.stores import get_store_settings, require_store

from comanda_goods.records import ScaleCode
from comanda_goods.schemas import MAX_WEIGHT_G
from comanda_goods.services.weights import MG_OF_G, MG_OF_KG, is_sold_by_weight
from comanda_goods.store_settings import GoodsSettings, list_prefixes

# Two digits of a prefix, five of the item, five of the value, and the check digit.
SCALE_CODE: Final = re.compile("[0-9]{13}", re.ASCII)
ITEM_LENGTH: Final = 7


async def read_code(caller: Caller, code: str) -> ScaleCode:
    """Return the item or variation of a code and its weight; of a price, the weight that costs it.

    Raises ``NotFound`` for a code that no prefix of the caller's store or no item by weight has, and
    ``ValidationFailed`` for one that was not read properly, or whose weight cannot be ordered.
    """
    store_id = caller.known_store_id
    store = await require_store(caller, store_id)
    settings = await get_store_settings(GoodsSettings, caller.owner_id, store_id)
    holds_weight = code[:2] in list_prefixes(settings.weight_prefixes)
    if not SCALE_CODE.fullmatch(code) or not (holds_weight or code[:2] in list_prefixes(settings.price_prefixes)):
        raise NotFound
    if to_check_digit(code[:-1]) != code[-1]:
        raise ValidationFailed(code=[Sentence("The code %(code)s was not read properly. Scan it again.", code=code)])
    menu = await snapshot.get_snapshot(store_id, store["menu_version"], with_participants=False)
    item, variant = require_found(next(_find_sold(menu, code[:ITEM_LENGTH]), None))
    value = int(code[ITEM_LENGTH:-1])
    weight_mg = value * MG_OF_G if holds_weight else compute_weight(value, variant.price_minor)
    if not MG_OF_G <= weight_mg <= MAX_WEIGHT_G * MG_OF_G:
        raise ValidationFailed(code=[Sentence("The code %(code)s holds no weight that can be sold.", code=code)])
    return ScaleCode(item.id, variant.id, weight_mg / MG_OF_G)


def to_check_digit(digits: str) -> str:
    """Return the check digit of a GTIN: every other digit from the right counts three times."""
    total = sum(int(digit) * (1 if place % 2 else 3) for place, digit in enumerate(reversed(digits)))
    return str(-total % 10)


def compute_weight(price_minor: int, price_per_kg_minor: int) -> int:
    """Return the weight in milligrams that costs a price, or what comes nearest; 0 if every weight costs nothing.

    It is exact up to 1,000,000 minor units for a kilogram, as a milligram then costs less than one of them.
    """
    return money.round_half_up(price_minor * MG_OF_KG, price_per_kg_minor) if price_per_kg_minor else 0


def _find_sold(menu: MenuSnapshot, number: str) -> Iterator[tuple[OfferedItem, ItemVariant]]:
    """Yield the variations by weight whose barcode is a number, or that number with the value 0."""
    body = f"{number}00000"
    barcodes = {number, body + to_check_digit(body)}
    for item in menu.items.values():
        if is_sold_by_weight(item.attributes):
            yield from ((item, variant) for variant in item.variant_by_id.values() if variant.barcode in barcodes)
