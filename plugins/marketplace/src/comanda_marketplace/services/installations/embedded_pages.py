"""Pages of apps: which app an owner may open as a page, and where its messages may come from."""

from dataclasses import dataclass

from comanda.basics import Forbidden, NotFound
from comanda.contracts import MAX_SAFE
from comanda_oauth import api as oauth

from comanda_marketplace.models import App
from comanda_marketplace.services.apps import app_rows
from comanda_marketplace.services.apps.app_fields import find_embed_fault, to_origin

READ_SCOPE = "apps:read"


@dataclass(frozen=True, slots=True)
class EmbeddedApp:
    """An app's page: its address, and the only origin that it may be loaded from and send messages from."""

    id: int
    name: str
    url: str
    origin: str


async def get_embedded_app(owner_id: int, app_id: int) -> EmbeddedApp:
    """Return the page of an app that the owner has installed. Raises ``NotFound`` for any other."""
    row = await get_installed_row(owner_id, app_id)
    if row.embed_url is None or find_embed_fault(row.embed_url):
        raise NotFound
    return EmbeddedApp(row.id, row.name, row.embed_url, to_origin(row.embed_url))


async def get_installed_row(owner_id: int, app_id: int) -> App:
    """Return an app that the owner has installed. Raises ``NotFound``."""
    row = await app_rows.find_row(app_id) if app_id <= MAX_SAFE else None
    if row is None or await oauth.find_active_installation(owner_id, row.client_row_id) is None:
        raise NotFound
    return row


def check_scopes(*, may_read: bool) -> None:
    """Raise ``Forbidden`` unless the person may see installed apps."""
    if not may_read:
        raise Forbidden("You are signed in with an account that may not use apps.")
