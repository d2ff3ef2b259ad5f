"""Starter menus for restaurants of several kinds.

Prices have no currency and suit euro, dollar and similar; calories are per portion.
"""

from enum import StrEnum
from typing import Final

from comanda_restaurant.services.starter_menus.bakery import BAKERY
from comanda_restaurant.services.starter_menus.burger import BURGER
from comanda_restaurant.services.starter_menus.cafe import CAFE
from comanda_restaurant.services.starter_menus.lounge import LOUNGE
from comanda_restaurant.services.starter_menus.menu import StarterMenu
from comanda_restaurant.services.starter_menus.pizzeria import PIZZERIA


class Preset(StrEnum):
    """The names of the starter menus."""

    CAFE = "cafe"
    PIZZERIA = "pizzeria"
    BURGER = "burger"
    BAKERY = "bakery"
    LOUNGE = "lounge"


MENUS: Final[dict[Preset, StarterMenu]] = {
    Preset.CAFE: CAFE,
    Preset.PIZZERIA: PIZZERIA,
    Preset.BURGER: BURGER,
    Preset.BAKERY: BAKERY,
    Preset.LOUNGE: LOUNGE,
}
