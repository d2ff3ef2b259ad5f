"""What a reseller's invoices say about the seller, their tax and when they are due."""

from comanda.basics import clock, extend_record, to_ppm
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_reseller.models import Account
from comanda_reseller.records.accounts import BillingSettings
from comanda_reseller.schemas.account import BillingSettingsChange
from comanda_reseller.services.resellers.accounts import require_account

CLEARABLE = frozenset({"legal_name", "address", "tax_number", "payment_note"})


async def get_settings(caller: Caller) -> BillingSettings:
    """Return the caller's settings of invoices. Raises ``Forbidden``."""
    return _to_record(await require_account(caller))


async def update_settings(caller: Caller, change: BillingSettingsChange) -> BillingSettings:
    """Update them for invoices that are issued from now on; omitted fields stay. Raises ``Forbidden``."""
    account = await require_account(caller)
    given = change.model_dump(exclude_unset=True)
    values = {name: value for name, value in given.items() if value is not None or name in CLEARABLE}
    if "tax_rate" in values:
        values["tax_ppm"] = to_ppm(values.pop("tax_rate"))
    if values:
        account.update_from_dict({**values, "updated_at": clock.now()})
        # The entry of the audit log is written with the change.
        async with sql.transaction():
            await account.save(update_fields=[*values, "updated_at"])
    return _to_record(account)


def _to_record(account: Account) -> BillingSettings:
    return extend_record(BillingSettings, account)
