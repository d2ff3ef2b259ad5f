"""Erasure of an owner with apps. What apps charged stays."""

from collections.abc import Sequence
from typing import Final

from comanda.contracts import PersonalDataEraser
from comanda.platform.db import sql

# An app that was told to erase its copies keeps its endpoint until its answer is no longer awaited.
COUNT_OPEN: Final = """
    SELECT (SELECT count(*) FROM marketplace_installation WHERE owner_id = $1 AND (
                uninstalled_at IS NULL OR erasure_due_at IS NOT NULL OR endpoint_expires_at IS NOT NULL)) AS installed,
           (SELECT count(*) FROM marketplace_installation
            WHERE developer_id = $1 AND owner_id <> $1 AND uninstalled_at IS NULL) AS developed
"""
OBSTACLES: Final = {
    "installed": "Apps that may still hold data: {}. Uninstall them: they are asked to erase it two days later, and "
    "have a day to do so.",
    "developed": "Installations of the owner's apps at other owners: {}. Have them uninstalled.",
}


async def list_obstacles(owner_id: int) -> Sequence[str]:
    """Return sentences about apps that hold data of the owner, and about others who use the owner's apps."""
    row = await sql.fetch_one(COUNT_OPEN, owner_id)
    return [sentence.format(row[what]) for what, sentence in OBSTACLES.items() if row is not None and row[what]]


ERASER: Final = PersonalDataEraser(
    "marketplace",
    kept_tables=("marketplace_installation", "marketplace_usage", "marketplace_charge"),
    list_obstacles=list_obstacles,
)
