"""Gift cards in the dashboard."""

import re

import pytest
from comanda.devkit.testing import sign_in


@pytest.fixture
def path(store):
    return f"/stores/{store.id}/gift-cards"


async def list_cards(store):
    return (await store.get("/gift-cards"))["data"]


async def test_card_is_issued_and_its_code_shown_once(dashboard, store, till, path):
    assert "No gift cards yet" in await dashboard.get(path)

    page = await dashboard.post(
        f"{path}/new", {"amount": "12,50", "note": "For Bo", "expires_at": "2099-12-31T23:00"}, status=200
    )

    [card] = await list_cards(store)
    [code] = set(re.findall(r"[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}", page))
    assert (card["balance"], card["note"], card["code_last4"]) == (12.5, "For Bo", code[-4:])
    assert (await till.pay("gift_card", 10, code=code)).status == 201
    for shown in (await dashboard.get(f"{path}/{card['id']}"), await dashboard.get(path)):
        assert code not in shown
        assert "€2.50" in shown
        assert "For Bo" in shown


async def test_form_that_is_sent_twice_issues_one_card(dashboard, store, path):
    page = await dashboard.get(f"{path}/new")
    key = re.search(r'name="_form_key" value="([^"]+)"', page)[1]
    fields = {"amount": "5", "note": "", "expires_at": "", "_form_key": key}

    await dashboard.post(f"{path}/new", fields, status=200)
    again = await dashboard.post(f"{path}/new", fields, status=200)

    assert len(await list_cards(store)) == 1
    assert "was issued before" in again


@pytest.mark.parametrize(
    "fields", [{"amount": "much"}, {"amount": "0"}, {"amount": "5", "expires_at": "2001-01-01T00:00"}]
)
async def test_wrong_card_is_refused_beside_the_field(dashboard, store, path, fields):
    page = await dashboard.post(f"{path}/new", {"note": "For Bo", **fields}, status=422)

    assert 'aria-invalid="true"' in page
    assert 'value="For Bo"' in page
    assert await list_cards(store) == []


async def test_card_is_found_by_its_code_and_by_its_end(dashboard, store, path, card):
    await store.send("POST", "/gift-cards", {"amount": 99})
    code = card["code"]
    one = f"{path}/{card['id']}"

    assert await dashboard.post(f"{path}/lookup", {"code": f"{code[:8].lower()}-{code[8:]}"}) == one
    found = await dashboard.get(f"{path}?code_last4={code[-4:].lower()}")
    assert f'href="/dashboard{one}"' in found
    assert "€99.00" not in found
    unknown = await dashboard.post(f"{path}/lookup", {"code": "0" * 16}, status=422)
    assert "no gift card with this code" in unknown
    await dashboard.get(f"{path}?code_last4=12345")


async def test_card_is_topped_up_deducted_blocked_and_unblocked(dashboard, store, path, card):
    one = f"{path}/{card['id']}"
    await dashboard.post(f"{one}/adjust", {"amount": "10", "reason": "Topped up at the till"})
    too_much = await dashboard.post(f"{one}/adjust", {"amount": "-50", "reason": "Oops"}, status=422)
    await dashboard.post(f"{one}/adjust", {"amount": "-5", "reason": "Issued with too much"})
    page = await dashboard.get(one)

    assert "balance is too low" in too_much
    assert "€20.00" in page
    assert "Topped up at the till" in page
    await dashboard.post(f"{one}/block")
    assert (await store.get(f"/gift-cards/{card['id']}"))["status"] == "blocked"
    assert "Unblock" in await dashboard.get(one)
    await dashboard.post(f"{one}/unblock")
    assert (await store.get(f"/gift-cards/{card['id']}"))["status"] == "active"


async def test_customer_of_a_card_is_named(dashboard, store, path, customer):
    page = await dashboard.get(f"{path}/new?customer_id={customer.id}")
    await dashboard.post(f"{path}/new", {"amount": "5", "customer_id": str(customer.id)}, status=200)

    [card] = await list_cards(store)
    assert "For Ada." in page
    assert card["customer_id"] == customer.id
    assert f"/customers/{customer.id}" in await dashboard.get(f"{path}/{card['id']}")
    await dashboard.get(f"{path}/new?customer_id=x")


async def test_card_of_another_store_looks_missing(dashboard, store, open_store, card):
    other = f"/stores/{(await open_store('restaurant')).id}/gift-cards"
    one = f"{other}/{card['id']}"

    for page in ("", "/adjust"):
        await dashboard.get(one + page, status=404)
    for act in ("/adjust", "/block", "/unblock"):
        await dashboard.post(one + act, {"amount": "5", "reason": "x"}, status=404)
    assert "no gift card" in await dashboard.post(f"{other}/lookup", {"code": card["code"]}, status=422)
    assert (await store.get(f"/gift-cards/{card['id']}"))["balance"] == 15


async def test_money_is_created_only_with_the_scope_after_a_recent_sign_in(app, owner, dashboard, store, clock, path):
    reader = await sign_in(app, owner.id, scopes={"orders:read"})
    assert "Issue a gift card" not in await reader.get(path)
    await reader.post(f"{path}/new", {"amount": "5"}, status=403)

    clock.advance(minutes=11)
    page = await dashboard.post(f"{path}/new", {"amount": "5"}, status=403)

    assert "/sign-in/confirm" in page
    assert await list_cards(store) == []


async def test_staff_have_no_gift_cards(app, owner, store, customer):
    member = await sign_in(app, owner.id, kind="staff", store_id=store.id, subject_id=1, scopes={"orders", "customers"})

    assert "/gift-cards" not in await member.get(f"/stores/{store.id}/orders")
    await member.get(f"/stores/{store.id}/gift-cards", status=403)
    assert "Store credit" not in await member.get(f"/stores/{store.id}/customers/{customer.id}")
