"""The people who work in a store, as its owner manages them."""

from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes

from comanda_staff.schemas.members import MemberBody, MemberChange, MemberOut, MemberSaved, TwoFactorReset
from comanda_staff.services import members

routes = Routes("Staff")


@routes.get("/restaurants/{id}/staff", scope="restaurants:read", answers=Page[MemberOut])
async def list_members(caller: Caller, id: int, page: PageRequest) -> dict[str, Any]:
    """List who works in a store, newest first, those who do not any more too."""
    return await members.page_of_members(caller, id, page)


@routes.post("/restaurants/{id}/staff", scope="restaurants:write", answers=MemberSaved)
async def add_member(caller: Caller, id: int, body: MemberBody) -> dict[str, Any]:
    """Let somebody work in a store, with a role, and an e-mail and password, a PIN, or both to log in by."""
    return await members.add_member(caller, id, body)


@routes.get("/restaurants/{id}/staff/{staffId}", scope="restaurants:read", answers=MemberOut)
async def show_member(caller: Caller, id: int, staff_id: int) -> dict[str, Any]:
    """Show a member of staff."""
    return await members.member(caller, id, staff_id)


@routes.put("/restaurants/{id}/staff/{staffId}", scope="restaurants:write", answers=MemberSaved)
async def change_member(caller: Caller, id: int, staff_id: int, body: MemberChange) -> dict[str, Any]:
    """Change a member; fields left out stay. It holds at once; a new password or PIN logs them out everywhere."""
    return await members.change_member(caller, id, staff_id, body)


@routes.delete("/restaurants/{id}/staff/{staffId}", scope="restaurants:write")
async def delete_member(caller: Caller, id: int, staff_id: int) -> None:
    """Delete a member and log them out; what they did keeps their number."""
    await members.delete_member(caller, id, staff_id)


@routes.delete("/restaurants/{id}/staff/{staffId}/2fa", scope="restaurants:write", status=200, answers=TwoFactorReset)
async def reset_two_factor(caller: Caller, id: int, staff_id: int) -> dict[str, Any]:
    """Turn two-factor off for somebody who lost it, and log them out everywhere. It is logged."""
    return await members.reset_two_factor(caller, id, staff_id)
