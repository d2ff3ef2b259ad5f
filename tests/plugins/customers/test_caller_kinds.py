"""Access tokens of customers."""

from datetime import timedelta

from comanda.accounts import callers
from comanda_customers.caller_kinds import CUSTOMER
from comanda_customers.services.sign_in.tokens import issue_token


async def test_token_expires_180_days_after_last_use(customer, owner, store_id, clock):
    issued = await issue_token(owner.id, store_id, customer.id, "phone")
    assert issued.expires_at == clock() + timedelta(days=180)

    clock.advance(days=179)
    assert (await callers.find_caller(issued.secret, CUSTOMER)).expires_at == clock() + timedelta(days=180)
    clock.advance(days=179)
    assert await callers.find_caller(issued.secret, CUSTOMER) is not None
    clock.advance(days=180)
    assert await callers.find_caller(issued.secret, CUSTOMER) is None


async def test_customer_token_cannot_use_owner_routes(client, customer, owner, store_id):
    issued = await issue_token(owner.id, store_id, customer.id, "phone")

    for path in ("/me", f"/restaurants/{store_id}/guests", f"/restaurants/{store_id}/orders"):
        response = await client.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {issued.secret}"})
        assert response.status_code == 401


async def test_owner_and_customer_tokens_are_not_interchangeable(ada, client, owner, store_id):
    for path in ("/me", "/orders", "/addresses", "/me/export"):
        response = await client.get(f"/api/v1/customer{path}", headers=owner.auth)
        assert response.status_code == 401
    auth = {"Authorization": f"Bearer {ada.token}"}
    for path in (f"/restaurants/{store_id}/customers", f"/restaurants/{store_id}/customers/{ada.id}"):
        assert (await client.get(f"/api/v1{path}", headers=auth)).status_code == 401
