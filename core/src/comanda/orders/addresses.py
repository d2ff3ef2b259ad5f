"""The address of an order that was placed without one."""

from collections.abc import Mapping
from typing import Any, Final

import orjson

from comanda.basics import clock
from comanda.platform.db import sql

UPDATE_ADDRESS: Final = """
    UPDATE core_order SET address = $3, updated_at = $4, attributes = coalesce(attributes, '{}') || $5::jsonb
    WHERE id = $1 AND owner_id = $2
"""


async def update_address(owner_id: int, order_id: int, address: str | None, attributes: Mapping[str, Any]) -> None:
    """Update an order's address together with the attributes that describe it. The caller has locked the order."""
    await sql.execute(UPDATE_ADDRESS, order_id, owner_id, address, clock.now(), orjson.dumps(attributes).decode())
