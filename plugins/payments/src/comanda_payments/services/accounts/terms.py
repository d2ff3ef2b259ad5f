"""The operator's terms for owners: whether the own account is lent, and the fees of online payments."""

from typing import Final

from comanda.basics import Money, NotFound
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda_wallet import api as wallet

from comanda_payments.records.accounts import OwnPaymentTerms, StoreFee
from comanda_payments.services.accounts import fees, payment_accounts
from comanda_payments.services.accounts.fees import Fee

SELECT_STORES: Final = "SELECT id, title FROM core_store_v1 WHERE owner_id = $1 ORDER BY id LIMIT 100"
SELECT_STORE: Final = "SELECT id FROM core_store_v1 WHERE owner_id = $1 AND id = $2"
UPSERT_LOAN: Final = """
    INSERT INTO payments_terms (owner_id, lends_account) VALUES ($1, $2)
    ON CONFLICT (owner_id, store_id) DO UPDATE SET lends_account = excluded.lends_account
"""
UPSERT_FEE: Final = """
    INSERT INTO payments_terms (owner_id, store_id, fee_rate_ppm, fee_fixed_minor) VALUES ($1, $2, $3, $4)
    ON CONFLICT (owner_id, store_id) DO UPDATE
    SET fee_rate_ppm = excluded.fee_rate_ppm, fee_fixed_minor = excluded.fee_fixed_minor
"""


async def get_own_terms(caller: Caller) -> OwnPaymentTerms:
    """Return the terms of the caller, with the fee of each store that has one."""
    currency = wallet.get_currency()
    stores = [
        (row, await fees.get_fee(caller.owner_id, row["id"]))
        for row in await sql.fetch(SELECT_STORES, caller.owner_id)
    ]  # fmt: skip
    return OwnPaymentTerms(
        lends_account=await payment_accounts.is_operator_account_lent(caller.owner_id),
        currency=currency,
        fees=[
            StoreFee(row["id"], row["title"], fee.rate_ppm, Money(fee.fixed_minor, currency))
            for row, fee in stores
            if fee != Fee()
        ],
    )


async def set_loan(owner_id: int, *, lends_account: bool) -> None:
    """Lend the operator's accounts to an owner, or no longer; payments that were made stay where they are."""
    await sql.execute(UPSERT_LOAN, owner_id, lends_account)


async def set_fee(owner_id: int, store_id: int | None, fee: Fee | None) -> None:
    """Set the fee of payments in a store, or of all an owner's stores; None for that of the plan.

    Raises ``NotFound`` for a store of another owner.
    """
    if store_id is not None and await sql.fetch_value(SELECT_STORE, owner_id, store_id) is None:
        raise NotFound
    values = (None, None) if fee is None else (fee.rate_ppm, fee.fixed_minor)
    await sql.execute(UPSERT_FEE, owner_id, store_id, *values)
