"""What happens by the clock: carts that nobody came back to are forgotten."""

from comanda import clock
from comanda.db import sql

CHUNK = 1000
PRUNE = """
    DELETE FROM storefront_cart WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM storefront_cart WHERE expires_at <= $1 LIMIT $2)
"""


async def prune() -> None:
    """Forget carts that have expired; orders that came from them stay."""
    moment = clock.now()
    while await sql.execute(PRUNE, moment, CHUNK) == CHUNK:
        pass
