"""Creating beyond a plan's limits is refused, over REST and by agents, and never happens by racing."""

import asyncio

import pytest
from comanda.basics import ValidationFailed
from comanda.platform.db import sql

ITEM = {"name": "Soup", "price": 5}


async def count(table, owner):
    return await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE owner_id = $1", owner.id)


def check_refused(reply, feature, limit, used):
    """Check that a reply refuses for a quota."""
    assert reply.status == 422, reply
    assert reply["code"] == "validation_failed"
    assert reply["reason"] == "quota_reached"
    assert reply["limits"] == {"feature": feature, "limit": limit, "used": used}
    assert reply["message"] == reply.errors[feature][0]


@pytest.fixture
def member_body():
    numbers = iter(range(1000, 9999))

    def create():
        return {"name": "Marta", "role": "cashier", "email": f"marta-{next(numbers)}@example.com",
                "password": "lemon tart at dawn"}  # fmt: skip

    return create


async def test_item_beyond_the_limit_is_refused(store, owner, plan):
    category = await store.category()
    await store.item(category_id=category)
    await plan(items=2)
    await store.item("Cake", category_id=category)

    refused = await store.send("POST", "/menu/items", {**ITEM, "category_id": category})

    check_refused(refused, "items", 2, 2)
    assert refused["message"] == "The plan's limit of 2 items is reached."
    assert await count("core_menu_item", owner) == 2


async def test_items_of_all_stores_count_and_deletion_makes_room(store, open_store, plan):
    other = await open_store("restaurant")
    category = await store.category()
    item = await other.item()
    await plan(items=1)

    check_refused(await store.send("POST", "/menu/items", {**ITEM, "category_id": category}), "items", 1, 1)
    assert (await other.send("DELETE", f"/menu/items/{item['id']}")).status == 204
    assert (await store.send("POST", "/menu/items", {**ITEM, "category_id": category})).status == 201


async def test_agent_gets_the_same_refusal(store, owner, plan, mcp):
    category = await store.category()
    await plan(items=1)
    agent = mcp("/mcp", owner.auth)
    arguments = {**ITEM, "restaurant_id": store.id, "category_id": category}
    await agent.call("add_menu_item", arguments)

    refused = await agent.refused("add_menu_item", {**arguments, "name": "Cake"})

    assert (refused["code"], refused["reason"]) == ("validation_failed", "quota_reached")
    assert refused["limits"] == {"feature": "items", "limit": 1, "used": 1}
    assert await count("core_menu_item", owner) == 1


@pytest.mark.parametrize("is_dry_run", [False, True])
async def test_import_that_does_not_fit_is_refused_as_a_whole(store, owner, plan, is_dry_run):
    await store.item("Old")
    await plan(items=2)
    items = [{"name": name, "price": 3} for name in ("One", "Two")]
    body = {"menu": [{"name": "Snacks", "items": items}], "dry_run": is_dry_run}

    refused = await store.send("POST", "/menu/import", body)
    fitting = await store.send("POST", "/menu/import", {**body, "remove_missing": True})

    check_refused(refused, "items", 2, 1)
    assert refused["message"] == "The plan's limit is 2 items; 1 are in use, so 2 more are not possible."
    assert fitting.status == 200, fitting
    assert await count("core_menu_item", owner) == (1 if is_dry_run else 2)


async def test_import_without_new_items_passes_above_the_limit(store, plan):
    category = await store.category("Snacks")
    for name in ("One", "Two"):
        await store.item(name, category_id=category)
    await plan(items=1)

    items = [{"name": name, "price": 4} for name in ("One", "Two")]
    reply = await store.send("POST", "/menu/import", {"menu": [{"name": "Snacks", "items": items}]})

    assert (reply.status, reply["items"]["updated"]) == (200, 2)


async def test_starter_menu_that_does_not_fit_is_refused(store, owner, plan):
    await plan(items=3)

    refused = await store.send("POST", "/menu/starter", {"preset": "cafe"})

    assert (refused.status, refused["reason"], refused["limits"]["limit"]) == (422, "quota_reached", 3)
    assert await count("core_menu_item", owner) == 0
    assert await count("core_menu_category", owner) == 0


async def test_starter_menu_fits(store, owner, plan):
    await plan(items=1000)

    assert (await store.send("POST", "/menu/starter", {"preset": "cafe"})).status == 201
    assert (await store.send("POST", "/menu/starter", {"preset": "cafe"})).status == 409


async def test_staff_beyond_the_limit_is_refused(store, open_store, owner, plan, member_body):
    other = await open_store("restaurant")
    await plan(staff=1)
    first = await store.send("POST", "/staff", member_body())

    check_refused(await store.send("POST", "/staff", member_body()), "staff", 1, 1)
    check_refused(await other.send("POST", "/staff", member_body()), "staff", 1, 1)
    assert await count("staff_member", owner) == 1
    assert (await store.send("DELETE", f"/staff/{first['id']}")).status == 204
    assert (await store.send("POST", "/staff", member_body())).status == 201


async def test_store_beyond_the_limit_is_refused(owner, plan):
    await owner.store()
    await plan(stores=1)

    with pytest.raises(ValidationFailed) as refused:
        await owner.store()

    assert refused.value.extras["limits"] == {"feature": "stores", "limit": 1, "used": 1}
    assert await count("core_store", owner) == 1


async def test_above_a_limit_everything_else_works(store, owner, plan, member_body):
    category = await store.category()
    items = [await store.item(name, category_id=category) for name in ("One", "Two", "Three")]
    member = await store.send("POST", "/staff", member_body())
    await owner.store()
    await plan(items=1, staff=0, stores=1)

    assert (await store.send("PUT", f"/menu/items/{items[0]['id']}", {"price": 9})).status == 200
    assert (await store.send("PUT", f"/staff/{member['id']}", {"name": "Rita"})).status == 200
    assert (await store.place({"item_id": items[2]["id"], "quantity": 1})).status == 201
    check_refused(await store.send("POST", "/menu/items", {**ITEM, "category_id": category}), "items", 1, 3)
    assert (await store.send("DELETE", f"/menu/items/{items[1]['id']}")).status == 204
    check_refused(await store.send("POST", "/menu/items", {**ITEM, "category_id": category}), "items", 1, 2)


async def test_another_owner_is_not_affected(store, other_owner, plan):
    await plan(stores=0, items=0)

    assert await other_owner.store()


async def test_concurrent_items_never_exceed_the_limit(store, open_store, owner, plan):
    stores = [store, await open_store("restaurant")]
    categories = [await each.category() for each in stores]
    await plan(items=5)

    def create(number):
        at = number % 2
        body = {"name": f"Item {number}", "price": 1, "category_id": categories[at]}
        return stores[at].send("POST", "/menu/items", body)

    def load(number):
        items = [{"name": f"Imported {number}-{place}", "price": 2} for place in range(2)]
        return stores[number % 2].send("POST", "/menu/import", {"menu": [{"name": "Snacks", "items": items}]})

    replies = await asyncio.gather(*(create(number) for number in range(10)), *(load(number) for number in range(4)))

    assert await count("core_menu_item", owner) == 5
    assert {reply.status for reply in replies} <= {200, 201, 422}
    assert {reply["reason"] for reply in replies if reply.status == 422} == {"quota_reached"}


async def test_starter_menus_and_imports_at_once_do_not_block_each_other(store, owner, plan):
    await plan(items=1000)
    menu = [{"name": "Snacks", "items": [{"name": "One", "price": 2}]}]

    replies = await asyncio.gather(
        *(store.send("POST", "/menu/starter", {"preset": "cafe"}) for _ in range(4)),
        *(store.send("POST", "/menu/import", {"menu": menu}) for _ in range(4)),
    )

    assert {reply.status for reply in replies[4:]} == {200}
    assert {reply.status for reply in replies[:4]} <= {201, 409}
    assert [reply.status for reply in replies].count(201) <= 1


async def test_concurrent_stores_and_staff_never_exceed_the_limit(store, owner, plan, member_body):
    await plan(stores=3, staff=2)

    async def open_one():
        try:
            return await owner.store()
        except ValidationFailed as refused:
            return refused.extras["reason"]

    made = await asyncio.gather(*(open_one() for _ in range(8)))
    hired = await asyncio.gather(*(store.send("POST", "/staff", member_body()) for _ in range(5)))

    assert (made.count("quota_reached"), await count("core_store", owner)) == (6, 3)
    assert sorted(reply.status for reply in hired) == [201, 201, 422, 422, 422]
    assert await count("staff_member", owner) == 2
