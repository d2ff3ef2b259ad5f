"""What a restaurant says of its items, and the menus to begin with on the wire."""

from typing import Annotated

from comanda.contracts.fields import Body, Count, Number
from pydantic import BaseModel, Field

from comanda_restaurant.starters import Preset


class DietaryFields(BaseModel):
    """Dietary facts of an item; ``calories`` is kilocalories per portion."""

    is_vegan: bool = False
    is_halal: bool = False
    calories: Count | None = None


class StarterBody(Body):
    """Which menu to begin with. Its prices suit euro and dollar; ``price_factor`` turns them into the store's."""

    preset: Preset
    price_factor: Annotated[Number, Field(ge=0.01, le=100_000)] = 1


class StarterInstalled(BaseModel):
    """What has been added to the menu."""

    restaurant_id: int
    preset: Preset
    categories_count: int
    items_count: int
