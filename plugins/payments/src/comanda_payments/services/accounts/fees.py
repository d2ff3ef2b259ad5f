"""The operator's fee of an online payment: by store, else by owner, else by plan; withheld, and kept in the ledger."""

from dataclasses import dataclass
from typing import Final

import structlog
from comanda.basics import PPM_OF_WHOLE, round_half_up
from comanda.contracts import AccountCapability, PaymentAccount
from comanda.platform import get_entitlement
from comanda.platform.db import sql
from comanda_wallet import api as wallet

from comanda_payments.entitlements import PLATFORM_FEE
from comanda_payments.services.bills.amounts import format_amount

log = structlog.get_logger(__name__)

# The quota of a plan is in hundredths of a percent.
PPM_OF_QUOTA: Final = 100
SELECT_FEE: Final = """
    SELECT fee_rate_ppm AS rate_ppm, fee_fixed_minor AS fixed_minor FROM payments_terms
    WHERE owner_id = $1 AND (store_id = $2 OR store_id IS NULL) AND fee_rate_ppm IS NOT NULL
    ORDER BY store_id NULLS LAST LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Fee:
    """A fee: a share of an amount, in parts per million, and a fixed amount in the wallets' currency."""

    rate_ppm: int = 0
    fixed_minor: int = 0

    def get_minor(self, amount_minor: int) -> int:
        """Return the fee of an amount, at most all of it."""
        share = round_half_up(amount_minor * self.rate_ppm, PPM_OF_WHOLE)
        return min(amount_minor, share + self.fixed_minor)


async def get_fee(owner_id: int, store_id: int | None) -> Fee:
    """Return the fee of payments in a store, or of an owner's payments in general."""
    row = await sql.fetch_one(SELECT_FEE, owner_id, store_id)
    if row is not None:
        return sql.to_record(Fee, row)
    return await get_plan_fee(owner_id)


async def get_plan_fee(owner_id: int) -> Fee:
    """Return the fee of an owner's plan."""
    quota = (await get_entitlement(owner_id, PLATFORM_FEE.code)).quota or 0
    return Fee(rate_ppm=min(quota * PPM_OF_QUOTA, PPM_OF_WHOLE))


async def calculate_fee_minor(account: PaymentAccount, store_id: int, amount_minor: int, currency: str) -> int:
    """Return the fee of a new payment: 0 if its provider cannot withhold one, or the ledger is in another currency."""
    if AccountCapability.PLATFORM_FEE not in account.capabilities:
        return 0
    fee = (await get_fee(account.owner_id, store_id)).get_minor(amount_minor)
    return fee if fee and await _is_ledger_in(account.owner_id, currency) else 0


async def record_fee(payment: sql.Row) -> None:
    """Record the fee of a payment that succeeded in the ledger, in the open transaction."""
    if not payment["fee_minor"]:
        return
    if not await _is_ledger_in(payment["owner_id"], payment["currency"]):
        # The money is there, whatever the operator has changed since the payment was started.
        log.warning("fee_not_recorded", payment_id=payment["id"], currency=payment["currency"])
        return
    amount = format_amount(payment["fee_minor"], payment["currency"])
    purpose = payment["description"] if payment["order_id"] is None else f"order {payment['number']}"
    description = f"{amount} of payment {payment['id']}, {purpose}"
    await wallet.record_fee(payment["owner_id"], payment["fee_minor"], f"payment-{payment['id']}", description)


async def _is_ledger_in(owner_id: int, currency: str) -> bool:
    return currency == wallet.get_currency() == (await wallet.get_wallet(owner_id)).currency
