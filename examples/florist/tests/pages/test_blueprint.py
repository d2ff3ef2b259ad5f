"""The page of a shop."""

from comanda.platform.db import sql


async def page_of(client, shop):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", shop.id)
    response = await client.get(f"/florist/{slug}")
    return response.status_code, await response.get_data(as_text=True)


async def test_page_shows_bouquets_care_and_days(shop, client):
    await shop.item("<b>Odd</b>", 12.5)

    status, page = await page_of(client, shop)

    assert status == 200
    for shown in ("Peonies", "38.00 EUR", "7 stems", "Keep cool.", "Out of season", "&lt;b&gt;Odd&lt;/b&gt;", "Today"):
        assert shown in page
    assert page.count("Not this day") == 1
    assert (await client.get("/florist/static/florist.css")).status_code == 200


async def test_unpublished_shop_has_no_page(shop, client):
    await shop.send("PUT", "/settings", {"is_published": False})

    assert (await page_of(client, shop))[0] == 404
    for slug in ("nobody", "%00", "%ff", "x" * 5000):
        assert (await client.get(f"/florist/{slug}")).status_code == 404
