"""The routes behind the forms of guests who pay in advance."""

from uuid import uuid4


async def test_pages_of_other_sites_buy_nothing(payer, selling, client, store):
    body = {"amount": 50, "email": "ana@example.com", "client_uuid": str(uuid4())}

    for headers in ({}, {"Origin": "http://evil.example"}):
        response = await client.post("/s/any/gift-card-sales", json=body, headers=headers)
        assert response.status_code == 403
    assert await payer.list() == []


async def test_only_a_link_starts_a_payment(payer, new_deposit):
    deposit = await new_deposit()

    for query in ("", "?expires=1&signature=x", f"?expires=9999999999&signature={'0' * 64}"):
        assert (await payer.send(f"/prepayments/{deposit['id']}/start{query}", {})).status == 404
        assert (await payer.read(f"/prepayments/{deposit['id']}/return{query}"))[0] == 404
