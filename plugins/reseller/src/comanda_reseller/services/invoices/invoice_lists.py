"""Invoices as resellers and their customers list and read them."""

from dataclasses import dataclass
from typing import Final

from comanda.basics import NotFound, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_reseller.models import InvoiceIssuer, InvoiceKind, InvoiceStatus
from comanda_reseller.records.invoices import Invoice
from comanda_reseller.services.customers.own_subscription import find_reseller
from comanda_reseller.services.invoices.invoice_rows import INVOICE_COLUMNS, get_invoice, to_invoices
from comanda_reseller.services.resellers.accounts import require_account

FILTER: Final = """
    i.owner_id = $1 AND i.issuer = $2
    AND ($3::bigint IS NULL OR i.customer_owner_id = $3) AND ($4::text IS NULL OR i.status = $4)
    AND ($5::text IS NULL OR i.kind = $5) AND ($6::bigint IS NULL OR i.subscription_id = $6)
"""
SELECT_PAGE: Final = f"""
    SELECT {INVOICE_COLUMNS} FROM reseller_invoice i WHERE {FILTER} ORDER BY i.id DESC LIMIT $7 OFFSET $8
"""
COUNT: Final = f"SELECT count(*) FROM reseller_invoice i WHERE {FILTER}"


@dataclass(frozen=True, slots=True)
class InvoiceFilter:
    """What to list; None for everything."""

    status: InvoiceStatus | None = None
    kind: InvoiceKind | None = None
    customer_id: int | None = None
    subscription_id: int | None = None


async def list_customer_invoices(caller: Caller, chosen: InvoiceFilter, page: PageRequest) -> RecordPage[Invoice]:
    """List what a reseller has issued to its customers, newest first. Raises ``Forbidden``."""
    await require_account(caller)
    return await _list(caller.owner_id, InvoiceIssuer.RESELLER, chosen, page)


async def get_customer_invoice(caller: Caller, invoice_id: int) -> Invoice:
    """Return an invoice or credit note of a reseller to a customer. Raises ``Forbidden`` and ``NotFound``."""
    await require_account(caller)
    return await _get(caller.owner_id, InvoiceIssuer.RESELLER, invoice_id)


async def list_platform_invoices(caller: Caller, chosen: InvoiceFilter, page: PageRequest) -> RecordPage[Invoice]:
    """List what a reseller owes the platform, newest first. Raises ``Forbidden``."""
    await require_account(caller)
    return await _list(caller.owner_id, InvoiceIssuer.PLATFORM, chosen, page)


async def get_platform_invoice(caller: Caller, invoice_id: int) -> Invoice:
    """Return an invoice of the platform to a reseller. Raises ``Forbidden`` and ``NotFound``."""
    await require_account(caller)
    return await _get(caller.owner_id, InvoiceIssuer.PLATFORM, invoice_id)


async def list_own_invoices(caller: Caller, chosen: InvoiceFilter, page: PageRequest) -> RecordPage[Invoice]:
    """List what the reseller of an account has issued to it, newest first; nothing if it has no reseller."""
    reseller_id = await find_reseller(caller)
    if reseller_id is None:
        return page.of([], 0)
    own = InvoiceFilter(chosen.status, chosen.kind, caller.owner_id, chosen.subscription_id)
    return await _list(reseller_id, InvoiceIssuer.RESELLER, own, page)


async def get_own_invoice(caller: Caller, invoice_id: int) -> Invoice:
    """Return an invoice that the reseller of an account has issued to it. Raises ``NotFound``."""
    reseller_id = require_found(await find_reseller(caller))
    invoice = await _get(reseller_id, InvoiceIssuer.RESELLER, invoice_id)
    if invoice.customer_id != caller.owner_id:
        raise NotFound
    return invoice


async def find_readable_invoice(caller: Caller, invoice_id: int) -> Invoice:
    """Return an invoice that an account has issued, or that it owes. Raises ``NotFound``."""
    try:
        return await get_invoice(caller.owner_id, invoice_id)
    except NotFound:
        return await get_own_invoice(caller, invoice_id)


async def _list(owner_id: int, issuer: InvoiceIssuer, chosen: InvoiceFilter, page: PageRequest) -> RecordPage[Invoice]:
    values = (owner_id, issuer, chosen.customer_id, chosen.status, chosen.kind, chosen.subscription_id)
    rows = await sql.fetch(SELECT_PAGE, *values, page.size(), page.offset())
    return page.of(await to_invoices(owner_id, rows), await sql.fetch_value(COUNT, *values))


async def _get(owner_id: int, issuer: InvoiceIssuer, invoice_id: int) -> Invoice:
    invoice = await get_invoice(owner_id, invoice_id)
    if invoice.issuer is not issuer:
        raise NotFound
    return invoice
