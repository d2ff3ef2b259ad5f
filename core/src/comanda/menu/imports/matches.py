"""Matching of an imported menu with the store's categories, items and variants: by SKU first, then by name."""

from collections.abc import Sequence

from comanda.contracts.menu_items import Item, ItemVariant
from comanda.menu.imports.document import ImportProblems, MenuDocument
from comanda.menu.imports.schemas import ImportedItem
from comanda.menu.queries import MenuData
from comanda.menu.records import Category


class Matcher:
    """Pairs of menu parts and store rows; each row matches at most one part. ``claimed`` holds the matched item ids."""

    def __init__(self, data: MenuData, document: MenuDocument, problems: ImportProblems) -> None:
        self._problems = problems
        self._by_sku = {variant.sku: (item, variant) for item in data.items for variant in item.variants if variant.sku}
        self._categories = self._match_categories(data, document)
        self.claimed: set[int] = set()
        self._items: dict[tuple[int, int], Item] = {}
        self._match_by_sku(document)
        self._match_by_name(data, document)

    def get_category(self, place: int) -> Category | None:
        """Return the store's category for the one at this position of the menu."""
        return self._categories.get(place)

    def get_item(self, key: tuple[int, int]) -> Item | None:
        """Return the store's item for the one at this position of the menu."""
        return self._items.get(key)

    def match_variants(self, path: str, item: ImportedItem, row: Item | None) -> list[int | None]:
        """Return the id of the store's variant for each variant of an item, None for new ones; report duplicates."""
        existing: Sequence[ItemVariant] = row.variants if row else ()
        found: list[int | None] = [None] * len(item.variations or [])
        for number, variant in enumerate(item.variations or []):
            owner, same = self._by_sku.get(variant.sku or "", (None, None))
            if same is not None and row is not None and owner is row:
                found[number] = same.id
        for number, variant in enumerate(item.variations or []):
            if found[number] is None:
                free = (each for each in existing if each.id not in found and _same_name(each, variant.name))
                found[number] = next((each.id for each in free), None)
        names = [variant.name.casefold() for variant in item.variations or []]
        for number, name in enumerate(names):
            if name in names[:number]:
                sentence = f"{(item.variations or [])[number].name} is already in this list."
                self._problems.add(f"{path}.variations.{number}.name", sentence)
        return found

    def _match_categories(self, data: MenuData, document: MenuDocument) -> dict[int, Category]:
        found: dict[int, Category] = {}
        seen: set[str] = set()
        for place, category in enumerate(document.categories):
            if category.name.casefold() in seen:
                self._problems.add(f"menu.{place}.name", f"{category.name} is already in this menu.")
            seen.add(category.name.casefold())
            row = next((row for row in data.categories if _same_name(row, category.name)), None)
            if row is not None:
                found[place] = row
        return found

    def _match_by_sku(self, document: MenuDocument) -> None:
        seen: set[str] = set()
        for place, category in enumerate(document.categories):
            for number, item in enumerate(category.items):
                for index, variant in enumerate(item.variations or []):
                    path = f"menu.{place}.items.{number}.variations.{index}.sku"
                    if variant.sku:
                        self._claim_by_sku(path, (place, number), variant.sku, seen)

    def _claim_by_sku(self, path: str, key: tuple[int, int], sku: str, seen: set[str]) -> None:
        if sku in seen:
            self._problems.add(path, f"The SKU {sku} is already in this menu.")
            return
        seen.add(sku)
        row, _ = self._by_sku.get(sku, (None, None))
        if row is None or self._items.get(key) is row:
            return
        if key in self._items or row.id in self.claimed:
            self._problems.add(path, f"The SKU {sku} belongs to {row.name}.")
            return
        self._items[key] = row
        self.claimed.add(row.id)

    def _match_by_name(self, data: MenuData, document: MenuDocument) -> None:
        for place, category in enumerate(document.categories):
            category_row = self._categories.get(place)
            seen: set[str] = set()
            for number, item in enumerate(category.items):
                if item.name.casefold() in seen:
                    sentence = f"{item.name} is already in this category."
                    self._problems.add(f"menu.{place}.items.{number}.name", sentence)
                seen.add(item.name.casefold())
                if category_row is None or (place, number) in self._items:
                    continue
                free = (
                    row
                    for row in data.items
                    if row.category_id == category_row.id and row.id not in self.claimed and _same_name(row, item.name)
                )
                row = next(free, None)
                if row is not None:
                    self._items[place, number] = row
                    self.claimed.add(row.id)


def _same_name(row: Category | Item | ItemVariant, name: str) -> bool:
    return row.name.casefold() == name.casefold()
