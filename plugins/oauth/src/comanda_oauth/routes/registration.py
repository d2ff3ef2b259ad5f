"""The route by which programs register themselves as clients (RFC 7591), where the operator permits it."""

import orjson
from comanda.basics import NotFound, ValidationFailed
from comanda.contracts import PUBLIC, Answer, Call, Routes

from comanda_oauth import settings
from comanda_oauth.errors import OAuthError
from comanda_oauth.models import ClientOrigin
from comanda_oauth.records import Client
from comanda_oauth.routes.protocol import OAUTH
from comanda_oauth.scopes import to_wire
from comanda_oauth.services.clients import clients
from comanda_oauth.services.clients.client_metadata import parse_metadata

MAX_PER_MINUTE = 10

routes = Routes("OAuth", callers=PUBLIC, prefix="/oauth", is_documented=False, protocol=OAUTH)


@routes.post("/register", status=201, cors=True)
async def register_client(call: Call) -> Answer:
    """Register a public client. It is deleted if nobody has installed it after a week."""
    if not settings.get_settings().registration:
        raise NotFound
    await call.count(f"oauth:register:{call.client_network}", MAX_PER_MINUTE)
    try:
        document = orjson.loads(call.body)
        if not isinstance(document, dict):
            raise OAuthError("invalid_client_metadata", "The body must be a JSON object.")
        issued = await clients.create_client(0, parse_metadata(document), ClientOrigin.REGISTRATION)
    except orjson.JSONDecodeError as error:
        raise OAuthError("invalid_client_metadata", "The body is not valid JSON.") from error
    except ValidationFailed as error:
        name = "invalid_redirect_uri" if "redirect_uris" in error.errors else "invalid_client_metadata"
        raise OAuthError(name, f"{next(iter(error.errors))}: {error.message}") from error
    return Answer(_to_wire(issued.client), headers={"Cache-Control": "no-store"})


def _to_wire(client: Client) -> dict[str, object]:
    return {
        "client_id": client.client_id,
        "client_id_issued_at": int(client.created_at.timestamp()),
        "client_name": client.name,
        "redirect_uris": list(client.redirect_uris),
        "scope": to_wire(client.scopes),
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
