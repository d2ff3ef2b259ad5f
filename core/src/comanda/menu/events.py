"""What a menu announces."""

from enum import StrEnum

from comanda.contracts.events import Event


class Change(StrEnum):
    """What happened to it."""

    CREATED = "created"
    UPDATED = "updated"
    DELETED = "deleted"


class Entity(StrEnum):
    """What it happened to; a variant's change is an update of its item."""

    ITEM = "item"
    CATEGORY = "category"


class MenuUpdated(Event):
    """A menu item or category was created, updated or deleted. Not sent when stock merely goes down with an order."""

    name = "menu.updated"
    scope = "menu:read"
    sample = {"restaurant_id": 7, "change": "updated", "entity": "item", "id": 42}

    restaurant_id: int
    change: Change
    entity: Entity
    id: int
