"""Files of other systems, one declaration for each: by which headings it is recognized and what its columns mean.

Headings stand here as ``normalize_heading`` returns them, in English. ``*`` stands for any text, such as the name of a
shop, and ``#`` in headings of options for their number.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from functools import cache
from typing import Final

Values = Mapping[str, frozenset[str]]

NO: Final = frozenset({"n", "no", "false", "0", "-1"})
YES: Final = frozenset({"y", "yes", "true", "1"})
NAME_ONLY: Final = "The file has only the names of these groups. Add their choices to the items."


@dataclass(frozen=True, slots=True)
class TablePreset:
    """How the tables of one system are read.

    It is recognized by all headings of one of its ``signatures``. ``fields`` are our columns with the headings that
    have them, of which the first one with a value counts. Rows with the same ``handle`` belong to one item, and rows
    with a ``parent`` to the item with that ``identity``, a text with the headings in braces.
    """

    name: str
    signatures: Sequence[frozenset[str]]
    fields: Mapping[str, Sequence[str]]
    handle: Sequence[str] = ()
    parent: str = ""
    identities: Sequence[tuple[str, str]] = ()
    # Headings of options and of their values, with their numbers in the place of #.
    options: tuple[str, str] = ("", "")
    option_numbers: Sequence[str] = ("1", "2", "3")
    # Headings whose values together are the path of the category; otherwise a cell is split.
    category_path: Sequence[str] = ()
    path_separator: str = ">"
    many_separator: str = ""
    # What a category's path begins with in every row.
    roots: frozenset[str] = frozenset()
    category_code: re.Pattern[str] | None = None
    pictures: Sequence[str] = ()
    picture_alt: str = ""
    picture_separator: str = ""
    # Values, in lower case, that hide an item, that leave it out, and that mean a price named at the till.
    hidden: Values = field(default_factory=dict)
    left_out: Values = field(default_factory=dict)
    open_price: Values = field(default_factory=dict)
    # Headings that must have a value other than no so that the stock counts, and that end the sale price.
    counted_if: Sequence[str] = ()
    sale_period: Sequence[str] = ()
    # Headings with a rate in them, for items that have a yes.
    taxes: str = ""
    # Names of variants that say nothing, and headings whose prices are without tax.
    plain_variants: frozenset[str] = frozenset()
    net_prices: frozenset[str] = frozenset()
    # Columns that are not taken although they may matter, with the reason; all others are only named.
    reasons: Mapping[str, str] = field(default_factory=dict)


def _sign(*headings: str) -> frozenset[str]:
    return frozenset(headings)


PRESETS: Final = (
    TablePreset(
        name="Square",
        signatures=[_sign("item name", "variation name", "token")],
        handle=["reference handle", "item name"],
        fields={
            "name": ["item name"],
            "variant": ["variation name"],
            "price": ["price", "price *"],
            "description": ["description"],
            "category": ["categories", "reporting category", "category"],
            "sku": ["sku"],
            "barcode": ["gtin"],
            "stock": ["current quantity *"],
        },
        many_separator=",",
        # Square numbers categories of the same name, as in Bakery (7QX2KD).
        category_code=re.compile(r"\s*\((?=[^)]*[0-9])[0-9A-Z]{6,24}\)$"),
        options=("option name #", "option value #"),
        hidden={
            "archived": YES,
            "sellable": NO,
            "square online item visibility": _sign("hidden", "unavailable"),
        },
        taxes="tax - *",
        plain_variants=_sign("regular"),
        reasons={
            "modifier set - *": NAME_ONLY,
            "online sale price": "Only the regular price is taken.",
            "unit and precision": "Prices are taken as prices of a piece.",
        },
    ),
    TablePreset(
        name="Shopify",
        signatures=[_sign("handle", "title", "variant price"), _sign("url handle", "title", "price")],
        handle=["handle", "url handle"],
        fields={
            "name": ["title"],
            "price": ["variant price", "price"],
            "compare_at_price": ["variant compare at price", "compare-at price"],
            "description": ["body (html)", "description"],
            "category": ["type", "product category"],
            "sku": ["variant sku", "sku"],
            "barcode": ["variant barcode", "barcode"],
            "stock": ["variant inventory qty", "inventory quantity"],
            "brand": ["vendor"],
        },
        options=("option# name", "option# value"),
        pictures=["image src", "product image url"],
        picture_alt="image alt text",
        hidden={
            "status": _sign("draft", "archived", "unlisted"),
            "published": NO,
            "published on online store": NO,
        },
        left_out={"gift card": YES},
        counted_if=["variant inventory tracker", "inventory tracker"],
        plain_variants=_sign("default title"),
        reasons={"variant image*": "Pictures belong to the whole item."},
    ),
    TablePreset(
        name="WooCommerce",
        signatures=[_sign("type", "name", "published", "regular price")],
        parent="parent",
        identities=[("sku", ""), ("id", "id:")],
        fields={
            "name": ["name"],
            "price": ["sale price", "regular price"],
            "compare_at_price": ["regular price"],
            "description": ["short description", "description"],
            "category": ["categories"],
            "sku": ["sku"],
            "barcode": ["gtin, upc, ean, or isbn"],
            "stock": ["stock"],
            "is_popular": ["is featured?"],
            "allow_backorder": ["backorders allowed?"],
        },
        many_separator=",",
        options=("attribute # name", "attribute # value(s)"),
        pictures=["images"],
        picture_separator=",",
        hidden={"published": NO, "visibility in catalog": _sign("hidden")},
        left_out={"type": _sign("grouped", "external")},
        sale_period=["date sale price starts", "date sale price ends"],
        reasons={
            "in stock?": "Only counted stock is taken.",
            "tax class": "Set the rate of the tax for these items.",
        },
    ),
    TablePreset(
        name="Toast",
        signatures=[_sign("menu", "menu group", "menu item")],
        fields={
            "name": ["menu item"],
            "price": ["price"],
            "description": ["description"],
            "sku": ["sku"],
            "tax_rate": ["tax rate"],
        },
        category_path=["menu", "menu group"],
        hidden={"archived": YES},
        reasons={
            "modifier groups": NAME_ONLY,
            "visibility": "Items that are shown only at the till are shown to guests, too.",
        },
    ),
    TablePreset(
        name="Loyverse",
        signatures=[_sign("handle", "sku", "name", "option 1 name")],
        handle=["handle"],
        fields={
            "name": ["name"],
            "price": ["price [[]*]", "price", "default price"],
            "description": ["description"],
            "category": ["category"],
            "sku": ["sku"],
            "barcode": ["barcode"],
            "stock": ["in stock [[]*]", "in stock"],
        },
        options=("option # name", "option # value"),
        hidden={"available for sale [[]*]": NO, "available for sale": NO},
        counted_if=["track stock"],
        taxes="tax - *",
        reasons={
            "modifier - *": NAME_ONLY,
            "sku of included item": "What an item is made of is not taken.",
            "sold by weight": "Prices are taken as prices of a piece.",
        },
    ),
    TablePreset(
        name="Odoo",
        signatures=[
            _sign("name", "sales price"),
            _sign("name", "list price"),
            _sign("name", "public price"),
        ],
        fields={
            "name": ["name"],
            "price": ["sales price", "list price", "public price"],
            "description": ["sales description", "description for customers", "description sale"],
            "category": [
                "point of sale category", "pos categ ids", "pos categ ids/name", "product category", "category",
                "categ id", "categ id/name",
            ],
            "sku": ["internal reference", "default code"],
            "barcode": ["barcode"],
        },
        path_separator=" / ",
        many_separator=",",
        roots=_sign("all", "saleable", "goods"),
        pictures=["image url"],
        hidden={"active": NO, "can be sold": NO, "sale ok": NO, "sales": NO},
        reasons={
            "product attributes*": "The file has no prices of variants. Add them to the items.",
            "attribute line ids*": "The file has no prices of variants. Add them to the items.",
            "quantity on hand": "A quantity of 0 can mean that nothing is counted.",
            "qty available": "A quantity of 0 can mean that nothing is counted.",
            "customer taxes": "Set the rate of the tax for these items.",
            "taxes id*": "Set the rate of the tax for these items.",
            "image*": "Only addresses of pictures are taken.",
        },
    ),
    TablePreset(
        name="Lightspeed",
        signatures=[_sign("handle", "name", "retail price"), _sign("handle", "name", "variant option one name")],
        handle=["handle"],
        fields={
            "name": ["name"],
            "price": ["retail price", "retail price*"],
            "description": ["description"],
            "category": ["product category", "product type", "type"],
            "sku": ["sku"],
            "barcode": ["barcode"],
            "stock": ["inventory *"],
            "brand": ["brand name"],
        },
        path_separator=" / ",
        options=("variant option # name", "variant option # value"),
        option_numbers=["one", "two", "three"],
        hidden={"active": NO},
        counted_if=["track inventory"],
        reasons={
            "tax value": "Set the rate of the tax for these items.",
            "composite *": "What an item is made of is not taken.",
        },
    ),
    TablePreset(
        name="PrestaShop",
        signatures=[
            _sign("product id", "name", "price (tax excl.)"),
            _sign("active (0/1)", "name"),
        ],
        fields={
            "name": ["name"],
            "price": [
                "price (tax incl.)", "price tax included", "price (tax excl.)", "price tax excluded",
                "price tax excl.",
            ],
            "description": ["short description", "description"],
            "category": ["categories (x,y,z...)", "category"],
            "sku": ["reference #", "reference"],
            "barcode": ["ean13", "upc"],
            "stock": ["quantity"],
            "brand": ["manufacturer", "brand"],
        },
        many_separator=",",
        roots=_sign("home"),
        pictures=["image urls (x,y,z...)", "image"],
        picture_separator=",",
        hidden={"active (0/1)": NO, "active": NO, "status": NO},
        net_prices=_sign("price (tax excl.)", "price tax excluded", "price tax excl."),
        reasons={
            "discount *": "Only the regular price is taken.",
            "tax rules id": "Set the rate of the tax for these items.",
        },
    ),
    TablePreset(
        name="Clover",
        signatures=[_sign("clover id", "name", "price"), _sign("name", "price", "price type", "product code")],
        fields={
            "name": ["name"],
            "price": ["price"],
            "category": ["category", "categories"],
            "sku": ["sku"],
            "barcode": ["product code"],
        },
        many_separator=",",
        hidden={"hidden": YES},
        open_price={"price type": _sign("variable")},
        reasons={
            "modifier groups": NAME_ONLY,
            "tax rates": "Set the rate of the tax for these items.",
            "price unit": "Prices are taken as prices of a piece.",
            "quantity": "A quantity of 0 can mean that nothing is counted.",
        },
    ),
)  # fmt: skip


def normalize_heading(heading: str) -> str:
    """Return a heading as it stands in a preset: in lower case, with single blanks and without the mark of a must."""
    return " ".join(heading.casefold().replace("_", " ").split()).rstrip(" *")


def find_preset(headings: Sequence[str]) -> TablePreset | None:
    """Return the system that writes these headings, or None."""
    names = {normalize_heading(heading) for heading in headings}
    return next((each for each in PRESETS if any(names >= one for one in each.signatures)), None)


@cache
def compile_heading(pattern: str) -> re.Pattern[str]:
    """Return the pattern of a heading in a preset."""
    return re.compile(translate(pattern))
