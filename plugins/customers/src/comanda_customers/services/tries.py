"""Stops the guessing of one e-mail's password, from however many addresses it comes."""

from datetime import timedelta

from comanda import clock
from comanda.db import sql
from comanda.errors import RateLimited

from comanda_customers.services.shops import Shop

MAX_FAILURES = 10
WINDOW = timedelta(minutes=15)

# Counted before the password is looked at, so that many tries at the same moment are not all the first one.
TRY = """
    INSERT INTO customers_login_tries AS t (owner_id, store_id, identity_hash, tries, since) VALUES ($1, $2, $3, 1, $4)
    ON CONFLICT (store_id, owner_id, identity_hash) DO UPDATE
        SET tries = CASE WHEN t.since <= $5 THEN 1 ELSE least(t.tries + 1, 1000000) END,
            since = CASE WHEN t.since <= $5 THEN EXCLUDED.since ELSE t.since END
    RETURNING tries, since
"""
FORGET = "DELETE FROM customers_login_tries WHERE store_id = $1 AND owner_id = $2 AND identity_hash = $3"


async def count(shop: Shop, identity_hash: bytes) -> None:
    """Count a try. Raises ``RateLimited`` after ``MAX_FAILURES`` within ``WINDOW``, until that is over."""
    moment = clock.now()
    row = await sql.fetch_one(TRY, shop.owner_id, shop.id, identity_hash, moment, moment - WINDOW)
    if row is not None and row["tries"] > MAX_FAILURES:
        raise RateLimited(int((row["since"] + WINDOW - moment).total_seconds()) + 1)


async def forget(shop: Shop, identity_hash: bytes) -> None:
    """Begin anew after a success."""
    await sql.execute(FORGET, shop.id, shop.owner_id, identity_hash)
