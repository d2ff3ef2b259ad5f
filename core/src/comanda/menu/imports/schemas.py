"""A menu to import, and what importing it did. Amounts are decimals, read from their text and not from a float."""

import re
from decimal import Decimal
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, Field

from comanda.contracts.fields import Body, Count, Name, ShortText
from comanda.menu.events import Change, Entity
from comanda.menu.schemas import MAX_PICTURES, AltText, ItemFields, Position, Small, Url

MAX_CATEGORIES: Final = 200
MAX_ITEMS: Final = 2000
MAX_BYTES: Final = 2 * 1024 * 1024
DECIMAL: Final = re.compile(r"[0-9]{1,16}(\.[0-9]{1,8})?", re.ASCII)


def _decimal(value: Any) -> Any:
    """Read a number or its text, such as ``12.50``."""
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")
    if isinstance(value, str):
        if not DECIMAL.fullmatch(value.strip()):
            raise ValueError("must be a number such as 9.50")
        return Decimal(value.strip())
    return Decimal(repr(value)) if isinstance(value, float) else value


ImportAmount = Annotated[Decimal, BeforeValidator(_decimal), Field(ge=0, le=10**10, max_digits=40)]
ImportRate = Annotated[Decimal, BeforeValidator(_decimal), Field(ge=0, le=100, max_digits=40)]


class ImportedExtra(Body):
    """An extra, known by its name in its group."""

    name: Name
    price: ImportAmount = Decimal(0)
    is_sold_out: bool = False


class ImportedGroup(Body):
    """A group of extras, known by its name in its item."""

    name: Name
    is_required: bool = False
    min: Small = 0
    max: Annotated[Small, Field(ge=1)] | None = None
    free_count: Small = 0
    allows_repeats: bool = False
    extras: Annotated[list[ImportedExtra], Field(max_length=100)] = []


class ImportedVariant(Body):
    """A version of an item, known by its SKU or by its name in its item."""

    name: Name
    price: ImportAmount
    sku: Annotated[ShortText, Field(max_length=100)] | None = None
    barcode: Annotated[ShortText, Field(max_length=100)] | None = None
    options: dict[ShortText, ShortText] = {}
    compare_at_price: ImportAmount | None = None
    stock: Count | None = None
    is_active: bool = True


class ImportedPicture(Body):
    """A picture of an item, by its address; that of a photo which was uploaded to this owner means the photo."""

    url: Url
    alt: AltText | None = None


class ImportedItem(ItemFields):
    """An item, known by the SKU of one of its variations or by its name in its category."""

    name: Name
    price: ImportAmount | None = None
    tax_rate: ImportRate | None = None
    is_sold_out: bool | None = None
    is_popular: bool | None = None
    is_active: bool | None = None
    position: Position | None = None
    allow_backorder: bool | None = None
    gallery: Annotated[list[ImportedPicture], Field(max_length=MAX_PICTURES)] | None = None
    variations: Annotated[list[ImportedVariant], Field(max_length=100)] | None = None
    extra_groups: Annotated[list[ImportedGroup], Field(max_length=30)] | None = None


class ImportedCategory(Body):
    """A category, known by its name, with its items."""

    name: Name
    position: Position | None = None
    is_active: bool | None = None
    items: Annotated[list[ImportedItem], Field(max_length=MAX_ITEMS)] = []


class MenuImportBody(Body):
    """A whole menu, of the shape in which the owner reads it. Ids in it are ignored.

    ``dry_run`` only tells what would happen; ``remove_missing`` takes away what the menu does not name.
    """

    dry_run: bool = False
    remove_missing: bool = False
    menu: Annotated[list[ImportedCategory], Field(max_length=MAX_CATEGORIES)]


class MenuFile(BaseModel):
    """A whole menu as it is exported: what ``POST …/menu/import`` takes, with amounts as decimal texts."""

    menu: list[dict[str, Any]]


class MenuImportQuery(Body):
    """The same for a body of CSV."""

    dry_run: Annotated[bool, Field(description="With CSV: only tell what would happen.")] = False
    remove_missing: Annotated[bool, Field(description="With CSV: take away what the file does not name.")] = False


class MenuExportQuery(Body):
    """In which form."""

    format: Annotated[str, Field(pattern="^(json|csv)$", description="`json` or `csv`.")] = "json"


class ImportCounts(BaseModel):
    """How many of a kind were created, updated, unchanged and removed."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0


class ImportChange(BaseModel):
    """One change: ``fields`` are those that changed, ``line`` is that of the file, ``id`` is None in a dry run."""

    change: Change
    entity: Entity
    id: int | None
    name: str
    category: str
    line: int | None
    fields: list[str]


class ImportReport(BaseModel):
    """What an import did, or would do; at most 500 of its ``changes`` are listed."""

    dry_run: bool
    categories: ImportCounts
    items: ImportCounts
    changes: list[ImportChange]
