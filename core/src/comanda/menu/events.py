"""Events of menus."""

from enum import StrEnum

from comanda.contracts.background.events import Event


class Change(StrEnum):
    """The kind of change."""

    CREATED = "created"
    UPDATED = "updated"
    DELETED = "deleted"


class Entity(StrEnum):
    """The kind of object; a change of a variant is an update of its item."""

    ITEM = "item"
    CATEGORY = "category"
    PRICE_LIST = "price_list"


class MenuUpdated(Event):
    """A menu item, category or price list was created, updated or deleted. Not sent when an order reduces stock."""

    name = "menu.updated"
    scope = "menu:read"
    sample = {"restaurant_id": 7, "change": "updated", "entity": "item", "id": 42}

    restaurant_id: int
    change: Change
    entity: Entity
    id: int
