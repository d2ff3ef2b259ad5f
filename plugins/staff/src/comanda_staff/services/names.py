"""Names of members of staff, for histories and screens."""

from collections.abc import Collection, Mapping

from comanda_staff.models import Member


async def get_names(owner_id: int, staff_ids: Collection[int]) -> Mapping[int, str]:
    """Return the names of members of staff by id; deleted members are left out."""
    rows = await Member.filter(owner_id=owner_id, id__in=list(staff_ids)).values_list("id", "name")
    return {int(id): str(name) for id, name in rows}
