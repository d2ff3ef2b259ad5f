"""Issuing tokens."""

import pytest
from comanda.accounts import callers
from comanda.accounts import services as accounts
from comanda.accounts.models import AccessToken
from comanda.basics import NotFound, ValidationFailed
from comanda_customers.caller_kinds import CUSTOMER
from comanda_customers.services.sign_in.tokens import issue_token


async def test_token_identifies_customer_and_store(customer, owner, store_id):
    issued = await issue_token(owner.id, store_id, customer.id, " Ada's phone ")

    caller = await callers.find_caller(issued.secret, CUSTOMER)
    assert issued.secret.startswith("cus_")
    assert (caller.kind, caller.owner_id, caller.store_id) == ("customer", owner.id, store_id)
    assert (caller.subject_id, caller.scopes) == (customer.id, {"customer", "orders", "profile"})
    assert not caller.may("customers:read")
    assert (await AccessToken.get(id=issued.id)).name == "Ada's phone"


async def test_revoking_one_device_keeps_the_other(customer, owner, store_id):
    phone, laptop = [await issue_token(owner.id, store_id, customer.id, name) for name in ("phone", "laptop")]

    await accounts.revoke_token(owner.id, phone.id)

    assert await callers.find_caller(phone.secret, CUSTOMER) is None
    assert (await callers.find_caller(laptop.secret, CUSTOMER)).token_id == laptop.id


async def test_customer_of_other_store_or_owner_is_not_found(customer, owner, other_owner, store_id):
    elsewhere, nobody = await owner.store(), 987_654_321
    for owner_id, place, who in (
        (other_owner.id, store_id, customer.id),
        (owner.id, elsewhere, customer.id),
        (owner.id, store_id, nobody),
    ):
        with pytest.raises(NotFound):
            await issue_token(owner_id, place, who, "phone")
    assert await AccessToken.filter(kind="customer", owner_id__in=[owner.id, other_owner.id]).count() == 0


@pytest.mark.parametrize("device", ["", "  ", "x" * 101])
async def test_device_name_is_validated(customer, owner, store_id, device):
    with pytest.raises(ValidationFailed):
        await issue_token(owner.id, store_id, customer.id, device)
    assert await AccessToken.filter(kind="customer", owner_id=owner.id).count() == 0
