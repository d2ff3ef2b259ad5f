"""Fields of food items."""

from comanda.contracts import Count
from comanda.web import N_
from pydantic import BaseModel, Field


class DietaryFields(BaseModel):
    """Dietary information of an item; ``calories`` is kilocalories per portion."""

    is_vegan: bool = Field(default=False, title=N_("Vegan"))
    is_halal: bool = Field(default=False, title=N_("Halal"))
    calories: Count | None = Field(default=None, title=N_("Calories"))
