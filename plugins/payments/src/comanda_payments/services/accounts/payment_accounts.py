"""The account that a store's payments go to: its own, else its owner's, else the operator's where that is lent."""

from typing import Final

from comanda.contracts import AccountState, PaymentAccount
from comanda.platform import runtime
from comanda.platform.db import sql

from comanda_payments.services.accounts.account_rows import (
    ACCOUNT_COLUMNS,
    SELECT_ACCOUNT,
    to_account,
    to_operator_account,
)
from comanda_payments.services.providers import provider_calls

# An account that was ready once stands in the way of the next one, so that a restriction never moves money elsewhere.
SELECT_ACCOUNTS_OF_STORE: Final = f"""
    SELECT DISTINCT ON (provider) {ACCOUNT_COLUMNS} FROM payments_account
    WHERE owner_id = $1 AND (store_id = $2 OR store_id IS NULL)
      AND state IN ('{AccountState.READY}', '{AccountState.RESTRICTED}')
    ORDER BY provider, store_id NULLS LAST
"""
# A provider names one account once. Who enters a key of its own has a webhook of its own.
SELECT_CONNECTED_ACCOUNTS: Final = f"""
    SELECT {ACCOUNT_COLUMNS} FROM payments_account
    WHERE provider = $1 AND external_id = $2 AND credentials = '' AND state <> '{AccountState.REVOKED}' LIMIT 10
"""
SELECT_IS_LENT: Final = """
    SELECT EXISTS (SELECT FROM payments_terms WHERE owner_id = $1 AND store_id IS NULL AND lends_account)
"""


async def find_accounts(owner_id: int, store_id: int) -> dict[str, PaymentAccount]:
    """Return the accounts that new payments of a store go to, ready or not, by provider, without their credentials."""
    rows = await sql.fetch(SELECT_ACCOUNTS_OF_STORE, owner_id, store_id)
    accounts = {row["provider"]: to_account(row) for row in rows}
    setups = {
        code: provider_calls.get_setup(code) for code in runtime.registry().payment_methods if code not in accounts
    }
    operators = {code: setup.operator for code, setup in setups.items() if setup and setup.operator}
    if operators and await is_operator_account_lent(owner_id):
        for code, operator in operators.items():
            accounts[code] = to_operator_account(code, operator, owner_id, store_id)
    return accounts


async def find_connected_accounts(provider: str, external_id: str) -> list[PaymentAccount]:
    """Return the accounts connected to the operator's that the provider knows by an id, for a webhook about it."""
    return [to_account(row) for row in await sql.fetch(SELECT_CONNECTED_ACCOUNTS, provider, external_id)]


async def is_operator_account_lent(owner_id: int) -> bool:
    """Check whether an owner may use the operator's accounts."""
    return bool(await sql.fetch_value(SELECT_IS_LENT, owner_id))


async def load_account(owner_id: int, store_id: int, provider: str, account_id: int | None) -> PaymentAccount | None:
    """Return an account with its credentials, whatever its state; without an id the operator's, if there is one."""
    if account_id is not None:
        row = await sql.one(SELECT_ACCOUNT, account_id, owner_id)
        return to_account(row, with_credentials=True)
    setup = provider_calls.get_setup(provider)
    if setup is None or setup.operator is None:
        return None
    return to_operator_account(provider, setup.operator, owner_id, store_id)
