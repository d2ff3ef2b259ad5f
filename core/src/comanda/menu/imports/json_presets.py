"""Menus of other systems in JSON, one declaration for each: where it keeps categories, products and choices.

A path is made of keys with dots between them; ``*`` stands for every element of a list or every value of an object.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class PriceForm(StrEnum):
    """How a system writes prices."""

    HUNDREDTHS = "hundredths"
    MINOR = "minor"
    DECIMAL = "decimal"


@dataclass(frozen=True, slots=True)
class JsonPreset:
    """How the menus of one system are read.

    One of the ``roots`` has all paths of ``signature``. The items of a category are objects in it, keys of products in
    it, or the products that name it; choices of a group are objects in it or keys of products.
    """

    name: str
    roots: Sequence[str]
    signature: Sequence[str]
    categories: str
    category_name: str = "name"
    category_key: str = ""
    category_parent: str = ""
    category_items: str = ""
    # Categories within categories, as far as they go.
    subcategories: str = ""
    products: str = ""
    product_key: str = ""
    product_categories: str = ""
    # The path whose value says what a product is, the values of what is sold by itself, and those of what is left out.
    product_type: str = ""
    sold_types: frozenset[object] = frozenset()
    left_out_types: frozenset[object] = frozenset()
    item_name: str = "name"
    description: str = "description"
    pictures: str = ""
    price: str = ""
    price_form: PriceForm = PriceForm.DECIMAL
    price_currency: str = ""
    taxes: Sequence[str] = ()
    taxes_per_percent: int = 1
    # Versions of an item, with paths of their own; a single one is the item itself.
    variants: str = ""
    variant_name: str = "name"
    variant_price: str = "price"
    variant_currency: str = ""
    variant_sku: str = ""
    item_groups: str = ""
    groups: str = ""
    group_key: str = ""
    group_name: str = "name"
    group_min: str = "min"
    group_max: str = "max"
    choices: str = ""
    choice_name: str = "name"
    choice_price: str = "price"
    # Keys of products that say nothing to guests.
    ignored: frozenset[str] = frozenset()


JSON_PRESETS: Final = (
    JsonPreset(
        name="Deliverect",
        roots=[""],
        signature=["products.*.plu", "categories"],
        categories="categories.*",
        category_key="posCategoryId",
        products="products.*",
        product_key="plu",
        product_categories="posCategoryIds.*",
        product_type="productType",
        sold_types=frozenset({1, None}),
        left_out_types=frozenset({4}),
        pictures="imageUrl",
        price="price",
        price_form=PriceForm.HUNDREDTHS,
        taxes=["deliveryTax", "takeawayTax", "eatInTax"],
        taxes_per_percent=1000,
        item_groups="subProducts.*",
        groups="products.*",
        group_key="plu",
        choices="subProducts.*",
        ignored=frozenset({"plu", "posProductId", "_id"}),
    ),
    JsonPreset(
        name="Uber Eats",
        roots=[""],
        signature=["items.*.price_info", "categories.*.entities"],
        categories="categories.*",
        category_name="title.translations.*",
        category_key="id",
        category_items="entities.*.id",
        products="items.*",
        product_key="id",
        item_name="title.translations.*",
        description="description.translations.*",
        pictures="image_url",
        price="price_info.price",
        price_form=PriceForm.MINOR,
        taxes=["tax_info.tax_rate"],
        item_groups="modifier_group_ids.ids.*",
        groups="modifier_groups.*",
        group_key="id",
        group_name="title.translations.*",
        group_min="quantity_info.quantity.min_permitted",
        group_max="quantity_info.quantity.max_permitted",
        choices="modifier_options.*.id",
        choice_name="title.translations.*",
        choice_price="price_info.price",
        ignored=frozenset({"id", "external_data"}),
    ),
    JsonPreset(
        name="HubRise",
        roots=["data", ""],
        signature=["products.*.skus"],
        categories="categories.*",
        category_key="ref",
        category_parent="parent_ref",
        products="products.*",
        product_key="ref",
        product_categories="category_ref",
        variants="skus.*",
        variant_sku="ref",
        item_groups="skus.*.option_list_refs.*",
        groups="option_lists.*",
        group_key="ref",
        group_min="min_selections",
        group_max="max_selections",
        choices="options.*",
        ignored=frozenset({"ref", "id"}),
    ),
    JsonPreset(
        name="schema.org",
        roots=["", "hasMenu", "hasMenu.*", "@graph.*", "@graph.*.hasMenu", "menu.*", "menu.*.hasMenu"],
        signature=["hasMenuSection"],
        categories="hasMenuSection",
        subcategories="hasMenuSection",
        category_items="hasMenuItem",
        pictures="image",
        variants="offers",
        variant_currency="priceCurrency",
        ignored=frozenset({"@type", "@id"}),
    ),
)
