"""Routes for clients: tokens, their revocation and introspection."""

from comanda.contracts import PUBLIC, Answer, Call, Routes

from comanda_oauth.routes.protocol import OAUTH
from comanda_oauth.schemas import IssuedTokensOut
from comanda_oauth.services.tokens import token_exchange, token_lookup
from comanda_oauth.services.tokens.token_issuance import IssuedTokens
from comanda_oauth.services.tokens.token_requests import ClientRequest, parse_request

NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}

documented_routes = Routes("OAuth", callers=PUBLIC, prefix="/oauth", protocol=OAUTH)
routes = Routes("OAuth", callers=PUBLIC, prefix="/oauth", is_documented=False, protocol=OAUTH)


@documented_routes.post("/token", status=200, answers=IssuedTokensOut, cors=True)
async def issue_tokens(call: Call) -> Answer:
    """Exchange an authorization code or a refresh token for tokens, by a form or JSON."""
    issued = await token_exchange.answer_token_request(_parse(call))
    return Answer(_to_wire(issued), headers=dict(NO_STORE))


@routes.post("/revoke", status=200, cors=True)
async def revoke_token(call: Call) -> Answer:
    """Revoke a token and everything that was issued with it; an unknown token is revoked already."""
    await token_lookup.revoke(_parse(call))
    return Answer({}, headers=dict(NO_STORE))


@routes.post("/introspect", status=200)
async def introspect_token(call: Call) -> Answer:
    """Return whether a token of the client is active, and what it is for."""
    return Answer(dict(await token_lookup.introspect(_parse(call))), headers=dict(NO_STORE))


def _parse(call: Call) -> ClientRequest:
    return parse_request(call.body, call.headers.get("content-type", ""), call.headers.get("authorization"))


def _to_wire(issued: IssuedTokens) -> dict[str, object]:
    answer: dict[str, object] = {
        "access_token": issued.access_token,
        "token_type": "Bearer",
        "scope": issued.scope,
        "installation_id": issued.installation_id,
    }
    if issued.expires_in_seconds is not None:
        answer |= {"expires_in": issued.expires_in_seconds, "refresh_token": issued.refresh_token}
    return answer
