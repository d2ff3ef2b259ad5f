"""Menus of other systems in JSON as menus of ours, and what cannot be brought."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from comanda.basics import money
from comanda.menu.imports.categories import NO_CATEGORY, name_categories
from comanda.menu.imports.document import ImportProblems, ProblemLimitExceeded, shorten
from comanda.menu.imports.html_text import to_plain_text
from comanda.menu.imports.json_presets import JSON_PRESETS, JsonPreset, PriceForm
from comanda.menu.imports.notes import MAX_DESCRIPTION, MAX_NAME, ONE_CATEGORY, SEVERAL_TAXES, ImportNotes

MAX_DEPTH: Final = 10
MAX_CONVERTED: Final = 100_000
MAX_CHOICES: Final = 100
MAX_GROUPS: Final = 30
MAX_MINIMUM: Final = 100
PRICE: Final = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,4})?)\s*([A-Z]{3})?", re.ASCII)


@dataclass(slots=True)
class ConvertedMenu:
    """The categories of a menu of another system in our form, with the object of the file behind each path."""

    categories: list[dict[str, Any]] = field(default_factory=list)
    origins: dict[str, Any] = field(default_factory=dict)
    open_prices: set[str] = field(default_factory=set)

    def find_origin(self, path: str) -> Any:
        """Return the object of the file that the longest known beginning of a path stands for, or None."""
        steps = path.split(".")
        paths = (".".join(steps[:length]) for length in range(len(steps), 0, -1))
        return next((self.origins[each] for each in paths if each in self.origins), None)


def find_root(content: Any) -> tuple[JsonPreset, Any] | None:
    """Return the system that wrote a file and the object with its menu, or None."""
    for preset in JSON_PRESETS:
        for path in preset.roots:
            for root in _walk(content, path):
                if all(next(_walk(root, each), None) is not None for each in preset.signature):
                    return preset, root
    return None


class JsonConverter:
    """A reader of a menu of another system; ``notes`` and ``problems`` get what cannot be brought."""

    def __init__(
        self,
        preset: JsonPreset,
        root: Any,
        currency: str,
        menu: ConvertedMenu,
        notes: ImportNotes,
        problems: ImportProblems,
        get_line: Callable[[Any], int | None],
    ) -> None:
        self._preset, self._root, self._currency = preset, root, currency
        self._menu, self._notes, self._problems, self._get_line = menu, notes, problems, get_line
        self._products = self._index(preset.products, preset.product_key)
        self._groups = self._index(preset.groups, preset.group_key)
        self._used: set[int] = set()
        self._places: dict[str, int] = {}
        self._size = 0
        self._not_taken: dict[str, None] = {}

    def convert(self) -> None:
        """Fill the menu with all categories and their items, then with what belongs to none."""
        preset, filed = self._preset, list(self._list_categories())
        by_category: dict[str, list[Any]] = {}
        if preset.product_categories:
            for product in _walk(self._root, preset.products):
                keys = [str(key) for key in _walk(product, preset.product_categories)]
                by_category.setdefault(keys[0] if keys else "", []).append(product)
                if len(keys) > 1:
                    self._count(product, ONE_CATEGORY)
        names = name_categories(path for path, _ in filed)
        known: set[str] = set()
        for path, category in filed:
            key = str(_first(category, preset.category_key))
            known.add(key)
            products = by_category.get(key, []) if preset.product_categories else self._list_items(category)
            self._add_items(names[path], category, products)
        rest = [product for key, products in by_category.items() if key not in known for product in products]
        rest = [product for product in rest if self._is_sold(product)]
        for product in rest:
            self._count(product, f"The category is {NO_CATEGORY}, because the file has none.")
        self._add_items(NO_CATEGORY, self._root, rest)
        self._notes.name_others(self._get_line(self._root), "fields", list(self._not_taken))

    def _list_categories(self) -> Iterator[tuple[tuple[str, ...], Any]]:
        preset = self._preset
        if preset.subcategories:
            yield from self._list_sections(self._root, ())
            return
        categories = self._index(preset.categories, preset.category_key)
        for category in _walk(self._root, preset.categories):
            path, above = [self._get_text(category, preset.category_name)], category
            for _ in range(MAX_DEPTH):
                above = categories.get(str(_first(above, preset.category_parent)))
                if above is None:
                    break
                path.insert(0, self._get_text(above, preset.category_name))
            yield tuple(part or NO_CATEGORY for part in path), category

    def _list_sections(self, parent: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
        for section in _each(_first(parent, self._preset.subcategories)):
            name = (*path, self._get_text(section, self._preset.category_name) or NO_CATEGORY)
            yield name, section
            if len(name) < MAX_DEPTH:
                yield from self._list_sections(section, name)

    def _list_items(self, category: Any) -> Iterator[Any]:
        """Yield the items of a category: objects in it, or products by their keys."""
        for found in _walk(category, self._preset.category_items):
            for each in _each(found):
                product = each if isinstance(each, Mapping) else self._products.get(str(each))
                if product is None:
                    self._add(category, f"{shorten(str(each))} is left out: it is not in the file.")
                elif id(product) in self._used:
                    self._count(product, ONE_CATEGORY)
                else:
                    yield product

    def _is_sold(self, product: Any) -> bool:
        if not self._preset.product_type:
            return True
        kind = _first(product, self._preset.product_type)
        return kind in self._preset.sold_types or kind in self._preset.left_out_types

    def _add_items(self, name: str, origin: Any, products: Any) -> None:
        for product in products:
            if not self._is_kept(product):
                continue
            place, category = self._find_category(name, origin)
            self._check_size(1)
            path = f"menu.{place}.items.{len(category['items'])}"
            self._menu.origins[path] = product
            category["items"].append(self._convert_item(path, product))

    def _find_category(self, name: str, origin: Any) -> tuple[int, dict[str, Any]]:
        place = self._places.setdefault(name.casefold(), len(self._places))
        if place == len(self._menu.categories):
            self._menu.origins[f"menu.{place}"] = origin
            self._menu.categories.append({"name": name[:MAX_NAME], "items": []})
        return place, self._menu.categories[place]

    def _check_size(self, adding: int) -> None:
        """Count what is converted: many items may name the same choices, which is more than the file itself has."""
        self._size += adding
        if self._size > MAX_CONVERTED:
            self._problems.add("menu", f"A menu may have at most {MAX_CONVERTED:,} items and choices.")
            raise ProblemLimitExceeded

    def _is_kept(self, product: Any) -> bool:
        if not self._is_sold(product):
            return False
        self._used.add(id(product))
        name = self._get_text(product, self._preset.item_name)
        if not name:
            self._add(product, "This item is left out: it has no name.")
        elif self._preset.product_type and _first(product, self._preset.product_type) in self._preset.left_out_types:
            self._add(product, f"{shorten(name)} is left out: it is made of other items.")
            return False
        return bool(name)

    def _convert_item(self, path: str, product: Any) -> dict[str, Any]:
        preset = self._preset
        item: dict[str, Any] = {"name": self._cut(product, self._get_text(product, preset.item_name), MAX_NAME)}
        if description := self._get_text(product, preset.description):
            item["description"] = self._cut(product, description, MAX_DESCRIPTION)
        if pictures := self._list_pictures(product):
            item["gallery"] = pictures
        rates = {Decimal(str(rate)) for each in preset.taxes for rate in _walk(product, each) if _is_number(rate)}
        if len(rates) == 1:
            item["tax_rate"] = str((rates.pop() / preset.taxes_per_percent).normalize())
        elif rates:
            self._count(product, SEVERAL_TAXES)
        self._add_prices(path, product, item)
        if preset.item_groups and (groups := self._list_groups(path, product)):
            item["extra_groups"] = groups
        paths = [
            preset.item_name,
            preset.description,
            preset.pictures,
            preset.price,
            preset.variants,
            preset.item_groups,
        ]
        paths += [preset.product_categories, preset.product_type, *preset.taxes]
        taken = {each.partition(".")[0] for each in paths} | preset.ignored
        self._not_taken |= {shorten(key): None for key, value in product.items() if key not in taken and value}
        return item

    def _add_prices(self, path: str, product: Any, item: dict[str, Any]) -> None:
        preset = self._preset
        versions = (
            [each for found in _walk(product, preset.variants) for each in _each(found)] if preset.variants else []
        )
        versions = [each for each in versions if isinstance(each, Mapping)]
        if len(versions) < 2:
            origin, price, currency = product, preset.price, preset.price_currency
            if preset.variants:
                origin, price, currency = (versions or [{}])[0], preset.variant_price, preset.variant_currency
            item["price"] = self._get_price(path, origin, price, currency, f"{path}.price")
            return
        item["variations"] = variations = list[dict[str, Any]]()
        for version in versions:
            at = f"{path}.variations.{len(variations)}"
            self._menu.origins[at] = version
            name = self._get_text(version, preset.variant_name) or str(len(variations) + 1)
            price = self._get_price(at, version, preset.variant_price, preset.variant_currency, f"{at}.price")
            variation = {"name": name[:MAX_NAME], "price": price}
            if sku := _first(version, preset.variant_sku):
                variation["sku"] = str(sku)
            variations.append(variation)

    def _get_price(self, path: str, origin: Any, price: str, currency: str, key: str) -> str:
        """Return a price; one that the file does not have is named later, and hides what has it."""
        value = _first(origin, price)
        if value is None or value == "":
            self._menu.open_prices.add(path)
            return "0"
        return self._parse_price(value, _first(origin, currency), key)

    def _parse_price(self, value: Any, currency: Any, key: str) -> str:
        if self._preset.price_form is not PriceForm.DECIMAL:
            if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= money.MAX_MINOR:
                self._problems.add(key, "Must be a whole number, 0 or more.")
                return "0"
            if self._preset.price_form is PriceForm.MINOR:
                return money.to_decimal_string(value, self._currency)
            return str(Decimal(value) / 100)
        found = PRICE.fullmatch(str(value).strip())
        named = (found and found[2]) or currency
        if named and named != self._currency:
            sentence = f"This amount is in {shorten(str(named))}; the store's are in {self._currency}."
            self._problems.add(key, sentence)
        elif not found:
            self._problems.add(key, "Must be a number such as 9.50.")
        return found[1] if found else "0"

    def _list_groups(self, path: str, product: Any) -> list[dict[str, Any]]:
        preset, groups = self._preset, dict[str, dict[str, Any]]()
        for key in dict.fromkeys(str(key) for key in _walk(product, preset.item_groups)):
            group = self._groups.get(key)
            name = self._get_text(group, preset.group_name)
            if not name:
                self._add(product, f"The choices {shorten(key)} are left out: they are not in the file.")
            elif name.casefold() in groups or len(groups) >= MAX_GROUPS:
                self._add(product, f"The choices {shorten(name)} are left out: the item has others like them.")
            else:
                at = f"{path}.extra_groups.{len(groups)}"
                self._menu.origins[at] = group
                groups[name.casefold()] = self._convert_group(at, name, group)
        return list(groups.values())

    def _convert_group(self, path: str, name: str, group: Any) -> dict[str, Any]:
        preset, extras = self._preset, dict[str, dict[str, Any]]()
        for found in _walk(group, preset.choices):
            choice = found if isinstance(found, Mapping) else self._products.get(str(found))
            text = self._get_text(choice, preset.choice_name)
            if not text or text.casefold() in extras or len(extras) >= MAX_CHOICES:
                self._add(group, f"A choice of {shorten(name)} is left out: it has no name, or another one has it.")
                continue
            self._used.add(id(choice))
            self._check_size(1)
            if next(_walk(choice, preset.item_groups), None) is not None and preset.products:
                self._count(choice, "Choices within choices are not taken.")
            at = f"{path}.extras.{len(extras)}"
            price = _first(choice, preset.choice_price)
            amount = self._parse_price(price, None, f"{at}.price") if price not in (None, "") else "0"
            extras[text.casefold()] = {"name": text[:MAX_NAME], "price": amount}
        least, most = (_first(group, each) for each in (preset.group_min, preset.group_max))
        made: dict[str, Any] = {"name": name[:MAX_NAME], "extras": list(extras.values())}
        if _is_number(least) and 0 < least <= MAX_MINIMUM:
            made["min"] = int(least)
        if _is_number(most) and 0 < most <= MAX_MINIMUM:
            made["max"] = int(most)
        return made

    def _list_pictures(self, product: Any) -> list[dict[str, str]]:
        return self._notes.pick_pictures(
            (self._get_line(product), str(url), "")
            for found in _walk(product, self._preset.pictures)
            for picture in _each(found)
            if (url := picture.get("url") if isinstance(picture, Mapping) else picture)
        )

    def _index(self, path: str, key: str) -> dict[str, Any]:
        return {str(_first(each, key)): each for each in _walk(self._root, path)} if path and key else {}

    def _get_text(self, value: Any, path: str) -> str:
        text = _first(value, path)
        return to_plain_text(text).strip() if isinstance(text, str) else ""

    def _cut(self, origin: Any, text: str, length: int) -> str:
        return self._notes.cut(self._get_line(origin), text, length)

    def _add(self, origin: Any, message: str) -> None:
        self._notes.add(self._get_line(origin), message)

    def _count(self, origin: Any, message: str) -> None:
        self._notes.count(self._get_line(origin), message)


def _walk(value: Any, path: str) -> Iterator[Any]:
    """Yield what a path leads to."""
    if not path:
        yield value
        return
    step, _, rest = path.partition(".")
    if step != "*":
        if isinstance(value, Mapping) and value.get(step) is not None:
            yield from _walk(value[step], rest)
        return
    for each in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _walk(each, rest)


def _first(value: Any, path: str) -> Any:
    return next(_walk(value, path), None) if path else None


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)
