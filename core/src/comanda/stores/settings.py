"""Conversion of a store's settings between the API and its row."""

from collections.abc import Mapping
from typing import Any

import orjson

from comanda import money, rates
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.stores import hours_schemas
from comanda.stores.models import Store
from comanda.stores.records import STORE_COLUMNS, find_vertical, to_hours_record
from comanda.stores.schemas import SettingsChange

PLAIN_FIELDS = ("title", "currency", "timezone", "country", "phone", "address", "is_published", "is_listed")
SETTINGS_COLUMNS = f"""{STORE_COLUMNS}, hours, day_start_minutes, tax_rate_ppm, is_tax_included, mode_tax_rates,
    service_charge_ppm, service_charge_minor, service_charge_modes, is_service_charge_taxed, cash_rounding_minor"""


def to_settings_record(row: sql.Row | Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of the settings from a row with ``SETTINGS_COLUMNS``."""
    currency = row["currency"]
    start_hour, start_minute = divmod(row["day_start_minutes"], 60)
    return {
        **{name: row[name] for name in PLAIN_FIELDS},
        "hours": to_hours_record(row["hours"]),
        "day_start": f"{start_hour:02}:{start_minute:02}",
        "tax_rate": rates.to_percent(row["tax_rate_ppm"]),
        "is_tax_included": row["is_tax_included"],
        "mode_tax_rates": {mode: rates.to_percent(rate) for mode, rate in orjson.loads(row["mode_tax_rates"]).items()},
        "service_charge_rate": rates.to_percent(row["service_charge_ppm"]),
        "service_charge_amount": money.to_number(row["service_charge_minor"], currency),
        "service_charge_modes": row["service_charge_modes"],
        "is_service_charge_taxed": row["is_service_charge_taxed"],
        "cash_rounding": money.to_number(row["cash_rounding_minor"], currency),
    }


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
            return name.removesuffix("_amount") + "_minor", _to_minor(name, value, currency)
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


def _to_minor(field: str, amount: float, currency: str) -> int:
    try:
        return money.to_minor(amount, currency)
    except ValueError as error:
        raise ValidationFailed({field: [str(error)]}) from error
