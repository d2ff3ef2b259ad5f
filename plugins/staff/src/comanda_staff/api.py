"""What other plugins may call: the callers who work in a store, what they may do, and who they are."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final

from comanda.contracts.callers import Caller

from comanda_staff.models import Member

__all__ = ["STAFF_ONLY", "Permission", "names_of", "stations_of"]

STAFF_ONLY: Final = ("staff",)


class Permission(StrEnum):
    """What a member of staff may do. A token carries the permissions that hold now as its scopes."""

    ORDERS = "orders"
    MENU_EDIT = "menu_edit"
    COUPONS = "coupons"
    ANALYTICS = "analytics"
    KDS = "kds"
    CUSTOMERS = "customers"


async def stations_of(caller: Caller) -> list[int]:
    """Return the ids of the kitchen's stations whose tickets a member of staff sees; none are all."""
    found = await Member.get_or_none(owner_id=caller.owner_id, store_id=caller.store_id, id=caller.subject_id)
    return list(found.station_ids) if found is not None else []


async def names_of(owner_id: int, staff_ids: Collection[int]) -> Mapping[int, str]:
    """Return the names of members of staff by id; whoever was deleted is left out."""
    rows = await Member.filter(owner_id=owner_id, id__in=list(staff_ids)).values_list("id", "name")
    return {int(id): str(name) for id, name in rows}
