"""Staff for other plugins: the caller kind, permissions, names and kitchen stations."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final

from comanda.contracts.callers import Caller

from comanda_staff.models import Member

__all__ = ["STAFF_ONLY", "Permission", "get_names", "list_station_ids"]

STAFF_ONLY: Final = ("staff",)


class Permission(StrEnum):
    """What a member of staff may do. The scopes of a staff token are the member's current permissions."""

    ORDERS = "orders"
    MENU_EDIT = "menu_edit"
    COUPONS = "coupons"
    ANALYTICS = "analytics"
    KDS = "kds"
    CUSTOMERS = "customers"


async def list_station_ids(caller: Caller) -> list[int]:
    """List the ids of the kitchen stations whose tickets a member of staff sees; an empty list means all stations."""
    member = await Member.get_or_none(owner_id=caller.owner_id, store_id=caller.store_id, id=caller.subject_id)
    return list(member.station_ids) if member is not None else []


async def get_names(owner_id: int, staff_ids: Collection[int]) -> Mapping[int, str]:
    """Return the names of members of staff by id; deleted members are left out."""
    rows = await Member.filter(owner_id=owner_id, id__in=list(staff_ids)).values_list("id", "name")
    return {int(id): str(name) for id, name in rows}
