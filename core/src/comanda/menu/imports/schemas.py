"""Request and response bodies of imports. Amounts are decimals parsed from their text, not from a float."""

import re
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, Field

from comanda.contracts.requests.fields import Body, Name, ShortText
from comanda.contracts.stores.menu_items import Code, Extra, ExtraGroup, Item, ItemVariant, Small, Url
from comanda.menu.columns import create_imported
from comanda.menu.events import Change, Entity
from comanda.menu.records import MenuCategory
from comanda.menu.schemas import MAX_PICTURES, AltText, ItemFields

MAX_CATEGORIES: Final = 200
MAX_OPTIONS: Final = 50
MAX_BYTES: Final = 20 * 1024 * 1024
DECIMAL_PATTERN: Final = re.compile(r"[0-9]{1,16}(\.[0-9]{1,8})?", re.ASCII)


def _parse_decimal(value: Any) -> Any:
    """Parse a number or its text, such as ``12.50``."""
    if isinstance(value, bool):
        raise ValueError("must be a number, not true or false")
    if isinstance(value, str):
        if not DECIMAL_PATTERN.fullmatch(value.strip()):
            raise ValueError("must be a number such as 9.50")
        return Decimal(value.strip())
    return Decimal(repr(value)) if isinstance(value, float) else value


def _check_size(value: Any) -> Any:
    """Check the number of options before each of them is validated."""
    if isinstance(value, dict) and len(value) > MAX_OPTIONS:
        raise ValueError(f"must contain at most {MAX_OPTIONS} options")
    return value


ImportAmount = Annotated[Decimal, BeforeValidator(_parse_decimal), Field(ge=0, le=10**10, max_digits=40)]
ImportRate = Annotated[Decimal, BeforeValidator(_parse_decimal), Field(ge=0, le=100, max_digits=40)]


@create_imported(Extra, ImportAmount, ImportRate)
class ImportedExtra(Body):
    """An extra, identified by its name within its group."""

    name: Name
    price: ImportAmount = Decimal(0)
    is_sold_out: bool = False


@create_imported(ExtraGroup, ImportAmount, ImportRate)
class ImportedGroup(Body):
    """A group of extras, identified by its name within its item."""

    name: Name
    is_required: bool = False
    min: Small = 0
    max: Annotated[Small, Field(ge=1)] | None = None
    free_count: Small = 0
    allows_repeats: bool = False
    extras: Annotated[list[ImportedExtra], Field(max_length=100)] = []


@create_imported(ItemVariant, ImportAmount, ImportRate)
class ImportedVariant(Body):
    """A variant of an item, identified by its SKU or by its name within its item."""

    name: Name
    price: ImportAmount
    sku: Code | None = None
    options: Annotated[dict[ShortText, ShortText], BeforeValidator(_check_size)] = {}


class ImportedPicture(Body):
    """A picture of an item by its URL; the URL of one of the owner's uploaded photos refers to that photo."""

    url: Url
    alt: AltText | None = None


@create_imported(Item, ImportAmount, ImportRate, is_new=False)
class ImportedItem(ItemFields):
    """An item, identified by the SKU of one of its variations or by its name within its category."""

    name: Name
    price: ImportAmount | None = None
    gallery: Annotated[list[ImportedPicture], Field(max_length=MAX_PICTURES)] | None = None
    variations: Annotated[list[ImportedVariant], Field(max_length=100)] | None = None
    extra_groups: Annotated[list[ImportedGroup], Field(max_length=30)] | None = None


@create_imported(MenuCategory, ImportAmount, ImportRate, is_new=False)
class ImportedCategory(Body):
    """A category with its items, identified by its name."""

    name: Name
    items: list[ImportedItem] = []


class MenuImportBody(Body):
    """A whole menu in the format of the owner's menu. Ids are ignored.

    ``dry_run`` reports the changes without making them; ``remove_missing`` deletes everything that is not in the menu.
    """

    dry_run: bool = False
    remove_missing: bool = False
    menu: Annotated[list[ImportedCategory], Field(max_length=MAX_CATEGORIES)]


class MenuFile(BaseModel):
    """An exported menu: a body for ``POST …/menu/import``, with amounts as decimal strings."""

    menu: list[dict[str, Any]]


class MenuImportQuery(Body):
    """Import options for CSV bodies and workbooks."""

    dry_run: Annotated[bool, Field(description="With CSV: report the changes without making them.")] = False
    remove_missing: Annotated[bool, Field(description="With CSV: delete everything that is not in the file.")] = False
    columns: Annotated[
        str | None,
        Field(
            max_length=10_000,
            description="With CSV: column names, separated by commas, that replace the first row; an empty one "
            "leaves its column out.",
        ),
    ] = None


class MenuExportQuery(Body):
    """The format of the export."""

    format: Annotated[str, Field(pattern="^(json|csv)$", description="`json` or `csv`.")] = "json"
    template: Annotated[bool, Field(description="Only the columns of a CSV file, to be filled in.")] = False


class ImportCounts(BaseModel):
    """Numbers of created, updated, unchanged and removed objects."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0


class ImportChange(BaseModel):
    """One change: the changed ``fields``, the ``line`` in the file, and the ``id``, which is null in a dry run.

    Items that are created or updated have their ``price``, and if it changes ``previous_price``.
    """

    change: Change
    entity: Entity
    id: int | None
    name: str
    category: str
    line: int | None
    fields: list[str]
    price: float | None = None
    previous_price: float | None = None


class MenuImportWarning(BaseModel):
    """What was imported otherwise than the file says, and the ``line`` in it."""

    line: int | None
    message: str


class ImportReport(BaseModel):
    """The changes of an import or dry run; at most 500 ``changes`` and 100 ``warnings`` are listed.

    ``source`` is the system whose file was recognized; ``warnings_count`` is the number of all warnings.
    """

    dry_run: bool
    source: str | None = None
    categories: ImportCounts
    items: ImportCounts
    changes: list[ImportChange]
    warnings: list[MenuImportWarning] = []
    warnings_count: int = 0


class ImportStatus(StrEnum):
    """How far an import in the background is. One that is done was a dry run, or has changed the menu."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class MenuImport(BaseModel):
    """An import in the background: how many of the items that change are written, and its report once it is done.

    One that failed has changed nothing, and says why in ``message`` and ``errors``.
    """

    id: int
    status: ImportStatus
    dry_run: bool
    items_count: int
    items_done: int
    report: ImportReport | None
    message: str | None
    errors: dict[str, list[str]] | None
    created_at: datetime
