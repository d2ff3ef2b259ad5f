"""Deletion of unused photos: removed from galleries and stores, of deleted items, or from interrupted uploads."""

from datetime import timedelta
from typing import Final

import orjson

from comanda.basics import clock
from comanda.contracts.erasure import PersonalDataEraser
from comanda.platform.db import sql
from comanda.platform.photos.storage.selection import get_storage
from comanda.platform.photos.urls import to_file_name

# A photo that was removed from one gallery may be about to be added to another.
UNUSED_FOR: Final = timedelta(hours=1)
MAX_AT_ONCE: Final = 500

# A photo becomes unusable before its files are deleted, so an interrupted sweep leaves no broken pictures.
CLAIM_UNUSED_PHOTOS: Final = """
    UPDATE core_photo SET is_stored = false WHERE (id, owner_id) IN (
        SELECT p.id, p.owner_id FROM core_photo p
        WHERE p.unused_since < $1
          AND NOT EXISTS (SELECT FROM core_gallery_picture g WHERE g.photo_id = p.id AND g.owner_id = p.owner_id)
          AND NOT EXISTS (
            SELECT FROM core_store s WHERE s.owner_id = p.owner_id AND p.hash IN (s.logo_hash, s.cover_hash))
        ORDER BY p.unused_since LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING id, owner_id
"""
# An upload of the same photo either waits for this lock, or has already restored the photo.
LOCK_CLAIMED_PHOTO: Final = """
    SELECT hash, sizes FROM core_photo
    WHERE id = $1 AND owner_id = $2 AND NOT is_stored AND unused_since < $3 FOR UPDATE
"""
RELEASE_PHOTOS: Final = "UPDATE core_photo SET unused_since = 'epoch' WHERE owner_id = $1"
DELETE_PHOTO: Final = "DELETE FROM core_photo WHERE id = $1 AND owner_id = $2"


async def delete_unused_photos() -> int:
    """Delete photos that have been unused for an hour, with their files, and return how many.

    Raises ``StorageUnavailable``; the next sweep then deletes the rest.
    """
    before = clock.now() - UNUSED_FOR
    claimed = await sql.fetch(
        f"WITH gone AS ({CLAIM_UNUSED_PHOTOS}) SELECT id, owner_id FROM gone", before, MAX_AT_ONCE
    )
    for row in claimed:
        async with sql.transaction():
            photo = await sql.fetch_one(LOCK_CLAIMED_PHOTO, row["id"], row["owner_id"], before)
            if photo is None:
                continue
            names = [to_file_name(photo["hash"], size["width"]) for size in orjson.loads(photo["sizes"])]
            await get_storage().delete(row["owner_id"], names)
            await sql.execute(DELETE_PHOTO, row["id"], row["owner_id"])
    return len(claimed)


async def release_photos(owner_id: int) -> None:
    """Mark all photos of an owner, whose galleries are about to be deleted, for the next sweep, with their files."""
    await sql.execute(RELEASE_PHOTOS, owner_id)


ERASER: Final = PersonalDataEraser("photos", kept_tables=("core_photo", "core_photo_file"), erase_owner=release_photos)
