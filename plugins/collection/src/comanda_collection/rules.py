"""The rules of each store's slots, as its owner set them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from comanda.db import sql
from comanda.errors import ValidationFailed

from comanda_collection.modes import DEFAULTS, Rules

COLUMNS = "slot_minutes, capacity, lead_minutes, horizon_days"
READ = f"SELECT mode, {COLUMNS} FROM collection_settings WHERE store_id = $1 AND owner_id = $2"
MINUTES_OF_A_DAY = 24 * 60


async def of_store(owner_id: int, store_id: int) -> dict[str, Rules]:
    """Return the rules of every mode that has slots: the owner's where there are any, else the defaults."""
    rows = await sql.fetch(READ, store_id, owner_id)
    return {**DEFAULTS, **{row["mode"]: _rules(row) for row in rows if row["mode"] in DEFAULTS}}


async def change(owner_id: int, store_id: int, mode: str, columns: Mapping[str, Any]) -> None:
    """Set some of a mode's rules, in the open transaction; what is not named stays as it is.

    Raises ``ValidationFailed`` when the notice would be longer than slots can be taken ahead.
    """
    values = {**asdict(DEFAULTS[mode]), **columns}
    setting = ", ".join(f"{name} = EXCLUDED.{name}" for name in columns)
    [row] = await sql.fetch(
        f"""INSERT INTO collection_settings (owner_id, store_id, mode, {", ".join(values)})
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (store_id, owner_id, mode) DO UPDATE SET {setting} RETURNING {COLUMNS}""",
        owner_id,
        store_id,
        mode,
        *values.values(),
    )
    if row["lead_minutes"] >= row["horizon_days"] * MINUTES_OF_A_DAY:
        raise ValidationFailed(lead_minutes=[f"Must be less than the {row['horizon_days']} days of horizon_days."])


def _rules(row: sql.Row) -> Rules:
    return Rules(row["slot_minutes"], row["capacity"], row["lead_minutes"], row["horizon_days"])
