"""Bodies of the collection plugin's routes, for tests of every route."""

STORE_TYPES = {"/restaurants/{id}/slots": "laundry", "/restaurants/{id}/slot-settings": "laundry"}
BODIES = {
    "SlotSettingsChange": {
        "mode": "appointment", "slot_minutes": 20, "capacity": 2, "lead_minutes": 15, "horizon_days": 7,
    },
}  # fmt: skip
