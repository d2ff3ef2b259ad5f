"""Signed links to photos."""

from photographs import picture


async def test_links_expire_and_are_valid_for_one_photo(kitchen, driver, delivery, client, read_code, clock):
    assert (await kitchen.get_order(delivery))["proof"] is None
    made = (await driver.upload_photo(delivery, picture())).document
    other = (await driver.upload_photo(delivery, picture())).document
    await driver.send_code(delivery)
    await driver.send_code(delivery, await read_code())
    await driver.set_status(delivery["id"], "delivered")

    proof = (await kitchen.get_order(delivery))["proof"]
    public = await (await client.get(f"/api/v1/track/{delivery['track_token']}")).get_json()

    assert [each["id"] for each in proof["photos"]] == [made["id"], other["id"]]
    assert proof["code_verified_at"] is not None
    assert public["proof"] == proof
    path = "/api/v1/" + made["url"].partition("/api/v1/")[2]
    assert (await client.get(path)).status_code == 200
    query = path.partition("?")[2]
    expires = query.partition("expires=")[2].partition("&")[0]
    for forged in (
        f"/api/v1/delivery-photos/{other['id']}?{query}",
        path[:-1] + ("0" if path[-1] != "0" else "1"),
        path.replace(expires, str(int(expires) + 60)),
        path.partition("?")[0],
        path.replace(f"expires={expires}", "expires=x"),
        path.replace("signature=", "signature=%C3%A9"),
    ):
        assert (await client.get(forged)).status_code == 404
    clock.advance(minutes=21)
    assert (await client.get(path)).status_code == 404
