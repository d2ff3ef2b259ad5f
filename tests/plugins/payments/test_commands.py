"""The operator's commands: the loan of its payment accounts, and fees."""

import pytest
from comanda.devkit.testing import Installation
from comanda.platform.db import sql
from comanda_payments.services.accounts import fees, payment_accounts
from comanda_payments.services.accounts.fees import Fee


@pytest.fixture
def run(settings):
    installation = Installation(settings.data, {"DATABASE_URL": settings.database_url})

    def command(*arguments):
        return installation.run("payments", *arguments)

    return command


@pytest.fixture
async def email(owner):
    return await sql.fetch_value("SELECT email FROM core_owner WHERE id = $1", owner.id)


async def test_operator_lends_its_account_and_takes_it_back(run, email, owner):
    lent = run("lend", email)
    assert lent.stdout == f"{email} may use the operator's payment accounts.\n"
    assert await payment_accounts.is_operator_account_lent(owner.id)

    run("lend", email, "--off")

    assert not await payment_accounts.is_operator_account_lent(owner.id)


async def test_operator_sets_fees(run, email, owner, store):
    general = run("fee", email, "--percent", "1.5", "--fixed", "0.10")
    run("fee", email, "--percent", "2", "--store", str(store.id))

    assert general.stdout == f"The fee of {email} is 1.5 % + 0.10.\n"
    assert await fees.get_fee(owner.id, None) == Fee(15_000, 10)
    assert await fees.get_fee(owner.id, store.id) == Fee(20_000)
    run("fee", email, "--plan", "--store", str(store.id))
    assert await fees.get_fee(owner.id, store.id) == Fee(15_000, 10)


async def test_mistakes_change_nothing(run, email, owner, other_owner):
    foreign = str(await other_owner.store())
    for arguments in (
        (email,), (email, "--percent", "1", "--plan"), (email, "--percent", "101"), (email, "--percent", "much"),
        (email, "--percent", "1", "--fixed", "-1"), (email, "--percent", "1", "--store", foreign),
        ("nobody@example.com", "--percent", "1"),
    ):  # fmt: skip
        refused = run("fee", *arguments)
        assert refused.returncode != 0, arguments
        assert "Traceback" not in refused.stderr

    assert await fees.get_fee(owner.id, None) == Fee()
