"""The route for session tokens."""

from typing import Any

from comanda.contracts import ANY_SCOPE, Caller, Routes

from comanda_marketplace.schemas import SessionTokenOut
from comanda_marketplace.services.installations import session_tokens

routes = Routes("App marketplace", callers=("app",), prefix="")


@routes.get("/apps/{appId}/session-token", scope=ANY_SCOPE, answers=SessionTokenOut)
async def get_session_token(caller: Caller, app_id: int) -> dict[str, Any]:
    """Get a session token of the installation behind the access token, valid for 60 seconds.

    It is a JWT, signed with HS256 and the client secret.
    """
    token = await session_tokens.create_for_app(caller, app_id)
    return {"token": token, "expires_in": session_tokens.LIFETIME_SECONDS}
