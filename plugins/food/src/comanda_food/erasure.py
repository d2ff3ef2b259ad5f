"""Erasure of what guests must not eat, which is data on their health."""

from typing import Final

from comanda.contracts import Person, PersonalDataEraser
from comanda.orders import delete_order_fields

from comanda_food.records import OVERRIDDEN_BY
from comanda_food.schemas.food_facts import RestrictionFields


async def erase_restrictions(person: Person) -> None:
    """Delete what a person's orders say of it."""
    await delete_order_fields(person, *RestrictionFields.model_fields, OVERRIDDEN_BY)


ERASER: Final = PersonalDataEraser("food", erase_restrictions)
