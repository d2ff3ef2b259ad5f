"""Arguments and results of the MCP tools."""

from comanda.contracts import Arguments
from pydantic import BaseModel, Field

from comanda_restaurant.services.starter_menus import Preset


class ListStarterMenus(Arguments):
    """The starter menu to return in full."""

    preset: Preset | None = Field(
        None, description="One menu to return with its items; omit it for an overview of all menus."
    )


class Priced(BaseModel):
    """A variation, whose price replaces the item's, or an extra, whose price is added to it."""

    name: str
    price: float


class StarterGroup(BaseModel):
    """A group of extras."""

    name: str
    min: int
    max: int | None
    free_count: int = Field(description="How many of the chosen extras are free.")
    allows_repeats: bool
    extras: list[Priced]


class StarterItem(BaseModel):
    """An item of a starter menu."""

    name: str
    description: str
    price: float
    is_vegan: bool
    is_halal: bool
    calories: int | None = Field(description="Kilocalories per portion.")
    is_popular: bool
    variations: list[Priced]
    extra_groups: list[StarterGroup]


class StarterCategory(BaseModel):
    """A category of a starter menu."""

    name: str
    items_count: int
    items: list[StarterItem] = Field(description="Empty in the overview.")


class StarterMenuOut(BaseModel):
    """A starter menu."""

    preset: Preset
    title: str
    description: str
    items_count: int
    categories: list[StarterCategory]


class StarterMenus(BaseModel):
    """Starter menus. Prices have no currency: they suit euro and dollar."""

    menus: list[StarterMenuOut]
