"""Session tokens: proof to an app's server of whose page the app is embedded in, signed with the client secret."""

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from comanda.basics import Forbidden, LazyModule, NotFound, clock, require_found
from comanda.contracts import Caller
from comanda.platform import runtime
from comanda_oauth import api as oauth

from comanda_marketplace.models import App
from comanda_marketplace.services.apps import app_rows

if TYPE_CHECKING:
    from joserfc import jwk, jwt
else:
    # Its 8 MiB of memory are for installations with embedded apps alone.
    jwk, jwt = LazyModule("joserfc.jwk"), LazyModule("joserfc.jwt")

LIFETIME_SECONDS: Final = 60
HEADER: Final = {"alg": "HS256", "typ": "JWT"}


async def create_for_app(caller: Caller, app_id: int) -> str:
    """Return a session token for the caller's own installation.

    Raises ``NotFound`` for an app that is not the token's, ``Forbidden`` without an active installation.
    """
    installation = await oauth.installation_of(caller)
    app = await app_rows.find_row(app_id)
    if app is None or app.client_row_id != installation.client_row_id:
        raise NotFound
    if not installation.is_active:
        raise Forbidden("The app is not installed on this account.")
    return await _create(app, installation)


async def create_for_owner(owner_id: int, app: App) -> str:
    """Return a session token for the page of an owner who has installed the app. Raises ``NotFound`` otherwise."""
    installation = require_found(await oauth.find_active_installation(owner_id, app.client_row_id))
    return await _create(app, installation)


async def _create(app: App, installation: oauth.Installation) -> str:
    key = await oauth.client_signing_key(app.owner_id, app.client_row_id)
    return jwt.encode(HEADER, dict(_to_claims(app, installation)), jwk.OctKey.import_key(key))


def _to_claims(app: App, installation: oauth.Installation) -> Mapping[str, Any]:
    moment, site_url = int(clock.now().timestamp()), runtime.settings().site_url
    return {
        "iss": site_url,
        "dest": site_url,
        "aud": app.client_id,
        "sub": str(installation.owner_id),
        "sid": str(installation.id),
        "iat": moment,
        "nbf": moment,
        "exp": moment + LIFETIME_SECONDS,
        "jti": secrets.token_hex(16),
    }
