"""Fields of food items."""

from comanda.contracts.fields import Count
from pydantic import BaseModel


class DietaryFields(BaseModel):
    """Dietary information of an item; ``calories`` is kilocalories per portion."""

    is_vegan: bool = False
    is_halal: bool = False
    calories: Count | None = None
