"""What owners do with the tokens of a store's storefront: make, list, rotate, revoke."""

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

from comanda_storefront.kinds import SCOPE_TO_GRANT, SCOPES, STOREFRONT
from comanda_storefront.schemas import StorefrontTokenBody

MAX_TOKENS = 50

# Two creations at once must not both be the fiftieth; rows that refer to the store are not held up by this.
LOCK_STORE = "SELECT id FROM core_store WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"


async def page_of_tokens(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List a store's live tokens, newest first. Raises ``NotFound`` for another owner's store."""
    await require_store(caller, store_id)
    live = _live(caller, store_id)
    rows = await live.order_by("-id").offset(page.offset()).limit(page.size())
    return page.envelope([_record(row) for row in rows], await live.count())


async def create_token(caller: Caller, store_id: int, body: StorefrontTokenBody) -> dict[str, Any]:
    """Make a token of a store; the answer is the only one that holds its secret.

    Raises ``NotFound``, ``ValidationFailed`` for an unknown scope, ``Forbidden`` for one that the caller could not use,
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
        if await _live(caller, store_id).count() >= MAX_TOKENS:
            raise Conflict(
                f"This store has {MAX_TOKENS} storefront tokens, which is the limit. Revoke one first.",
                extras={"limits": {"storefront_tokens": MAX_TOKENS}},
            )
        issued = await accounts.issue_token(STOREFRONT, caller.owner_id, granted, name=body.name, store_id=store_id)
    made = await AccessToken.get(id=issued.id, owner_id=caller.owner_id)
    return {**_record(made), "token": issued.secret}


async def rotate_token(caller: Caller, store_id: int, token_id: int) -> dict[str, Any]:
    """Give a token a new secret; the old one is refused from its next use on.

    Raises ``NotFound``, ``Forbidden`` for a token with a scope that the caller could not use.

    For a change without a gap, make a second token, bring it out, and revoke the first.
    """
    await require_store(caller, store_id)
    secret = tokens.generate_token(STOREFRONT.prefix)
    async with sql.transaction():
        found = await _live(caller, store_id).filter(id=token_id).select_for_update(no_key=True).first()
        if found is None:
            raise NotFound
        require_scopes_to_grant(caller, [SCOPE_TO_GRANT[scope] for scope in found.scopes])
        found.token_hash = tokens.hash_token(secret)
        found.last_used_at = None
        await found.save(update_fields=["token_hash", "last_used_at"])
    return {**_record(found), "token": secret}


@sql.transaction()
async def revoke_token(caller: Caller, store_id: int, token_id: int) -> None:
    """Revoke a token at once: its next use answers 401. Raises ``NotFound``, also when it is revoked already."""
    await require_store(caller, store_id)
    if not await _live(caller, store_id).filter(id=token_id).update(revoked_at=clock.now()):
        raise NotFound


def _live(caller: Caller, store_id: int) -> QuerySet[AccessToken]:
    return AccessToken.filter(owner_id=caller.owner_id, store_id=store_id, kind=STOREFRONT.code, revoked_at=None)


def _record(found: AccessToken) -> dict[str, Any]:
    return {
        "id": found.id,
        "restaurant_id": found.store_id,
        "name": found.name,
        "scopes": found.scopes,
        "created_at": found.created_at,
        "last_used_at": found.last_used_at,
    }
