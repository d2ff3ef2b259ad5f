"""The request to an app to erase an owner's data, two days after it was uninstalled."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

import structlog
from comanda.basics import clock
from comanda.platform.db import sql

from comanda_marketplace.events import AppDataErasure
from comanda_marketplace.models import Installation
from comanda_marketplace.services.billing import terms
from comanda_marketplace.services.installations import app_webhooks

log = structlog.get_logger(__name__)

# For the retries of the request; then the secret is deleted with the endpoint.
ENDPOINT_LIFETIME: Final = timedelta(days=1)
BATCH_SIZE: Final = 100
SELECT_DUE: Final = """
    SELECT id, owner_id FROM marketplace_installation
    WHERE erasure_due_at <= $1 AND NOT id = ANY($2::bigint[]) ORDER BY erasure_due_at LIMIT $3
"""
SELECT_EXPIRED: Final = """
    SELECT id, owner_id FROM marketplace_installation
    WHERE endpoint_expires_at <= $1 ORDER BY endpoint_expires_at LIMIT $2
"""


async def request_due() -> int:
    """Send the requests that are due and return their number; none to an app that was installed again meanwhile."""
    sent, passed_over = 0, list[int]()
    while rows := await sql.fetch(SELECT_DUE, clock.now(), passed_over, BATCH_SIZE):
        for row in rows:
            try:
                sent += await _request_one(row["owner_id"], row["id"])
            except Exception:
                log.exception("erasure_request_failed", installation_id=row["id"], owner_id=row["owner_id"])
                passed_over.append(row["id"])
    return sent


async def delete_expired_endpoints() -> None:
    """Delete the endpoints of ended installations, with their secrets."""
    while rows := await sql.fetch(SELECT_EXPIRED, clock.now(), BATCH_SIZE):
        for found in rows:
            async with sql.transaction():
                row = await terms.find_terms(found["owner_id"], found["id"], is_locked=True)
                if row is not None:
                    await app_webhooks.delete_endpoint(row)
                    row.endpoint_expires_at = None
                    await row.save(update_fields=["endpoint_expires_at"])


@sql.transaction()
async def _request_one(owner_id: int, installation_id: int) -> bool:
    row = await terms.find_terms(owner_id, installation_id, is_locked=True)
    if row is None or row.erasure_due_at is None:
        return False
    row.erasure_due_at, row.endpoint_expires_at = None, clock.now() + ENDPOINT_LIFETIME
    await row.save(update_fields=["erasure_due_at", "endpoint_expires_at"])
    if await Installation.filter(owner_id=owner_id, app_id=row.app_id, uninstalled_at=None).exists():
        return False
    await app_webhooks.send_last_event(row, AppDataErasure.name, _to_data(row))
    return True


def _to_data(row: Installation) -> Mapping[str, Any]:
    return {
        "installation_id": row.id,
        "app_id": row.app_id,
        "owner_id": row.owner_id,
        "uninstalled_at": row.uninstalled_at,
    }
