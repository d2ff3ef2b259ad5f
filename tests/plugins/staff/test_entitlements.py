"""The number of members of staff that a plan may limit."""

from comanda_staff.entitlements import STAFF_MEMBERS


async def test_members_of_all_stores_are_counted_active_or_not(create_member, open_store, owner):
    await create_member()
    absent = await create_member(at=await open_store("restaurant"))
    await absent.update(is_active=False)

    assert await STAFF_MEMBERS.count_used(owner.id) == 2
    assert STAFF_MEMBERS.is_limit
