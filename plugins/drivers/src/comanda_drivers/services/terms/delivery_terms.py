"""Delivery terms of stores."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import orjson
from comanda.basics import Money, ValidationFailed, clock, rates, to_minor
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import bump_menu_version, require_store

from comanda_drivers.models import DispatchMode, OfferAt, Pod, UnplacedAddress
from comanda_drivers.records.delivery_terms import BandFee, PostcodeBandFee, StoreDeliveryTerms
from comanda_drivers.schemas.terms import BandBody, PostcodeBandBody, TermsChange
from comanda_drivers.services.terms.delivery_fees import (
    DEFAULT_TERMS,
    DeliveryTerms,
    DistanceBand,
    PostcodeBand,
    normalize_postcode,
)

TERMS_COLUMNS: Final = """lat, lng, fee_minor, bands, postcode_bands, unplaced_addresses, free_over_minor,
    min_order_minor, tax_rate_ppm, max_active, require_shift, dispatch_mode, offer_at, pod, driver_pay_minor"""
SELECT_TERMS: Final = f"SELECT {TERMS_COLUMNS} FROM drivers_terms WHERE store_id = $1 AND owner_id = $2"
UPSERT_TERMS: Final = """
    INSERT INTO drivers_terms (store_id, owner_id, lat, lng, fee_minor, bands, postcode_bands, unplaced_addresses,
        free_over_minor, min_order_minor, tax_rate_ppm, max_active, require_shift, dispatch_mode, offer_at, pod,
        driver_pay_minor)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET lat = EXCLUDED.lat, lng = EXCLUDED.lng,
        fee_minor = EXCLUDED.fee_minor, bands = EXCLUDED.bands,
        postcode_bands = EXCLUDED.postcode_bands, unplaced_addresses = EXCLUDED.unplaced_addresses,
        free_over_minor = EXCLUDED.free_over_minor,
        min_order_minor = EXCLUDED.min_order_minor, tax_rate_ppm = EXCLUDED.tax_rate_ppm,
        max_active = EXCLUDED.max_active, require_shift = EXCLUDED.require_shift,
        dispatch_mode = EXCLUDED.dispatch_mode, offer_at = EXCLUDED.offer_at, pod = EXCLUDED.pod,
        driver_pay_minor = EXCLUDED.driver_pay_minor
"""
# Makes waiting dispatches due at once; the worker then leaves their orders to the pool.
RESCHEDULE_DISPATCHES_OF_STORE: Final = """
    UPDATE drivers_dispatch d SET due_at = $3 FROM core_order_v1 o
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
AMOUNT_FIELDS: Final = ("fee", "free_over", "min_order", "driver_pay")
# The fields of a change that the terms have in the same form, by their name there.
UNCONVERTED_FIELDS: Final = {
    "max_active_deliveries": "max_active", "require_shift": "require_shift", "dispatch_mode": "dispatch_mode",
    "offer_at": "offer_at", "pod": "pod", "unplaced_addresses": "unplaced_addresses",
}  # fmt: skip

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
        postcode_bands=tuple(PostcodeBand(*band) for band in orjson.loads(row["postcode_bands"])),
        unplaced_addresses=UnplacedAddress(row["unplaced_addresses"]),
        dispatch_mode=DispatchMode(row["dispatch_mode"]),
        offer_at=OfferAt(row["offer_at"]),
        pod=Pod(row["pod"]),
        **{name: row[name] for name in UNCONVERTED_COLUMNS},
    )


async def get_store_terms(caller: Caller, store_id: int) -> StoreDeliveryTerms:
    """Return a store's delivery terms. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    return _to_store_terms(await get_terms(caller.owner_id, store_id), store["currency"])


async def update_store_terms(caller: Caller, store_id: int, body: TermsChange) -> StoreDeliveryTerms:
    """Update a store's delivery terms for future orders, and return them.

    Raises ``NotFound``; ``ValidationFailed`` for bands that are not ascending or need the store's position, and for
    an amount that the store's currency cannot express.
    """
    store = await require_store(caller, store_id)
    currency = store["currency"]
    async with sql.transaction():
        await sql.execute(LOCK_TERMS, f"drivers_terms:{store_id}")
        terms = _apply_change(await get_terms(caller.owner_id, store_id), body, currency)
        await sql.execute(UPSERT_TERMS, store_id, caller.owner_id, *_to_columns(terms))
        # Processes cache the terms with the menu.
        await bump_menu_version(caller.owner_id, store_id)
        if terms.dispatch_mode is not DispatchMode.OFFER:
            await sql.execute(RESCHEDULE_DISPATCHES_OF_STORE, store_id, caller.owner_id, clock.now())
    return _to_store_terms(terms, currency)


def _apply_change(terms: DeliveryTerms, body: TermsChange, currency: str) -> DeliveryTerms:
    """Return the changed terms. Raises ``ValidationFailed``."""
    given = {name for name in body.model_fields_set if getattr(body, name) is not None or name in NULLABLE_FIELDS}
    errors: Errors = {}
    bands = terms.bands
    if body.bands is not None:
        bands = _parse_bands(body.bands, currency, errors)
    postcode_bands = terms.postcode_bands
    if body.postcode_bands is not None:
        postcode_bands = _parse_postcode_bands(body.postcode_bands, currency, errors)
    changes: dict[str, Any] = {
        f"{name}_minor": _parse_amount(name, getattr(body, name), currency, errors)
        for name in AMOUNT_FIELDS
        if name in given
    }
    lat, lng = terms.position or (None, None)
    lat = body.lat if "lat" in given else lat
    lng = body.lng if "lng" in given else lng
    if (lat is None) != (lng is None):
        errors["lng" if lng is None else "lat"] = ["lat and lng must be set together."]
    if bands and lat is None:
        errors["bands"] = ["Bands require the store's lat and lng."]
    for index in range(1, len(bands)):
        if bands[index].up_to_m <= bands[index - 1].up_to_m:
            errors[f"bands.{index}.up_to_km"] = ["Must be greater than the previous band."]
    if errors:
        raise ValidationFailed(errors)
    changes |= {column: getattr(body, name) for name, column in UNCONVERTED_FIELDS.items() if name in given}
    if "tax_rate" in given:
        changes["tax_rate_ppm"] = None if body.tax_rate is None else rates.to_ppm(body.tax_rate)
    position = None if lat is None or lng is None else (lat, lng)
    return replace(terms, position=position, bands=bands, postcode_bands=postcode_bands, **changes)


def _parse_bands(bands: Sequence[BandBody], currency: str, errors: Errors) -> Sequence[DistanceBand]:
    return tuple(
        # An amount that cannot be expressed is among the errors; the band is compared all the same.
        DistanceBand(round(band.up_to_km * 1000), _parse_amount(f"bands.{index}.fee", band.fee, currency, errors) or 0)
        for index, band in enumerate(bands)
    )


def _parse_postcode_bands(bands: Sequence[PostcodeBandBody], currency: str, errors: Errors) -> Sequence[PostcodeBand]:
    found: list[PostcodeBand] = []
    seen: set[str] = set()
    for index, band in enumerate(bands):
        prefixes = tuple(normalize_postcode(prefix) for prefix in band.prefixes)
        for position, prefix in enumerate(prefixes):
            if not prefix:
                errors[f"postcode_bands.{index}.prefixes.{position}"] = ["Must have a letter or a digit."]
            elif prefix in seen:
                errors[f"postcode_bands.{index}.prefixes.{position}"] = ["Must not be listed twice."]
            seen.add(prefix)
        fee_minor = _parse_amount(f"postcode_bands.{index}.fee", band.fee, currency, errors)
        found.append(PostcodeBand(prefixes, fee_minor or 0))
    return tuple(found)


def _parse_amount(path: str, amount: float | None, currency: str, errors: Errors) -> int | None:
    try:
        return None if amount is None else to_minor(amount, currency)
    except ValueError as error:
        errors[path] = [str(error)]
        return None


def _to_columns(terms: DeliveryTerms) -> tuple[object, ...]:
    return (
        *(terms.position or (None, None)),
        terms.fee_minor,
        orjson.dumps([[band.up_to_m, band.fee_minor] for band in terms.bands]).decode(),
        orjson.dumps([[band.prefixes, band.fee_minor] for band in terms.postcode_bands]).decode(),
        terms.unplaced_addresses,
        terms.free_over_minor,
        terms.min_order_minor,
        terms.tax_rate_ppm,
        terms.max_active,
        terms.require_shift,
        terms.dispatch_mode,
        terms.offer_at,
        terms.pod,
        terms.driver_pay_minor,
    )


def _to_store_terms(terms: DeliveryTerms, currency: str) -> StoreDeliveryTerms:
    def to_nullable_money(minor: int | None) -> Money | None:
        return None if minor is None else Money(minor, currency)

    lat, lng = terms.position or (None, None)
    return StoreDeliveryTerms(
        lat=lat,
        lng=lng,
        currency=currency,
        fee=Money(terms.fee_minor, currency),
        bands=[BandFee(band.up_to_m, Money(band.fee_minor, currency)) for band in terms.bands],
        postcode_bands=[
            PostcodeBandFee(band.prefixes, Money(band.fee_minor, currency)) for band in terms.postcode_bands
        ],
        unplaced_addresses=terms.unplaced_addresses,
        free_over=to_nullable_money(terms.free_over_minor),
        min_order=to_nullable_money(terms.min_order_minor),
        tax_rate_ppm=terms.tax_rate_ppm,
        max_active_deliveries=terms.max_active,
        require_shift=terms.require_shift,
        dispatch_mode=terms.dispatch_mode,
        offer_at=terms.offer_at,
        pod=terms.pod,
        driver_pay=Money(terms.driver_pay_minor, currency),
    )
