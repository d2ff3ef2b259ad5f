"""The pages of a withdrawal: the form, what is about to be stated, the acknowledgement."""

from datetime import UTC, datetime

import pytest
from comanda.platform.db import sql


async def test_guest_states_reviews_confirms_and_is_acknowledged(guest, clock):
    clock.set(datetime(2026, 11, 28, 21, 15, 40, tzinfo=UTC))
    form = await guest.read()
    reviewed = await guest.review()
    stored_before = await guest.list_stored()
    status, made = await guest.confirm()
    shown = await guest.read(made["url"])
    [stored] = await guest.list_stored()

    assert (form[0], reviewed[0], status, shown[0]) == (200, 200, 201, 200)
    assert "<h1>Withdraw from contract here</h1>" in form[1]
    assert '<button type="submit">Confirm withdrawal</button>' in reviewed[1]
    assert stored_before == []
    for page in (reviewed[1], shown[1]):
        assert "The blue &lt;b&gt;jar&lt;/b&gt;, twice" in page
        assert "Order #7, last week" in page
        assert "ana@example.com" in page
    assert "28 Nov 2026, 21:15 (Europe/Lisbon)" in shown[1]
    assert stored["reference"] in shown[1]


@pytest.mark.parametrize(
    ("fields", "problems"),
    [
        ({"name": " "}, ["name"]),
        ({"email": "ana", "contract": ""}, ["contract", "email"]),
        ({"items": "x" * 501, "phone": "1" * 51}, ["items", "phone"]),
    ],
)
async def test_the_form_comes_back_with_what_is_wrong(guest, fields, problems):
    status, page = await guest.review(**fields)

    assert status == 422
    marked = [
        name for name in ("name", "contract", "email", "phone", "items") if f'id="{name}-problem" role="alert"' in page
    ]
    assert sorted(marked) == sorted(problems)
    assert "Confirm withdrawal" not in page


async def test_change_leads_back_to_the_form_as_it_was_filled_in(guest):
    status, page = await guest.review(change="1")

    assert status == 200
    assert 'value="Order #7, last week"' in page
    assert "The blue &lt;b&gt;jar&lt;/b&gt;, twice</textarea>" in page


async def test_the_page_of_an_order_leads_to_its_form_filled_in(guest, new_order):
    order = await new_order(customer_name="Rui Costa")
    _, tracked = await guest.read(f"/t/{order['track_token']}")
    status, page = await guest.read(f"/withdraw/{order['track_token']}")

    assert f'href="/withdraw/{order["track_token"]}"' in tracked
    assert status == 200
    assert 'value="Rui Costa"' in page
    assert f'value="{order["number"]}"' in page


async def test_the_form_of_an_order_serves_a_store_that_is_no_longer_published(guest, store, new_order):
    order = await new_order()
    await store.send("PUT", "/settings", {"is_published": False})

    path = f"/withdraw/{order['track_token']}"
    statuses = [(await guest.read(path))[0], (await guest.review(path))[0], (await guest.read())[0]]
    status, made = await guest.confirm(f"{path}/statement", contract=str(order["number"]))

    assert (statuses, status) == ([200, 200, 404], 201)
    assert (await guest.read(made["url"]))[0] == 200


async def test_links_stand_where_the_store_has_switched_it_on(guest, store, new_order):
    order = await new_order()
    places = (f"/s/{guest.slug}", f"/s/{guest.slug}/legal/withdrawal", f"/t/{order['track_token']}")

    await store.send("PUT", "/settings/legal", {"has_withdrawal": True, "withdrawal": "Within 14 days."})
    shown = [await guest.read(path) for path in places]
    await store.send("PUT", "/settings/legal", {"has_withdrawal": False, "withdrawal": "Within 14 days."})
    hidden = [await guest.read(path) for path in places]

    assert ["Withdraw from contract here" in page for _, page in shown] == [True] * 3
    assert ["Withdraw from contract here" in page for _, page in hidden] == [False] * 3


async def test_nothing_answers_while_it_is_switched_off(guest, store, new_order):
    order = await new_order()
    _, made = await guest.confirm()
    await store.send("PUT", "/settings/legal", {"has_withdrawal": False})

    token = order["track_token"]
    pages = [(await guest.read())[0], (await guest.review())[0], (await guest.read(f"/withdraw/{token}"))[0]]
    sent = [(await guest.confirm())[0], (await guest.confirm(f"/withdraw/{token}/statement"))[0]]

    assert (pages, sent) == ([404] * 3, [404] * 2)
    assert len(await guest.list_stored()) == 1
    # Who withdrew before still reads it.
    assert (await guest.read(made["url"]))[0] == 200


async def test_nothing_answers_while_the_owner_is_suspended(guest, owner, new_order):
    token = (await new_order())["track_token"]
    _, made = await guest.confirm()
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    paths = (None, f"/withdraw/{token}", made["url"])
    pages = [(await guest.read(path))[0] for path in paths] + [(await guest.review(path))[0] for path in paths[:2]]
    sent = [(await guest.confirm())[0], (await guest.confirm(f"/withdraw/{token}/statement"))[0]]

    assert (pages, sent) == ([404] * 5, [404] * 2)


@pytest.mark.parametrize(
    "change",
    [("signature=", "signature=x"), ("expires=", "expires=9"), ("/legal/withdrawals/", "/legal/withdrawals/9")],
)
async def test_an_acknowledgement_opens_by_its_link_alone(guest, change):
    _, made = await guest.confirm()

    assert (await guest.read(made["url"].replace(*change)))[0] == 404


async def test_the_store_says_what_is_excepted(guest, store):
    words = {"has_withdrawal": True, "withdrawal_exceptions": "Opened <jars> cannot be returned."}
    await store.send("PUT", "/settings/legal", words)

    assert "Opened &lt;jars&gt; cannot be returned." in (await guest.read())[1]
