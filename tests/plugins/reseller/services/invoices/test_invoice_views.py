"""Links to invoices for people without a token."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

from comanda.platform.encryption import find_link_owner
from comanda_reseller.services.invoices.invoice_views import LINK_PURPOSE, create_link, get_page_path


async def test_link_names_one_invoice_until_it_expires(owner, clock):
    moment = datetime(2030, 1, 7, tzinfo=UTC)
    clock.set(moment)
    link = await create_link(SimpleNamespace(owner_id=owner.id, id=5))
    query = {name: values[0] for name, values in parse_qs(urlsplit(link.page_url).query).items()}

    assert urlsplit(link.page_url).path == get_page_path(5)
    assert link.pdf_url == link.page_url.replace("/5?", "/5.pdf?")
    assert timedelta(days=59) < link.expires_at - moment <= timedelta(days=61)
    assert await find_link_owner(LINK_PURPOSE, 5, *query.values()) == owner.id
    assert await find_link_owner(LINK_PURPOSE, 6, *query.values()) is None
    clock.advance(days=62)
    assert await find_link_owner(LINK_PURPOSE, 5, *query.values()) is None
