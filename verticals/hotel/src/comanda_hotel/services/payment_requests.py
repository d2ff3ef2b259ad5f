"""The mail that asks guests who have left, or did not come, for what they still have to pay."""

from typing import Final

import structlog
from comanda.basics import RateLimited, ValidationFailed
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.web import format_minor
from comanda_notifications import api as notifications

from comanda_hotel.message_templates import PAYMENT_REQUEST
from comanda_hotel.models import Stay
from comanda_hotel.services import stay_links

log = structlog.get_logger(__name__)

SELECT_TITLE: Final = "SELECT title FROM core_store_v1 WHERE id = $1 AND owner_id = $2"


async def send_request(stay: Stay, amount_minor: int, description: str, once: str) -> None:
    """Send a mail with the link to the page of a stay, in the open transaction; none without an address."""
    if stay.email is None:
        return
    path = await stay_links.create_path(stay.owner_id, stay.id, stay.check_out, stay.check_out)
    site = runtime.registry().guest_site_url(runtime.settings().site_url, stay.store_id)
    values = {
        "store": await sql.fetch_value(SELECT_TITLE, stay.store_id, stay.owner_id),
        "amount": format_minor(amount_minor, stay.currency),
        "description": description,
        "link": site + path,
    }
    try:
        await notifications.send_template(
            PAYMENT_REQUEST.name,
            to=stay.email,
            channel="email",
            values=values,
            owner_id=stay.owner_id,
            store_id=stay.store_id,
            once=f"{PAYMENT_REQUEST.name}:{once}",
        )
    except (RateLimited, ValidationFailed) as error:
        # The desk has the link too.
        log.warning("payment_not_requested", stay_id=stay.id, error=str(error))
