"""The subscription of a customer and its invoices, as the customer sees them."""

from comanda.contracts import Answer, Caller, PageRequest, RecordPage, Routes

from comanda_reseller.records.invoices import Invoice
from comanda_reseller.records.subscriptions import FeatureUsage, OwnSubscription
from comanda_reseller.schemas.invoices import OwnInvoiceQuery
from comanda_reseller.services.customers import own_subscription
from comanda_reseller.services.invoices import invoice_acts, invoice_lists, invoice_pdf, invoice_views
from comanda_reseller.services.invoices.invoice_lists import InvoiceFilter

routes = Routes("Subscription")


@routes.get("/subscription", scope="billing:read")
async def get_subscription(caller: Caller) -> OwnSubscription:
    """Return the caller's subscription with its plan; the last one if it has expired.

    404 for an account that never had a subscription from a reseller.
    """
    return await own_subscription.get_own_subscription(caller)


@routes.get("/subscription/usage", scope="billing:read")
async def list_usage(caller: Caller, page: PageRequest) -> RecordPage[FeatureUsage]:
    """List the features, with the caller's limits and how much of each is in use, 20 per page."""
    return await own_subscription.list_usage(caller, page)


@routes.get("/invoices", scope="billing:read")
async def list_own_invoices(caller: Caller, query: OwnInvoiceQuery, page: PageRequest) -> RecordPage[Invoice]:
    """List the invoices for your subscription, newest first, 20 per page."""
    return await invoice_lists.list_own_invoices(caller, InvoiceFilter(**query.model_dump()), page)


@routes.get("/invoices/{invoiceId}", scope="billing:read")
async def get_own_invoice(caller: Caller, invoice_id: int) -> Invoice:
    """Return an invoice for your subscription."""
    return await invoice_lists.get_own_invoice(caller, invoice_id)


@routes.get("/invoices/{invoiceId}/pdf", scope="billing:read", answers=bytes, content_types=(invoice_pdf.PDF_TYPE,))
async def get_own_invoice_pdf(caller: Caller, invoice_id: int) -> Answer:
    """Return an invoice for your subscription as a PDF."""
    return await invoice_views.render_answer(await invoice_lists.get_own_invoice(caller, invoice_id))


@routes.post("/invoices/{invoiceId}/pay", scope="billing:write", status=200)
async def pay_own_invoice(caller: Caller, invoice_id: int) -> Invoice:
    """Pay an open invoice from your wallet. Answers 402 if the wallet does not cover it."""
    return await invoice_acts.pay_own_invoice(caller, invoice_id)
