"""Request and response bodies of menus."""

from datetime import datetime
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from comanda.contracts.requests.fields import Amount, Body, ExactBody, Id, Moment, Name, ShortText, Text, example
from comanda.contracts.stores.menu_items import Code, Extra, ExtraGroup, Item, ItemVariant, Small, Url
from comanda.menu.columns import create_answer, create_body
from comanda.menu.records import MenuCategory

AltText = Annotated[Text, Field(max_length=500)]

# More pictures of one item than guests look at.
MAX_PICTURES: Final = 10
PHOTO_NOT_FOUND: Final = "Photo not found. Upload it first."
PHOTO_TWICE: Final = "This photo is already in the list."


@create_answer(Extra, is_public=True)
class ExtraOut(BaseModel):
    """An extra of an item. A choice of a combo has the ``item_id`` of its item, and the ``variation`` or null."""

    item_id: int | None = None
    variation: int | None = None


@create_answer(ExtraGroup, is_public=True)
class ExtraGroupOut(BaseModel):
    """A group of extras; the first ``free_count`` are free.

    With an ``item_discount`` in per cent, items that its extras point to cost what they cost alone, less that; without
    one they are included in the price.
    """

    is_required: bool
    item_discount: float | None = None
    extras: list[ExtraOut]


@create_answer(ItemVariant, is_public=True)
class VariationOut(BaseModel):
    """A variation of an item; its price replaces the item's. One that is reduced has ``prior_price``."""

    is_sold_out: bool
    prior_price: float | None = None


class PictureSize(BaseModel):
    """One size of a photo, as WebP."""

    url: str
    width: int
    height: int


class PictureOut(BaseModel):
    """A picture of an item with its alt text. An uploaded photo has ``id`` and ``sizes``, smallest first."""

    id: int | None = None
    url: str
    alt: str
    sizes: list[PictureSize] | None = None


@create_answer(Item, is_public=False)
class ItemOut(BaseModel):
    """An item. It also has the fields of the store's item capabilities, such as ``is_vegan`` or ``brand``.

    An item with fields that limit when it is sold has ``is_sold_now``, and the time at which that changes, if ever. One
    whose price is announced as reduced has ``prior_price``, the lowest of the 30 days before.
    """

    model_config = ConfigDict(extra="allow")

    gallery: list[PictureOut]
    variations: list[VariationOut]
    extra_groups: list[ExtraGroupOut]
    prior_price: float | None = None
    is_sold_now: bool | None = None
    sold_now_changes_at: datetime | None = None


@create_answer(MenuCategory, is_public=False)
class CategoryWithItems(BaseModel):
    """A category and its items."""

    items: list[ItemOut]


@create_answer(Item, is_public=True)
class PublicItem(BaseModel):
    """An item as guests see it; sold-out items are left out.

    One whose price is reduced has ``prior_price``, the lowest of the 30 days before.
    """

    model_config = ConfigDict(extra="allow")

    gallery: list[PictureOut]
    variations: list[VariationOut]
    extra_groups: list[ExtraGroupOut]
    prior_price: float | None = None


@create_answer(MenuCategory, is_public=True)
class PublicCategory(BaseModel):
    """A category as guests see it."""

    items: list[PublicItem]


class PublicMenuQuery(BaseModel):
    """The order type whose prices the menu has; without one, those of the price lists for all types."""

    type: Annotated[ShortText, Field(max_length=30)] | None = None


@create_body(MenuCategory)
class CategoryBody(Body):
    """A category to create."""

    model_config = example({"name": "Pizza", "position": 1})

    name: Name


@create_body(MenuCategory, is_new=False)
class CategoryChange(Body):
    """Fields of a category to change."""

    model_config = example({"name": "Pizza"})


@create_body(Extra)
class ExtraBody(Body):
    """An extra; with an ``id`` it updates the existing one.

    With an ``item_id`` it is a choice of a combo: that item, or its ``variation``. ``price`` is its surcharge.
    """

    id: Id | None = None
    name: Name
    item_id: Id | None = None
    variation: Id | None = None


@create_body(ExtraGroup)
class ExtraGroupBody(Body):
    """A group of extras; with an ``id`` it updates the existing one.

    Without ``item_discount`` the items that its extras point to are included in the price; with it they cost what they
    cost alone, less that percentage.
    """

    id: Id | None = None
    name: Name
    is_required: bool = False
    min: Small = 0
    max: Annotated[Small, Field(ge=1)] | None = None
    extras: Annotated[list[ExtraBody], Field(max_length=100)] = []


class VariationBody(Body):
    """A variation of an item; with an ``id`` it updates the existing one."""

    id: Id | None = None
    name: Name
    price: Amount


class PictureBody(Body):
    """A picture: the ``id`` of an uploaded photo, or a ``url``. ``alt`` defaults to the item's name."""

    id: Id | None = None
    url: Url | None = None
    alt: AltText | None = None


Gallery = Annotated[list[PictureBody], Field(max_length=MAX_PICTURES)]


class ItemFields(ExactBody):
    """Fields of an item. Those of the store's item capabilities are accepted too."""

    model_config = ConfigDict(extra="allow", allow_inf_nan=False)


@create_body(Item)
class ItemBody(ItemFields):
    """An item to create."""

    model_config = example(
        {"name": "Margherita", "description": "Tomato, mozzarella, basil", "price": 9.5, "category_id": 1}
    )

    category_id: Id
    gallery: Gallery = []
    variations: Annotated[list[VariationBody], Field(max_length=100)] = []
    extra_groups: Annotated[list[ExtraGroupBody], Field(max_length=30)] = []


@create_body(Item, is_new=False)
class ItemChange(ItemFields):
    """Fields of an item to change. ``gallery``, ``variations`` and ``extra_groups`` replace the whole list."""

    model_config = example({"price": 9.9, "is_popular": True})

    category_id: Id | None = None
    gallery: Gallery | None = None
    variations: Annotated[list[VariationBody], Field(max_length=100)] | None = None
    extra_groups: Annotated[list[ExtraGroupBody], Field(max_length=30)] | None = None


class SoldOutBody(Body):
    """Without ``is_sold_out`` the flag is toggled; at ``until`` the item is available again."""

    is_sold_out: bool | None = None
    until: Moment | None = None


@create_body(ItemVariant)
class VariantBody(Body):
    """A variant to create."""

    model_config = example({"name": "Large", "sku": "MAR-40", "price": 12.5, "options": {"size": "40 cm"}})

    sku: Code | None = None


@create_body(ItemVariant)
class VariantChange(Body):
    """Fields of a variant to change."""

    model_config = example({"price": 12.9, "is_active": True})

    name: Name | None = None
    price: Amount | None = None
    sku: Code | None = None
