"""Changes of many prices at once, by percent or by an amount, with rounding and a preview."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

from comanda.basics.errors import Conflict, ValidationFailed
from comanda.basics.money import MAX_MINOR, Money
from comanda.basics.sentences import Sentence
from comanda.contracts.requests.callers import Caller
from comanda.menu import services
from comanda.menu.bulk_schemas import PriceChangeBody
from comanda.menu.changes import bulk_changes
from comanda.menu.changes.price_rules import PriceRule, to_rule
from comanda.menu.events import Change
from comanda.menu.models import Category
from comanda.menu.records import PriceChange, PriceChanges
from comanda.platform.db import sql
from comanda.stores.models import Store

MAX_LISTED_CHANGES: Final = 500
SELECT_ITEM_IDS: Final = """
    SELECT id FROM core_menu_item
    WHERE store_id = $1 AND owner_id = $2
      AND (($3::bigint[] IS NULL AND $4::bigint[] IS NULL) OR id = ANY($3) OR category_id = ANY($4))
    ORDER BY id
"""
SELECT_PRICES: Final = """
    SELECT i.id AS item_id, NULL::bigint AS variation_id, NULL::bigint AS extra_id, i.name, NULL AS choice,
        i.price_minor, 0 AS kind, i.id AS position
    FROM core_menu_item i WHERE i.store_id = $1 AND i.owner_id = $2 AND i.id = ANY($3::bigint[])
    UNION ALL
    SELECT i.id, v.id, NULL, i.name, v.name, v.price_minor, 1, v.id
    FROM core_variant v JOIN core_menu_item i ON i.id = v.item_id AND i.owner_id = v.owner_id
    WHERE $4 AND v.store_id = $1 AND v.owner_id = $2 AND v.item_id = ANY($3)
    UNION ALL
    SELECT i.id, NULL, e.id, i.name, e.name, e.price_minor, 2, e.id
    FROM core_extra e JOIN core_extra_group g ON g.id = e.group_id AND g.owner_id = e.owner_id
    JOIN core_menu_item i ON i.id = g.item_id AND i.owner_id = g.owner_id
    WHERE $5 AND e.store_id = $1 AND e.owner_id = $2 AND g.item_id = ANY($3)
    ORDER BY item_id, kind, position
"""
UPDATE_ITEMS: Final = """
    UPDATE core_menu_item t SET price_minor = n.price_minor
    FROM unnest($2::bigint[], $3::bigint[]) AS n(id, price_minor) WHERE t.id = n.id AND t.owner_id = $1
"""
UPDATE_VARIANTS: Final = """
    UPDATE core_variant t SET price_minor = n.price_minor
    FROM unnest($2::bigint[], $3::bigint[]) AS n(id, price_minor) WHERE t.id = n.id AND t.owner_id = $1
"""
UPDATE_EXTRAS: Final = """
    UPDATE core_extra t SET price_minor = n.price_minor
    FROM unnest($2::bigint[], $3::bigint[]) AS n(id, price_minor) WHERE t.id = n.id AND t.owner_id = $1
"""


async def change_prices(caller: Caller, store_id: int, body: PriceChangeBody) -> PriceChanges:
    """Change the prices of items with their variations and, if asked, extras; with ``preview`` only report them.

    Emits ``MenuUpdated`` for each item with a new price. Raises ``NotFound``; ``ValidationFailed`` for an invalid
    rule, unknown ids, and if a price would fall below 0; ``Conflict`` if the changes are not those of the preview whose
    ``checksum`` is given.
    """
    async with sql.transaction():
        store = await services.get_owned_store(caller, store_id)
        if not body.has_rule:
            raise ValidationFailed(percent=[Sentence("Give a percentage, an amount or a step to round to.")])
        rule = to_rule(body, store.currency)
        item_ids = await _list_item_ids(store, body)
        if not body.preview:
            item_ids = await bulk_changes.lock_items(store, item_ids)
            await bulk_changes.lock_variants(store, item_ids)
        changes = await _list_changes(store, rule, item_ids, body)
        _check_prices(changes, body)
        checksum = _get_checksum(changes)
        if not body.preview:
            if body.checksum is not None and body.checksum != checksum:
                raise Conflict(
                    Sentence("The menu has changed since the preview. Check the new preview and apply it."),
                    extras={"reason": "preview_outdated"},
                )
            await _apply(store, changes)
    changed_items = {change.item_id for change in changes}
    return PriceChanges(body.preview, checksum, len(changed_items), len(changes), changes[:MAX_LISTED_CHANGES])


async def _list_item_ids(store: Store, body: PriceChangeBody) -> list[int]:
    if body.category_ids is not None:
        known = Category.filter(id__in=body.category_ids, store_id=store.id, owner_id=store.owner_id)
        bulk_changes.check_known_ids("category_ids", body.category_ids, [row.id for row in await known])
    rows = await sql.fetch(SELECT_ITEM_IDS, store.id, store.owner_id, body.item_ids, body.category_ids)
    found = [row["id"] for row in rows]
    bulk_changes.check_known_ids("item_ids", body.item_ids or [], found)
    return found


async def _list_changes(
    store: Store, rule: PriceRule, item_ids: Sequence[int], body: PriceChangeBody
) -> list[PriceChange]:
    rows = await sql.fetch(SELECT_PRICES, store.id, store.owner_id, list(item_ids), body.variations, body.extras)
    found = (
        sql.to_record(
            PriceChange,
            row,
            old_price=Money(row["price_minor"], store.currency),
            new_price=Money(rule.apply(row["price_minor"]), store.currency),
        )
        for row in rows
    )
    return [change for change in found if change.old_price != change.new_price]


def _check_prices(changes: Iterable[PriceChange], body: PriceChangeBody) -> None:
    field = "percent" if body.percent is not None else "amount" if body.amount is not None else "round_to"
    for change in changes:
        if not 0 <= change.new_price.minor <= MAX_MINOR:
            raise ValidationFailed(
                {
                    field: [
                        Sentence(
                            "%(name)s would cost %(price)s.",
                            name=change.name,
                            price=change.new_price.to_decimal_string(),
                        )
                    ]
                }
            )


def _get_checksum(changes: Iterable[PriceChange]) -> str:
    text = ";".join(
        f"{change.item_id},{change.variation_id},{change.extra_id},{change.old_price.minor},{change.new_price.minor}"
        for change in changes
    )
    return hashlib.sha256(text.encode()).hexdigest()[:32]


async def _apply(store: Store, changes: Sequence[PriceChange]) -> None:
    targets = (
        (UPDATE_ITEMS, [(c.item_id, c) for c in changes if c.variation_id is None and c.extra_id is None]),
        (UPDATE_VARIANTS, [(c.variation_id, c) for c in changes if c.variation_id is not None]),
        (UPDATE_EXTRAS, [(c.extra_id, c) for c in changes if c.extra_id is not None]),
    )
    for statement, rows in targets:
        if rows:
            prices = [change.new_price.minor for _, change in rows]
            await sql.execute(statement, store.owner_id, [id for id, _ in rows], prices)
    await bulk_changes.record_item_changes(store, Change.UPDATED, sorted({change.item_id for change in changes}))
