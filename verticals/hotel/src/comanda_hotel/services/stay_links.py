"""The links by which guests find the page of their stay again."""

from datetime import date, timedelta
from typing import Final

from comanda.platform.db import sql
from comanda.platform.encryption import require_link_owner, sign_link

PURPOSE: Final = "hotel.stay"
# A link opens a stay for so long after the day of departure.
LINK_GRACE: Final = timedelta(days=30)
SELECT_STORE_ID: Final = "SELECT store_id FROM hotel_stay WHERE id = $1 AND owner_id = $2"


async def create_path(owner_id: int, stay_id: int, check_out: date, today: date) -> str:
    """Return the path of the page of a stay that ends on a day, which opens until a month after that."""
    lifetime = max(check_out - today, timedelta()) + LINK_GRACE
    link = await sign_link(PURPOSE, owner_id, stay_id, lifetime)
    return f"/stays/{stay_id}?{link.query}"


async def find_store(stay_id: int, expires: str, signature: str) -> tuple[int, int]:
    """Return the ids of the owner and the store of a linked stay. Raises ``NotFound``."""
    owner_id = await require_link_owner(PURPOSE, stay_id, expires, signature)
    return owner_id, (await sql.require_one(SELECT_STORE_ID, stay_id, owner_id))["store_id"]
