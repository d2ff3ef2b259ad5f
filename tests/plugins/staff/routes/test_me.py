"""Routes of a member's own account."""

from comanda.platform.db import sql


async def test_logout_revokes_one_token(waiter):
    first = waiter.token
    await waiter.log_in(device="tablet")

    assert (await waiter.send("POST", "/logout")).document == {"message": "You are logged out."}

    assert (await waiter.send("GET", "/me")).status == 401
    waiter.token = first
    assert (await waiter.send("GET", "/me")).status == 200


async def test_push_device_is_deleted_with_member_access(waiter):
    device = {"platform": "ios", "token": "push-token"}
    assert (await waiter.send("POST", "/push/register-device", device)).document == {"registered": True}

    async def devices():
        return await sql.fetch_value("SELECT count(*) FROM notifications_device WHERE subject_id = $1", waiter.id)

    assert await devices() == 1
    assert (await waiter.send("POST", "/push/unregister-device", {"token": "push-token"})).status == 200
    assert await devices() == 0
    await waiter.send("POST", "/push/register-device", device)
    await waiter.update(is_active=False)
    assert await devices() == 0
