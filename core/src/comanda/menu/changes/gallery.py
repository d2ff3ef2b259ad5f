"""The pictures of an item, replaced as a whole list: uploaded photos and external URLs.

A photo that is in no gallery any more is marked as unused and deleted an hour later by
``comanda.platform.photos.sweep``.
"""

from collections.abc import Sequence
from typing import Any, Final

from comanda.basics import clock
from comanda.basics.errors import ValidationFailed
from comanda.menu.schemas import PHOTO_NOT_FOUND, PHOTO_TWICE, PictureBody
from comanda.platform.db import sql
from comanda.platform.photos import services as photos
from comanda.platform.photos.urls import parse_url
from comanda.stores.models import Store

# Also marks photos that other items use; the sweep checks for that.
MARK_PHOTOS_UNUSED: Final = """
    WITH locked AS (
        SELECT p.id FROM core_photo p
        WHERE p.owner_id = $1 AND EXISTS (
            SELECT FROM core_gallery_picture g
            WHERE g.photo_id = p.id AND g.owner_id = p.owner_id AND g.item_id = ANY($2::bigint[]))
        ORDER BY p.id FOR UPDATE)
    UPDATE core_photo p SET unused_since = $3 FROM locked WHERE p.id = locked.id AND p.owner_id = $1
"""
SELECT_STORED_HASHES: Final = "SELECT hash FROM core_photo WHERE owner_id = $1 AND hash = ANY($2::text[]) AND is_stored"
DELETE_GALLERIES: Final = "DELETE FROM core_gallery_picture WHERE item_id = ANY($1::bigint[]) AND owner_id = $2"
INSERT_PICTURE: Final = """
    INSERT INTO core_gallery_picture (owner_id, store_id, item_id, position, alt, url, photo_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
"""


async def replace_pictures(store: Store, item_id: int, bodies: Sequence[PictureBody]) -> None:
    """Replace a locked item's gallery.

    Raises ``ValidationFailed`` for a photo that the owner does not have, or that is listed twice.
    """
    _check_sources(bodies)
    hashes = [parse_url(body.url or "") if body.id is None else None for body in bodies]
    await release_photos(store.owner_id, [item_id])
    claimed = await photos.claim_photos(
        store.owner_id,
        [body.id for body in bodies if body.id is not None],
        [photo_hash for photo_hash in hashes if photo_hash is not None],
    )
    by_hash = {photo_hash: photo_id for photo_id, photo_hash in claimed.items()}
    photo_ids: list[int | None] = []
    for position, (body, photo_hash) in enumerate(zip(bodies, hashes, strict=True)):
        photo_id = None
        if body.id is not None or photo_hash is not None:
            photo_id = by_hash.get(photo_hash or "") if body.id is None else body.id if body.id in claimed else None
            _check_photo(position, body, photo_id, photo_ids)
        photo_ids.append(photo_id)
    await sql.execute(DELETE_GALLERIES, [item_id], store.owner_id)
    for position, (body, photo_id) in enumerate(zip(bodies, photo_ids, strict=True)):
        await add_picture(store, item_id, position, body.alt, photo_id if photo_id is not None else body.url)


async def clear_galleries(owner_id: int, item_ids: Sequence[int], photo_hashes: Sequence[str]) -> None:
    """Delete the galleries of locked items, and claim the photos that the new ones have.

    Raises ``ValidationFailed`` for a photo that the owner does not have any more.
    """
    await release_photos(owner_id, item_ids)
    await sql.execute(DELETE_GALLERIES, list(item_ids), owner_id)
    claimed = await photos.claim_photos(owner_id, [], photo_hashes)
    if len(claimed) < len(photo_hashes):
        raise ValidationFailed(gallery=[PHOTO_NOT_FOUND])


async def add_picture(store: Store, item_id: int, position: int, alt: str | None, source: int | str | None) -> None:
    """Add a claimed photo by its id, or a URL, to an item's gallery."""
    url, photo_id = (None, source) if isinstance(source, int) else (source, None)
    await sql.execute(INSERT_PICTURE, store.owner_id, store.id, item_id, position, alt or None, url, photo_id)


async def list_stored_hashes(owner_id: int, hashes: Sequence[str]) -> set[str]:
    """Return the hashes for which the owner has a photo."""
    if not hashes:
        return set()
    return {row["hash"] for row in await sql.fetch(SELECT_STORED_HASHES, owner_id, list(hashes))}


async def release_photos(owner_id: int, item_ids: Sequence[int]) -> None:
    """Mark the photos of these items as unused, before their galleries are replaced or deleted."""
    await sql.execute(MARK_PHOTOS_UNUSED, owner_id, list(item_ids), clock.now())


def _check_sources(bodies: Sequence[PictureBody]) -> None:
    missing = [position for position, body in enumerate(bodies) if body.id is None and body.url is None]
    if missing:
        raise ValidationFailed({f"gallery.{position}.url": ["This field is required."] for position in missing})


def _check_photo(position: int, body: PictureBody, photo_id: int | None, before: Sequence[Any]) -> None:
    field = f"gallery.{position}.{'url' if body.id is None else 'id'}"
    if photo_id is None:
        raise ValidationFailed({field: [PHOTO_NOT_FOUND]})
    if photo_id in before:
        raise ValidationFailed({field: [PHOTO_TWICE]})
