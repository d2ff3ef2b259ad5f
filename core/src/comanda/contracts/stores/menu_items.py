"""The items of a menu as records, with variants, extras and pictures; what can be ordered; texts in other languages.

A field with a ``Column`` is declared here and nowhere else: statements, JSON, request bodies, imports, exports and the
arguments of tools follow from it. Its table has a column of the same name.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final

from pydantic import Field

from comanda.contracts.requests.fields import Amount, Count, Id, Name, Percent, ShortText, Text, Whole
from comanda.contracts.stores.verticals import Orderability

Url = Annotated[str, Field(max_length=1000, pattern=r"^https?://\S+$")]
Position = Annotated[Whole, Field(ge=0, le=1_000_000)]
Code = Annotated[ShortText, Field(max_length=100)]
Small = Annotated[Count, Field(le=100)]
STOCK: Final = "stock"


@dataclass(frozen=True, slots=True)
class Column:
    """What the annotation of a field says: that it is a column, and how clients give and see it.

    ``given`` is its type in requests, None if it is not given; without a ``default`` it is required, unless it can be
    null. Clients name it like the column without its unit, or ``name``. ``is_public`` is whether guests see it,
    ``is_bulk`` whether it can be changed in many items at once. One with a ``capability`` is seen in verticals that
    have it. Agents may give it if it has a ``description``.
    """

    given: Any = None
    default: Any = ...
    description: str = ""
    name: str = ""
    is_shown: bool = True
    is_public: bool = False
    is_imported: bool = True
    is_bulk: bool = False
    capability: str = ""


ID: Final = Column(is_public=True)


@dataclass(frozen=True, slots=True)
class PictureSize:
    """One size of an uploaded photo."""

    url: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of an item. An uploaded photo has an id and ``sizes``, smallest first, of which ``url`` is the largest.

    ``alt`` is the item's name unless the picture has its own.
    """

    photo_id: int | None
    url: str
    alt: str
    sizes: tuple[PictureSize, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemVariant:
    """A variant as a choice of its item, whose price it replaces; ``stock`` is None if it is not counted.

    ``prior_price_minor`` is that of its ``Item``, by its own prices.
    """

    id: Annotated[int, ID]
    name: Annotated[str, Column(Name, is_public=True)]
    sku: Annotated[str | None, Column(Code)]
    barcode: Annotated[str | None, Column(Code)]
    options: Annotated[Mapping[str, str], Column(dict[ShortText, ShortText], {})]
    stock: Annotated[int | None, Column(Count)]
    is_active: Annotated[bool, Column(bool, True)]
    price_minor: Annotated[int, Column(Amount, is_public=True)]
    compare_at_price_minor: Annotated[int | None, Column(Amount)]
    prior_price_minor: int | None
    position: Annotated[int, Column(Position, 0, is_imported=False)]


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra; ``is_sold_out`` is its value when the menu was read.

    One with an ``item_id`` is a choice of a combo: that item, in one of its variations if it names one. For guests its
    ``price_minor`` is what it adds to the price of the combo, and it is sold out while its item cannot be ordered.
    """

    id: Annotated[int, ID]
    name: Annotated[str, Column(Name, is_public=True)]
    price_minor: Annotated[int, Column(Amount, 0, is_public=True)]
    is_sold_out: Annotated[bool, Column(bool, False, is_public=True)]
    item_id: Annotated[int | None, Column(Id, is_public=True)] = None
    variant_id: Annotated[int | None, Column(Id, name="variation", is_public=True)] = None


@dataclass(frozen=True, slots=True)
class ExtraGroup:
    """A group of extras: how many must and may be chosen, and how many of them are free.

    Items that its extras point to are part of the price of the combo. With ``item_discount_ppm`` they cost what they
    cost alone, less that rate.
    """

    id: Annotated[int, ID]
    name: Annotated[str, Column(Name, is_public=True)]
    min_count: Annotated[int, Column(Small, 0, name="min", is_public=True)]
    max_count: Annotated[int | None, Column(Annotated[Small, Field(ge=1)], name="max", is_public=True)]
    free_count: Annotated[int, Column(Small, 0, is_public=True)]
    allows_repeats: Annotated[bool, Column(bool, False, is_public=True)]
    extras: tuple[Extra, ...]
    item_discount_ppm: Annotated[int | None, Column(Percent, is_public=True)] = None


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a menu. ``attributes`` are the stored values of the store's item capabilities.

    ``is_sold_out`` is its flag when the menu was read, and ``sold_out_until`` when that ends by itself; the flag does
    not consider ``stock``, which is None if it is not counted. ``prior_price_minor`` is the lowest price of the 30 days
    before its price was last changed, None unless a higher price to compare with announces a reduction.
    """

    id: Annotated[int, ID]
    category_id: Annotated[int, Column(Id, is_imported=False, is_bulk=True)]
    name: Annotated[str, Column(Name, description="The name that guests see, 1 to 255 characters.", is_public=True)]
    description: Annotated[
        str | None, Column(Text, description="A short description for guests, at most 2000 characters.", is_public=True)
    ]
    image_url: Annotated[str | None, Column(Url, description="The URL of a picture, http or https.", is_public=True)]
    gallery: tuple[Picture, ...]
    price_minor: Annotated[
        int, Column(Amount, description="The price in the store's currency, such as 12.5; 0 or more.", is_public=True)
    ]
    compare_at_price_minor: Annotated[int | None, Column(Amount)]
    prior_price_minor: int | None
    tax_rate_ppm: Annotated[
        int | None,
        Column(Percent, description="Its tax rate in per cent, if it differs from the store's.", is_bulk=True),
    ]
    is_sold_out: Annotated[
        bool, Column(bool, False, description="Whether it is on the menu but sold out.", is_public=True, is_bulk=True)
    ]
    sold_out_until: Annotated[datetime | None, Column()]
    is_popular: Annotated[
        bool, Column(bool, False, description="Whether it is marked as popular.", is_public=True, is_bulk=True)
    ]
    is_active: Annotated[bool, Column(bool, True, description="Whether guests see it.", is_bulk=True)]
    stock: Annotated[
        int | None,
        Column(
            Count,
            description="The quantity in stock, in stores that track stock; omit to leave it untracked.",
            capability=STOCK,
        ),
    ]
    allow_backorder: Annotated[bool, Column(bool, False, capability=STOCK)]
    position: Annotated[int, Column(Position, 0, description="The sort position; lower positions come first.")]
    attributes: Annotated[Mapping[str, Any], Column(is_shown=False)]
    variants: tuple[ItemVariant, ...]
    groups: tuple[ExtraGroup, ...]

    def is_used_up(self, stock: int | None) -> bool:
        """Return whether a counted stock, its own or that of a variant, is used up and cannot be backordered."""
        return stock is not None and stock <= 0 and not self.allow_backorder


@dataclass(frozen=True, slots=True)
class OfferedItem(Item):
    """An item with what of it can be ordered.

    It ``is_on_menu`` if it and its category are active, and ``is_available`` if it is not sold out either and its
    attributes let it be ordered, whose ``orderability`` also says when that changes. ``variant_by_id`` holds active
    variants. One that ``is_combo`` consists of the items that its extras point to. ``price_list`` is the name of the
    list whose prices it has, None for the menu's.
    """

    is_on_menu: bool
    is_available: bool
    orderability: Orderability
    variant_by_id: Mapping[int, ItemVariant]
    extra_by_id: Mapping[int, Extra]
    is_combo: bool = False
    price_list: str | None = None


@dataclass(frozen=True, slots=True)
class MenuTexts:
    """What the names and descriptions on a store's menu are in other languages.

    ``load`` is awaited with the ids of the owner and of the store and with the code of a language, once for each
    version of the menu and process. It returns texts by the text on the menu; what it leaves out is shown as it is. A
    plugin that changes texts announces it with ``comanda.menu.services.bump_version``, in the same transaction.
    """

    name: str
    load: Callable[[int, int, str], Awaitable[Mapping[str, str]]]
