"""The choices of an item: its variations and groups of extras, replaced as whole lists."""

from collections.abc import Sequence
from typing import Any

from comanda.basics.errors import ValidationFailed
from comanda.contracts.stores.menu_items import Extra, ItemVariant
from comanda.menu import models
from comanda.menu.columns import to_columns, to_group_columns
from comanda.menu.combos import check_choices
from comanda.menu.models import ExtraGroup, Variant
from comanda.menu.schemas import ExtraBody, ExtraGroupBody, VariationBody
from comanda.platform.db.references import check_references
from comanda.stores.models import Store


async def replace_variations(store: Store, item_id: int, bodies: Sequence[VariationBody]) -> None:
    """Replace the item's variants: those with an id are updated, those without are created, the rest are deleted.

    The caller locks them with ``menu.locks``, because the list can have any order.
    """
    existing = {variant.id: variant for variant in await Variant.filter(item_id=item_id, owner_id=store.owner_id)}
    _check_ids("variations", bodies, existing)
    for position, body in enumerate(bodies):
        columns = to_columns(ItemVariant, body, store.currency, f"variations.{position}.")
        columns["position"] = position
        if body.id is None:
            await Variant.create(owner_id=store.owner_id, store_id=store.id, item_id=item_id, **columns)
        else:
            await Variant.filter(id=body.id, item_id=item_id, owner_id=store.owner_id).update(**columns)
    gone = existing.keys() - {body.id for body in bodies}
    async with check_references("A variation"):
        await Variant.filter(id__in=gone, item_id=item_id, owner_id=store.owner_id).delete()


async def replace_groups(store: Store, item_id: int, bodies: Sequence[ExtraGroupBody]) -> None:
    """Replace the item's groups of extras in the same way."""
    existing = {group.id: group for group in await ExtraGroup.filter(item_id=item_id, owner_id=store.owner_id)}
    _check_ids("extra_groups", bodies, existing)
    await check_choices(store, item_id, bodies)
    for position, body in enumerate(bodies):
        path = f"extra_groups.{position}"
        columns = to_group_columns(path, body, store.currency) | {"position": position}
        if body.id is None:
            group = await ExtraGroup.create(owner_id=store.owner_id, store_id=store.id, item_id=item_id, **columns)
            group_id = group.id
        else:
            await ExtraGroup.filter(id=body.id, item_id=item_id, owner_id=store.owner_id).update(**columns)
            group_id = body.id
        await _replace_extras(store, group_id, f"{path}.extras", body.extras)
    gone = existing.keys() - {body.id for body in bodies}
    async with check_references("A group of extras"):
        await ExtraGroup.filter(id__in=gone, item_id=item_id, owner_id=store.owner_id).delete()


async def _replace_extras(store: Store, group_id: int, path: str, bodies: Sequence[ExtraBody]) -> None:
    existing = {extra.id: extra for extra in await models.Extra.filter(group_id=group_id, owner_id=store.owner_id)}
    _check_ids(path, bodies, existing)
    for position, body in enumerate(bodies):
        columns = to_columns(Extra, body, store.currency, f"{path}.{position}.", is_whole=True)
        columns |= {"sold_out_until": None, "position": position}
        if body.id is None:
            await models.Extra.create(owner_id=store.owner_id, store_id=store.id, group_id=group_id, **columns)
        else:
            await models.Extra.filter(id=body.id, group_id=group_id, owner_id=store.owner_id).update(**columns)
    gone = existing.keys() - {body.id for body in bodies}
    async with check_references("An extra"):
        await models.Extra.filter(id__in=gone, group_id=group_id, owner_id=store.owner_id).delete()


def _check_ids(path: str, bodies: Sequence[Any], existing: dict[int, Any]) -> None:
    ids = [body.id for body in bodies if body.id is not None]
    errors = {
        f"{path}.{position}.id": [f"Unknown id {body.id}."]
        for position, body in enumerate(bodies)
        if body.id is not None and (body.id not in existing or ids.count(body.id) > 1)
    }
    if errors:
        raise ValidationFailed(errors)
