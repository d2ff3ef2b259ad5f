"""Arguments and results of the menu tools."""

from typing import Annotated, Any

from comanda.contracts import Amount, Body, Count, Id, Item, Moment, Name, Percent, Text
from comanda.menu import MAX_PICTURES, CategoryWithItems, create_arguments
from comanda.platform.mcp import RestaurantArguments
from pydantic import BaseModel, Field

from comanda_mcp_admin.schemas.arguments import CategoryId, ItemId

CategoryName = Annotated[Name, Field(description="The name that guests see, 1 to 255 characters.")]
ItemName = Annotated[Name, Field(description="The name that guests see, 1 to 255 characters.")]
Price = Annotated[Amount, Field(description="The price in the store's currency, such as 12.5; 0 or more.")]
Position = Annotated[Count, Field(le=1_000_000, description="The sort position; lower positions come first.")]


class GetMenu(RestaurantArguments):
    """The store whose menu to return."""


class OwnedMenu(BaseModel):
    """A menu as its owner sees it, with inactive and sold-out items; prices are in the store's currency."""

    restaurant_id: int
    categories: list[CategoryWithItems]


class ListCategories(RestaurantArguments):
    """The store whose categories to list."""


class CategoryInList(BaseModel):
    """A category and the number of its items."""

    id: int
    name: str
    position: int
    is_active: bool
    items_count: int


class Categories(BaseModel):
    """All categories of a store in menu order."""

    restaurant_id: int
    categories: list[CategoryInList]


class AddCategory(RestaurantArguments):
    """A category to create."""

    name: CategoryName
    position: Position = 0
    is_active: Annotated[bool, Field(description="Whether guests see it.")] = True


class UpdateCategory(RestaurantArguments):
    """Changes to a category."""

    category_id: CategoryId
    name: CategoryName | None = Field(None, description="The new name.")
    position: Position | None = Field(None, description="The new sort position; lower positions come first.")
    is_active: Annotated[bool | None, Field(description="Whether guests see it and its items.")] = None


class DeleteCategory(RestaurantArguments):
    """A category to delete."""

    category_id: CategoryId


class Variation(Body):
    """A variation of an item."""

    name: Name = Field(description="Such as Large.")
    price: Amount = Field(description="The price of this variation, which replaces the item's price.")


class Extra(Body):
    """An extra of an item."""

    name: Name = Field(description="Such as Olives.")
    price: Amount = Field(0, description="The amount added to the price.")
    item_id: Id | None = Field(
        None, description="Makes the item a combo: the id of the item of the menu that guests get for this choice."
    )
    variation: Id | None = Field(None, description="The id of the variation of that item.")


class ExtraGroup(Body):
    """A group of extras."""

    name: Name = Field(description="Such as Toppings.")
    min: Count = Field(0, le=100, description="The minimum number to choose; 1 or more makes the choice required.")
    max: Annotated[Count, Field(ge=1, le=100)] | None = Field(
        None, description="The maximum number to choose; omit for no limit."
    )
    free_count: Count = Field(0, le=100, description="How many of the chosen extras are free.")
    allows_repeats: bool = Field(False, description="Whether the same extra may be chosen more than once.")
    item_discount: Percent | None = Field(
        None,
        description="For combos: what items of this group cost less than alone, in per cent. Without it, the price of "
        "the combo includes them.",
    )
    extras: list[Extra] = Field(min_length=1, max_length=100, description="The extras of the group.")


class Picture(Body):
    """A picture of an item."""

    url: str = Field(max_length=1000, pattern=r"^https?://\S+$", description="Its URL, http or https.")
    alt: Text | None = Field(None, max_length=500, description="Alternative text; defaults to the item's name.")


@create_arguments(Item)
class AddMenuItem(RestaurantArguments):
    """An item to create."""

    category_id: CategoryId
    gallery: list[Picture] = Field([], max_length=MAX_PICTURES, description="More pictures, in display order.")
    variations: list[Variation] = Field(
        [], max_length=100, description="Variations such as sizes, each with its own price."
    )
    extra_groups: list[ExtraGroup] = Field([], max_length=30, description="Groups of extras that guests may add.")
    details: dict[str, Any] = Field(
        {},
        max_length=50,
        description="Fields of the store type by name, such as is_vegan, is_halal and calories (kilocalories) for a "
        "restaurant's items or brand for a shop's. Unknown names are refused with a list of the known ones.",
    )


class UpdateMenuItem(RestaurantArguments):
    """Changes to an item."""

    item_id: ItemId
    name: ItemName | None = Field(None, description="The new name.")
    price: Price | None = Field(None, description="The new price in the store's currency, such as 12.5; 0 or more.")
    description: Text | None = Field(None, description="The new description; an empty text removes it.")


class DeleteMenuItem(RestaurantArguments):
    """An item to delete."""

    item_id: ItemId


class SetItemAvailability(RestaurantArguments):
    """The availability to set for an item."""

    item_id: ItemId
    is_available: bool = Field(description="False marks it as sold out, true makes it available again.")
    until: Moment | None = Field(
        None,
        description="With is_available false: when it becomes available again, a future time with UTC offset, such "
        "as 2027-03-01T18:00:00+00:00. If omitted, it stays sold out.",
    )


class ItemAvailability(BaseModel):
    """Whether an item is marked as sold out. An item without stock cannot be ordered in any case."""

    id: int
    is_available: bool
    until: Moment | None = Field(description="When it becomes available again.")
