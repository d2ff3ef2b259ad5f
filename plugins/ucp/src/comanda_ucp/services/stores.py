"""The stores that agents find: published ones whose owners offer them."""

from dataclasses import dataclass

from comanda.basics import NotFound
from comanda.contracts import Caller
from comanda.menu import MenuSnapshot
from comanda.platform import runtime
from comanda.stores import get_store_settings
from comanda.web import gettext as _
from comanda_storefront.api import build_page_url, build_store_url, get_published_store, to_guest_caller

from comanda_ucp.store_settings import UcpSettings


@dataclass(frozen=True, slots=True)
class UcpStore:
    """A store that agents find, with its menu and the caller that stands for its guests."""

    menu: MenuSnapshot
    address: str
    caller: Caller
    settings: UcpSettings

    @property
    def slug(self) -> str:
        """What tells the store from others in addresses."""
        return self.menu.terms.slug

    @property
    def currency(self) -> str:
        """The currency of its prices."""
        return self.menu.terms.currency

    @property
    def page_url(self) -> str:
        """The address of its page."""
        return build_store_url(self.slug)

    @property
    def api_url(self) -> str:
        """The address below which agents call it."""
        return build_page_url(f"/s/{self.slug}/ucp")

    def build_item_url(self, item_id: int) -> str:
        """Return the address of an item's page."""
        return build_page_url(f"/s/{self.slug}/items/{item_id}")

    def list_links(self) -> list[dict[str, str]]:
        """Return the pages that a buyer must be able to read before buying, such as the store's terms."""
        return [
            {"type": link.relation, "url": build_page_url(link.path.format(slug=self.slug)), "title": _(link.label)}
            for pages in runtime.registry().pages
            for link in pages.store_links
            if link.relation is not None and link.is_offered(self.menu.terms)
        ]


async def get_offered_store(slug: str) -> UcpStore:
    """Return a store that agents find. Raises ``NotFound`` for any other."""
    published = await get_published_store(slug)
    terms = published.menu.terms
    settings = await get_store_settings(UcpSettings, terms.owner_id, terms.id)
    if not settings.is_offered:
        raise NotFound("No store is offered to agents here.")
    return UcpStore(published.menu, published.row["address"] or "", to_guest_caller(terms.owner_id, terms.id), settings)
