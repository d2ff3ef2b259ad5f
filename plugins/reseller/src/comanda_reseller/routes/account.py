"""The account of a reseller: its brand, the settings of its invoices, its figures and its tier."""

from comanda.contracts import Caller, Routes

from comanda_reseller.records.accounts import BillingSettings, ResellerBrand, ResellerStats, Tier
from comanda_reseller.schemas.account import BillingSettingsChange, ResellerBrandBody
from comanda_reseller.services.resellers import billing_settings, brand, stats, tiers

routes = Routes("Reseller")


@routes.get("/reseller/billing-settings", scope="restaurants:read")
async def get_billing_settings(caller: Caller) -> BillingSettings:
    """Return what your invoices say about you, their tax, and when and how they are to be paid."""
    return await billing_settings.get_settings(caller)


@routes.put("/reseller/billing-settings", scope="restaurants:write")
async def update_billing_settings(caller: Caller, body: BillingSettingsChange) -> BillingSettings:
    """Update them for invoices that are issued from now on; omitted fields stay as they are."""
    return await billing_settings.update_settings(caller, body)


@routes.get("/reseller/brand", scope="restaurants:read")
async def get_brand(caller: Caller) -> ResellerBrand:
    """Return the name that pages and e-mails of your customers carry, and the address for their questions."""
    return await brand.get_brand(caller)


@routes.put("/reseller/brand", scope="restaurants:write")
async def update_brand(caller: Caller, body: ResellerBrandBody) -> ResellerBrand:
    """Set the name that pages and e-mails of your customers carry, and the address for their questions."""
    return await brand.update_brand(caller, body)


@routes.get("/reseller/stats", scope="restaurants:read")
async def get_stats(caller: Caller) -> ResellerStats:
    """Return the number of customers, the recurring revenue, and how many came and went in the last 30 days."""
    return await stats.get_stats(caller)


@routes.get("/reseller/tier", scope="restaurants:read")
async def get_tier(caller: Caller) -> Tier:
    """Return the caller's tier, its discount, and how many customers are missing to the next."""
    return await tiers.get_tier(caller)
