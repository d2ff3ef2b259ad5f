"""Photo storage in PostgreSQL: nothing to set up, and part of every backup."""

from collections.abc import Sequence
from typing import Final

from comanda.platform.db import sql

UPSERT_FILE: Final = """
    INSERT INTO core_photo_file (owner_id, name, content) VALUES ($1, $2, $3)
    ON CONFLICT (name, owner_id) DO UPDATE SET content = excluded.content
"""
SELECT_FILE: Final = "SELECT content FROM core_photo_file WHERE owner_id = $1 AND name = $2"
DELETE_FILES: Final = "DELETE FROM core_photo_file WHERE owner_id = $1 AND name = ANY($2::text[])"


class DatabaseStorage:
    """Storage of files as rows. An unavailable database raises its usual error, which is answered with 503."""

    async def put(self, owner_id: int, name: str, content: bytes) -> None:
        """Write a file; an existing one is overwritten."""
        await sql.execute(UPSERT_FILE, owner_id, name, content)

    async def get(self, owner_id: int, name: str) -> bytes | None:
        """Return a file, or None if it does not exist."""
        content: bytes | None = await sql.fetch_value(SELECT_FILE, owner_id, name)
        return content

    async def delete(self, owner_id: int, names: Sequence[str]) -> None:
        """Delete files; missing ones are ignored."""
        await sql.execute(DELETE_FILES, owner_id, list(names))
