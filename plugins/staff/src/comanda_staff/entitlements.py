"""The number of members of staff, which an owner's plan may limit."""

from typing import Final

from comanda.contracts import Feature

from comanda_staff.models import Member


async def count_members(owner_id: int) -> int:
    """Return the number of members of staff of all of an owner's stores, active or not."""
    return await Member.filter(owner_id=owner_id).count()


STAFF_MEMBERS: Final = Feature("staff", "Staff", quota_unit="members of staff", is_limit=True, count_used=count_members)
