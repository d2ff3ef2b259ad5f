"""Availability of several items and extras at once, as other order channels set it."""

from collections.abc import Collection, Sequence
from datetime import datetime

from tortoise.queryset import QuerySet

from comanda.basics.errors import NotFound, ValidationFailed
from comanda.contracts.requests.callers import Caller
from comanda.menu import services
from comanda.menu.changes import locks
from comanda.menu.events import Change, Entity
from comanda.menu.models import Extra, ExtraGroup, Item
from comanda.platform.db import sql
from comanda.stores.models import Store


async def update_availability(
    caller: Caller,
    store_id: int,
    item_ids: Sequence[int],
    extra_ids: Sequence[int],
    *,
    is_sold_out: bool,
    until: datetime | None,
) -> None:
    """Mark items and extras as sold out, permanently or until a time, or as available; all or none.

    Emits ``MenuUpdated`` once for each item that changed, itself or in its extras. Raises ``NotFound``, and
    ``ValidationFailed`` with the positions of ids that the store does not have.
    """
    state = {"is_sold_out": is_sold_out, "sold_out_until": until if is_sold_out else None}
    async with sql.transaction():
        store = await services.get_owned_store(caller, store_id)
        changed = sorted({*item_ids, *await _list_item_ids_of_extras(store, extra_ids)})
        # Items are locked by ascending id, before their extras and the store's row, like in every menu change.
        items = [await _lock_item(store, item_ids, item_id) for item_id in changed]
        for item in items:
            if item.id in item_ids:
                item.update_from_dict(state)
                await item.save(update_fields=list(state))
        await _filter_extras(store, extra_ids).update(**state)
        for item in items:
            await services.record_change(store, Change.UPDATED, Entity.ITEM, item.id)


async def _lock_item(store: Store, given: Sequence[int], item_id: int) -> Item:
    try:
        return await locks.lock_item(store, item_id)
    except NotFound as error:
        raise _to_unknown_ids_error("item_ids", given, {item_id}) from error


async def _list_item_ids_of_extras(store: Store, extra_ids: Sequence[int]) -> list[int]:
    found = await _filter_extras(store, extra_ids)
    if missing := set(extra_ids) - {extra.id for extra in found}:
        raise _to_unknown_ids_error("extra_ids", extra_ids, missing)
    groups = await ExtraGroup.filter(owner_id=store.owner_id, id__in={extra.group_id for extra in found})
    return [group.item_id for group in groups]


def _filter_extras(store: Store, extra_ids: Sequence[int]) -> QuerySet[Extra]:
    return Extra.filter(owner_id=store.owner_id, store_id=store.id, id__in=extra_ids)


def _to_unknown_ids_error(field: str, given: Sequence[int], missing: Collection[int]) -> ValidationFailed:
    return ValidationFailed(
        {
            f"{field}.{position}": [f"No such id in this store: {id}."]
            for position, id in enumerate(given)
            if id in missing
        }
    )
