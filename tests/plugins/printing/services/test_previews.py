"""Pictures of jobs."""


async def test_a_picture_shows_what_is_printed(shop, printer, print_order, owner):
    await print_order()
    [job] = await shop.list_jobs(state="waiting")
    path = f"/api/v1/restaurants/{shop.id}/print-jobs/{job['id']}/preview"
    response = await shop.client.get(path, headers=owner.auth)

    assert response.content_type == "image/png"
    assert (await response.get_data()).startswith(b"\x89PNG")
