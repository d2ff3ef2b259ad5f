"""Keeping photos: the row comes first and the files after it, so that no file is ever without a row that names it.

A photo may be used once its files are stored. It belongs to its owner and is found by its content: the same photo
uploaded twice is one, and two items that show it share it. ``sweep`` deletes those that no gallery shows any more.
"""

import hashlib
from collections.abc import Sequence
from typing import Final

import orjson

from comanda import clock
from comanda.db import sql
from comanda.errors import NotFound
from comanda.photos.pictures import Picture, Rendering
from comanda.photos.storage import current
from comanda.photos.urls import file_name, parse_file_name

# Phones, tablets and screens with twice the dots; taller than wide up to 1:2.
MENU_SIZES: Final = Rendering("WEBP", ((320, 640), (640, 1280), (1280, 2560)))

# The lock waits for a sweep that is deleting this very photo, and then makes it anew.
INSERT: Final = """
    WITH made AS (
        INSERT INTO core_photo (owner_id, hash, sizes, unused_since, created_at) VALUES ($1, $2, $3::jsonb, $4, $4)
        ON CONFLICT (owner_id, hash) DO UPDATE SET unused_since =
            CASE WHEN core_photo.unused_since IS NULL AND core_photo.is_stored THEN NULL ELSE excluded.unused_since END
        RETURNING id)
    SELECT id FROM made
"""
MARK_STORED: Final = "UPDATE core_photo SET is_stored = true WHERE id = $1 AND owner_id = $2"
SELECT_PUBLIC: Final = """
    SELECT p.owner_id, p.sizes FROM core_store s JOIN core_owner o ON o.id = s.owner_id
    JOIN core_photo p ON p.owner_id = s.owner_id AND p.hash = $2
    WHERE s.id = $1 AND p.is_stored AND NOT o.is_suspended
"""


async def store_photo(owner_id: int, pictures: Sequence[Picture]) -> int:
    """Store an owner's photo in its sizes, and return its id; a gallery has to show it within the hour.

    Raises ``StorageUnavailable``. Killed half-way it leaves a row that the sweep deletes with its files.
    """
    photo_hash = _content_hash(pictures)
    sizes = [{"width": picture.width, "height": picture.height} for picture in pictures]
    photo_id: int = await sql.fetch_value(INSERT, owner_id, photo_hash, orjson.dumps(sizes).decode(), clock.now())
    for picture in pictures:
        # Written again where the photo is there: a sweep that was killed may have deleted some of its files.
        await current.current().put(owner_id, file_name(photo_hash, picture.width), picture.data)
    await sql.execute(MARK_STORED, photo_id, owner_id)
    return photo_id


async def find_public_file(store_id: int, name: str) -> int:
    """Return the owner of a file that everybody may see under this store's address. Raises ``NotFound``."""
    asked = parse_file_name(name)
    if asked is None:
        raise NotFound
    row = await sql.fetch_one(SELECT_PUBLIC, store_id, asked[0])
    if row is None or asked[1] not in {size["width"] for size in orjson.loads(row["sizes"])}:
        raise NotFound
    owner_id: int = row["owner_id"]
    return owner_id


async def read_file(owner_id: int, name: str) -> bytes:
    """Return a photo's file. Raises ``NotFound``."""
    content = await current.current().get(owner_id, name)
    if content is None:
        raise NotFound
    return content


def _content_hash(pictures: Sequence[Picture]) -> str:
    whole = hashlib.sha256()
    for picture in pictures:
        whole.update(f"{picture.width}x{picture.height}:{len(picture.data)}:".encode())
        whole.update(picture.data)
    return whole.hexdigest()
