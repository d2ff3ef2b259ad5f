"""Storefront tokens of a store: list, create, rotate, revoke."""

from typing import Any

from comanda import clock
from comanda.accounts import services as accounts
from comanda.accounts import tokens
from comanda.accounts.delegation import require_scopes_to_grant
from comanda.accounts.models import AccessToken
from comanda.contracts import scopes
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.stores.services import require_store
from tortoise.queryset import QuerySet

from comanda_storefront.caller_kinds import SCOPE_TO_GRANT, SCOPES, STOREFRONT
from comanda_storefront.schemas.tokens import StorefrontTokenBody

MAX_TOKENS = 50

# Serializes concurrent creations at the limit without blocking rows that refer to the store.
LOCK_STORE = "SELECT id FROM core_store WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"


async def list_tokens(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """Return a page of a store's live tokens, newest first. Raises ``NotFound`` for another owner's store."""
    await require_store(caller, store_id)
    live = _filter_live_tokens(caller, store_id)
    rows = await live.order_by("-id").offset(page.offset()).limit(page.size())
    return page.envelope([_to_record(row) for row in rows], await live.count())


async def create_token(caller: Caller, store_id: int, body: StorefrontTokenBody) -> dict[str, Any]:
    """Create a token of a store. Its secret is returned only this once.

    Raises ``NotFound``, ``ValidationFailed`` for an unknown scope, ``Forbidden`` for a scope that the caller lacks,
    ``Conflict`` beyond ``MAX_TOKENS``.
    """
    await require_store(caller, store_id)
    try:
        granted = scopes.normalize_scopes(body.scopes, SCOPES)
    except ValueError as error:
        raise ValidationFailed(scopes=[str(error)]) from error
    require_scopes_to_grant(caller, [SCOPE_TO_GRANT[scope] for scope in granted])
    async with sql.transaction():
        await sql.execute(LOCK_STORE, store_id, caller.owner_id)
        if await _filter_live_tokens(caller, store_id).count() >= MAX_TOKENS:
            raise Conflict(
                f"This store has {MAX_TOKENS} storefront tokens, which is the limit. Revoke one first.",
                extras={"limits": {"storefront_tokens": MAX_TOKENS}},
            )
        issued = await accounts.issue_token(STOREFRONT, caller.owner_id, granted, name=body.name, store_id=store_id)
    token = await AccessToken.get(id=issued.id, owner_id=caller.owner_id)
    return {**_to_record(token), "token": issued.secret}


async def rotate_token(caller: Caller, store_id: int, token_id: int) -> dict[str, Any]:
    """Replace a token's secret. The old secret stops working at once.

    Raises ``NotFound``, ``Forbidden`` for a token with a scope that the caller lacks.

    To change without downtime, create a second token, deploy it, and revoke the first.
    """
    await require_store(caller, store_id)
    secret = tokens.generate_token(STOREFRONT.prefix)
    async with sql.transaction():
        token = await _filter_live_tokens(caller, store_id).filter(id=token_id).select_for_update(no_key=True).first()
        if token is None:
            raise NotFound
        require_scopes_to_grant(caller, [SCOPE_TO_GRANT[scope] for scope in token.scopes])
        token.token_hash = tokens.hash_token(secret)
        token.last_used_at = None
        await token.save(update_fields=["token_hash", "last_used_at"])
    return {**_to_record(token), "token": secret}


@sql.transaction()
async def revoke_token(caller: Caller, store_id: int, token_id: int) -> None:
    """Revoke a token. Its next use answers 401. Raises ``NotFound``, also if it was already revoked."""
    await require_store(caller, store_id)
    if not await _filter_live_tokens(caller, store_id).filter(id=token_id).update(revoked_at=clock.now()):
        raise NotFound


def _filter_live_tokens(caller: Caller, store_id: int) -> QuerySet[AccessToken]:
    return AccessToken.filter(owner_id=caller.owner_id, store_id=store_id, kind=STOREFRONT.code, revoked_at=None)


def _to_record(token: AccessToken) -> dict[str, Any]:
    return {
        "id": token.id,
        "restaurant_id": token.store_id,
        "name": token.name,
        "scopes": token.scopes,
        "created_at": token.created_at,
        "last_used_at": token.last_used_at,
    }
