"""Scheduled tasks: delete expired carts."""

from comanda.basics import clock
from comanda.platform.db import sql

CHUNK_SIZE = 1000
DELETE_EXPIRED_CARTS = """
    DELETE FROM storefront_cart WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM storefront_cart WHERE expires_at <= $1 LIMIT $2)
"""


async def prune_carts() -> None:
    """Delete expired carts. The orders placed from them stay."""
    moment = clock.now()
    while await sql.execute(DELETE_EXPIRED_CARTS, moment, CHUNK_SIZE) == CHUNK_SIZE:
        pass
