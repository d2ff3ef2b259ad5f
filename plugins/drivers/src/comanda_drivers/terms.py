"""The terms of delivery of each store: read, shown, changed by its owner."""

from typing import Any, Final

import orjson
from comanda import clock, money, rates
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.stores.services import bump_menu_version, require_store

from comanda_drivers.fees import NONE, Band, DispatchMode, OfferAt, Pod, StoreTerms
from comanda_drivers.schemas.terms import TermsChange

COLUMNS: Final = """lat, lng, fee_minor, bands, free_over_minor, min_order_minor, tax_rate_ppm, max_active,
    require_shift, dispatch_mode, offer_at, pod, driver_pay_minor"""
READ: Final = f"SELECT {COLUMNS} FROM drivers_terms WHERE store_id = $1 AND owner_id = $2"
WRITE: Final = """
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
# Orders that wait for the kitchen to be offered are due at once, and the next step leaves them to the pool.
RELEASE: Final = """
    UPDATE drivers_dispatch d SET due_at = $3 FROM core_order o
    WHERE o.id = d.order_id AND o.owner_id = d.owner_id AND o.store_id = $1 AND d.owner_id = $2
"""
AS_STORED: Final = (
    "fee_minor", "free_over_minor", "min_order_minor", "tax_rate_ppm", "max_active", "require_shift",
    "driver_pay_minor",
)  # fmt: skip
# Two may change terms at once, also of a store that has none yet, and what each of them left out stays.
LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
# Of these, null takes away what there is; of the others it says nothing.
CLEARABLE: Final = frozenset({"lat", "lng", "free_over", "min_order", "tax_rate"})

Errors = dict[str, list[str]]


async def of_store(owner_id: int, store_id: int) -> StoreTerms:
    """Return a store's terms."""
    row = await sql.fetch_one(READ, store_id, owner_id)
    if row is None:
        return NONE
    bands = tuple(Band(*band) for band in orjson.loads(row["bands"]))
    position = None if row["lat"] is None else (row["lat"], row["lng"])
    return StoreTerms(
        position=position,
        bands=bands,
        dispatch_mode=DispatchMode(row["dispatch_mode"]),
        offer_at=OfferAt(row["offer_at"]),
        pod=Pod(row["pod"]),
        **{name: row[name] for name in AS_STORED},
    )


async def show(caller: Caller, store_id: int) -> dict[str, Any]:
    """Tell a store's terms. Raises ``NotFound``."""
    store = await require_store(caller, store_id)
    return _record(await of_store(caller.owner_id, store_id), store["currency"])


async def change(caller: Caller, store_id: int, body: TermsChange) -> dict[str, Any]:
    """Change a store's terms for the orders to come, and tell them all.

    Raises ``NotFound``; ``ValidationFailed`` for bands that do not go from near to far or have no position to be
    measured from, and for an amount that the store's currency cannot express.
    """
    store = await require_store(caller, store_id)
    currency = store["currency"]
    async with sql.transaction():
        await sql.execute(LOCK, f"drivers_terms:{store_id}")
        now = _record(await of_store(caller.owner_id, store_id), currency)
        given = body.model_dump(exclude_unset=True)
        wanted = {**now, **{name: value for name, value in given.items() if value is not None or name in CLEARABLE}}
        await sql.execute(WRITE, store_id, caller.owner_id, *_columns(wanted, currency))
        # Processes keep the terms together with the menu that they price orders from.
        await bump_menu_version(caller.owner_id, store_id)
        if wanted["dispatch_mode"] != DispatchMode.OFFER:
            await sql.execute(RELEASE, store_id, caller.owner_id, clock.now())
    return _record(await of_store(caller.owner_id, store_id), currency)


def _columns(wanted: dict[str, Any], currency: str) -> list[Any]:
    errors: Errors = {}

    def minor(path: str, amount: float | None) -> int | None:
        try:
            return None if amount is None else money.to_minor(amount, currency)
        except ValueError as error:
            errors[path] = [str(error)]
            return None

    bands = [
        [round(band["up_to_km"] * 1000), minor(f"bands.{place}.fee", band["fee"])]
        for place, band in enumerate(wanted["bands"])
    ]
    amounts = [minor(name, wanted[name]) for name in ("fee", "free_over", "min_order")]
    driver_pay = minor("driver_pay", wanted["driver_pay"])
    if (wanted["lat"] is None) != (wanted["lng"] is None):
        errors["lng" if wanted["lng"] is None else "lat"] = ["Give lat and lng together."]
    if bands and wanted["lat"] is None:
        errors["bands"] = ["Distances need the store's lat and lng."]
    for place in range(1, len(bands)):
        if bands[place][0] <= bands[place - 1][0]:
            errors[f"bands.{place}.up_to_km"] = ["Each band must reach farther than the one before it."]
    if errors:
        raise ValidationFailed(errors)
    rate = wanted["tax_rate"]
    return [
        wanted["lat"],
        wanted["lng"],
        amounts[0],
        orjson.dumps(bands).decode(),
        *amounts[1:],
        None if rate is None else rates.to_ppm(rate),
        wanted["max_active_deliveries"],
        wanted["require_shift"],
        wanted["dispatch_mode"],
        wanted["offer_at"],
        wanted["pod"],
        driver_pay,
    ]


def _record(terms: StoreTerms, currency: str) -> dict[str, Any]:
    def shown(minor: int | None) -> float | None:
        return None if minor is None else money.to_number(minor, currency)

    lat, lng = terms.position or (None, None)
    return {
        "lat": lat,
        "lng": lng,
        "currency": currency,
        "fee": shown(terms.fee_minor),
        "bands": [{"up_to_km": band.up_to_m / 1000, "fee": shown(band.fee_minor)} for band in terms.bands],
        "free_over": shown(terms.free_over_minor),
        "min_order": shown(terms.min_order_minor),
        "tax_rate": None if terms.tax_rate_ppm is None else rates.to_percent(terms.tax_rate_ppm),
        "max_active_deliveries": terms.max_active,
        "require_shift": terms.require_shift,
        "dispatch_mode": terms.dispatch_mode,
        "offer_at": terms.offer_at,
        "pod": terms.pod,
        "driver_pay": shown(terms.driver_pay_minor),
    }
