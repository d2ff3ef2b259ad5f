"""The caller's own account, and the owner's personal tokens."""

from comanda.accounts import services
from comanda.accounts.owners import personal_tokens
from comanda.accounts.owners.personal_tokens import TokenBody
from comanda.accounts.records import CallerIdentity, CreatedToken, GrantableScope, PersonalToken
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.contracts.requests.routes import ANY_SCOPE, Routes

routes = Routes("Account")


@routes.get("/me", scope=ANY_SCOPE, is_delegable=True)
async def get_caller(caller: Caller) -> CallerIdentity:
    """Return the account that the token belongs to and its scopes."""
    return await services.describe_caller(caller)


@routes.get("/tokens", scope="tokens:read")
async def list_tokens(caller: Caller, page: PageRequest) -> RecordPage[PersonalToken]:
    """List your tokens that are neither revoked nor expired, newest first, 20 per page, without their secrets."""
    return await personal_tokens.list_tokens(caller, page)


@routes.get("/tokens/scopes", scope="tokens:read")
async def list_grantable_scopes(caller: Caller) -> list[GrantableScope]:
    """List the scopes that you may give to a token, and what each allows."""
    return personal_tokens.list_grantable_scopes(caller)


@routes.post("/tokens", scope="tokens:write")
async def create_token(caller: Caller, body: TokenBody) -> CreatedToken:
    """Create a token with some of your own scopes. Its secret is shown only in this answer."""
    return await personal_tokens.create_token(caller, body)


@routes.delete("/tokens/{tokenId}", scope="tokens:write")
async def revoke_token(caller: Caller, token_id: int) -> None:
    """Revoke a token; its next use answers 401."""
    await personal_tokens.revoke_token(caller, token_id)
