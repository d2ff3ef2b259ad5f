"""Gift cards over HTTP: rate limits, idempotency keys, and what customers see."""

import pytest
from comanda_customers.services.sign_in.tokens import issue_token


async def test_lookups_are_rate_limited(store, card, monkeypatch):
    monkeypatch.setattr("comanda_payments.routes.gift_cards.MAX_LOOKUPS_PER_MINUTE", 2)

    statuses = [(await store.send("POST", "/gift-cards/lookup", {"code": card["code"]})).status for _ in range(4)]

    assert 429 in statuses


async def test_customers_see_only_own_cards(store, owner, client, new_customer, card):
    ada, bo = await new_customer("Ada"), await new_customer("Bo")
    mine = await store.send("POST", "/gift-cards", {"amount": 5, "customer_id": ada.id, "note": "For the staff"})
    await store.send("POST", "/gift-cards", {"amount": 6, "customer_id": bo.id})
    token = await issue_token(owner.id, store.id, ada.id, "phone")
    auth = {"Authorization": f"Bearer {token.secret}"}

    seen = await (await client.get("/api/v1/customer/gift-cards", headers=auth)).get_json()

    assert seen["total"] == 1
    assert [(one["id"], one["code_last4"], one["balance"]) for one in seen["data"]] == [
        (mine["id"], mine["code_last4"], 5)
    ]
    assert "note" not in seen["data"][0]
    assert (await store.get(f"/gift-cards?customer_id={ada.id}"))["total"] == 1
    assert (await client.get("/api/v1/customer/gift-cards", headers=owner.auth)).status_code == 401


@pytest.mark.parametrize("key", ["", "a b", "k" * 256])
async def test_invalid_key_is_refused(store, key):
    reply = await store.send("POST", "/gift-cards", {"amount": 15}, Idempotency_Key=key)

    assert list(reply.errors) == ["Idempotency-Key"]
    assert (await store.get("/gift-cards"))["total"] == 0
