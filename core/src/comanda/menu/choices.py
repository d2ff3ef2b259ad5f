"""The choices an item offers: its variations and its groups of extras, replaced as whole lists."""

from collections.abc import Sequence
from typing import Any

from comanda import money
from comanda.errors import ValidationFailed
from comanda.menu.models import Extra, ExtraGroup, Variant
from comanda.menu.schemas import ExtraBody, ExtraGroupBody, VariationBody
from comanda.stores.models import Store


async def replace_variations(store: Store, item_id: int, wanted: Sequence[VariationBody]) -> None:
    """Make the item's variants those of the list: with a known id changed, without an id added, the others deleted.

    They are locked by ``menu.locks``, for the list may name them in any sequence.
    """
    have = {variant.id: variant for variant in await Variant.filter(item_id=item_id, owner_id=store.owner_id)}
    _check_ids("variations", wanted, have)
    for position, body in enumerate(wanted):
        columns: dict[str, Any] = {
            "name": body.name,
            "price_minor": minor(f"variations.{position}.price", body.price, store.currency),
            "position": position,
        }
        if body.id is None:
            await Variant.create(owner_id=store.owner_id, store_id=store.id, item_id=item_id, **columns)
        else:
            await Variant.filter(id=body.id, item_id=item_id, owner_id=store.owner_id).update(**columns)
    gone = have.keys() - {body.id for body in wanted}
    await Variant.filter(id__in=gone, item_id=item_id, owner_id=store.owner_id).delete()


async def replace_groups(store: Store, item_id: int, wanted: Sequence[ExtraGroupBody]) -> None:
    """Make the item's groups of extras those of the list, in the same way."""
    have = {group.id: group for group in await ExtraGroup.filter(item_id=item_id, owner_id=store.owner_id)}
    _check_ids("extra_groups", wanted, have)
    for position, body in enumerate(wanted):
        path = f"extra_groups.{position}"
        columns = _group_columns(path, body, position)
        if body.id is None:
            group = await ExtraGroup.create(owner_id=store.owner_id, store_id=store.id, item_id=item_id, **columns)
            group_id = group.id
        else:
            await ExtraGroup.filter(id=body.id, item_id=item_id, owner_id=store.owner_id).update(**columns)
            group_id = body.id
        await _replace_extras(store, group_id, f"{path}.extras", body.extras)
    gone = have.keys() - {body.id for body in wanted}
    await ExtraGroup.filter(id__in=gone, item_id=item_id, owner_id=store.owner_id).delete()


async def _replace_extras(store: Store, group_id: int, path: str, wanted: Sequence[ExtraBody]) -> None:
    have = {extra.id: extra for extra in await Extra.filter(group_id=group_id, owner_id=store.owner_id)}
    _check_ids(path, wanted, have)
    for position, body in enumerate(wanted):
        columns: dict[str, Any] = {
            "name": body.name,
            "price_minor": minor(f"{path}.{position}.price", body.price, store.currency),
            "is_sold_out": body.is_sold_out,
            "sold_out_until": None,
            "position": position,
        }
        if body.id is None:
            await Extra.create(owner_id=store.owner_id, store_id=store.id, group_id=group_id, **columns)
        else:
            await Extra.filter(id=body.id, group_id=group_id, owner_id=store.owner_id).update(**columns)
    gone = have.keys() - {body.id for body in wanted}
    await Extra.filter(id__in=gone, group_id=group_id, owner_id=store.owner_id).delete()


def minor(field: str, amount: float, currency: str) -> int:
    """Turn an amount of the wire into minor units. Raises ``ValidationFailed`` on ``field``."""
    try:
        return money.to_minor(amount, currency)
    except ValueError as error:
        raise ValidationFailed({field: [str(error)]}) from error


def _group_columns(path: str, body: ExtraGroupBody, position: int) -> dict[str, Any]:
    min_count = max(body.min, 1) if body.is_required else body.min
    if body.max is not None and body.max < min_count:
        raise ValidationFailed({f"{path}.max": [f"{body.name} needs at least {min_count}, but allows {body.max}."]})
    return {
        "name": body.name,
        "min_count": min_count,
        "max_count": body.max,
        "free_count": body.free_count,
        "allows_repeats": body.allows_repeats,
        "position": position,
    }


def _check_ids(path: str, wanted: Sequence[Any], have: dict[int, Any]) -> None:
    ids = [body.id for body in wanted if body.id is not None]
    errors = {
        f"{path}.{position}.id": [f"This item has no {body.id} here."]
        for position, body in enumerate(wanted)
        if body.id is not None and (body.id not in have or ids.count(body.id) > 1)
    }
    if errors:
        raise ValidationFailed(errors)
