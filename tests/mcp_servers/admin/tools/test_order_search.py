"""Search of orders."""

from comanda.devkit.testing import line


async def test_search_ignores_accents_and_escapes_wildcards(store, found):
    item = await store.item()
    joao = (await store.order(line(item), customer_name="João Guimarães"))["id"]
    percent = (await store.order(line(item), customer_name="100%_sure\\"))["id"]
    await store.order(line(item))

    assert await found(search="joao GUIM") == [joao]
    assert await found(search="JOÃO") == [joao]
    assert await found(search="%") == [percent]
    assert await found(search="_") == [percent]
    assert await found(search="\\") == [percent]
    assert await found(search="nobody") == []


async def test_search_finds_phones_and_numbers(store, found):
    item = await store.item()
    first = await store.order(line(item), phone="+351 21 555-0140")
    second = await store.order(line(item), phone="999")

    assert await found(search="555 01 40") == [first["id"]]
    assert await found(search="0351215550140") == [first["id"]]
    assert await found(search=f"#{second['number']}") == [second["id"]]
    assert await found(search=str(second["id"])) == [second["id"]]
    assert await found(search="999999999999999999999999") == []


async def test_filters_combine(store, found):
    item = await store.item()
    waiting = await store.order(line(item), customer_name="Ada")
    ready = await store.order(line(item), customer_name="Ada")
    await store.set_status(ready["id"], "ready")

    assert await found(status="ready") == [ready["id"]]
    assert await found(status="new", search="ada") == [waiting["id"]]
    assert await found(status="cancelled", search="ada") == []


async def test_type_customer_and_total_are_filters(agent, store, found):
    item = await store.item("Soup", 5)
    small = await store.order(line(item), customer_name="Ada", phone="+351 21 555-0140")
    large = await store.order(line(item, 3), type="on-table", table_number="4")

    assert await found(type="on-table") == [large["id"]]
    assert await found(customer="5550140") == [small["id"]]
    assert await found(customer=str(large["id"])) == []
    assert await found(min_total=5.01) == [large["id"]]
    assert await found(max_total=5, customer="ada") == [small["id"]]
    refused = await agent.refused("list_orders", {"min_total": 2, "max_total": 1})
    assert list(refused["errors"]) == ["min_total"]


async def test_orders_of_other_owners_are_not_found(agents, other_owner, store):
    await store.order(line(await store.item()), customer_name="Ada")
    await other_owner.store()

    page = await agents.admin(other_owner.auth).call("list_orders", {"search": "Ada"})

    assert (page["data"], page["total"]) == ([], 0)
