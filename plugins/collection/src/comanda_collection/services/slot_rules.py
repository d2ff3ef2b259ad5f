"""The rules by which the slots of a store are created: the defaults of each mode, and the owner's settings."""

from collections.abc import Mapping
from dataclasses import asdict

from comanda.basics import ValidationFailed
from comanda.contracts import Vertical
from comanda.platform.db import sql

from comanda_collection.records import SlotRules

COLUMNS = "slot_minutes, capacity, lead_minutes, horizon_days"
SELECT_RULES = f"SELECT mode, {COLUMNS} FROM collection_settings WHERE store_id = $1 AND owner_id = $2"
MINUTES_PER_DAY = 24 * 60


DEFAULT_RULES = {
    "pickup_slot": SlotRules(slot_minutes=15, capacity=4, lead_minutes=30, horizon_days=14),
    "appointment": SlotRules(slot_minutes=30, capacity=1, lead_minutes=60, horizon_days=30),
}
SLOT_MODES = tuple(DEFAULT_RULES)


def list_slot_modes(vertical: Vertical | None) -> tuple[str, ...]:
    """List the modes with slots of a store's vertical, in the vertical's order."""
    return tuple(mode for mode in vertical.fulfillment_modes if mode in DEFAULT_RULES) if vertical else ()


async def get_slot_rules(owner_id: int, store_id: int) -> dict[str, SlotRules]:
    """Return the rules of every mode with slots: the owner's settings, else the defaults."""
    rows = await sql.fetch(SELECT_RULES, store_id, owner_id)
    return {**DEFAULT_RULES, **{row["mode"]: _to_rules(row) for row in rows if row["mode"] in DEFAULT_RULES}}


async def update_slot_rules(owner_id: int, store_id: int, mode: str, columns: Mapping[str, int | None]) -> None:
    """Update rules of a mode in the open transaction; omitted columns stay as they are.

    Raises ``ValidationFailed`` if the notice would not be shorter than the horizon.
    """
    values = {**asdict(DEFAULT_RULES[mode]), **columns}
    assignments = ", ".join(f"{name} = EXCLUDED.{name}" for name in columns)
    [row] = await sql.fetch(
        f"""INSERT INTO collection_settings (owner_id, store_id, mode, {", ".join(values)})
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (store_id, owner_id, mode) DO UPDATE SET {assignments} RETURNING {COLUMNS}""",
        owner_id,
        store_id,
        mode,
        *values.values(),
    )
    if row["lead_minutes"] >= row["horizon_days"] * MINUTES_PER_DAY:
        raise ValidationFailed(lead_minutes=[f"Must be less than the {row['horizon_days']} days of horizon_days."])


def _to_rules(row: sql.Row) -> SlotRules:
    return SlotRules(row["slot_minutes"], row["capacity"], row["lead_minutes"], row["horizon_days"])
