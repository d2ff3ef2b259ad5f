"""What others see of a shop: agents, customers, newcomers, and whoever reads the description of the API."""

from importlib.resources import files

from comanda import runtime
from comanda.contracts.demo import Showcase
from comanda.db import sql
from comanda_florist import demo
from comanda_migrations.differences import differences


async def test_agents_learn_what_is_in_season(shop, admin, anyone):
    await shop.item("Roses", 20)
    winter = {"shop": (await shop.get())["title"], "currency": "EUR", "month": 1}

    for agent in (admin, anyone):
        now = await agent.call("seasonal_flowers", {"restaurant_id": shop.id})
        assert {name: now[name] for name in winter} == winter
        assert [each["name"] for each in now["flowers"]] == ["Roses"]
        june = await agent.call("seasonal_flowers", {"restaurant_id": shop.id, "month": 6})
        assert {(each["name"], each["stem_count"]) for each in june["flowers"]} == {("Peonies", 7), ("Roses", None)}


async def test_agents_learn_nothing_of_shops_that_are_not_theirs_or_not_listed(shop, foreign_shop, admin, anyone):
    await shop.send("PUT", "/settings", {"is_listed": False})

    assert (await admin.refused("seasonal_flowers", {"restaurant_id": foreign_shop.id}))["code"] == "not_found"
    assert (await anyone.refused("seasonal_flowers", {"restaurant_id": shop.id}))["code"] == "not_found"
    assert (await anyone.refused("seasonal_flowers", {"restaurant_id": 0}))["code"] == "validation_failed"
    assert (await admin.refused("list_flower_occasions", {"restaurant_id": foreign_shop.id}))["code"] == "not_found"


async def test_occasions_are_for_agents_whose_token_may_read_customers(shop, owner, token_agent, admin, anyone):
    made = await shop.occasion()

    found = await admin.call("list_flower_occasions", {"restaurant_id": shop.id})

    assert [each["id"] for each in found["occasions"]] == [made["id"]]
    assert "list_flower_occasions" not in await anyone.tools()
    assert "list_flower_occasions" not in await token_agent(await owner.token_with("menu:read")).tools()


async def page_of(client, shop):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", shop.id)
    response = await client.get(f"/florist/{slug}")
    return response.status_code, await response.get_data(as_text=True)


async def test_a_shops_page_shows_bouquets_with_care_and_days(shop, client):
    await shop.item("<b>Odd</b>", 12.5)

    status, page = await page_of(client, shop)

    assert status == 200
    for shown in ("Peonies", "38.00 EUR", "7 stems", "Keep cool.", "Out of season", "&lt;b&gt;Odd&lt;/b&gt;", "Today"):
        assert shown in page
    assert page.count("Not this day") == 1
    assert (await client.get("/florist/static/florist.css")).status_code == 200


async def test_a_shop_that_is_not_published_has_no_page(shop, client):
    await shop.send("PUT", "/settings", {"is_published": False})

    assert (await page_of(client, shop))[0] == 404
    for slug in ("nobody", "%00", "%ff", "x" * 5000):
        assert (await client.get(f"/florist/{slug}")).status_code == 404


async def test_the_demo_opens_one_shop_however_often_it_runs(owner, client):
    showcase = Showcase(owners={"owner": owner.id})
    await demo.fill(showcase)
    await demo.fill(showcase)

    assert len({store["id"] for store in showcase.stores}) == 1
    assert (await client.get(f"/florist/{demo.SLUG}")).status_code == 200


async def test_models_agree_with_the_migrated_tables(database_url, runtime):
    mine = [models for models in runtime.registry.models if models.app == "florist"]

    assert await differences(database_url, mine) == []


async def test_the_chapter_names_every_route_and_field(app):
    chapter = runtime.registry().docs["florists"].text
    routes = [route for route in runtime.registry().routes if "/florist/" in route.full_path]

    assert len(routes) == 9
    for route in routes:
        assert f"{route.method} {route.path}" in chapter
    for field in ("stem_count", "care_notes", "season_months", "recipient_name", "card_message", "delivery_day"):
        assert f"`{field}`" in chapter


def test_what_is_shown_travels_in_the_wheel():
    for path in ("templates/florist/shop.html", "static/florist.css", "docs/florists.md", "py.typed"):
        assert files("comanda_florist").joinpath(path).is_file()
