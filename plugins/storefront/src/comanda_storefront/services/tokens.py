"""Storefront tokens of a store: list, create, rotate, revoke."""

from dataclasses import replace

from comanda.accounts import require_scopes_to_grant
from comanda.accounts import services as accounts
from comanda.basics import Conflict, Sentence, ValidationFailed, extend_record
from comanda.contracts import Caller, PageRequest, RecordPage, scopes
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_storefront.caller_kinds import SCOPE_TO_GRANT, SCOPES, STOREFRONT
from comanda_storefront.records import IssuedStorefrontToken, StorefrontToken
from comanda_storefront.schemas.tokens import StorefrontTokenBody

MAX_TOKENS = 50

# Serializes concurrent creations at the limit without blocking rows that refer to the store.
LOCK_STORE = "SELECT id FROM core_store_v1 WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"

SELECT_LIVE_TOKENS = f"""
    SELECT id, store_id, name, scopes, created_at, last_used_at FROM core_access_token_v1
    WHERE owner_id = $1 AND store_id = $2 AND kind = '{STOREFRONT.code}' AND revoked_at IS NULL
"""
SELECT_TOKEN_PAGE = f"{SELECT_LIVE_TOKENS} ORDER BY id DESC LIMIT $3 OFFSET $4"
LOCK_TOKEN = f"{SELECT_LIVE_TOKENS} AND id = $3 FOR NO KEY UPDATE"
COUNT_LIVE_TOKENS = f"SELECT count(*) FROM ({SELECT_LIVE_TOKENS}) live"


async def list_tokens(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[StorefrontToken]:
    """Return a page of a store's live tokens, newest first. Raises ``NotFound`` for another owner's store."""
    await require_store(caller, store_id)
    rows = await sql.fetch(SELECT_TOKEN_PAGE, caller.owner_id, store_id, page.size(), page.offset())
    return page.of([_to_token(row) for row in rows], await _count_live_tokens(caller, store_id))


async def create_token(caller: Caller, store_id: int, body: StorefrontTokenBody) -> IssuedStorefrontToken:
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
        if await _count_live_tokens(caller, store_id) >= MAX_TOKENS:
            raise Conflict(
                Sentence(
                    "This store has %(limit)s storefront tokens, which is the limit. Revoke one first.",
                    limit=MAX_TOKENS,
                ),
                extras={"limits": {"storefront_tokens": MAX_TOKENS}},
            )
        issued = await accounts.issue_token(STOREFRONT, caller.owner_id, granted, name=body.name, store_id=store_id)
        token = await sql.one(LOCK_TOKEN, caller.owner_id, store_id, issued.id)
    return extend_record(IssuedStorefrontToken, _to_token(token), token=issued.secret)


async def rotate_token(caller: Caller, store_id: int, token_id: int) -> IssuedStorefrontToken:
    """Replace a token's secret. The old secret stops working at once.

    Raises ``NotFound``, ``Forbidden`` for a token with a scope that the caller lacks.

    To change without downtime, create a second token, deploy it, and revoke the first.
    """
    await require_store(caller, store_id)
    async with sql.transaction():
        token = await _lock_token(caller, store_id, token_id)
        require_scopes_to_grant(caller, [SCOPE_TO_GRANT[scope] for scope in token["scopes"]])
        secret = await accounts.replace_secret(STOREFRONT, caller.owner_id, token_id)
    return extend_record(IssuedStorefrontToken, replace(_to_token(token), last_used_at=None), token=secret)


@sql.transaction()
async def revoke_token(caller: Caller, store_id: int, token_id: int) -> None:
    """Revoke a token. Its next use answers 401. Raises ``NotFound``, also if it was already revoked."""
    await require_store(caller, store_id)
    await _lock_token(caller, store_id, token_id)
    await accounts.revoke_token(caller.owner_id, token_id)


async def _count_live_tokens(caller: Caller, store_id: int) -> int:
    return int(await sql.fetch_value(COUNT_LIVE_TOKENS, caller.owner_id, store_id))


async def _lock_token(caller: Caller, store_id: int, token_id: int) -> sql.Row:
    return await sql.require_one(LOCK_TOKEN, caller.owner_id, store_id, token_id)


def _to_token(row: sql.Row) -> StorefrontToken:
    return sql.to_record(StorefrontToken, row)
