"""What guests get of invoices, by the track token of their order."""

from comanda.basics import NotFound
from comanda.contracts import Caller, Status
from comanda.orders import Order, queries
from comanda.stores import get_store_settings
from comanda.web import store_guests

from comanda_invoices.records import OrderInvoice
from comanda_invoices.schemas import InvoiceBody
from comanda_invoices.services import documents, invoices
from comanda_invoices.store_settings import InvoiceSettings


async def get_order(token: str) -> Order:
    """Return the order of a track token, if its store issues invoices or has issued one of it. Raises ``NotFound``."""
    order = await queries.get_tracking(token)
    if not await is_offered(order.owner_id, order.store_id) and not await list_invoices(order):
        raise NotFound
    return order


async def is_offered(owner_id: int, store_id: int) -> bool:
    """Return whether guests of a store can ask for invoices."""
    settings = await get_store_settings(InvoiceSettings, owner_id, store_id)
    return settings.is_offered and settings.is_complete


def can_request(order: Order) -> bool:
    """Return whether an order may have an invoice now."""
    is_kept = order.paid_minor > order.refunded_minor or not order.total_minor
    return order.is_paid and order.status is not Status.CANCELLED and is_kept


async def request_invoice(order: Order, body: InvoiceBody, language: str) -> OrderInvoice:
    """Issue the invoice of an order, or return the one that it has. Raises ``NotFound`` if the store offers none.

    Raises ``Conflict`` like ``invoices.issue_invoice``.
    """
    if not await is_offered(order.owner_id, order.store_id):
        raise NotFound
    guest = Caller(store_guests.GUEST_KIND, 0, order.owner_id, order.store_id, order.id, frozenset(), None)
    return (await invoices.issue_invoice(guest, order.store_id, order.id, body, language)).record


async def list_invoices(order: Order) -> list[OrderInvoice]:
    """Return the invoices and credit notes of an order, the newest first."""
    return await documents.list_of_order(order.owner_id, order.id)
