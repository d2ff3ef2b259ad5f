"""Guests in the dashboard."""


async def test_guests_are_listed_by_segment_and_tagged(dashboard, store, order, list_guests):
    path = f"/stores/{store.id}/customers/guests"
    assert "Nobody has ordered yet" in await dashboard.get(path)
    await order(soups=2, customer_name="Ada")
    one = f"{path}/{(await list_guests())[0]['id']}"

    listed = await dashboard.get(f"{path}?segment=new")
    detail = await dashboard.get(one)
    await dashboard.post(one, {"name": "Ada L.", "tags": "regular, nut allergy"})
    guest = (await list_guests())[0]

    assert "Ada" in listed
    assert "Nobody found" in await dashboard.get(f"{path}?segment=lapsed")
    assert "#1" in detail
    assert (guest["name"], guest["tags"]) == ("Ada L.", ["regular", "nut allergy"])


async def test_tags_that_are_too_long_are_refused_and_kept(dashboard, store, order, list_guests):
    await order()
    one = f"/stores/{store.id}/customers/guests/{(await list_guests())[0]['id']}"

    page = await dashboard.post(one, {"name": "", "tags": "x" * 60}, status=422)

    assert "x" * 60 in page
    await dashboard.get(f"/stores/{store.id}/customers/guests/999999", status=404)
