"""The operator's terms for owners: whether the own account is lent, and the fees of online payments."""

from typing import Final

from comanda.accounts import get_owner, record_decision
from comanda.basics import Money, NotFound, money, to_percent, to_ppm
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda_wallet import api as wallet

from comanda_payments.records.accounts import FeeDecision, OwnPaymentTerms, StoreFee, TermsDecisions
from comanda_payments.schemas import FeeBody
from comanda_payments.services.accounts import fees, payment_accounts
from comanda_payments.services.accounts.fees import Fee

SELECT_STORES: Final = "SELECT id, title FROM core_store_v1 WHERE owner_id = $1 ORDER BY id LIMIT 100"
SELECT_STORE: Final = "SELECT id FROM core_store_v1 WHERE owner_id = $1 AND id = $2"
SELECT_FEES: Final = """
    SELECT t.store_id, s.title, t.fee_rate_ppm AS rate_ppm, t.fee_fixed_minor AS fixed_minor FROM payments_terms t
    LEFT JOIN core_store_v1 s ON s.id = t.store_id AND s.owner_id = t.owner_id
    WHERE t.owner_id = $1 AND t.fee_rate_ppm IS NOT NULL AND (t.store_id IS NULL OR s.id IS NOT NULL)
    ORDER BY t.store_id NULLS FIRST LIMIT 101
"""
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


async def list_stores(owner_id: int) -> list[sql.Row]:
    """List the first 100 stores of an owner, with ``id`` and ``title``."""
    return await sql.fetch(SELECT_STORES, owner_id)


async def load_decisions(owner_id: int) -> TermsDecisions:
    """Return what the operator has decided for an owner."""
    currency = wallet.get_currency()
    rows = await sql.fetch(SELECT_FEES, owner_id)
    return TermsDecisions(
        lends_account=await payment_accounts.is_operator_account_lent(owner_id),
        currency=currency,
        fees=[
            FeeDecision(each["store_id"], each["title"], each["rate_ppm"], Money(each["fixed_minor"], currency))
            for each in rows
        ],
        plan_percent=to_percent((await fees.get_plan_fee(owner_id)).rate_ppm),
    )


@sql.transaction()
async def set_loan_as_administrator(caller: Caller, owner_id: int, *, lends_account: bool) -> None:
    """Lend the operator's accounts to an owner or no longer, with an entry in the owner's audit log."""
    await get_owner(owner_id)
    await set_loan(owner_id, lends_account=lends_account)
    await record_decision(caller, owner_id, f"account/payment_loan_{'grant' if lends_account else 'revoke'}")


@sql.transaction()
async def set_fee_as_administrator(caller: Caller, owner_id: int, body: FeeBody) -> None:
    """Set a fee, with an entry in the owner's audit log. Raises ``NotFound``, ``ValidationFailed`` for the amount."""
    await get_owner(owner_id)
    fee = Fee(to_ppm(body.percent), money.parse_amount(body.fixed, wallet.get_currency(), "fixed"))
    await set_fee(owner_id, body.store_id, fee)
    await record_decision(caller, owner_id, "account/payment_fee_set")


@sql.transaction()
async def delete_fee_as_administrator(caller: Caller, owner_id: int, store_id: int | None) -> None:
    """Remove a fee that was set, with an entry in the owner's audit log. Raises ``NotFound``."""
    await get_owner(owner_id)
    await set_fee(owner_id, store_id, None)
    await record_decision(caller, owner_id, "account/payment_fee_delete")
