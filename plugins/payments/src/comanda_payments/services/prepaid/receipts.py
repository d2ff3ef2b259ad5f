"""Receipts of prepayments, by e-mail to whoever has paid."""

from typing import Final

import structlog
from comanda.basics import RateLimited, ValidationFailed
from comanda.orders import erasure
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.web import format_minor, use_language
from comanda_notifications import api as notifications

from comanda_payments.message_templates import DEPOSIT_PAID, GIFT_CARD_SOLD
from comanda_payments.models import PrepaymentKind
from comanda_payments.services.balances import gift_card_codes
from comanda_payments.services.prepaid import prepayment_checkout
from comanda_payments.services.prepaid.prepayment_rows import Prepayment, get_prepayment

log = structlog.get_logger(__name__)

TEMPLATES: Final = {PrepaymentKind.GIFT_CARD: GIFT_CARD_SOLD, PrepaymentKind.DEPOSIT: DEPOSIT_PAID}
SELECT_TITLE: Final = "SELECT title FROM core_store_v1 WHERE id = $1 AND owner_id = $2"


async def send_receipt(owner_id: int, prepayment_id: int) -> None:
    """Send the receipt of a prepayment that was paid, once; none without an address."""
    async with sql.transaction():
        await erasure.lock_for_copying()
        prepayment = await get_prepayment(owner_id, prepayment_id)
        if prepayment.email is None:
            return
        template = TEMPLATES[prepayment.kind]
        values = {
            "store": await sql.fetch_value(SELECT_TITLE, prepayment.store_id, owner_id),
            "amount": _format_amount(prepayment),
            "description": prepayment.description,
            "link": await _create_url(prepayment),
            "code": await gift_card_codes.get_sold_code(owner_id, prepayment_id),
        }
        try:
            await notifications.send_template(
                template.name,
                to=prepayment.email,
                channel="email",
                values={field: values[field] for field in template.fields},
                language=prepayment.language,
                owner_id=owner_id,
                store_id=prepayment.store_id,
                secret=prepayment.kind is PrepaymentKind.GIFT_CARD,
                once=f"{template.name}:{prepayment_id}",
            )
        except (RateLimited, ValidationFailed) as error:
            # The guest's page has the code too.
            log.warning("receipt_not_sent", prepayment_id=prepayment_id, error=str(error))


async def _create_url(prepayment: Prepayment) -> str:
    path = prepayment.page_path or await prepayment_checkout.create_link(prepayment.owner_id, prepayment.id)
    return runtime.registry().guest_site_url(runtime.settings().site_url, prepayment.store_id) + path


def _format_amount(prepayment: Prepayment) -> str:
    with use_language(prepayment.language):
        return format_minor(prepayment.paid_minor, prepayment.currency)
