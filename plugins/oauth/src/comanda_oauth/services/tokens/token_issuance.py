"""Access tokens and refresh tokens of a grant, stored in the open transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from comanda.accounts import services as accounts
from comanda.accounts import tokens
from comanda.basics import clock, require_found
from comanda.platform.db import sql

from comanda_oauth.caller_kinds import APP, ASSISTANT
from comanda_oauth.models import Grant, Installation, IssuedAccessToken, RefreshToken
from comanda_oauth.scopes import to_wire

ACCESS_TOKEN_LIFETIME: Final = timedelta(hours=1)
REFRESH_TOKEN_LIFETIME: Final = timedelta(days=90)
REFRESH_PREFIX: Final = "rt_"
# Devices of one owner with the same app, or installations of a client that never refreshes. Unused ones make room.
MAX_GRANTS: Final = 50
NEVER: Final = datetime.min.replace(tzinfo=UTC)

SELECT_OTHER_GRANTS: Final = """
    SELECT g.id, ARRAY(
            SELECT t.id FROM oauth_access_token t WHERE t.grant_id = g.id AND t.owner_id = g.owner_id
        ) AS token_ids, (
            SELECT max(r.used_at) FROM oauth_refresh_token r WHERE r.grant_id = g.id AND r.owner_id = g.owner_id
        ) AS refreshed_at
    FROM oauth_grant g
    WHERE g.owner_id = $1 AND g.installation_id = $2 AND g.revoked_at IS NULL AND g.id <> $3 ORDER BY g.id
"""
SELECT_TOKENS_OF_GRANT: Final = "SELECT id FROM oauth_access_token WHERE owner_id = $1 AND grant_id = $2"
REVOKE_GRANT: Final = """
    UPDATE oauth_grant SET revoked_at = $3 WHERE owner_id = $1 AND id = $2 AND revoked_at IS NULL
"""


@dataclass(frozen=True, slots=True)
class IssuedTokens:
    """What the token endpoint answers. Without ``expires_in_seconds`` the token is valid until the app is removed."""

    access_token: str = field(repr=False)
    scopes: tuple[str, ...]
    installation_id: int
    expires_in_seconds: int | None = None
    refresh_token: str | None = field(default=None, repr=False)

    @property
    def scope(self) -> str:
        """The scopes in the spelling of the registry."""
        return to_wire(self.scopes)


async def create_grant(
    installation: Installation, granted: Sequence[str], resource: str | None, *, is_expiring: bool
) -> Grant:
    """Create a grant; beyond the limit, revoke those that were never used, and then those not used for longest."""
    grant = await Grant.create(
        owner_id=installation.owner_id,
        installation_id=installation.id,
        scopes=list(granted),
        resource=resource,
        is_expiring=is_expiring,
        created_at=clock.now(),
    )
    await _prune_grants(grant)
    return grant


async def _prune_grants(new: Grant) -> None:
    others = await sql.fetch(SELECT_OTHER_GRANTS, new.owner_id, new.installation_id, new.id)
    surplus = len(others) + 1 - MAX_GRANTS
    if surplus <= 0:
        return
    uses = await accounts.get_last_uses(new.owner_id, [id for row in others for id in row["token_ids"]])

    def get_last_use(row: sql.Row) -> datetime:
        known = [uses[id] for id in row["token_ids"] if id in uses]
        return max(known + ([row["refreshed_at"]] if row["refreshed_at"] else []), default=NEVER)

    for row in sorted(others, key=get_last_use)[:surplus]:
        await revoke_grant(new.owner_id, row["id"])


async def issue_tokens(
    installation: Installation, grant: Grant, granted: Sequence[str], *, previous_id: int | None = None
) -> IssuedTokens:
    """Issue an access token, and a refresh token if the grant expires."""
    is_of_owner = installation.customer_id is None
    issued = await accounts.issue_token(
        APP if is_of_owner else ASSISTANT,
        installation.owner_id,
        granted,
        name="",
        store_id=installation.store_id,
        subject_id=installation.id if is_of_owner else installation.customer_id,
        lifetime=ACCESS_TOKEN_LIFETIME if grant.is_expiring else None,
    )
    await IssuedAccessToken.create(
        id=issued.id, owner_id=installation.owner_id, grant_id=grant.id, token_hash=tokens.hash_token(issued.secret)
    )
    if not grant.is_expiring:
        return IssuedTokens(issued.secret, tuple(granted), installation.id)
    refresh_token = tokens.generate_token(REFRESH_PREFIX)
    moment = clock.now()
    await RefreshToken.create(
        owner_id=installation.owner_id,
        grant_id=grant.id,
        token_hash=tokens.hash_token(refresh_token),
        previous_id=previous_id,
        access_token_id=issued.id,
        created_at=moment,
        expires_at=moment + REFRESH_TOKEN_LIFETIME,
    )
    seconds = int(ACCESS_TOKEN_LIFETIME.total_seconds())
    return IssuedTokens(issued.secret, tuple(granted), installation.id, seconds, refresh_token)


async def issue_access_token(owner_id: int, installation_id: int) -> str:
    """Issue an access token of an active installation that does not expire, without a code. Raises ``NotFound``."""
    async with sql.transaction():
        active = Installation.filter(owner_id=owner_id, id=installation_id, uninstalled_at=None)
        installation = require_found(await active.select_for_update().first())
        grant = await create_grant(installation, installation.scopes, None, is_expiring=False)
        return (await issue_tokens(installation, grant, installation.scopes)).access_token


async def revoke_grant(owner_id: int, grant_id: int) -> None:
    """Revoke a grant: its access tokens and refresh tokens."""
    await sql.execute(REVOKE_GRANT, owner_id, grant_id, clock.now())
    issued = await sql.fetch(SELECT_TOKENS_OF_GRANT, owner_id, grant_id)
    await accounts.revoke_tokens_by_id(owner_id, [row["id"] for row in issued])
