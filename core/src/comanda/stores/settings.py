"""Changes of a store's settings."""

from typing import Any

from comanda.basics import money, rates
from comanda.basics.errors import ValidationFailed
from comanda.stores import hours_schemas
from comanda.stores.models import Store
from comanda.stores.records import find_vertical
from comanda.stores.schemas import SettingsChange


def apply_change(store: Store, change: SettingsChange) -> list[str]:
    """Apply a change to a store and return the changed columns.

    Raises ``ValidationFailed`` for an unknown fulfillment mode or an amount that the currency cannot express.
    """
    _check_modes(store, change)
    given = change.model_dump(exclude_unset=True, exclude_none=True, exclude={"hours"})
    columns = dict(_to_column(name, value, store.currency) for name, value in given.items())
    if "hours" in change.model_fields_set:
        # The only setting for which null has a meaning: the store is always open.
        columns["hours"] = change.hours and hours_schemas.to_stored_hours(change.hours)
    store.update_from_dict(columns)
    return list(columns)


def _to_column(name: str, value: Any, currency: str) -> tuple[str, Any]:
    """Return the column of a setting and its value there."""
    match name:
        case "tax_rate" | "service_charge_rate":
            return "tax_rate_ppm" if name == "tax_rate" else "service_charge_ppm", rates.to_ppm(value)
        case "mode_tax_rates":
            return name, {mode: rates.to_ppm(rate) for mode, rate in value.items()}
        case "service_charge_amount" | "cash_rounding":
            return name.removesuffix("_amount") + "_minor", money.parse_amount(value, currency, name)
        case "day_start":
            return "day_start_minutes", int(value[:2]) * 60 + int(value[3:])
        case _:
            return name, value


def _check_modes(store: Store, change: SettingsChange) -> None:
    vertical = find_vertical(store.store_type)
    known = vertical.fulfillment_modes if vertical else ()
    named = {"mode_tax_rates": change.mode_tax_rates or {}, "service_charge_modes": change.service_charge_modes or []}
    errors = {
        field: [f"{mode} is not a fulfillment mode of this store." for mode in modes if mode not in known]
        for field, modes in named.items()
    }
    if any(errors.values()):
        raise ValidationFailed({field: sentences for field, sentences in errors.items() if sentences})
