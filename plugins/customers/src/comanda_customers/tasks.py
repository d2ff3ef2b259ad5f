"""What happens by the clock: old codes and old tries are forgotten."""

from datetime import timedelta

from comanda import clock
from comanda.db import sql

from comanda_customers.services import codes, tries

# Codes are counted for a day after they were sent.
CODES = "DELETE FROM customers_code WHERE created_at < $1"
TRIES = "DELETE FROM customers_login_tries WHERE since < $1"


async def prune() -> None:
    """Forget codes and tries that count no longer."""
    moment = clock.now()
    await sql.execute(CODES, moment - codes.DAY - timedelta(hours=1))
    await sql.execute(TRIES, moment - tries.WINDOW)
