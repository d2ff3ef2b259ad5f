"""Matching of an imported menu with the store's categories, items and variants: by SKU first, then by name."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence

from comanda.contracts.stores.menu_items import Item, ItemVariant
from comanda.menu.imports.document import ImportProblems, MenuDocument, shorten
from comanda.menu.imports.schemas import ImportedItem, ImportedVariant
from comanda.menu.reading.content import MenuContent
from comanda.menu.records import MenuCategory


class Matcher:
    """Pairs of menu parts and store rows; each row matches at most one part. ``claimed`` holds the matched item ids."""

    def __init__(self, data: MenuContent, document: MenuDocument, problems: ImportProblems) -> None:
        self._problems = problems
        self._by_sku = {variant.sku: (item, variant) for item in data.items for variant in item.variants if variant.sku}
        self._categories = self._match_categories(data, document)
        self.claimed: set[int] = set()
        self._items: dict[tuple[int, int], Item] = {}
        self._match_by_sku(document)
        self._match_by_name(data, document)

    def get_category(self, place: int) -> MenuCategory | None:
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
        free: dict[str, list[int]] = {}
        for each in existing:
            if each.id not in found:
                free.setdefault(each.name.casefold(), []).append(each.id)
        seen: set[str] = set()
        for number, variant in enumerate(item.variations or []):
            name = variant.name.casefold()
            if found[number] is None and free.get(name):
                found[number] = free[name].pop(0)
            if name in seen:
                sentence = f"{shorten(variant.name)} is already in this list."
                self._problems.add(f"{path}.variations.{number}.name", sentence)
            seen.add(name)
        return found

    def _match_categories(self, data: MenuContent, document: MenuDocument) -> dict[int, MenuCategory]:
        found: dict[int, MenuCategory] = {}
        seen: set[str] = set()
        by_name = {row.name.casefold(): row for row in reversed(data.categories)}
        for place, category in enumerate(document.categories):
            name = category.name.casefold()
            if name in seen:
                self._problems.add(f"menu.{place}.name", f"{shorten(category.name)} is already in this menu.")
            seen.add(name)
            if name in by_name:
                found[place] = by_name[name]
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
            self._problems.add(path, f"The SKU {shorten(sku)} is already in this menu.")
            return
        seen.add(sku)
        row, _ = self._by_sku.get(sku, (None, None))
        if row is None or self._items.get(key) is row:
            return
        if key in self._items or row.id in self.claimed:
            self._problems.add(path, f"The SKU {shorten(sku)} belongs to {row.name}.")
            return
        self._items[key] = row
        self.claimed.add(row.id)

    def _match_by_name(self, data: MenuContent, document: MenuDocument) -> None:
        """Match the other items by their name and variants, then by their name alone.

        Of several items with one name in a category, all but one must have a SKU; such an item matches no other.
        """
        repeated = self._check_names(document)
        for with_variants in (True, False):
            free: dict[_NameKey, deque[Item]] = defaultdict(deque)
            for row in data.items:
                if row.id not in self.claimed:
                    free[_to_key(row.category_id, row.name, row.variants if with_variants else ())].append(row)
            for place, category_row in self._categories.items():
                for number, item in enumerate(document.categories[place].items):
                    if (place, number) in self._items or (
                        not with_variants and (place, number) in repeated and _has_sku(item)
                    ):
                        continue
                    variants = item.variations or () if with_variants else ()
                    if rows := free.get(_to_key(category_row.id, item.name, variants)):
                        self._items[place, number] = rows.popleft()
                        self.claimed.add(self._items[place, number].id)

    def _check_names(self, document: MenuDocument) -> set[tuple[int, int]]:
        """Report items that only their name identifies, if it is not theirs alone; return the items with such names."""
        repeated: set[tuple[int, int]] = set()
        for place, category in enumerate(document.categories):
            without_sku: set[str] = set()
            counts = Counter(item.name.casefold() for item in category.items)
            for number, item in enumerate(category.items):
                name = item.name.casefold()
                if counts[name] > 1:
                    repeated.add((place, number))
                    if not _has_sku(item) and name in without_sku:
                        sentence = f"{shorten(item.name)} is already in this category."
                        self._problems.add(f"menu.{place}.items.{number}.name", sentence)
                    elif not _has_sku(item):
                        without_sku.add(name)
        return repeated


_NameKey = tuple[int, str, frozenset[str]]


def _to_key(category_id: int, name: str, variants: Iterable[ItemVariant | ImportedVariant]) -> _NameKey:
    return category_id, name.casefold(), frozenset(variant.name.casefold() for variant in variants)


def _has_sku(item: ImportedItem) -> bool:
    return any(variant.sku for variant in item.variations or ())
