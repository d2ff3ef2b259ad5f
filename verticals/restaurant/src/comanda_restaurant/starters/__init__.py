"""Menus to begin with: what a place of each kind sells on its first day.

Prices are numbers without a currency that are right for euro, dollar and the like; calories are per portion.
"""

from enum import StrEnum
from typing import Final

from comanda_restaurant.starters.bakery import BAKERY
from comanda_restaurant.starters.burger import BURGER
from comanda_restaurant.starters.cafe import CAFE
from comanda_restaurant.starters.lounge import LOUNGE
from comanda_restaurant.starters.menus import StarterMenu
from comanda_restaurant.starters.pizzeria import PIZZERIA


class Preset(StrEnum):
    """The names of the menus."""

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
