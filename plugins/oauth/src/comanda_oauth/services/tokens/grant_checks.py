"""Checks that both grants share, and Authlib's refusals as answers of ours."""

from typing import Final

from authlib.oauth2.rfc6749 import InvalidClientError
from comanda.platform.db import sql

from comanda_oauth.errors import OAuthError
from comanda_oauth.records import Client
from comanda_oauth.services.tokens.authlib_server import OAuth2Error

SUSPENDED: Final = "This app is suspended."
OWNER_SUSPENDED: Final = "The account that installed this app is suspended."
SELECT_SUSPENDED: Final = "SELECT is_suspended FROM core_owner_v1 WHERE id = $1"


def to_oauth_error(error: OAuth2Error) -> OAuthError:
    """Return a refusal of Authlib's as an error with an answer of ours."""
    if isinstance(error, InvalidClientError):
        return OAuthError("invalid_client", "The client is unknown, or its secret is wrong.")
    return OAuthError(error.error or "invalid_request", error.get_error_description() or "This request is not valid.")


async def require_enabled(client: Client, owner_id: int) -> None:
    """Check that neither the client nor the owner is suspended. Raises ``OAuthError``."""
    if not client.is_enabled:
        raise OAuthError("unauthorized_client", SUSPENDED)
    if await sql.fetch_value(SELECT_SUSPENDED, owner_id):
        raise OAuthError("invalid_grant", OWNER_SUSPENDED)
