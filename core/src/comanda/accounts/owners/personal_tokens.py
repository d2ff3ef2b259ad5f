"""Personal tokens of an owner, as the owner manages them: list, create with chosen scopes, revoke.

A token of one store sees and creates tokens of that store alone, and none grants more than it holds itself.
"""

from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import Field

from comanda.accounts import services
from comanda.accounts.owners.delegation import require_scopes_to_grant
from comanda.accounts.records import CreatedToken, GrantableScope, PersonalToken
from comanda.basics import clock
from comanda.basics.errors import Conflict, NotFound, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.contracts import scopes
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.fields import Body, Moment, Name, example
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.platform import runtime
from comanda.platform.db import sql

KIND: Final = "owner"
MAX_TOKENS: Final = 200

WHERE_ACTIVE: Final = """
    WHERE owner_id = $1 AND kind = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
        AND ($4::bigint IS NULL OR store_id = $4)
"""
COUNT_TOKENS: Final = f"SELECT count(*) FROM core_access_token {WHERE_ACTIVE}"
SELECT_TOKENS: Final = f"""
    SELECT id, name, scopes, store_id, created_at, expires_at, last_used_at FROM core_access_token {WHERE_ACTIVE}
    ORDER BY id DESC LIMIT $5 OFFSET $6
"""
REVOKE_BY_ID: Final = """
    UPDATE core_access_token SET revoked_at = $4
    WHERE owner_id = $1 AND id = $2 AND kind = $3 AND revoked_at IS NULL AND ($5::bigint IS NULL OR store_id = $5)
"""


class TokenBody(Body):
    """A token to create. It cannot have scopes that you do not have; without ``expires_at`` it does not expire."""

    model_config = example({"name": "Accounting", "scopes": ["orders:read", "analytics:read"]})

    name: Annotated[Name, Field(max_length=100)]
    scopes: Annotated[list[Annotated[str, Field(max_length=50)]], Field(min_length=1, max_length=100)]
    expires_at: Moment | None = None


def list_grantable_scopes(caller: Caller) -> list[GrantableScope]:
    """List the scopes that the caller may give to a token, with what each allows."""
    known = runtime.registry().scopes.get(KIND, {})
    return [GrantableScope(scope.name, scope.label) for scope in known.values() if caller.may(scope.name)]


async def list_tokens(caller: Caller, page: PageRequest) -> RecordPage[PersonalToken]:
    """List the owner's tokens that are neither revoked nor expired, newest first."""
    values = (caller.owner_id, KIND, clock.now(), caller.store_id)
    total = await sql.fetch_value(COUNT_TOKENS, *values)
    rows = await sql.fetch(SELECT_TOKENS, *values, page.size(), page.offset())
    return page.of([_to_token(row, caller) for row in rows], total)


@sql.transaction()
async def create_token(caller: Caller, body: TokenBody) -> CreatedToken:
    """Create a token and return it with its secret, which is not shown again.

    Raises ``Forbidden`` for a scope that the caller does not hold, ``ValidationFailed`` for an unknown scope or an
    expiry that has passed, and ``Conflict`` beyond ``MAX_TOKENS``.
    """
    granted = _normalize_scopes(body.scopes)
    require_scopes_to_grant(caller, granted)
    moment = clock.now()
    if body.expires_at is not None and body.expires_at <= moment:
        raise ValidationFailed(expires_at=[Sentence("This time has passed.")])
    if await sql.fetch_value(COUNT_TOKENS, caller.owner_id, KIND, moment, None) >= MAX_TOKENS:
        raise Conflict(Sentence("There are already %(limit)s tokens. Revoke one first.", limit=MAX_TOKENS))
    issued = await services.issue_token(
        runtime.registry().caller_kinds[KIND],
        caller.owner_id,
        granted,
        name=body.name,
        store_id=caller.store_id,
        expires_at=body.expires_at,
    )
    return CreatedToken(
        id=issued.id,
        name=body.name,
        scopes=tuple(granted),
        store_id=caller.store_id,
        created_at=moment,
        expires_at=issued.expires_at,
        last_used_at=None,
        is_current=False,
        secret=issued.secret,
    )


@sql.transaction()
async def revoke_token(caller: Caller, token_id: int) -> None:
    """Revoke a personal token; its next use gets 401. Raises ``NotFound``."""
    if not await sql.execute(REVOKE_BY_ID, caller.owner_id, token_id, KIND, clock.now(), caller.store_id):
        raise NotFound


def _normalize_scopes(requested: Sequence[str]) -> list[str]:
    try:
        return scopes.normalize_scopes(requested, runtime.registry().list_scopes(KIND))
    except ValueError as error:
        raise ValidationFailed(scopes=[str(error)]) from error


def _to_token(row: sql.Row, caller: Caller) -> PersonalToken:
    return sql.to_record(PersonalToken, row, scopes=tuple(row["scopes"]), is_current=row["id"] == caller.token_id)
