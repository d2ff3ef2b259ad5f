"""Delivery terms of stores."""

from typing import Any, Final

import orjson
from comanda import clock, money, rates
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.stores.services import bump_menu_version, require_store

from comanda_drivers.models import DispatchMode, OfferAt, Pod
from comanda_drivers.schemas.terms import TermsChange
from comanda_drivers.services.delivery_fees import DEFAULT_TERMS, DeliveryTerms, DistanceBand

TERMS_COLUMNS: Final = """lat, lng, fee_minor, bands, free_over_minor, min_order_minor, tax_rate_ppm, max_active,
    require_shift, dispatch_mode, offer_at, pod, driver_pay_minor"""
SELECT_TERMS: Final = f"SELECT {TERMS_COLUMNS} FROM drivers_terms WHERE store_id = $1 AND owner_id = $2"
UPSERT_TERMS: Final = """
    INSERT INTO drivers_terms (store_id, owner_id, lat, lng, fee_minor, bands, free_over_minor, min_order_minor,
        tax_rate_ppm, max_active, require_shift, dispatch_mode, offer_at, pod, driver_pay_minor)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET lat = EXCLUDED.lat, lng = EXCLUDED.lng,
        fee_minor = EXCLUDED.fee_minor, bands = EXCLUDED.bands, free_over_minor = EXCLUDED.free_over_minor,
        min_order_minor = EXCLUDED.min_order_minor, tax_rate_ppm = EXCLUDED.tax_rate_ppm,
        max_active = EXCLUDED.max_active, require_shift = EXCLUDED.require_shift,
        dispatch_mode = EXCLUDED.dispatch_mode, offer_at = EXCLUDED.offer_at, pod = EXCLUDED.pod,
        driver_pay_minor = EXCLUDED.driver_pay_minor
"""
# Makes waiting dispatches due at once; the worker then leaves their orders to the pool.
RESCHEDULE_DISPATCHES_OF_STORE: Final = """
    UPDATE drivers_dispatch d SET due_at = $3 FROM core_order o
    WHERE o.id = d.order_id AND o.owner_id = d.owner_id AND o.store_id = $1 AND d.owner_id = $2
"""
UNCONVERTED_COLUMNS: Final = (
    "fee_minor", "free_over_minor", "min_order_minor", "tax_rate_ppm", "max_active", "require_shift",
    "driver_pay_minor",
)  # fmt: skip
# Serializes concurrent updates, also of a store without a row, so that omitted fields stay unchanged.
LOCK_TERMS: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
# Null clears these fields, and leaves all others unchanged.
NULLABLE_FIELDS: Final = frozenset({"lat", "lng", "free_over", "min_order", "tax_rate"})

Errors = dict[str, list[str]]


async def get_terms(owner_id: int, store_id: int) -> DeliveryTerms:
    """Return a store's delivery terms."""
    row = await sql.fetch_one(SELECT_TERMS, store_id, owner_id)
    if row is None:
        return DEFAULT_TERMS
    bands = tuple(DistanceBand(*band) for band in orjson.loads(row["bands"]))
    position = None if row["lat"] is None else (row["lat"], row["lng"])
    return DeliveryTerms(
        position=position,
        bands=bands,
        dispatch_mode=DispatchMode(row["dispatch_mode"]),
        offer_at=OfferAt(row["offer_at"]),
        pod=Pod(row["pod"]),
        **{name: row[name] for name in UNCONVERTED_COLUMNS},
    )


async def get_store_terms(caller: Caller, store_id: int) -> dict[str, Any]:
    """Return the record of a store's delivery terms. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    return _to_record(await get_terms(caller.owner_id, store_id), store["currency"])


async def update_store_terms(caller: Caller, store_id: int, body: TermsChange) -> dict[str, Any]:
    """Update a store's delivery terms for future orders, and return them.

    Raises ``NotFound``; ``ValidationFailed`` for bands that are not ascending or need the store's position, and for
    an amount that the store's currency cannot express.
    """
    store = await require_store(caller, store_id)
    currency = store["currency"]
    async with sql.transaction():
        await sql.execute(LOCK_TERMS, f"drivers_terms:{store_id}")
        current = _to_record(await get_terms(caller.owner_id, store_id), currency)
        given = body.model_dump(exclude_unset=True).items()
        changes = {name: value for name, value in given if value is not None or name in NULLABLE_FIELDS}
        values = {**current, **changes}
        await sql.execute(UPSERT_TERMS, store_id, caller.owner_id, *_to_columns(values, currency))
        # Processes cache the terms with the menu.
        await bump_menu_version(caller.owner_id, store_id)
        if values["dispatch_mode"] != DispatchMode.OFFER:
            await sql.execute(RESCHEDULE_DISPATCHES_OF_STORE, store_id, caller.owner_id, clock.now())
    return _to_record(await get_terms(caller.owner_id, store_id), currency)


def _to_columns(values: dict[str, Any], currency: str) -> list[Any]:
    errors: Errors = {}

    def to_minor(path: str, amount: float | None) -> int | None:
        try:
            return None if amount is None else money.to_minor(amount, currency)
        except ValueError as error:
            errors[path] = [str(error)]
            return None

    bands = [
        [round(band["up_to_km"] * 1000), to_minor(f"bands.{index}.fee", band["fee"])]
        for index, band in enumerate(values["bands"])
    ]
    amounts = [to_minor(name, values[name]) for name in ("fee", "free_over", "min_order")]
    driver_pay = to_minor("driver_pay", values["driver_pay"])
    if (values["lat"] is None) != (values["lng"] is None):
        errors["lng" if values["lng"] is None else "lat"] = ["lat and lng must be set together."]
    if bands and values["lat"] is None:
        errors["bands"] = ["Bands require the store's lat and lng."]
    for index in range(1, len(bands)):
        if bands[index][0] <= bands[index - 1][0]:
            errors[f"bands.{index}.up_to_km"] = ["Must be greater than the previous band."]
    if errors:
        raise ValidationFailed(errors)
    rate = values["tax_rate"]
    return [
        values["lat"],
        values["lng"],
        amounts[0],
        orjson.dumps(bands).decode(),
        *amounts[1:],
        None if rate is None else rates.to_ppm(rate),
        values["max_active_deliveries"],
        values["require_shift"],
        values["dispatch_mode"],
        values["offer_at"],
        values["pod"],
        driver_pay,
    ]


def _to_record(terms: DeliveryTerms, currency: str) -> dict[str, Any]:
    def to_amount(minor: int | None) -> float | None:
        return None if minor is None else money.to_number(minor, currency)

    lat, lng = terms.position or (None, None)
    return {
        "lat": lat,
        "lng": lng,
        "currency": currency,
        "fee": to_amount(terms.fee_minor),
        "bands": [{"up_to_km": band.up_to_m / 1000, "fee": to_amount(band.fee_minor)} for band in terms.bands],
        "free_over": to_amount(terms.free_over_minor),
        "min_order": to_amount(terms.min_order_minor),
        "tax_rate": None if terms.tax_rate_ppm is None else rates.to_percent(terms.tax_rate_ppm),
        "max_active_deliveries": terms.max_active,
        "require_shift": terms.require_shift,
        "dispatch_mode": terms.dispatch_mode,
        "offer_at": terms.offer_at,
        "pod": terms.pod,
        "driver_pay": to_amount(terms.driver_pay_minor),
    }
