"""Members of staff, managed by the store's owner."""

from comanda.contracts import Caller, PageRequest, RecordPage, Routes

from comanda_staff.records import SavedMember, StaffMember
from comanda_staff.schemas.login import TwoFactorState
from comanda_staff.schemas.members import MemberBody, MemberChange
from comanda_staff.services import members

routes = Routes("Staff")


@routes.get("/restaurants/{id}/staff", scope="restaurants:read", is_delegable=False)
async def list_members(caller: Caller, id: int, page: PageRequest) -> RecordPage[StaffMember]:
    """List a store's staff, newest first, including inactive members."""
    return await members.list_members(caller, id, page)


@routes.post("/restaurants/{id}/staff", scope="restaurants:write", is_delegable=False)
async def create_member(caller: Caller, id: int, body: MemberBody) -> SavedMember:
    """Create a member of staff with a role, who logs in by e-mail and password, by PIN, or by either."""
    return await members.create_member(caller, id, body)


@routes.get("/restaurants/{id}/staff/{staffId}", scope="restaurants:read", is_delegable=False)
async def get_member(caller: Caller, id: int, staff_id: int) -> StaffMember:
    """Return a member of staff."""
    return await members.get_member(caller, id, staff_id)


@routes.put("/restaurants/{id}/staff/{staffId}", scope="restaurants:write", is_delegable=False)
async def update_member(caller: Caller, id: int, staff_id: int, body: MemberChange) -> SavedMember:
    """Update a member; fields left out are unchanged. A new password or PIN logs them out everywhere."""
    return await members.update_member(caller, id, staff_id, body)


@routes.delete("/restaurants/{id}/staff/{staffId}", scope="restaurants:write", is_delegable=False)
async def delete_member(caller: Caller, id: int, staff_id: int) -> None:
    """Delete a member and log them out; their past actions keep their id."""
    await members.delete_member(caller, id, staff_id)


@routes.delete("/restaurants/{id}/staff/{staffId}/2fa", scope="restaurants:write", status=200, is_delegable=False)
async def reset_two_factor(caller: Caller, id: int, staff_id: int) -> TwoFactorState:
    """Turn two-factor off for a member who lost access to it, and log them out everywhere. This is logged."""
    await members.reset_two_factor(caller, id, staff_id)
    return TwoFactorState(two_factor=False)
