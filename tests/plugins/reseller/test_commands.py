"""The commands of operators."""

import json

import pytest
from comanda.basics import Conflict, NotFound
from comanda.devkit.testing import Installation, create_migrated_data_folder
from comanda_reseller import commands
from comanda_reseller.models import Customer
from comanda_reseller.services.resellers import account_administration


async def test_create_is_idempotent_and_keeps_the_currency(owner):
    first = await account_administration.create_reseller(owner.id, "USD")
    await account_administration.disable_reseller(owner.id)

    again = await account_administration.create_reseller(owner.id)

    assert (again.id, again.currency, again.is_active) == (first.id, "USD", True)
    with pytest.raises(Conflict):
        await account_administration.create_reseller(owner.id, "EUR")


async def test_account_is_a_customer_of_one_reseller(reseller, other_owner):
    await account_administration.create_reseller(other_owner.id)
    customer = await reseller.customer()

    with pytest.raises(Conflict):
        await account_administration.add_customer(other_owner.email, customer.email)
    with pytest.raises(Conflict):
        await account_administration.create_reseller(customer.id)
    with pytest.raises(Conflict):
        await account_administration.add_customer(reseller.owner.email, other_owner.email)
    assert await Customer.filter(owner_id=other_owner.id).count() == 0


async def test_list_counts_customers_and_subscriptions(reseller):
    await reseller.subscribe(await reseller.customer(), await reseller.plan())
    await reseller.customer()

    found = {one.owner_id: one for one in await account_administration.list_resellers()}[reseller.owner.id]

    assert (found.email, found.customers_count, found.subscriptions_count) == (reseller.owner.email, 2, 1)


async def test_unknown_accounts_are_named(owner):
    with pytest.raises(NotFound):
        await account_administration.disable_reseller(owner.id)
    with pytest.raises(NotFound):
        await account_administration.set_tier(owner.id, "gold")


@pytest.fixture
def installation():
    """An installation of its own, for the commands as people run them."""
    return Installation(create_migrated_data_folder(), {})


def test_commands_create_and_list_a_reseller(installation):
    for arguments in (
        ["owner", "create", "norte@example.com", "--name", "Norte"],
        ["owner", "create", "rosa@example.com", "--name", "Rosa"],
        ["reseller", "create", "norte@example.com"],
        ["reseller", "add-customer", "norte@example.com", "rosa@example.com"],
        ["reseller", "set-tier", "norte@example.com", "gold"],
    ):
        done = installation.run(*arguments)
        assert done.returncode == 0, done.stderr
    wrong = installation.run("reseller", "set-tier", "norte@example.com", "wood")
    assert (wrong.returncode, "There is no tier wood." in wrong.stderr) == (1, True)

    listed = json.loads(installation.run("reseller", "list", "--json").stdout)

    assert [(one["email"], one["tier_key"], one["customers_count"]) for one in listed] == [
        ("norte@example.com", "gold", 1)
    ]
    assert commands.reseller.commands.keys() == {"create", "list", "disable", "set-tier", "add-customer"}
