"""Arguments and results that several tools share."""

from typing import Annotated

from comanda.contracts import MAX_PAGE, Count, Id
from pydantic import BaseModel, Field

ItemId = Annotated[Id, Field(description="The item's id, from get_menu.")]
CategoryId = Annotated[Id, Field(description="The category's id, from get_menu or list_categories.")]
OrderId = Annotated[Id, Field(description="The order's id, from list_orders; not the number shown to guests.")]
PageNumber = Annotated[Count, Field(ge=1, le=MAX_PAGE, description="The page, starting at 1.")]


class Deleted(BaseModel):
    """The deleted record."""

    id: int
    is_deleted: bool
