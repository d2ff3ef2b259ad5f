"""Scheduled tasks: delete expired codes, tokens that cannot be used any more, and clients that nobody installed."""

from datetime import timedelta
from typing import Final

from comanda.basics import clock
from comanda.platform.db import sql

# Long enough that a second use of a code is still recognized while its access token lives.
CODES_KEPT: Final = timedelta(hours=24)
TOKENS_KEPT: Final = timedelta(days=7)
UNUSED_CLIENTS_KEPT: Final = timedelta(days=7)
CHUNK_SIZE: Final = 1000

DELETE_CODES: Final = """
    DELETE FROM oauth_code WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM oauth_code WHERE expires_at < $1 LIMIT $2)
"""
DELETE_REFRESH_TOKENS: Final = """
    DELETE FROM oauth_refresh_token WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM oauth_refresh_token WHERE expires_at < $1 LIMIT $2)
"""
# Links to access tokens that expired or were revoked, and then grants that have nothing left.
DELETE_LINKS: Final = """
    DELETE FROM oauth_access_token WHERE (id, owner_id) IN (
        SELECT a.id, a.owner_id FROM oauth_access_token a
        JOIN core_access_token_v1 t ON t.id = a.id AND t.owner_id = a.owner_id
        WHERE t.revoked_at < $1 OR t.expires_at < $1 LIMIT $2)
"""
DELETE_GRANTS: Final = """
    DELETE FROM oauth_grant WHERE (id, owner_id) IN (
        SELECT g.id, g.owner_id FROM oauth_grant g WHERE g.created_at < $1
            AND NOT EXISTS (SELECT FROM oauth_access_token a WHERE a.grant_id = g.id AND a.owner_id = g.owner_id)
            AND NOT EXISTS (SELECT FROM oauth_refresh_token r WHERE r.grant_id = g.id AND r.owner_id = g.owner_id)
        LIMIT $2)
"""
DELETE_UNUSED_CLIENTS: Final = """
    DELETE FROM oauth_client WHERE id IN (
        SELECT c.id FROM oauth_client c WHERE c.owner_id = 0 AND c.updated_at < $1
            AND NOT EXISTS (SELECT FROM oauth_installation i WHERE i.client_row_id = c.id)
        LIMIT $2)
"""


async def prune_tokens() -> None:
    """Delete what cannot be used any more, in chunks with a short transaction each."""
    moment = clock.now()
    for statement, kept in (
        (DELETE_CODES, CODES_KEPT),
        (DELETE_REFRESH_TOKENS, TOKENS_KEPT),
        (DELETE_LINKS, TOKENS_KEPT),
        (DELETE_GRANTS, TOKENS_KEPT),
        (DELETE_UNUSED_CLIENTS, UNUSED_CLIENTS_KEPT),
    ):
        while await sql.execute(statement, moment - kept, CHUNK_SIZE) == CHUNK_SIZE:
            pass
