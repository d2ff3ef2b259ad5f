"""Staff name the customer of a check by phone; the order earns them points once it is paid."""

import pytest
from comanda.devkit.testing import TestStore, line
from comanda_loyalty.services import ledger

PHONE = "+351912345678"


@pytest.fixture
async def ada_by_phone(new_contact):
    return await new_contact(PHONE)


@pytest.fixture
async def check(store, soup, programme):
    """An unpaid order of 20.00."""
    return await store.order(line(soup, 2))


@pytest.fixture
def points_of(store):
    async def read(customer):
        return (await store.get(f"/loyalty/customers/{customer.id}"))["balance"]

    return read


async def test_named_customer_earns_when_the_check_is_paid(
    waiter, check, ada_by_phone, points_of, new_reward, pay, handle, check_ledger
):
    reward = await new_reward(points=15)
    before = await waiter.see(check)
    named = await waiter.name(check, PHONE)
    await handle(check)

    assert (before["customer"], before["points"], before["balance"]) == (None, 20, 0)
    assert (before["programme"]["earn_by"], before["order_id"]) == ("amount", check["id"])
    assert (named.status, named["customer"]) == (200, {"id": ada_by_phone.id, "name": "Ada"})
    assert (named["points"], named["balance"], named["rewards"][0]["is_affordable"]) == (20, 0, False)
    assert await points_of(ada_by_phone) == 0

    await pay(check)
    await handle(check)

    paid = await waiter.see(check)
    assert (paid["customer"]["name"], paid["points"], paid["balance"]) == ("Ada", 20, 20)
    assert [(each["id"], each["is_affordable"]) for each in paid["rewards"]] == [(reward, True)]
    assert await points_of(ada_by_phone) == 20
    await check_ledger()


async def test_points_are_those_of_the_payment_not_of_the_naming(
    waiter, check, ada_by_phone, points_of, set_programme, advance_time, pay, handle, run_task
):
    await waiter.name(check, PHONE)
    await set_programme(points=3, expires_after_months=1)
    advance_time(days=40)
    await pay(check)
    await handle(check)

    await run_task("loyalty_expire_points")

    assert await points_of(ada_by_phone) == 60


async def test_removed_customer_earns_nothing(waiter, check, ada_by_phone, points_of, pay, handle):
    await waiter.name(check, PHONE)

    replies = [await waiter.send("DELETE", check) for _ in range(2)]
    await pay(check)
    await handle(check)

    assert [reply.status for reply in replies] == [204, 204]
    assert (await waiter.see(check))["customer"] is None
    assert await points_of(ada_by_phone) == 0


async def test_last_named_of_two_tills_earns_alone(
    waiter, check, new_contact, points_of, pay, handle, gather, check_ledger
):
    phones = [f"+35191234567{number}" for number in range(4)]
    people = [await new_contact(phone, phone[-1]) for phone in phones]

    replies = await gather(*(waiter.name(check, phone) for phone in phones * 2))
    named = (await waiter.see(check))["customer"]["id"]
    await pay(check)
    await gather(*(handle(check) for _ in range(4)))

    assert {reply.status for reply in replies} == {200}
    assert {person.id: await points_of(person) for person in people} == {
        person.id: 20 if person.id == named else 0 for person in people
    }
    await check_ledger()


async def test_naming_and_payment_at_once_earn_the_named_customer_or_nobody(
    waiter, store, soup, programme, ada_by_phone, points_of, pay, handle, gather, check_ledger
):
    orders = [await store.order(line(soup)) for _ in range(4)]

    replies = await gather(*(waiter.name(order, PHONE) for order in orders), *(pay(order) for order in orders))
    await handle(*orders)

    named = [reply for reply in replies if reply is not None and reply.status == 200]
    refused = [reply["reason"] for reply in replies if reply is not None and reply.status != 200]
    assert set(refused) <= {"order_paid"}
    assert await points_of(ada_by_phone) == 10 * len(named)
    await check_ledger()


async def test_event_handled_while_another_is_named_earns_neither_twice(
    waiter, check, ada_by_phone, new_contact, points_of, pay, handle, check_ledger, monkeypatch
):
    eve = await new_contact("+351912345679", "Eve")
    await waiter.name(check, PHONE)
    lock_account = ledger.lock_account

    async def lock_late(*account):
        monkeypatch.undo()
        assert (await waiter.name(check, "+351912345679")).status == 200
        await pay(check)
        return await lock_account(*account)

    monkeypatch.setattr(ledger, "lock_account", lock_late)
    await handle(check)
    await handle(check)

    assert (await points_of(ada_by_phone), await points_of(eve)) == (0, 20)
    await check_ledger()


async def test_proven_number_wins_over_a_contact(waiter, check, new_contact):
    await new_contact(PHONE, "Contact")
    proven = await new_contact(None, "Proven", login_phone=PHONE)

    assert (await waiter.name(check, PHONE))["customer"]["id"] == proven.id


async def test_number_without_country_code_is_one_of_the_stores_country(store, waiter, check, ada_by_phone):
    assert (await store.send("PUT", "/settings", {"country": "PT"})).status == 200

    assert (await waiter.name(check, "912 345 678"))["customer"]["id"] == ada_by_phone.id


@pytest.mark.parametrize("phone", ["+351900000000", "soup", "", "x" * 51, None, 5, "+351\x00"])
async def test_phone_of_nobody_is_refused(waiter, check, ada_by_phone, phone):
    assert (await waiter.name(check, PHONE)).status == 200

    reply = await waiter.name(check, phone)

    assert (reply.status, list(reply.errors)) == (422, ["phone"])
    assert (await waiter.see(check))["customer"]["name"] == "Ada"


async def test_customers_of_others_are_nobody(client, waiter, check, open_store, other_owner, new_contact):
    sister = await open_store("restaurant")
    foreign = TestStore(client, other_owner, await other_owner.store())
    await new_contact(PHONE, store=sister)
    await new_contact("+351912345679", store=foreign)

    for phone in (PHONE, "+351912345679"):
        assert list((await waiter.name(check, phone)).errors) == ["phone"]
    assert (await waiter.see(check))["customer"] is None


async def test_orders_of_others_are_not_found(
    client, check, waiter, ada_by_phone, open_store, other_owner, new_waiter, new_contact
):
    sister = await open_store("restaurant")
    foreign = TestStore(client, other_owner, await other_owner.store())
    for store in (sister, foreign):
        await new_contact(PHONE, "Eve", store=store)
        eve = await new_waiter(store=store)
        replies = [await eve.send("GET", check), await eve.name(check, PHONE), await eve.send("DELETE", check)]
        assert [reply.status for reply in replies] == [404] * 3

    assert (await waiter.see(check))["customer"] is None


async def test_staff_without_the_permission_are_refused(new_waiter, check, ada_by_phone):
    cook = await new_waiter("kds")

    for reply in (await cook.send("GET", check), await cook.name(check, PHONE), await cook.send("DELETE", check)):
        assert (reply.status, reply["required"]) == (403, "orders")


async def test_order_of_a_signed_in_customer_is_theirs(waiter, ada, ada_by_phone, soup, programme):
    order = await ada.order(line(soup))
    replies = [await waiter.name(order, PHONE), await waiter.send("DELETE", order)]

    seen = await waiter.see(order)

    assert [(reply.status, reply["reason"]) for reply in replies] == [(409, "signed_in")] * 2
    assert (seen["customer"]["id"], seen["points"]) == (ada.id, 10)


async def test_paid_or_cancelled_order_keeps_its_customer(
    waiter, check, store, soup, ada_by_phone, new_contact, points_of, pay, handle, cancel
):
    await new_contact("+351912345679", "Eve")
    await waiter.name(check, PHONE)
    await pay(check)
    await handle(check)
    reopened = await store.send("POST", f"/orders/{check['id']}/reopen", {"reason": "Mistake"})
    other = await store.order(line(soup))
    await cancel(other)

    replies = [await waiter.name(check, "+351912345679"), await waiter.name(other, PHONE)]

    assert reopened.status == 200
    assert [(reply.status, reply["reason"]) for reply in replies] == [(409, "order_paid"), (409, "order_closed")]
    assert (await waiter.send("DELETE", check))["reason"] == "order_paid"
    await handle(check)
    assert await points_of(ada_by_phone) == 0
    assert (await waiter.see(check))["customer"]["name"] == "Ada"


async def test_store_without_a_programme_names_nobody(waiter, store, soup, ada_by_phone, set_programme):
    order = await store.order(line(soup))
    replies = [await waiter.name(order, PHONE)]
    await set_programme(is_on=False)
    replies.append(await waiter.name(order, PHONE))

    seen = await waiter.see(order)

    assert [(reply.status, reply["reason"]) for reply in replies] == [(409, "no_programme")] * 2
    assert (seen["programme"], seen["points"], seen["rewards"]) == (None, 0, [])


async def test_customer_stays_with_the_order_that_lives_on(
    waiter, store, soup, check, ada_by_phone, new_contact, points_of, pay, handle, check_ledger
):
    eve = await new_contact("+351912345679", "Eve")
    other = await store.order(line(soup))
    await waiter.name(check, PHONE)
    await waiter.name(other, "+351912345679")

    merged = await store.send("POST", f"/orders/{check['id']}/merge", {"order_id": other["id"]})
    moved = {"lines": [{"line_id": check["items"][0]["id"], "quantity": 1}]}
    split = await store.send("POST", f"/orders/{check['id']}/split", moved)
    for order in (check, split.document):
        await pay(order)
    await handle(check, other, split.document)

    assert (merged.status, split.status) == (200, 201)
    assert (await waiter.see(check))["points"] == 20
    assert ((await waiter.see(split.document))["customer"], (await waiter.see(other))["points"]) == (None, 0)
    assert (await points_of(ada_by_phone), await points_of(eve)) == (20, 0)
    await check_ledger()


async def test_erased_customer_is_nobody(store, waiter, check, ada_by_phone):
    await waiter.name(check, PHONE)
    assert (await store.send("DELETE", f"/customers/{ada_by_phone.id}")).status == 204

    assert (await waiter.see(check))["customer"] is None
    assert list((await waiter.name(check, PHONE)).errors) == ["phone"]


async def test_trying_numbers_is_limited(waiter, check, own_minute):
    replies = [await waiter.name(check, f"+3519123456{number}") for number in range(10, 31)]

    assert [reply.status for reply in replies] == [422] * 20 + [429]
