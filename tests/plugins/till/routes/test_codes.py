"""Who may read the codes of items."""


async def test_staff_without_orders_may_not_read_codes(store, log_in):
    assert (await store.send_to("/api/v1/staff/codes", "GET", None, **await log_in("kds"))).status == 403
