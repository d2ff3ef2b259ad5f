"""Fields of items, starter menus that are installed, and arguments and results of the MCP tools."""

from typing import Annotated

from comanda.contracts import Arguments, Body, Count, Number
from comanda.web import N_
from pydantic import BaseModel, Field

from comanda_restaurant.services.starter_menus import Preset


class StarterBody(Body):
    """The starter menu to install. Its prices suit euro and dollar; ``price_factor`` converts them for the store."""

    preset: Preset
    price_factor: Annotated[Number, Field(ge=0.01, le=100_000)] = 1


class StarterMenuQuery(BaseModel):
    """The starter menu to return in full."""

    preset: Preset | None = None


class DietaryFields(BaseModel):
    """Dietary information of an item; ``calories`` is kilocalories per portion."""

    is_vegan: bool = Field(default=False, title=N_("Vegan"))
    is_halal: bool = Field(default=False, title=N_("Halal"))
    calories: Count | None = Field(default=None, title=N_("Calories"))


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
