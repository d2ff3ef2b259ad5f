"""The token that a member of staff holds."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from comanda.contracts.callers import CallerKind

from comanda_staff.models import Member


async def get_names(owner_id: int, staff_ids: Sequence[int]) -> Mapping[int, str]:
    """Return the names of an owner's members of staff."""
    rows = await Member.filter(owner_id=owner_id, id__in=staff_ids).values_list("id", "name")
    return {id: name for id, name in rows}  # noqa: C416 - the values are typed as anything


STAFF: Final = CallerKind(code="staff", prefix="stf_", lifetime=timedelta(days=30), is_sliding=True, names=get_names)
