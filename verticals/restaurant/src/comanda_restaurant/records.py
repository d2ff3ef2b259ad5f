"""Records of starter menus, as services return them."""

from dataclasses import dataclass

from comanda.contracts import StoreId

from comanda_restaurant.services.starter_menus import Preset


@dataclass(frozen=True, slots=True)
class InstalledMenu:
    """What a starter menu added to a store's menu."""

    store_id: StoreId
    preset: Preset
    categories_count: int
    items_count: int
