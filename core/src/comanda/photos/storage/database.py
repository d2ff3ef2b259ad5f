"""Photos in PostgreSQL: nothing to set up, and part of every backup."""

from collections.abc import Sequence
from typing import Final

from comanda.db import sql

PUT: Final = """
    INSERT INTO core_photo_file (owner_id, name, content) VALUES ($1, $2, $3)
    ON CONFLICT (name, owner_id) DO UPDATE SET content = excluded.content
"""
GET: Final = "SELECT content FROM core_photo_file WHERE owner_id = $1 AND name = $2"
DELETE: Final = "DELETE FROM core_photo_file WHERE owner_id = $1 AND name = ANY($2::text[])"


class DatabaseStorage:
    """Keeps files in rows. A database that is away raises what it always does, which is answered with 503."""

    async def put(self, owner_id: int, name: str, content: bytes) -> None:
        """Write a file; one that is there is written again."""
        await sql.execute(PUT, owner_id, name, content)

    async def get(self, owner_id: int, name: str) -> bytes | None:
        """Return a file, or None where there is none."""
        content: bytes | None = await sql.fetch_value(GET, owner_id, name)
        return content

    async def delete(self, owner_id: int, names: Sequence[str]) -> None:
        """Delete files; those that are not there are passed over."""
        await sql.execute(DELETE, owner_id, list(names))
