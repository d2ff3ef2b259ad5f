"""Menus, as agents name and see them."""

from typing import Annotated, Any

from comanda.http.wire import Amount, Body, Count, Moment, Name, Percent, Text
from comanda.mcp.choosing import RestaurantArguments
from comanda.menu.schemas import MAX_PICTURES, CategoryOut, CategoryWithItems, ItemOut
from pydantic import BaseModel, Field

from comanda_mcp_admin.schemas.arguments import CategoryId, ItemId

CategoryName = Annotated[Name, Field(description="What guests read, 1 to 255 characters.")]
ItemName = Annotated[Name, Field(description="What guests read, 1 to 255 characters.")]
Price = Annotated[Amount, Field(description="The price in the store's currency, such as 12.5; 0 or more.")]
Position = Annotated[Count, Field(le=1_000_000, description="The place among its neighbours; smaller stands first.")]
ImageUrl = Annotated[
    str, Field(max_length=1000, pattern=r"^https?://\S+$", description="The address of a picture, http or https.")
]


class GetMenu(RestaurantArguments):
    """Whose menu to read."""


class OwnedMenu(BaseModel):
    """A menu as its owner sees it: inactive and sold-out things included, prices in the store's currency."""

    restaurant_id: int
    categories: list[CategoryWithItems]


class ListCategories(RestaurantArguments):
    """Whose categories to list."""


class CategoryInList(CategoryOut):
    """A category, and how many items stand in it."""

    items_count: int


class Categories(BaseModel):
    """All categories of a store, in the menu's order."""

    restaurant_id: int
    categories: list[CategoryInList]


class AddCategory(RestaurantArguments):
    """A category to add."""

    name: CategoryName
    position: Position = 0
    is_active: Annotated[bool, Field(description="Whether guests see it.")] = True


class UpdateCategory(RestaurantArguments):
    """What to change of a category."""

    category_id: CategoryId
    name: CategoryName | None = Field(None, description="The new name.")
    position: Position | None = Field(None, description="The new place; smaller stands first.")
    is_active: Annotated[bool | None, Field(description="Whether guests see it, with its items.")] = None


class DeleteCategory(RestaurantArguments):
    """A category to delete."""

    category_id: CategoryId


class Variation(Body):
    """A version of an item."""

    name: Name = Field(description="Such as Large.")
    price: Amount = Field(description="What the item costs in this version, in place of its own price.")


class Extra(Body):
    """Something to add to an item."""

    name: Name = Field(description="Such as Olives.")
    price: Amount = Field(0, description="What it adds to the price.")


class ExtraGroup(Body):
    """Extras that are chosen together."""

    name: Name = Field(description="Such as Toppings.")
    min: Count = Field(0, le=100, description="How many a guest must choose; with 1 or more the choice is required.")
    max: Annotated[Count, Field(ge=1, le=100)] | None = Field(
        None, description="How many a guest may choose; left out, any number."
    )
    free_count: Count = Field(0, le=100, description="How many of the chosen cost nothing.")
    allows_repeats: bool = Field(False, description="Whether one extra may be chosen more than once.")
    extras: list[Extra] = Field(min_length=1, max_length=100, description="The extras of the group.")


class Picture(Body):
    """A picture of an item."""

    url: str = Field(max_length=1000, pattern=r"^https?://\S+$", description="Its address, http or https.")
    alt: Text | None = Field(
        None, max_length=500, description="What it shows, in words; left out, the item's name describes it."
    )


class AddMenuItem(RestaurantArguments):
    """An item to add."""

    category_id: CategoryId
    name: ItemName
    price: Price
    description: Text | None = Field(None, description="A sentence or two for guests, at most 2000 characters.")
    image_url: ImageUrl | None = Field(None, description="The address of a picture, http or https.")
    gallery: list[Picture] = Field(
        [], max_length=MAX_PICTURES, description="Further pictures, in the order in which guests see them."
    )
    position: Position = 0
    is_popular: Annotated[bool, Field(description="Whether it is shown as popular.")] = False
    is_active: Annotated[bool, Field(description="Whether guests see it.")] = True
    is_sold_out: Annotated[bool, Field(description="Whether it is on the menu but cannot be ordered yet.")] = False
    tax_rate: Percent | None = Field(None, description="Its tax in per cent, where it differs from the store's.")
    stock: Count | None = Field(
        None, description="How many are left, in stores that count stock; left out, it is not counted."
    )
    variations: list[Variation] = Field(
        [], max_length=100, description="Versions such as sizes, each with a price of its own."
    )
    extra_groups: list[ExtraGroup] = Field([], max_length=30, description="What guests may add to it.")
    details: dict[str, Any] = Field(
        {},
        max_length=50,
        description="Fields of the store's type by name, such as is_vegan, is_halal and calories (kilocalories) of a "
        "restaurant's items or brand of a shop's. A name that the store does not have is refused with those it has.",
    )


class UpdateMenuItem(RestaurantArguments):
    """What to change of an item."""

    item_id: ItemId
    name: ItemName | None = Field(None, description="The new name.")
    price: Price | None = Field(None, description="The new price in the store's currency, such as 12.5; 0 or more.")
    description: Text | None = Field(None, description="The new description; an empty text takes it away.")


class DeleteMenuItem(RestaurantArguments):
    """An item to delete."""

    item_id: ItemId


class SetItemAvailability(RestaurantArguments):
    """Whether an item can be ordered."""

    item_id: ItemId
    is_available: bool = Field(description="False marks it as sold out, true takes that mark away.")
    until: Moment | None = Field(
        None,
        description="With is_available false: when it comes back by itself, a time to come with its UTC offset, such "
        "as 2027-03-01T18:00:00+00:00. Left out, it stays sold out.",
    )


class ItemAvailability(BaseModel):
    """Whether an item is marked as sold out. One whose counted stock is used up cannot be ordered all the same."""

    id: int
    is_available: bool
    until: Moment | None = Field(description="When it comes back by itself.")


MenuItem = ItemOut
Category = CategoryOut
