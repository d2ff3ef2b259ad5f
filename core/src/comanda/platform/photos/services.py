"""Storage of photos: the row is inserted before the files, so that every file has a row that names it.

A photo can be used once its files are stored. It belongs to an owner and is identified by its content: uploading the
same photo twice creates it once, and several items can share it. ``comanda.platform.photos.sweep`` deletes unused
photos.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from comanda.basics import clock
from comanda.basics.errors import NotFound, require_found
from comanda.platform.db import sql
from comanda.platform.db.lookups.store_owners import find_store_owner
from comanda.platform.photos.pictures import Picture, Rendering
from comanda.platform.photos.storage.selection import get_storage
from comanda.platform.photos.urls import MENU_WIDTHS, parse_file_name, to_file_name

# Up to twice as tall as wide.
MENU_SIZES: Final = Rendering("WEBP", tuple((width, 2 * width) for width in MENU_WIDTHS))

# Waits for a sweep that is deleting the same photo, and then creates it again.
INSERT_PHOTO: Final = """
    WITH made AS (
        INSERT INTO core_photo (owner_id, hash, sizes, unused_since, created_at) VALUES ($1, $2, $3::jsonb, $4, $4)
        ON CONFLICT (owner_id, hash) DO UPDATE SET unused_since =
            CASE WHEN core_photo.unused_since IS NULL AND core_photo.is_stored THEN NULL ELSE excluded.unused_since END
        RETURNING id)
    SELECT id FROM made
"""
# Photos are locked in the order of their ids. One that is being swept is waited for, and is gone afterwards.
CLAIM_PHOTOS: Final = """
    WITH locked AS (
        SELECT id FROM core_photo
        WHERE owner_id = $1 AND (id = ANY($2::bigint[]) OR hash = ANY($3::text[])) AND is_stored
        ORDER BY id FOR UPDATE),
    claimed AS (
        UPDATE core_photo p SET unused_since = NULL FROM locked WHERE p.id = locked.id AND p.owner_id = $1
        RETURNING p.id, p.hash)
    SELECT id, hash FROM claimed
"""
# Also of a photo that is used elsewhere; the sweep checks for that.
MARK_PHOTO_UNUSED: Final = "UPDATE core_photo SET unused_since = $3 WHERE owner_id = $1 AND hash = $2"
MARK_PHOTO_STORED: Final = "UPDATE core_photo SET is_stored = true WHERE id = $1 AND owner_id = $2"
SELECT_PUBLIC_PHOTO: Final = """
    SELECT p.sizes FROM core_photo p JOIN core_owner o ON o.id = p.owner_id
    WHERE p.owner_id = $1 AND p.hash = $2 AND p.is_stored AND NOT o.is_suspended
"""


@dataclass(frozen=True, slots=True)
class PublicFile:
    """A stored file of a photo that everybody may see."""

    owner_id: int
    name: str


async def store_photo(owner_id: int, pictures: Sequence[Picture]) -> int:
    """Store an owner's photo in its sizes and return its id. It must be added to a gallery within an hour.

    Raises ``StorageUnavailable``. If the process dies halfway, the sweep deletes the row and its files.
    """
    photo_hash = _hash_content(pictures)
    sizes = [{"width": picture.width, "height": picture.height} for picture in pictures]
    photo_id: int = await sql.fetch_value(INSERT_PHOTO, owner_id, photo_hash, orjson.dumps(sizes).decode(), clock.now())
    for picture in pictures:
        # Written even if the photo exists: an interrupted sweep may have deleted some of its files.
        await get_storage().put(owner_id, to_file_name(photo_hash, picture.width), picture.data)
    await sql.execute(MARK_PHOTO_STORED, photo_id, owner_id)
    return photo_id


async def claim_photos(owner_id: int, photo_ids: Sequence[int], hashes: Sequence[str] = ()) -> Mapping[int, str]:
    """Lock photos that are about to be used, so that they are not swept, and return the hash of each by its id.

    What the owner does not have is left out.
    """
    rows = await sql.fetch(CLAIM_PHOTOS, owner_id, list(photo_ids), list(hashes))
    return {row["id"]: row["hash"] for row in rows}


async def release_photo(owner_id: int, photo_hash: str) -> None:
    """Mark a photo that is not used any more at one place; unless it is used at another, it is swept."""
    await sql.execute(MARK_PHOTO_UNUSED, owner_id, photo_hash, clock.now())


async def find_public_file(store_id: int, name: str) -> PublicFile:
    """Return the file behind a public name: of that width, or for one of ``MENU_WIDTHS`` of the next larger one.

    Raises ``NotFound``. So a page can request a width without knowing in which ones a photo exists, and nobody can
    request other ones.
    """
    parsed = require_found(parse_file_name(name))
    photo_hash, width = parsed
    owner_id = await find_store_owner(store_id)
    row = await sql.fetch_one(SELECT_PUBLIC_PHOTO, owner_id, photo_hash)
    if owner_id is None or row is None:
        raise NotFound
    widths = [size["width"] for size in orjson.loads(row["sizes"])]
    if width not in widths and width not in MENU_WIDTHS:
        raise NotFound
    stored = next((each for each in widths if each >= width), widths[-1])
    return PublicFile(owner_id, to_file_name(photo_hash, stored))


async def read_file(owner_id: int, name: str) -> bytes:
    """Return a photo's file. Raises ``NotFound``."""
    return require_found(await get_storage().get(owner_id, name))


def _hash_content(pictures: Sequence[Picture]) -> str:
    whole = hashlib.sha256()
    for picture in pictures:
        whole.update(f"{picture.width}x{picture.height}:{len(picture.data)}:".encode())
        whole.update(picture.data)
    return whole.hexdigest()
