"""Request and response bodies of menus."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from comanda.contracts.fields import (
    Amount,
    Body,
    Count,
    ExactBody,
    Id,
    Moment,
    Name,
    Percent,
    ShortText,
    Text,
    Whole,
    example,
)
from comanda.platform.photos.uploads import PhotoBody

Url = Annotated[str, Field(max_length=1000, pattern=r"^https?://\S+$")]
Position = Annotated[Whole, Field(ge=0, le=1_000_000)]
Small = Annotated[Count, Field(le=100)]
AltText = Annotated[Text, Field(max_length=500)]

# More pictures of one item than guests look at.
MAX_PICTURES: Final = 10


class ExtraOut(BaseModel):
    """An extra of an item."""

    id: int
    name: str
    price: float
    is_sold_out: bool


class ExtraGroupOut(BaseModel):
    """A group of extras; the first ``free_count`` are free."""

    id: int
    name: str
    is_required: bool
    min: int
    max: int | None
    free_count: int
    allows_repeats: bool
    extras: list[ExtraOut]


class VariationOut(BaseModel):
    """A variation of an item; its price replaces the item's."""

    id: int
    name: str
    price: float
    is_sold_out: bool


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


class ItemOut(BaseModel):
    """An item. It also has the fields of the store's item capabilities, such as ``is_vegan`` or ``brand``."""

    model_config = ConfigDict(extra="allow")

    id: int
    category_id: int
    name: str
    description: str | None
    image_url: str | None
    gallery: list[PictureOut]
    price: float
    tax_rate: float | None
    is_sold_out: bool
    is_popular: bool
    is_active: bool
    position: int
    variations: list[VariationOut]
    extra_groups: list[ExtraGroupOut]


class CategoryWithItems(BaseModel):
    """A category and its items."""

    id: int
    name: str
    position: int
    is_active: bool
    items: list[ItemOut]


class PublicItem(BaseModel):
    """An item as guests see it; sold-out items are left out."""

    model_config = ConfigDict(extra="allow")

    id: int
    name: str
    description: str | None
    image_url: str | None
    gallery: list[PictureOut]
    price: float
    is_sold_out: bool
    is_popular: bool
    variations: list[VariationOut]
    extra_groups: list[ExtraGroupOut]


class PublicCategory(BaseModel):
    """A category as guests see it."""

    id: int
    name: str
    items: list[PublicItem]


class CategoryBody(Body):
    """A category to create."""

    model_config = example({"name": "Pizza", "position": 1})

    name: Name
    position: Position = 0
    is_active: bool = True


class CategoryChange(Body):
    """Fields of a category to change."""

    model_config = example({"name": "Pizza"})

    name: Name | None = None
    position: Position | None = None
    is_active: bool | None = None


class ExtraBody(Body):
    """An extra; with an ``id`` it updates the existing one."""

    id: Id | None = None
    name: Name
    price: Amount = 0
    is_sold_out: bool = False


class ExtraGroupBody(Body):
    """A group of extras; with an ``id`` it updates the existing one."""

    id: Id | None = None
    name: Name
    is_required: bool = False
    min: Small = 0
    max: Annotated[Small, Field(ge=1)] | None = None
    free_count: Small = 0
    allows_repeats: bool = False
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


class PictureUpload(PhotoBody):
    """A photo to add to an item, with its alt text."""

    model_config = example({"image_base64": "/9j/4AAQSkZJRgABAQ==", "alt": "A margherita, fresh from the oven"})

    alt: AltText | None = None


Gallery = Annotated[list[PictureBody], Field(max_length=MAX_PICTURES)]


class ItemFields(ExactBody):
    """Optional fields of an item. Fields of the store's item capabilities are accepted too."""

    model_config = ConfigDict(extra="allow", allow_inf_nan=False)

    description: Text | None = None
    image_url: Url | None = None
    tax_rate: Percent | None = None
    stock: Count | None = None


class ItemBody(ItemFields):
    """An item to create."""

    model_config = example(
        {"name": "Margherita", "description": "Tomato, mozzarella, basil", "price": 9.5, "category_id": 1}
    )

    name: Name
    price: Amount
    category_id: Id
    is_sold_out: bool = False
    is_popular: bool = False
    is_active: bool = True
    position: Position = 0
    allow_backorder: bool = False
    gallery: Gallery = []
    variations: Annotated[list[VariationBody], Field(max_length=100)] = []
    extra_groups: Annotated[list[ExtraGroupBody], Field(max_length=30)] = []


class ItemChange(ItemFields):
    """Fields of an item to change. ``gallery``, ``variations`` and ``extra_groups`` replace the whole list."""

    model_config = example({"price": 9.9, "is_popular": True})

    name: Name | None = None
    price: Amount | None = None
    category_id: Id | None = None
    is_sold_out: bool | None = None
    is_popular: bool | None = None
    is_active: bool | None = None
    position: Position | None = None
    allow_backorder: bool | None = None
    gallery: Gallery | None = None
    variations: Annotated[list[VariationBody], Field(max_length=100)] | None = None
    extra_groups: Annotated[list[ExtraGroupBody], Field(max_length=30)] | None = None


class SoldOutBody(Body):
    """Without ``is_sold_out`` the flag is toggled; at ``until`` the item is available again."""

    is_sold_out: bool | None = None
    until: Moment | None = None


class VariantFields(Body):
    """Optional fields of a variant."""

    sku: Annotated[ShortText, Field(max_length=100)] | None = None
    barcode: Annotated[ShortText, Field(max_length=100)] | None = None
    options: dict[ShortText, ShortText] = {}
    compare_at_price: Amount | None = None
    stock: Count | None = None
    is_active: bool = True
    position: Position = 0


class VariantBody(VariantFields):
    """A variant to create."""

    model_config = example({"name": "Large", "sku": "MAR-40", "price": 12.5, "options": {"size": "40 cm"}})

    name: Name
    price: Amount


class VariantChange(VariantFields):
    """Fields of a variant to change."""

    model_config = example({"price": 12.9, "is_active": True})

    name: Name | None = None
    price: Amount | None = None
