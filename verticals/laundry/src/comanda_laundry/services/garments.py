"""Garments: each gets a tag of its own when it is taken in, and is followed until its owner has it back."""

from typing import Final

from comanda.basics import Conflict, Sentence, ValidationFailed, clock
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.platform.tasks import notifier

from comanda_laundry.models import GarmentState
from comanda_laundry.records import LaundryOrder
from comanda_laundry.schemas import MAX_TAG, MAX_TAGGED, GarmentBody, GarmentsBody, TagBody
from comanda_laundry.services.laundries import lock_open_order, require_laundry
from comanda_laundry.services.orders import get_order

# Of a lost or damaged garment somebody will ask what happened.
NEEDS_NOTE: Final = frozenset({GarmentState.LOST, GarmentState.DAMAGED})

SELECT_LINE: Final = """
    SELECT l.name, l.quantity, w.line_id IS NOT NULL AS is_by_weight,
        (SELECT count(*) FROM laundry_garment g WHERE g.line_id = l.id AND g.owner_id = l.owner_id) AS tagged
    FROM core_order_line_v1 l JOIN laundry_order o ON o.order_id = l.order_id AND o.owner_id = l.owner_id
    LEFT JOIN laundry_weighed_line w ON w.line_id = l.id AND w.owner_id = l.owner_id
    WHERE l.id = $1 AND l.owner_id = $2 AND l.order_id = $3
"""
# The conflicting update locks the row, so that no tag is given twice.
LOCK_TAGS: Final = """
    INSERT INTO laundry_tag_counter AS c (store_id, owner_id, last_tag) VALUES ($1, $2, 0)
    ON CONFLICT (store_id, owner_id) DO UPDATE SET last_tag = c.last_tag RETURNING last_tag
"""
# The next numbers that no garment wears, from the last one on and then from 1 again.
SELECT_FREE_TAGS: Final = f"""
    SELECT tag FROM (
        SELECT ($3::int + step - 1) % {MAX_TAG} + 1 AS tag, step FROM generate_series(1, {MAX_TAG}) AS step) AS numbers
    WHERE NOT EXISTS (
        SELECT FROM laundry_garment g
        WHERE g.store_id = $1 AND g.owner_id = $2 AND g.has_tag AND g.tag = numbers.tag)
    ORDER BY step LIMIT $4
"""
INSERT_GARMENTS: Final = f"""
    WITH counted AS (UPDATE laundry_tag_counter SET last_tag = $9 WHERE store_id = $2 AND owner_id = $1)
    INSERT INTO laundry_garment (owner_id, store_id, order_id, line_id, tag, has_tag, name, state, note, created_at,
        updated_at)
    SELECT $1, $2, $3, $4, tag, true, $5, '{GarmentState.TAKEN_IN}', $6, $7, $7 FROM unnest($8::int[]) AS tag
"""
SELECT_GARMENT: Final = """
    SELECT order_id, tag, has_tag, state, note FROM laundry_garment WHERE id = $1 AND owner_id = $2 AND store_id = $3
"""
SAVE_GARMENT: Final = """
    UPDATE laundry_garment SET state = $3, note = $4, updated_at = $5 WHERE id = $1 AND owner_id = $2
"""
SAVE_GARMENTS: Final = f"""
    UPDATE laundry_garment SET state = $3, updated_at = $4
    WHERE order_id = $1 AND owner_id = $2 AND has_tag AND state <> $3
        AND state NOT IN ('{GarmentState.LOST}', '{GarmentState.DAMAGED}')
"""


async def tag_garments(caller: Caller, store_id: int, order_id: int, body: TagBody) -> LaundryOrder:
    """Give tags to pieces of a line, and return the order; no two garments of the store's open orders have one tag.

    Raises ``NotFound``, ``Conflict`` for an order that is closed, and ``ValidationFailed`` if all pieces of the line
    have tags, or no tag is free.
    """
    await require_laundry(caller, store_id)
    async with sql.transaction():
        await lock_open_order(caller, store_id, order_id)
        line = await sql.require_one(SELECT_LINE, body.line_id, caller.owner_id, order_id)
        count = body.count or _count_left(line)
        last_tag = await sql.fetch_value(LOCK_TAGS, store_id, caller.owner_id)
        free = await sql.fetch(SELECT_FREE_TAGS, store_id, caller.owner_id, last_tag, count)
        if len(free) < count:
            raise ValidationFailed(count=[Sentence("Only %(number)s tags are free.", number=len(free))])
        tags = [row["tag"] for row in free]
        values = (caller.owner_id, store_id, order_id, body.line_id, line["name"], body.note or None)
        await sql.execute(INSERT_GARMENTS, *values, clock.now(), tags, tags[-1])
        notifier.announce_change(store_id)
    return await get_order(caller, store_id, order_id)


def _count_left(line: sql.Row) -> int:
    """Return how many pieces of a line have no tag yet; what is weighed is one bag."""
    left = (1 if line["is_by_weight"] else line["quantity"]) - line["tagged"]
    if left <= 0:
        raise ValidationFailed(
            {"line_id": [Sentence("All pieces have tags. Say how many there are besides.")]},
            extras={"reason": "all_tagged"},
        )
    return int(min(left, MAX_TAGGED))


async def update_garment(caller: Caller, store_id: int, garment_id: int, body: GarmentBody) -> LaundryOrder:
    """Set where a garment is, and return its order.

    Raises ``NotFound``; ``Conflict`` if its order is closed, or was closed since; ``ValidationFailed`` for one that is
    lost or damaged without a note.
    """
    await require_laundry(caller, store_id)
    owner_id = caller.owner_id
    found = await sql.require_one(SELECT_GARMENT, garment_id, owner_id, store_id)
    async with sql.transaction():
        await lock_open_order(caller, store_id, found["order_id"])
        garment = await sql.one(SELECT_GARMENT, garment_id, owner_id, store_id)
        if not garment["has_tag"]:
            text = Sentence("Tag %(tag)s was given back when the order was closed.", tag=garment["tag"])
            raise Conflict(text, extras={"reason": "tag_given_back"})
        note = (body.note or None) if "note" in body.model_fields_set else garment["note"]
        if body.state in NEEDS_NOTE and not note:
            raise ValidationFailed(note=[Sentence("Write down what happened to it.")])
        await sql.execute(SAVE_GARMENT, garment_id, owner_id, body.state, note, clock.now())
        notifier.announce_change(store_id)
    return await get_order(caller, store_id, found["order_id"])


async def update_garments(caller: Caller, store_id: int, order_id: int, body: GarmentsBody) -> LaundryOrder:
    """Set where all garments of an order are that are neither lost nor damaged, and return the order.

    Raises as ``update_garment``; each lost or damaged garment has a note of its own.
    """
    if body.state in NEEDS_NOTE:
        raise ValidationFailed(state=[Sentence("Say of each garment what happened to it.")])
    await require_laundry(caller, store_id)
    async with sql.transaction():
        await lock_open_order(caller, store_id, order_id)
        await sql.execute(SAVE_GARMENTS, order_id, caller.owner_id, body.state, clock.now())
        notifier.announce_change(store_id)
    return await get_order(caller, store_id, order_id)
