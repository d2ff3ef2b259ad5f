"""The receipt of a paid order, by e-mail."""

import hashlib
from collections.abc import Iterator
from typing import Final

from comanda.basics import PPM_OF_WHOLE, Conflict, Money, Sentence, ValidationFailed
from comanda.contracts import Caller
from comanda.orders import Order, queries
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.stores import get_store_settings
from comanda.web import format_money, format_percentage, store_guests
from comanda.web import gettext as _
from comanda_notifications import api as notifications
from comanda_payments.api import list_money_movements

from comanda_invoices.message_templates import RECEIPT
from comanda_invoices.records import Buyer, InvoiceContent, OrderInvoiceLine, Seller
from comanda_invoices.services import contents
from comanda_invoices.services.messages import create_guest_url
from comanda_invoices.store_settings import InvoiceSettings

PATH: Final = "/receipt/{token}"


async def get_order(token: str) -> Order:
    """Return the paid order of a track token. Raises ``NotFound``, and ``Conflict`` if it is not paid."""
    return _require_paid(await queries.get_tracking(token))


async def get_own_order(caller: Caller, order_id: int) -> Order:
    """Return a paid order of the caller's store. Raises ``NotFound``, and ``Conflict`` if it is not paid."""
    return _require_paid(await queries.get_order(caller.owner_id, caller.known_store_id, order_id))


async def send_receipt(order: Order, email: str, language: str) -> None:
    """Send the receipt of an order as it is now, once to an address until something is refunded.

    Raises ``ValidationFailed`` on ``email`` for an address that no mail can be sent to, and ``RateLimited``.
    """
    store = await store_guests.get_store(order.owner_id, order.store_id)
    settings = await get_store_settings(InvoiceSettings, order.owner_id, order.store_id)
    movements = (await list_money_movements([order.id], [order.owner_id])).get(order.id, [])
    seller = Seller(settings.legal_name or store.title, settings.address, settings.tax_number, settings.note)
    receipt = contents.create_invoice(order, seller, Buyer("", "", ""), movements, store.zone)
    digest = hashlib.sha256(email.lower().encode()).hexdigest()
    values = {
        "store": store.title,
        "number": str(order.number),
        "receipt": "\n".join(_list_rows(receipt, Money(order.refunded_minor, order.currency))),
        "link": create_guest_url(order.store_id, f"/t/{order.track_token}"),
    }
    try:
        async with sql.transaction():
            await notifications.send_template(
                RECEIPT.name,
                to=email,
                channel="email",
                values=values,
                language=language,
                owner_id=order.owner_id,
                store_id=order.store_id,
                once=f"{RECEIPT.name}:{order.id}:{order.refunded_minor}:{digest}",
            )
    except ValidationFailed as error:
        raise ValidationFailed(email=[Sentence("Must be an e-mail address.")]) from error


def _require_paid(order: Order) -> Order:
    if not order.is_paid:
        raise Conflict(Sentence("This order is not paid yet."), extras={"reason": "order_unpaid"})
    return order


def _list_rows(receipt: InvoiceContent, refunded: Money) -> Iterator[str]:
    """List the lines of the text, in the language of the call."""
    seller = receipt.seller
    yield from (each for each in (seller.name, seller.address) if each)
    if seller.tax_number:
        yield _row(_("Tax number"), seller.tax_number)
    yield ""
    for line in receipt.lines:
        yield _row(_describe(line), format_money(line.amount))
    for each in receipt.adjustments:
        yield _row(_(each.label), format_money(each.amount))
    if receipt.tip.minor:
        yield _row(_("Tip"), format_money(receipt.tip))
    yield _row(_("Total"), format_money(receipt.total))
    for row in receipt.taxes:
        label = _("Tax at %(rate)s", rate=format_percentage(row.rate / PPM_OF_WHOLE, 4))
        yield _row(label, format_money(row.tax))
    methods = runtime.registry().payment_methods
    for payment in receipt.payments:
        yield _row(_(methods[payment.method].label), format_money(payment.amount))
    if refunded.minor:
        yield _row(_("Refunded"), format_money(refunded))


def _describe(line: OrderInvoiceLine) -> str:
    options = f" ({line.options})" if line.options else ""
    return f"{line.quantity} {contents.MULTIPLICATION_SIGN} {line.name}{options}"


def _row(label: str, value: str) -> str:
    return f"{label}: {value}"
