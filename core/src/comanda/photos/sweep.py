"""Deletes photos that no gallery shows: taken out of it, of deleted items, or of uploads that were cut off."""

from datetime import timedelta
from typing import Final

import orjson

from comanda import clock
from comanda.db import sql
from comanda.photos.storage import current
from comanda.photos.urls import file_name

# Somebody who takes a photo out of one gallery may be about to put it into another.
UNUSED_FOR: Final = timedelta(hours=1)
MAX_AT_ONCE: Final = 500

# First nobody may show or use it any more, and then its files go: a sweep that is killed leaves no gallery with holes.
CONDEMN: Final = """
    UPDATE core_photo SET is_stored = false WHERE (id, owner_id) IN (
        SELECT p.id, p.owner_id FROM core_photo p
        WHERE p.unused_since < $1
          AND NOT EXISTS (SELECT FROM core_gallery_picture g WHERE g.photo_id = p.id AND g.owner_id = p.owner_id)
        ORDER BY p.unused_since LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id, owner_id
"""
# Whoever uploads the same photo now waits for this lock, or has it and made the photo fresh again.
LOCK: Final = """
    SELECT hash, sizes FROM core_photo
    WHERE id = $1 AND owner_id = $2 AND NOT is_stored AND unused_since < $3 FOR UPDATE
"""
DELETE: Final = "DELETE FROM core_photo WHERE id = $1 AND owner_id = $2"


async def sweep() -> int:
    """Delete photos that have been unused for an hour, with their files, and return how many were.

    Raises ``StorageUnavailable``; what is left then is deleted by the next sweep.
    """
    before = clock.now() - UNUSED_FOR
    condemned = await sql.fetch(f"WITH gone AS ({CONDEMN}) SELECT id, owner_id FROM gone", before, MAX_AT_ONCE)
    for row in condemned:
        async with sql.transaction():
            photo = await sql.fetch_one(LOCK, row["id"], row["owner_id"], before)
            if photo is None:
                continue
            names = [file_name(photo["hash"], size["width"]) for size in orjson.loads(photo["sizes"])]
            await current.current().delete(row["owner_id"], names)
            await sql.execute(DELETE, row["id"], row["owner_id"])
    return len(condemned)
