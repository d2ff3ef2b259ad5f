"""Price lists of a store, as owners manage them."""

from collections.abc import Collection
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from tortoise.queryset import QuerySet

from comanda.basics import clock, money, rates
from comanda.basics.errors import Conflict, ValidationFailed, require_found
from comanda.basics.frozen_records import extend_record
from comanda.basics.money import Money
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.paging import PageRequest, RecordPage
from comanda.contracts.time_windows import TimeWindow
from comanda.menu import models
from comanda.menu.changes.bulk_changes import check_known_ids
from comanda.menu.changes.price_rules import to_rule
from comanda.menu.events import Change, Entity
from comanda.menu.price_lists.price_list import PriceChannel, to_price_list
from comanda.menu.price_lists.schemas import ListPrice, ListPriceBody, PriceListBody, PriceListChange, StorePriceList
from comanda.menu.services import get_owned_store, record_change
from comanda.platform.db import sql
from comanda.stores.models import Store
from comanda.stores.records import find_vertical

# Every order of the store is priced with all of them.
MAX_PRICE_LISTS: Final = 20
# For these fields null means none; for the others it means no change.
CLEARABLE: Final = frozenset({"percent", "amount", "round_to"})
SELECT_CATEGORIES: Final = """
    SELECT id FROM core_menu_category WHERE id = ANY($1::bigint[]) AND store_id = $2 AND owner_id = $3
"""
# The items, each with its variants.
SELECT_PRICED: Final = """
    SELECT i.id, ARRAY(SELECT v.id FROM core_variant v WHERE v.item_id = i.id AND v.owner_id = $3) AS variants
    FROM core_menu_item i WHERE i.id = ANY($1::bigint[]) AND i.store_id = $2 AND i.owner_id = $3
"""


async def list_price_lists(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[StorePriceList]:
    """List a store's price lists in their order. Raises ``NotFound`` for another owner's store."""
    store = await get_owned_store(caller, store_id)
    lists = _filter(store)
    rows = await lists.order_by("position", "id").offset(page.offset()).limit(page.size())
    return page.of([_to_record(store, row) for row in rows], await page.get_total(rows, lists.count))


async def get_price_list(caller: Caller, store_id: int, list_id: int) -> StorePriceList:
    """Return a price list. Raises ``NotFound``."""
    store = await get_owned_store(caller, store_id)
    row = require_found(await _filter(store).get_or_none(id=list_id))
    return _to_record(store, row)


async def create_price_list(caller: Caller, store_id: int, body: PriceListBody) -> StorePriceList:
    """Create a price list. Emits ``MenuUpdated``.

    Raises ``NotFound``; ``ValidationFailed`` for invalid terms; ``Conflict`` beyond ``MAX_PRICE_LISTS``.
    """
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        row = models.PriceList(owner_id=store.owner_id, store_id=store.id, created_at=clock.now())
        row.update_from_dict(await _to_columns(store, body, PriceListBody.model_fields))
        await row.save(force_create=True)
        # The change locks the store, so two of them count one after the other.
        await record_change(store, Change.CREATED, Entity.PRICE_LIST, row.id)
        if await _filter(store).count() > MAX_PRICE_LISTS:
            raise Conflict(
                Sentence("A store can have at most %(limit)s price lists. Delete one first.", limit=MAX_PRICE_LISTS),
                extras={"limits": {"price_lists": MAX_PRICE_LISTS}},
            )
    return _to_record(store, row)


async def update_price_list(caller: Caller, store_id: int, list_id: int, change: PriceListChange) -> StorePriceList:
    """Update a price list; orders keep their prices. Emits ``MenuUpdated``.

    Raises ``NotFound``, and ``ValidationFailed`` for invalid terms.
    """
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        row = await _lock(store, list_id)
        given = {
            name: value
            for name, value in change.model_dump(exclude_unset=True).items()
            if value is not None or name in CLEARABLE
        }
        body = PriceListBody.model_validate({**dict(_to_body(row, store.currency)), **given})
        row.update_from_dict(await _to_columns(store, body, given))
        await row.save()
        await record_change(store, Change.UPDATED, Entity.PRICE_LIST, row.id)
    return _to_record(store, row)


async def delete_price_list(caller: Caller, store_id: int, list_id: int) -> None:
    """Delete a price list. Emits ``MenuUpdated``. Raises ``NotFound``."""
    async with sql.transaction():
        store = await get_owned_store(caller, store_id)
        await (await _lock(store, list_id)).delete()
        await record_change(store, Change.DELETED, Entity.PRICE_LIST, list_id)


def _filter(store: Store) -> QuerySet[models.PriceList]:
    return models.PriceList.filter(store_id=store.id, owner_id=store.owner_id)


async def _lock(store: Store, list_id: int) -> models.PriceList:
    return require_found(await _filter(store).select_for_update().get_or_none(id=list_id))


async def _to_columns(store: Store, body: PriceListBody, checked: Collection[str]) -> dict[str, Any]:
    """Return the columns of a price list; modes, categories and items are only checked if they are given now."""
    currency = store.currency
    if "modes" in checked:
        _check_modes(store, body.modes)
    if "category_ids" in checked:
        rows = await sql.fetch(SELECT_CATEGORIES, body.category_ids, store.id, store.owner_id)
        check_known_ids("category_ids", body.category_ids, [row["id"] for row in rows])
    if "prices" in checked:
        await _check_prices(store, body.prices)
    rule = to_rule(body, currency)
    if not body.has_rule and not body.prices:
        raise ValidationFailed(percent=[Sentence("Give a percentage, an amount or prices of items.")])
    return {
        **{name: getattr(body, name) for name in ("name", "is_active", "position")},
        "modes": sorted(set(body.modes)),
        "channels": sorted(set(body.channels)),
        "valid_at": [window.model_dump(mode="json") for window in body.valid_at],
        "percent_ppm": None if body.percent is None else _to_ppm(body.percent),
        "amount_minor": None if body.amount is None else rule.amount_minor,
        "step_minor": None if body.round_to is None else rule.step_minor,
        "minus_minor": rule.minus_minor,
        "category_ids": sorted(set(body.category_ids)),
        "prices": _to_prices(body.prices, currency),
    }


def _to_ppm(percent: Decimal) -> int:
    try:
        return rates.to_ppm(percent)
    except ValueError as error:
        raise ValidationFailed(percent=[f"A percentage must have at most {rates.DECIMALS} decimals."]) from error


def _to_prices(prices: Collection[ListPriceBody], currency: str) -> list[tuple[int, int | None, int]]:
    """Return the prices as they are stored; of two of the same, the last one counts."""
    found = {
        (each.item_id, each.variation): money.parse_amount(each.price, currency, f"prices.{place}.price")
        for place, each in enumerate(prices)
    }
    return [(item_id, variant_id, price_minor) for (item_id, variant_id), price_minor in found.items()]


def _check_modes(store: Store, modes: Collection[str]) -> None:
    vertical = find_vertical(store.store_type)
    known = vertical.fulfillment_modes if vertical else ()
    if unknown := [mode for mode in modes if mode not in known]:
        raise ValidationFailed(modes=[f"{mode} is not a fulfillment mode of this store." for mode in unknown])


async def _check_prices(store: Store, prices: Collection[ListPriceBody]) -> None:
    ids = sorted({each.item_id for each in prices})
    rows = await sql.fetch(SELECT_PRICED, ids, store.id, store.owner_id) if ids else []
    known = {row["id"]: row["variants"] for row in rows}
    errors: dict[str, list[str]] = {}
    for place, each in enumerate(prices):
        if each.item_id not in known:
            errors[f"prices.{place}.item_id"] = [f"This store has no item {each.item_id}."]
        elif each.variation is not None and each.variation not in known[each.item_id]:
            errors[f"prices.{place}.variation"] = [f"Item {each.item_id} has no variation {each.variation}."]
    if errors:
        raise ValidationFailed(errors)


def _to_body(row: models.PriceList, currency: str) -> PriceListBody:
    """Return a price list as the body that would create it, not validated."""
    return PriceListBody.model_construct(
        name=row.name,
        is_active=row.is_active,
        position=row.position,
        modes=row.modes,
        channels=[PriceChannel(channel) for channel in row.channels],
        valid_at=[TimeWindow.model_validate(window) for window in row.valid_at],
        percent=None if row.percent_ppm is None else Decimal(row.percent_ppm) / rates.PPM_OF_PERCENT,
        amount=None if row.amount_minor is None else Decimal(str(money.to_number(row.amount_minor, currency))),
        round_to=None if row.step_minor is None else money.to_number(row.step_minor, currency),
        minus=money.to_number(row.minus_minor, currency),
        category_ids=row.category_ids,
        prices=[
            ListPriceBody(item_id=item_id, variation=variant_id, price=money.to_number(price_minor, currency))
            for item_id, variant_id, price_minor in row.prices
        ],
    )


def _to_record(store: Store, row: models.PriceList) -> StorePriceList:
    def to_money(minor: int | None) -> Money | None:
        return None if minor is None else Money(minor, store.currency)

    state = to_price_list(vars(row)).find_state(ZoneInfo(store.timezone), clock.now())
    return extend_record(
        StorePriceList,
        row,
        channels=[PriceChannel(channel) for channel in row.channels],
        valid_at=[TimeWindow.model_validate(window) for window in row.valid_at],
        percent=None if row.percent_ppm is None else rates.to_percent(row.percent_ppm),
        amount=to_money(row.amount_minor),
        round_to=to_money(row.step_minor),
        minus=Money(row.minus_minor, store.currency),
        prices=[
            ListPrice(item_id, variant_id, Money(price_minor, store.currency))
            for item_id, variant_id, price_minor in row.prices
        ],
        is_on=row.is_active and state.is_orderable,
        changes_at=state.changes_at if row.is_active else None,
    )
