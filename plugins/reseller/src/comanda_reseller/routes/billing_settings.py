"""The settings of a reseller's invoices."""

from comanda.contracts import Caller, Routes

from comanda_reseller.records.accounts import BillingSettings
from comanda_reseller.schemas.billing_settings import BillingSettingsChange
from comanda_reseller.services.resellers import billing_settings

routes = Routes("Reseller")


@routes.get("/reseller/billing-settings", scope="restaurants:read")
async def get_billing_settings(caller: Caller) -> BillingSettings:
    """Return what your invoices say about you, their tax, and when and how they are to be paid."""
    return await billing_settings.get_settings(caller)


@routes.put("/reseller/billing-settings", scope="restaurants:write")
async def update_billing_settings(caller: Caller, body: BillingSettingsChange) -> BillingSettings:
    """Update them for invoices that are issued from now on; omitted fields stay as they are."""
    return await billing_settings.update_settings(caller, body)
